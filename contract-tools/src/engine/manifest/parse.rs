//! The keys that are read, in the order of the file's documentation.

use std::collections::HashSet;
use std::rc::Rc;

use crate::document::{self, MOST_BYTES, Node, Unusable};
use crate::engine::text::{trim_spaces, unit_count};

use super::model::{
    ClaConsent, GateSettings, LinkedIssuePolicy, LiveSettings, Manifest, Pack, ParsedManifest, PreMergeCheck,
};
use super::reader::{Reader, Section, TEXT_UNITS};
use super::unknown_keys::{Keys, warn_of_unknown_keys};

const MOST_CHECKS: usize = 50;
const MOST_WHEN_PATHS: usize = 50;

/// Keys that say something here.
const READ: [&str; 5] = ["linkedIssuePolicy", "testExpectations", "gate", "settings", "review"];
/// Keys that say something to the live gate alone: not read, and no slip of the pen.
const READ_ELSEWHERE: [&str; 4] = ["wantedPaths", "preferredLabels", "publicNotes", "issueDiscoveryPolicy"];
/// The same two under `gate`.
const GATE_READ: [&str; 11] = [
    "pack",
    "linkedIssue",
    "duplicates",
    "readiness",
    "size",
    "aiReview",
    "mergeReadiness",
    "manifestPolicy",
    "selfAuthoredLinkedIssue",
    "claMode",
    "cla",
];
const GATE_READ_ELSEWHERE: [&str; 10] = [
    "enabled",
    "checkMode",
    "dryRun",
    "linkedIssueMaintainerExempt",
    "slop",
    "lockfileIntegrity",
    "linkedIssueSatisfaction",
    "contentLaneDeliverable",
    "backtestRegression",
    "copycat",
];
/// What is read below them.
const READINESS_READ: [&str; 2] = ["mode", "minScore"];
const SIZE_READ: [&str; 3] = ["mode", "maxFiles", "maxLines"];
const AI_REVIEW_READ: [&str; 3] = ["mode", "closeConfidence", "lowConfidenceDisposition"];
const CLA_READ: [&str; 2] = ["consentPhrase", "checkRunName"];
const SETTINGS_READ: [&str; 8] = [
    "linkedIssueGateMode",
    "duplicatePrGateMode",
    "selfAuthoredLinkedIssueGateMode",
    "qualityGateMode",
    "qualityGateMinScore",
    "requireLinkedIssue",
    "hardGuardrailGlobs",
    "hardGuardrailGlobsOverridesInvariants",
];
const REVIEW_READ: [&str; 1] = ["pre_merge_checks"];
const CHECK_READ: [&str; 6] =
    ["name", "title_contains", "description_contains", "require_label", "when_paths", "enforce"];

/// The first of a repository's files, by path and content, that is not too large; the warnings name those before it.
pub fn first_manifest<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> ParsedManifest {
    let mut first = ParsedManifest::default();
    for (path, content) in files {
        if content.len() > MOST_BYTES {
            first.warnings.push(format!("{path}: {}", Unusable::TooLarge.told()));
            continue;
        }
        let parsed = parse_manifest(content);
        first.manifest = parsed.manifest;
        first.warnings.extend(parsed.warnings);
        break;
    }
    first
}

/// What the text of a manifest says. A text that says nothing is as good as none.
pub fn parse_manifest(content: &str) -> ParsedManifest {
    let mapping = match document::read(content) {
        Ok(None) => return ParsedManifest::default(),
        Ok(Some(mapping)) => mapping,
        Err(unusable) => {
            let warnings = vec![unusable.told()];
            return ParsedManifest { manifest: Manifest::default(), warnings };
        }
    };
    let mut reader = Reader::default();
    let root = Section { path: "", mapping: Some(&mapping) };
    warn_of_unknown_keys(&mut reader, root, &[&READ, &READ_ELSEWHERE], Keys::Closed);
    let gate = reader.section(root, "gate", "gate");
    let manifest = read_manifest(&mut reader, root, gate);
    let is_said_elsewhere = READ_ELSEWHERE.iter().any(|key| root.get(key).is_some())
        || GATE_READ_ELSEWHERE.iter().any(|key| gate.get(key).is_some());
    if manifest == Manifest::default() && !is_said_elsewhere {
        reader.warn("the file sets nothing, so the defaults hold".to_owned());
    }
    ParsedManifest { manifest, warnings: reader.into_warnings() }
}

