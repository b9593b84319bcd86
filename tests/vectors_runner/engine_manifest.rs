//! The public manifest, its two kinds of path patterns and the checks that it configures, by function call.

use contract_tests::vectors::Vector;
use contract_tools::engine::finding::Finding;
use contract_tools::engine::gate::GateMode;
use contract_tools::engine::manifest::{
    ClaCheckRun, ClaConsent, Guardrails, LinkedIssuePolicy, Manifest, Pack, PathPattern, PlannedText, PreMergeCheck,
    cla_finding, guardrail_globs, parse_manifest, pre_merge_findings,
};
use contract_tools::engine::text::{Effort, normalized_path};
use serde_json::{Value, json};

use super::World;

pub(crate) fn gate_manifest_parse(_: &World, vector: &Vector) -> Result<Value, String> {
    let parsed = parse_manifest(&content(&vector.input)?);
    let Manifest { gate, pre_merge_checks, .. } = &parsed.manifest;
    let mode = |mode: Option<GateMode>| {
        mode.map(|mode| match mode {
            GateMode::Off => "off",
            GateMode::Advisory => "advisory",
            GateMode::Block => "block",
        })
    };
    let pack = gate.pack.map(|pack| match pack {
        Pack::Gittensor => "gittensor",
        Pack::OssAntiSlop => "oss-anti-slop",
    });
    let policy = match parsed.manifest.linked_issue_policy {
        LinkedIssuePolicy::Required => "required",
        LinkedIssuePolicy::Preferred => "preferred",
        LinkedIssuePolicy::Optional => "optional",
    };
    Ok(json!({
        "linkedIssuePolicy": policy,
        "testExpectations": parsed.manifest.test_expectations,
        "gate": {
            "pack": pack,
            "linkedIssue": mode(gate.linked_issue),
            "duplicates": mode(gate.duplicates),
            "readinessMode": mode(gate.readiness_mode),
            "readinessMinScore": gate.readiness_min_score,
            "sizeMode": mode(gate.size_mode),
            "sizeMaxFiles": gate.size_max_files,
            "sizeMaxLines": gate.size_max_lines,
            "aiReviewMode": mode(gate.ai_review_mode),
            "aiReviewCloseConfidence": gate.ai_review_close_confidence,
            "mergeReadiness": mode(gate.merge_readiness),
            "manifestPolicy": mode(gate.manifest_policy),
            "selfAuthoredLinkedIssue": mode(gate.self_authored_linked_issue),
            "claMode": mode(gate.cla_mode),
            "claConsentPhrase": gate.cla.phrase,
            "claCheckRunName": gate.cla.check_run,
        },
        "hardGuardrailGlobs": parsed.manifest.hard_guardrail_globs,
        "hardGuardrailGlobsOverridesInvariants": parsed.manifest.hard_guardrail_globs_stand_alone,
        "preMergeChecks": pre_merge_checks.iter().map(check_in_vector_form).collect::<Vec<_>>(),
        "warningCount": parsed.warnings.len(),
    }))
}

pub(crate) fn gate_manifest_path_match(_: &World, vector: &Vector) -> Result<Value, String> {
    let text = |name: &str| vector.input[name].as_str().ok_or_else(|| format!("the vector has no {name}"));
    let fits = PathPattern::new(text("pattern")?).matches(&normalized_path(text("path")?), &mut Effort::default());
    // The original has the rule twice, and tells whether its copies agree; here it is there once.
    Ok(json!({ "match": fits, "hostCopyAgrees": true }))
}

