//! Whether a repository's registration fits what happens in it.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use super::finding::{Finding, Severity};
use super::lane_advice::{Lane, LaneAdvice, lane_advice};
use super::moment::{self, Moment};
use super::records::{Issue, PullRequest, RegistryConfig, Repository};
use super::text::{ComparedLabel, Effort, LabelGlob};

/// How many of the patterns that were not compared are listed before they are only counted.
const LISTED_PATTERNS: usize = 10;

/// How well a registration fits.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigQuality {
    /// `owner/name`, as it was asked for.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// The fit, from 0 to 100.
    pub score: u64,
    /// The fit in a word.
    pub level: ConfigLevel,
    /// What the registration rewards.
    pub lane: LaneAdvice,
    /// Patterns of labels that change a reward.
    pub configured_labels: Vec<String>,
    /// Labels that issues and pull requests have.
    pub observed_labels: Vec<String>,
    /// Patterns that fit no label seen.
    pub not_observed_configured_labels: Vec<String>,
    /// What a maintainer should know.
    pub findings: Vec<Finding>,
}

/// How well a registration fits, in a word.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigLevel {
    Excellent,
    Good,
    NeedsAttention,
    Fragile,
}

impl ConfigLevel {
    fn of(score: u64) -> Self {
        match score {
            90.. => Self::Excellent,
            70.. => Self::Good,
            45.. => Self::NeedsAttention,
            _ => Self::Fragile,
        }
    }
}

/// Judges the registration of the repository that was asked for as `full_name` by the labels of its issues and pull
/// requests, open or not.
pub fn config_quality(
    repository: Option<&Repository>,
    issues: &[Issue],
    pull_requests: &[PullRequest],
    full_name: &str,
    now: Moment,
) -> ConfigQuality {
    let lane = lane_advice(repository, full_name);
    let config = repository.and_then(|repository| repository.registry_config.as_ref());
    let configured: Vec<String> = config.iter().flat_map(|config| config.label_multipliers.keys().cloned()).collect();
    let labels = issues.iter().map(|issue| &issue.labels);
    let labels = labels.chain(pull_requests.iter().map(|pull_request| &pull_request.labels));
    // Sorting comes after most repetitions are gone.
    let distinct: HashSet<&str> = labels.flatten().map(String::as_str).collect();
    let observed: BTreeSet<&str> = distinct.into_iter().collect();
    let comparison = compared(&configured, &observed, &mut Effort::default());
    let invalid = config.map(invalid_multipliers).unwrap_or_default();

    let is_trusted = config.is_some_and(|config| config.trusted_label_pipeline == Some(true));
    let findings = findings(lane.lane, is_trusted && configured.is_empty(), &comparison, &invalid);
    let deducted: u64 = findings.iter().map(|(deducted, _)| deducted).sum();
    let score = 100_u64.saturating_sub(deducted);
    ConfigQuality {
        repo_full_name: full_name.to_owned(),
        generated_at: moment::text(now),
        score,
        level: ConfigLevel::of(score),
        lane,
        configured_labels: configured,
        observed_labels: observed.into_iter().map(str::to_owned).collect(),
        not_observed_configured_labels: comparison.not_observed,
        findings: findings.into_iter().map(|(_, finding)| finding).collect(),
    }
}

/// Labels whose multiplier is no number above zero, as `label=value`, sorted as such.
pub fn invalid_multipliers(config: &RegistryConfig) -> Vec<String> {
    let invalid = config.label_multipliers.iter().filter(|(_, value)| !(value.is_finite() && **value > 0.0));
    // Zero has one spelling, whatever its sign.
    let mut invalid: Vec<String> = invalid.map(|(label, value)| format!("{label}={}", value + 0.0)).collect();
    invalid.sort();
    invalid
}