impl Unusable {
    fn told(self) -> String {
        match self {
            Self::TooLarge => format!("the file is not read: it has more than {MOST_BYTES} bytes"),
            Self::Unreadable => {
                "the file is not read: it is no JSON, and no YAML with one document and each key once".to_owned()
            }
            Self::NotAMapping => "the file is not read: it has to hold keys with values".to_owned(),
        }
    }
}

fn read_manifest(reader: &mut Reader, root: Section<'_>, gate: Section<'_>) -> Manifest {
    let policies = [
        ("required", LinkedIssuePolicy::Required),
        ("preferred", LinkedIssuePolicy::Preferred),
        ("optional", LinkedIssuePolicy::Optional),
    ];
    let linked_issue_policy = reader.word(root, "linkedIssuePolicy", &policies).unwrap_or_default();
    let test_expectations = reader.texts(root, "testExpectations").unwrap_or_default();
    let gate = read_gate(reader, gate);
    let settings = reader.section(root, "settings", "settings");
    let review = reader.section(root, "review", "review");
    warn_of_unknown_keys(reader, settings, &[&SETTINGS_READ], Keys::Open);
    warn_of_unknown_keys(reader, review, &[&REVIEW_READ], Keys::Open);
    Manifest {
        linked_issue_policy,
        test_expectations,
        gate,
        settings: read_settings(reader, settings),
        hard_guardrail_globs: read_guardrail_globs(reader, settings),
        hard_guardrail_globs_stand_alone: reader.boolean(settings, "hardGuardrailGlobsOverridesInvariants"),
        pre_merge_checks: read_checks(reader, review),
    }
}

fn read_gate(reader: &mut Reader, gate: Section<'_>) -> GateSettings {
    let packs = [("gittensor", Pack::Gittensor), ("oss-anti-slop", Pack::OssAntiSlop)];
    let readiness = reader.section(gate, "readiness", "gate.readiness");
    let size = reader.section(gate, "size", "gate.size");
    let ai_review = reader.section(gate, "aiReview", "gate.aiReview");
    let cla = reader.section(gate, "cla", "gate.cla");
    for (key, path) in [("slop", "gate.slop"), ("copycat", "gate.copycat")] {
        reader.section(gate, key, path);
    }
    warn_of_unknown_keys(reader, gate, &[&GATE_READ, &GATE_READ_ELSEWHERE], Keys::Closed);
    warn_of_unknown_keys(reader, readiness, &[&READINESS_READ], Keys::Closed);
    warn_of_unknown_keys(reader, size, &[&SIZE_READ], Keys::Closed);
    warn_of_unknown_keys(reader, ai_review, &[&AI_REVIEW_READ], Keys::Open);
    warn_of_unknown_keys(reader, cla, &[&CLA_READ], Keys::Closed);
    GateSettings {
        pack: reader.word(gate, "pack", &packs),
        linked_issue: reader.mode(gate, "linkedIssue"),
        duplicates: reader.mode(gate, "duplicates"),
        readiness_mode: reader.telling_mode(readiness, "mode"),
        readiness_min_score: reader.score(readiness, "minScore"),
        size_mode: reader.mode(size, "mode"),
        size_max_files: reader.positive_whole(size, "maxFiles"),
        size_max_lines: reader.positive_whole(size, "maxLines"),
        ai_review_mode: reader.mode(ai_review, "mode"),
        ai_review_close_confidence: reader.confidence(ai_review, "closeConfidence"),
        merge_readiness: reader.mode(gate, "mergeReadiness"),
        manifest_policy: reader.mode(gate, "manifestPolicy"),
        self_authored_linked_issue: reader.mode(gate, "selfAuthoredLinkedIssue"),
        cla_mode: reader.mode(gate, "claMode"),
        cla: ClaConsent {
            phrase: reader.safe_text(cla, "consentPhrase"),
            check_run: reader.safe_text(cla, "checkRunName"),
        },
    }
}

