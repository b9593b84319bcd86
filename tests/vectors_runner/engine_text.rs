//! The rules for words, references, paths, labels and checks, by function call.

use contract_tests::vectors::Vector;
use contract_tools::engine::text::{
    ComparedLabel, Effort, KeptFirst, LabelGlob, category, file_priority, has_no_issue_rationale, has_validation_note,
    is_code_path, is_failing_check, is_public_safe, is_test_path, linked_references, redacted, terms,
};
use serde_json::{Value, json};

use super::World;

pub(crate) fn tokenize(_: &World, vector: &Vector) -> Result<Value, String> {
    let terms = terms(text(vector, "text")?);
    Ok(json!({ "terms": terms.iter().collect::<Vec<_>>() }))
}

pub(crate) fn failing_check(_: &World, vector: &Vector) -> Result<Value, String> {
    let conclusion = vector.input["conclusion"].as_str();
    Ok(json!({ "failing": is_failing_check(text(vector, "status")?, conclusion) }))
}

pub(crate) fn label_glob(_: &World, vector: &Vector) -> Result<Value, String> {
    let (glob, label) = (LabelGlob::new(text(vector, "pattern")?), ComparedLabel::new(text(vector, "label")?));
    Ok(json!({ "matches": glob.matches(&label, &mut Effort::default()) }))
}

pub(crate) fn path_classes(_: &World, vector: &Vector) -> Result<Value, String> {
    let path = text(vector, "path")?;
    Ok(json!({ "isTest": is_test_path(path), "isCode": is_code_path(path), "filePriority": file_priority(path) }))
}

pub(crate) fn gate_path_class(_: &World, vector: &Vector) -> Result<Value, String> {
    let path = text(vector, "path")?;
    Ok(json!({
        "isTest": is_test_path(path),
        "isCode": is_code_path(path),
        "category": category(path).as_str(),
        "reviewPriority": file_priority(path),
    }))
}

pub(crate) fn gate_linked_issue_refs(_: &World, vector: &Vector) -> Result<Value, String> {
    let (body, repository) = (text(vector, "text")?, text(vector, "repoFullName")?);
    let mut in_text = linked_references(body, repository, KeptFirst::InText);
    let mut by_form = linked_references(body, repository, KeptFirst::ByForm);
    in_text.numbers.sort_unstable();
    by_form.numbers.sort_unstable();
    Ok(json!({
        "numbersSorted": in_text.numbers,
        "predictorTwin": by_form.numbers,
        "overflow": by_form.has_overflow,
    }))
}

pub(crate) fn gate_no_issue_rationale(_: &World, vector: &Vector) -> Result<Value, String> {
    Ok(json!({ "rationale": has_no_issue_rationale(text(vector, "title")?, vector.input["body"].as_str()) }))
}

pub(crate) fn gate_validation_note(_: &World, vector: &Vector) -> Result<Value, String> {
    Ok(json!({ "hasNote": has_validation_note(text(vector, "text")?) }))
}

pub(crate) fn gate_public_safe(_: &World, vector: &Vector) -> Result<Value, String> {
    Ok(json!({ "safe": is_public_safe(text(vector, "text")?) }))
}

pub(crate) fn gate_text_redaction(_: &World, vector: &Vector) -> Result<Value, String> {
    let text = text(vector, "text")?;
    Ok(json!({ "changed": redacted(text) != text }))
}

fn text<'a>(vector: &'a Vector, name: &str) -> Result<&'a str, String> {
    vector.input[name].as_str().ok_or_else(|| format!("the vector has no {name}"))
}
