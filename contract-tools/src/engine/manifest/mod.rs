//! What a repository publishes about its own gate, in `.loopover.yml` or one of its other places.
//!
//! Reading never fails: what cannot be used is left out and becomes a warning, so that a slip in one line leaves the others
//! standing. The file is a stranger's text; reading it is linear in its length and bounded in its depth.

mod model;
mod reader;
mod unknown_keys;
mod parse;
mod path_pattern;
mod guardrail;
mod pre_merge;
mod cla;

pub use cla::{ClaCheckRun, cla_finding};
pub use guardrail::{BUILT_IN_GUARDRAILS, Guardrails, guardrail_globs};
pub use model::{
    ClaConsent, GateSettings, LinkedIssuePolicy, LiveSettings, Manifest, Pack, ParsedManifest, PreMergeCheck,
};
pub use parse::parse_manifest;
pub use path_pattern::PathPattern;
pub use pre_merge::{PlannedText, pre_merge_findings};

/// Where a repository may keep its manifest, first to last: the first that is there counts.
pub const MANIFEST_PATHS: [&str; 5] =
    [".loopover.yml", ".loopover.yaml", ".github/loopover.yml", ".loopover.json", ".github/loopover.json"];

#[cfg(test)]
mod tests {
    use super::MANIFEST_PATHS;

    #[test]
    fn both_spellings_of_the_ending_are_looked_for() {
        assert!(MANIFEST_PATHS.contains(&".loopover.yml") && MANIFEST_PATHS.contains(&".loopover.yaml"));
    }
}