fn read_settings(reader: &mut Reader, settings: Section<'_>) -> LiveSettings {
    LiveSettings {
        linked_issue: reader.mode(settings, "linkedIssueGateMode"),
        duplicates: reader.mode(settings, "duplicatePrGateMode"),
        self_authored_linked_issue: reader.mode(settings, "selfAuthoredLinkedIssueGateMode"),
        quality_mode: reader.telling_mode(settings, "qualityGateMode"),
        quality_min_score: reader.score(settings, "qualityGateMinScore"),
        requires_linked_issue: reader.boolean(settings, "requireLinkedIssue"),
    }
}

/// An empty list says that nothing is guarded; a list of which nothing is left says nothing. So does a null, which here is
/// told, since it is easily meant for the empty list.
fn read_guardrail_globs(reader: &mut Reader, settings: Section<'_>) -> Option<Vec<String>> {
    const KEY: &str = "hardGuardrailGlobs";
    if settings.is_null(KEY) {
        reader.warn(format!("{} is left out: it has to be a list", settings.name(KEY)));
    }
    let globs = reader.texts(settings, KEY)?;
    let is_said = !globs.is_empty() || matches!(settings.get(KEY), Some(Node::List(items)) if items.is_empty());
    if !is_said {
        reader.warn(format!("{} is left out: none of its entries can be used", settings.name(KEY)));
    }
    is_said.then_some(globs)
}

fn read_checks(reader: &mut Reader, review: Section<'_>) -> Vec<PreMergeCheck> {
    let mut checks = Vec::new();
    let entries = reader.list(review, "pre_merge_checks").unwrap_or_default();
    for (index, entry) in entries.iter().enumerate() {
        if checks.len() == MOST_CHECKS {
            reader.warn(format!("review.pre_merge_checks has more than {MOST_CHECKS} checks; the rest is left out"));
            break;
        }
        let path = format!("review.pre_merge_checks[{index}]");
        checks.extend(read_check(reader, &path, entry));
    }
    checks
}

/// A check needs a name and something to ask for.
fn read_check(reader: &mut Reader, path: &str, entry: &Rc<Node>) -> Option<PreMergeCheck> {
    let Node::Mapping(mapping) = &**entry else {
        reader.warn(format!("{path} is left out: it has to be a mapping"));
        return None;
    };
    let section = Section { path, mapping: Some(mapping) };
    warn_of_unknown_keys(reader, section, &[&CHECK_READ], Keys::Closed);
    if section.get("name").is_none() {
        reader.warn(format!("{path} is left out: it has no name"));
        return None;
    }
    let name = reader.safe_text(section, "name")?;
    let title_contains = reader.safe_text(section, "title_contains");
    let description_contains = reader.safe_text(section, "description_contains");
    let require_label = reader.safe_text(section, "require_label");
    if title_contains.is_none() && description_contains.is_none() && require_label.is_none() {
        reader.warn(format!("{path} is left out: nothing that it asks for can be used"));
        return None;
    }
    Some(PreMergeCheck {
        name,
        when_paths: read_when_paths(reader, section),
        title_contains,
        description_contains,
        require_label,
        is_enforced: reader.boolean(section, "enforce").unwrap_or_default(),
    })
}

fn read_when_paths(reader: &mut Reader, section: Section<'_>) -> Vec<String> {
    let name = section.name("when_paths");
    let mut kept = Vec::new();
    let mut seen = HashSet::new();
    for item in reader.list(section, "when_paths").unwrap_or_default() {
        let text = if let Node::Text(text) = &**item { trim_spaces(text) } else { "" };
        if text.is_empty() || unit_count(text) > TEXT_UNITS {
            reader.warn(format!(
                "{name} has an entry that is no pattern of 1 to {TEXT_UNITS} characters; it is left out"
            ));
            continue;
        }
        if !seen.insert(text.to_lowercase()) {
            continue;
        }
        if kept.len() == MOST_WHEN_PATHS {
            reader.warn(format!("{name} has more than {MOST_WHEN_PATHS} patterns; the rest is left out"));
            break;
        }
        kept.push(text.to_owned());
    }
    kept
}

#[cfg(test)]
mod tests;
