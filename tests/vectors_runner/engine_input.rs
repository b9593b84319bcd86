//! What runners of engines share: records out of a vector's input, and findings in the form of the vectors.

use contract_tools::engine::finding::Finding;
use contract_tools::engine::moment::{self, Moment};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The clock of vectors that name none.
const NOW: &str = "2026-06-15T12:00:00.000Z";

/// The member `name` of a vector's input; where it is absent or null, the empty one.
pub(crate) fn read<T: DeserializeOwned + Default>(input: &Value, name: &str) -> Result<T, String> {
    let member = input.get(name).filter(|member| !member.is_null());
    member.map_or_else(|| Ok(T::default()), |member| typed(member).map_err(|error| format!("{name}: {error}")))
}

/// A value as a record.
pub(crate) fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|error| error.to_string())
}

/// The member `name` of a vector's input, a text.
pub(crate) fn text<'a>(input: &'a Value, name: &str) -> Result<&'a str, String> {
    input[name].as_str().ok_or_else(|| format!("the vector has no {name}"))
}

/// The vector's clock.
pub(crate) fn now(input: &Value) -> Result<Moment, String> {
    let text = input["now"].as_str().unwrap_or(NOW);
    moment::parse(text).ok_or_else(|| format!("{text} is no moment"))
}

/// Findings as the vectors have them: without their sentences.
pub(crate) fn findings_in_vector_form(findings: &[Finding]) -> Vec<Value> {
    let form = |finding: &Finding| json!({ "code": finding.code, "severity": finding.severity, "hasAction": finding.action.is_some() });
    findings.iter().map(form).collect()
}

/// A report as JSON, without the members that the vectors leave out.
pub(crate) fn without(report: impl serde::Serialize, left_out: &[&str]) -> Result<Value, String> {
    let mut form = serde_json::to_value(report).map_err(|error| error.to_string())?;
    if let Some(members) = form.as_object_mut() {
        members.retain(|name, _| !left_out.contains(&name.as_str()));
    }
    Ok(form)
}