pub(crate) fn gate_guardrail_match(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    if let Some(settings) = input.get("settings") {
        let manifest = Manifest {
            hard_guardrail_globs: settings["hardGuardrailGlobs"]
                .as_array()
                .map(|_| texts(&settings["hardGuardrailGlobs"])),
            hard_guardrail_globs_stand_alone: settings["hardGuardrailGlobsOverridesInvariants"].as_bool(),
            ..Manifest::default()
        };
        return Ok(json!({ "globs": guardrail_globs(&manifest) }));
    }
    let paths = match input.get("generatedPaths") {
        None => texts(&input["paths"]),
        Some(generated) => {
            let prefix = generated["prefix"].as_str().ok_or("the generated paths have no prefix")?;
            (0..generated["count"].as_u64().unwrap_or_default()).map(|number| format!("{prefix}{number}")).collect()
        }
    };
    let guarded = Guardrails::new(&texts(&input["globs"])).guarded(&paths, &mut Effort::default());
    let matches: Vec<_> =
        guarded.iter().flat_map(|guarded| &guarded.paths).map(|found| [&found.path, &found.pattern]).collect();
    Ok(json!({ "hit": guarded.is_some(), "matches": matches }))
}

pub(crate) fn gate_premerge_checks(_: &World, vector: &Vector) -> Result<Value, String> {
    let context = &vector.input["ctx"];
    let (labels, paths) = (texts(&context["labels"]), texts(&context["changedPaths"]));
    let planned = PlannedText {
        title: context["title"].as_str().unwrap_or_default(),
        body: context["body"].as_str(),
        labels: &labels,
        changed_paths: context["filesResolved"].as_bool().unwrap_or(true).then_some(&paths),
    };
    let checks = vector.input["checks"].as_array().ok_or("the vector has no checks")?;
    let checks: Vec<PreMergeCheck> = checks.iter().map(check_from_vector).collect();
    Ok(findings_in_vector_form(&pre_merge_findings(&checks, &planned, &mut Effort::default())))
}

pub(crate) fn gate_cla_check(_: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    let config = input.get("config").ok_or("the vector has no config")?;
    let consent = ClaConsent { phrase: text(&config["consentPhrase"]), check_run: text(&config["checkRunName"]) };
    let check_run = match input["checkRun"].as_str() {
        Some("unresolved") => ClaCheckRun::Unresolved,
        Some(conclusion) => ClaCheckRun::Concluded(conclusion),
        None => ClaCheckRun::Absent,
    };
    let finding = cla_finding(&consent, input["body"].as_str(), check_run);
    Ok(findings_in_vector_form(finding.as_slice()))
}

/// A file's text, or what it is made of: a beginning, then comments up to a number of bytes.
fn content(input: &Value) -> Result<String, String> {
    if let Some(content) = input["content"].as_str() {
        return Ok(content.to_owned());
    }
    let prefix = input["prefix"].as_str().ok_or("the vector has no content")?;
    let bytes = input["totalBytes"].as_u64().and_then(|bytes| usize::try_from(bytes).ok()).ok_or("no totalBytes")?;
    let rest = bytes.checked_sub(prefix.len() + 1).ok_or("the beginning is longer than the whole")?;
    Ok(format!("{prefix}#{}", "x".repeat(rest)))
}

fn check_in_vector_form(check: &PreMergeCheck) -> Value {
    json!({
        "name": check.name,
        "whenPaths": check.when_paths,
        "titleContains": check.title_contains,
        "descriptionContains": check.description_contains,
        "requireLabel": check.require_label,
        "enforce": check.is_enforced,
    })
}

fn check_from_vector(check: &Value) -> PreMergeCheck {
    PreMergeCheck {
        name: text(&check["name"]).unwrap_or_default(),
        when_paths: texts(&check["whenPaths"]),
        title_contains: text(&check["titleContains"]),
        description_contains: text(&check["descriptionContains"]),
        require_label: text(&check["requireLabel"]),
        is_enforced: check["enforce"].as_bool().unwrap_or_default(),
    }
}

fn findings_in_vector_form(findings: &[Finding]) -> Value {
    let findings: Vec<Value> =
        findings.iter().map(|finding| json!({ "code": finding.code, "severity": finding.severity })).collect();
    json!({ "findings": findings })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}
