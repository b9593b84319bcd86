//! Whether the text of a pull request has what its repository asks for.

use std::collections::HashMap;

use crate::engine::finding::{Finding, Severity};

use super::model::PreMergeCheck;
use super::path_pattern::PathPattern;

/// What the checks look at.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlannedText<'a> {
    /// The title.
    pub title: &'a str,
    /// The body; none is as good as empty.
    pub body: Option<&'a str>,
    /// The labels.
    pub labels: &'a [String],
    /// The changed paths; nothing while they are unknown, when only checks without paths apply.
    pub changed_paths: Option<&'a [String]>,
}

/// One finding for each check that applies and is not met, in the order of the checks.
pub fn pre_merge_findings(checks: &[PreMergeCheck], planned: &PlannedText<'_>) -> Vec<Finding> {
    let mut patterns = SeenPatterns { paths: planned.changed_paths.unwrap_or_default(), seen: HashMap::new() };
    checks.iter().filter(|check| check.applies(&mut patterns)).filter_map(|check| check.finding(planned)).collect()
}

/// Which patterns fit one of the paths. Checks share patterns, by an alias all of them, so each is read and tried once.
struct SeenPatterns<'a> {
    paths: &'a [String],
    seen: HashMap<&'a str, bool>,
}

impl<'a> SeenPatterns<'a> {
    fn fits(&mut self, pattern: &'a str) -> bool {
        let paths = self.paths;
        *self.seen.entry(pattern).or_insert_with(|| {
            let pattern = PathPattern::new(pattern);
            paths.iter().any(|path| pattern.matches(path))
        })
    }
}

impl PreMergeCheck {
    fn applies<'a>(&'a self, patterns: &mut SeenPatterns<'a>) -> bool {
        self.when_paths.is_empty() || self.when_paths.iter().any(|pattern| patterns.fits(pattern))
    }

    fn finding(&self, planned: &PlannedText<'_>) -> Option<Finding> {
        let unmet = self.unmet(planned);
        if unmet.is_empty() {
            return None;
        }
        let (code, severity, title) = if self.is_enforced {
            ("pre_merge_check_required", Severity::Critical, "A required pre-merge check is not met")
        } else {
            ("pre_merge_check_failed", Severity::Warning, "A pre-merge check is not met")
        };
        let detail = format!("{}: {}.", self.name, unmet.join("; "));
        let finding = Finding::new(code, severity, format!("{title}: {}", self.name), detail);
        Some(finding.with_action("Change the pull request so that the check is met, then run the gate again."))
    }

    /// What is asked for and not there.
    fn unmet(&self, planned: &PlannedText<'_>) -> Vec<String> {
        let lacks = |text: &str, part: &str| !text.to_lowercase().contains(&part.to_lowercase());
        let title = self.title_contains.as_ref().filter(|part| lacks(planned.title, part));
        let body = self.description_contains.as_ref().filter(|part| lacks(planned.body.unwrap_or_default(), part));
        let label = self.require_label.as_ref().filter(|label| {
            let label = label.to_lowercase();
            !planned.labels.iter().any(|own| own.to_lowercase() == label)
        });
        let unmet = [
            title.map(|part| format!("the title has to contain \"{part}\"")),
            body.map(|part| format!("the description has to contain \"{part}\"")),
            label.map(|label| format!("the label \"{label}\" is missing")),
        ];
        unmet.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(when_paths: &[&str], is_enforced: bool) -> PreMergeCheck {
        PreMergeCheck {
            name: "tidy".to_owned(),
            when_paths: when_paths.iter().map(|path| (*path).to_owned()).collect(),
            title_contains: Some("FEAT".to_owned()),
            description_contains: Some("why".to_owned()),
            require_label: Some("Ready".to_owned()),
            is_enforced,
        }
    }

    #[test]
    fn one_finding_names_all_that_is_unmet() {
        let labels = ["ready ".to_owned()];
        let planned = PlannedText { title: "feat: x", labels: &labels, ..PlannedText::default() };
        let findings = pre_merge_findings(&[check(&[], true), check(&[], false)], &planned);
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["pre_merge_check_required", "pre_merge_check_failed"]);
        assert!(findings[0].detail.contains("description") && findings[0].detail.contains("label"));
        assert!(!findings[0].detail.contains("title"));
    }

    #[test]
    fn a_pattern_that_many_checks_share_is_read_once() {
        let pattern = format!("{}b", "*a".repeat(100));
        let checks = vec![check(&[&pattern], false); 10_000];
        let paths = vec!["a".repeat(400); 100];
        let mut patterns = SeenPatterns { paths: &paths, seen: HashMap::new() };
        assert!(!checks.iter().any(|check| check.applies(&mut patterns)));
        assert_eq!(patterns.seen.len(), 1);
    }

    #[test]
    fn a_check_with_paths_waits_for_paths() {
        let paths = ["docs/a.md".to_owned()];
        let known = PlannedText { changed_paths: Some(&paths), ..PlannedText::default() };
        assert_eq!(pre_merge_findings(&[check(&["src/", "docs/"], false)], &known).len(), 1);
        assert!(pre_merge_findings(&[check(&["src/"], false)], &known).is_empty());
        assert!(pre_merge_findings(&[check(&["docs/"], false)], &PlannedText::default()).is_empty());
        assert_eq!(pre_merge_findings(&[check(&[], false)], &PlannedText::default()).len(), 1);
    }
}
