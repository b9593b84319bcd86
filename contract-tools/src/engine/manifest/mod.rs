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
pub use parse::{first_manifest, parse_manifest};
pub use path_pattern::PathPattern;
pub use pre_merge::{PlannedText, pre_merge_findings};

/// Where a repository may keep its manifest, first to last: the first that is there and not too large counts.
pub const MANIFEST_PATHS: [&str; 5] =
    [".loopover.yml", ".loopover.yaml", ".github/loopover.yml", ".loopover.json", ".github/loopover.json"];

#[cfg(test)]
mod tests {
    use super::{MANIFEST_PATHS, first_manifest};
    use crate::document::MOST_BYTES;

    #[test]
    fn a_file_that_is_too_large_hides_no_other() {
        let large = "#".repeat(MOST_BYTES + 1);
        let small = "gate: {linkedIssue: block, nonsense: 1}";
        let alone = first_manifest([(".loopover.yml", small)]);
        assert_eq!(alone, super::parse_manifest(small));
        for before in 0..3 {
            let mut files = vec![(".loopover.yml", large.as_str()); before];
            files.extend([(".loopover.yaml", small), (".loopover.json", "gate: {linkedIssue: off}")]);
            let found = first_manifest(files);
            assert_eq!(found.manifest, alone.manifest);
            assert_eq!(found.warnings.len(), before + alone.warnings.len());
            assert!(found.warnings[..before].iter().all(|warning| warning.starts_with(".loopover.yml: ")));
        }
        // What is there and says nothing is what the repository says.
        assert_eq!(first_manifest([(".loopover.yml", ""), (".loopover.yaml", small)]), first_manifest([]));
        assert_eq!(first_manifest([(".loopover.yml", large.as_str())]).warnings.len(), 1);
    }

    #[test]
    fn both_spellings_of_the_ending_are_looked_for() {
        assert!(MANIFEST_PATHS.contains(&".loopover.yml") && MANIFEST_PATHS.contains(&".loopover.yaml"));
    }
}