/// What comparing the patterns of a registration with the labels in use came to, in the order of the patterns.
#[derive(Debug, Default)]
struct Comparison {
    /// Patterns that fit no label.
    not_observed: Vec<String>,
    /// Patterns that would have been too much work, about which nothing is known.
    not_compared: Vec<String>,
}

/// Compares every pattern with the labels while there is effort left for it. A pattern that is a label is found without
/// trying it on every other.
fn compared(configured: &[String], observed: &BTreeSet<&str>, effort: &mut Effort) -> Comparison {
    let lower: HashSet<String> = observed.iter().map(|label| label.to_lowercase()).collect();
    let labels: Vec<ComparedLabel> = observed.iter().map(|label| ComparedLabel::new(label)).collect();
    let mut comparison = Comparison::default();
    for pattern in configured {
        let is_observed = if pattern.contains(['*', '?', '[']) {
            is_observed(&LabelGlob::new(pattern), &labels, effort)
        } else {
            Some(lower.contains(&pattern.to_lowercase()))
        };
        match is_observed {
            Some(true) => {}
            Some(false) => comparison.not_observed.push(pattern.clone()),
            None => comparison.not_compared.push(pattern.clone()),
        }
    }
    comparison
}

/// Whether a label fits; nothing when the effort is used up before that is known.
fn is_observed(glob: &LabelGlob, labels: &[ComparedLabel], effort: &mut Effort) -> Option<bool> {
    for label in labels {
        if glob.matches(label, effort)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Each finding with what it takes off the score.
fn findings(lane: Lane, trusts_no_label: bool, comparison: &Comparison, invalid: &[String]) -> Vec<(u64, Finding)> {
    let Comparison { not_observed, not_compared } = comparison;
    let mut findings = Vec::new();
    if lane == Lane::Unknown {
        let detail = "Nothing here says that this repository is registered, or how";
        findings.push((45, Finding::new("registry_unknown", Severity::Warning, "Registration unknown", detail)));
    }
    if lane == Lane::Inactive {
        let detail = "The repository is registered, and no rewards are allocated to it";
        findings.push((35, Finding::new("inactive_allocation", Severity::Info, "No allocation", detail)));
    }
    if trusts_no_label {
        let (code, title) = ("trusted_labels_without_multipliers", "Trusted labels without an effect");
        let detail = "Labels come from a trusted pipeline, and no label changes a reward";
        findings.push((25, Finding::new(code, Severity::Warning, title, detail)));
    }
    if !not_observed.is_empty() {
        let (code, title) = ("configured_labels_not_observed", "Configured labels that nothing has");
        let detail = format!("No issue or pull request seen has a label that fits: {}", not_observed.join(", "));
        let finding = Finding::new(code, Severity::Info, title, detail)
            .with_action("Compare the spelling with the labels in use, or take these out of the registration");
        findings.push(((8 * not_observed.len() as u64).min(30), finding));
    }
    if !not_compared.is_empty() {
        let (code, title) = ("configured_labels_not_compared", "Configured labels that were not compared");
        let listed = not_compared.iter().take(LISTED_PATTERNS).map(String::as_str).collect::<Vec<_>>().join(", ");
        let count = not_compared.len();
        let detail =
            format!("Comparing so many patterns with so many labels is too much work; {count} are left: {listed}");
        let finding = Finding::new(code, Severity::Info, title, detail)
            .with_action("Say with fewer patterns, or with whole labels, which labels change a reward");
        findings.push((0, finding));
    }
    if !invalid.is_empty() {
        let (code, title) = ("invalid_label_multipliers", "Label multipliers that are no positive number");
        let detail = format!("These multipliers are not above zero: {}", invalid.join(", "));
        let finding = Finding::new(code, Severity::Warning, title, detail)
            .with_action("Give each of them a number above zero, or take it out of the registration");
        findings.push(((10 * invalid.len() as u64).min(30), finding));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(multipliers: &[(&str, f64)], labels: &[&str]) -> ConfigQuality {
        let config = RegistryConfig {
            emission_share: 0.1,
            label_multipliers: multipliers.iter().map(|(label, value)| ((*label).to_owned(), *value)).collect(),
            ..RegistryConfig::default()
        };
        let repository = Repository { is_registered: true, registry_config: Some(config), ..Repository::default() };
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        let issue = Issue { state: "closed".to_owned(), labels, ..Issue::default() };
        let now = moment::parse("2026-06-15T12:00:00Z").unwrap();
        config_quality(Some(&repository), &[issue], &[], "acme/widgets", now)
    }

    #[test]
    fn labels_are_matched_without_regard_to_case() {
        let quality = judge(&[("BUG", 1.0), ("type:*", 1.0), ("kind?", 1.0)], &["bug", "Type:docs", "kind"]);
        assert_eq!(quality.not_observed_configured_labels, ["kind?"]);
        assert_eq!((quality.score, quality.level), (92, ConfigLevel::Excellent));
    }

    #[test]
    fn a_pattern_may_have_any_number_of_stars() {
        assert!(judge(&[("*a*b*", 1.0)], &["xaxbx"]).not_observed_configured_labels.is_empty());
    }

    /// Patterns times labels times their letters would be hours; what is not known is told as such, and costs nothing.
    #[test]
    fn any_number_of_patterns_and_labels_takes_a_bounded_number_of_steps() {
        let patterns: Vec<String> = (0..2_000).map(|number| format!("{}{number}", "*a".repeat(100))).collect();
        let labels: Vec<String> = (0..2_000).map(|number| format!("{}{number}b", "a".repeat(200))).collect();
        let mut configured: Vec<(&str, f64)> = patterns.iter().map(|pattern| (pattern.as_str(), 1.0)).collect();
        configured.push(("zebra", 1.0));
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let quality = judge(&configured, &labels);
        assert_eq!(quality.not_observed_configured_labels, [patterns[0].as_str(), "zebra"]);
        assert!(quality.findings[1].detail.contains(" 1999 are left"), "{}", quality.findings[1].detail);
        let codes: Vec<&str> = quality.findings.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!(codes, ["configured_labels_not_observed", "configured_labels_not_compared"]);
        assert_eq!(quality.score, 84);
    }

    /// As many patterns and labels as a large registration has are compared, with steps to spare.
    #[test]
    fn a_large_registration_is_compared_whole() {
        let patterns: Vec<String> = (0..100).map(|number| format!("area-{number}:*")).collect();
        let labels: Vec<String> = (0..1_000).map(|number| format!("area-{}: part {number}", number % 99)).collect();
        let observed: BTreeSet<&str> = labels.iter().map(String::as_str).collect();
        let mut effort = Effort::default();
        let comparison = compared(&patterns, &observed, &mut effort);
        assert_eq!((comparison.not_observed, comparison.not_compared), (vec!["area-99:*".to_owned()], Vec::new()));
        assert!(effort.left() > Effort::MOST / 2, "{} of {} steps are left", effort.left(), Effort::MOST);
    }

    #[test]
    fn multipliers_are_numbers_above_zero() {
        let quality =
            judge(&[("alpha", -2.0), ("alpha-b", -0.0), ("c", f64::NAN), ("d", 0.1)], &["alpha", "alpha-b", "c", "d"]);
        assert_eq!(quality.score, 70);
        assert!(quality.findings[0].detail.ends_with("alpha-b=0, alpha=-2, c=NaN"), "{}", quality.findings[0].detail);
    }

    #[test]
    fn an_unknown_repository_is_fragile_only_with_more_against_it() {
        let now = moment::parse("2026-06-15T12:00:00Z").unwrap();
        let quality = config_quality(None, &[], &[], "Acme/Widgets", now);
        assert_eq!((quality.score, quality.level, quality.findings.len()), (55, ConfigLevel::NeedsAttention, 1));
        assert_eq!(quality.repo_full_name, "Acme/Widgets");
    }
}
