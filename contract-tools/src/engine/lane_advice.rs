//! Which way of contributing a repository's registration rewards.

use serde::Serialize;

use super::records::{RegistryConfig, Repository};
use super::rounding::round;

/// The registry's own share where it names none that is a number.
const DEFAULT_ISSUE_DISCOVERY_SHARE: f64 = 0.5;

/// The decimals that a share keeps, so that 1 − 0.9 is 0.1.
const SHARE_DECIMALS: i32 = 12;

/// A way of contributing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Pull requests are rewarded.
    DirectPr,
    /// Finding issues is rewarded.
    IssueDiscovery,
    /// Both are.
    Split,
    /// The repository is registered and nothing is rewarded now.
    Inactive,
    /// It is not known to be registered.
    Unknown,
}

/// What a repository's registration means for those who contribute and those who maintain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneAdvice {
    /// The way of contributing.
    pub lane: Lane,
    /// `owner/name`, as it was asked for.
    pub repo_full_name: String,
    /// The part of rewards for finding issues, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue_discovery_share: Option<f64>,
    /// The part of rewards for pull requests, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct_pr_share: Option<f64>,
    /// The lane in a sentence.
    pub summary: String,
    /// What it means for who contributes.
    pub contributor_guidance: String,
    /// What it means for who maintains.
    pub maintainer_guidance: String,
}

/// Advises on the repository that was asked for as `full_name`.
pub fn lane_advice(repository: Option<&Repository>, full_name: &str) -> LaneAdvice {
    let (lane, shares) = lane_and_shares(repository);
    let [summary, contributor_guidance, maintainer_guidance] = guidance(lane).map(str::to_owned);
    LaneAdvice {
        lane,
        repo_full_name: full_name.to_owned(),
        issue_discovery_share: shares.map(|(issue_discovery, _)| issue_discovery),
        direct_pr_share: shares.map(|(_, direct_pr)| direct_pr),
        summary,
        contributor_guidance,
        maintainer_guidance,
    }
}

/// The lane of a repository.
pub fn lane(repository: Option<&Repository>) -> Lane {
    lane_and_shares(repository).0
}

/// The lane with the parts for finding issues and for pull requests. The first rule that applies decides.
fn lane_and_shares(repository: Option<&Repository>) -> (Lane, Option<(f64, f64)>) {
    let registered = repository.filter(|repository| repository.is_registered);
    let Some(config) = registered.and_then(|repository| repository.registry_config.as_ref()) else {
        return (Lane::Unknown, None);
    };
    let share = issue_discovery_share(config);
    // What is no number allocates nothing.
    let is_active = config.emission_share.is_finite() && config.emission_share > 0.0;
    if !is_active {
        (Lane::Inactive, Some((share, 0.0)))
    } else if share >= 1.0 {
        (Lane::IssueDiscovery, Some((1.0, 0.0)))
    } else if share <= 0.0 {
        (Lane::DirectPr, Some((0.0, 1.0)))
    } else {
        (Lane::Split, Some((share, round(1.0 - share, SHARE_DECIMALS))))
    }
}

/// Rounded before a lane is chosen by it, so that the lane agrees with the share that is shown.
fn issue_discovery_share(config: &RegistryConfig) -> f64 {
    let share = config.issue_discovery_share;
    if share.is_finite() { round(share.clamp(0.0, 1.0), SHARE_DECIMALS) } else { DEFAULT_ISSUE_DISCOVERY_SHARE }
}

/// Summary, guidance for who contributes, guidance for who maintains.
fn guidance(lane: Lane) -> [&'static str; 3] {
    match lane {
        Lane::Unknown => [
            "Nothing here says that this repository is registered",
            "Do not count on any programme's rules; contribute as to any other project",
            "Refresh the registry or install the app, so that the registration becomes known",
        ],
        Lane::Inactive => [
            "The repository is registered, and no rewards are allocated to it now",
            "Treat it as ordinary upstream work; nothing is rewarded at present",
            "Expect no contributions that come for a reward until there is an allocation",
        ],
        Lane::IssueDiscovery => [
            "Finding issues is what is rewarded here",
            "Report issues with good evidence, and leave solving your own to others",
            "Look at the quality of issues first, and at duplicates among them",
        ],
        Lane::DirectPr => [
            "Pull requests are what is rewarded here",
            "Send small pull requests with evidence, each linked to the issue that it solves",
            "Sort pull requests by hygiene, duplicates and tests",
        ],
        Lane::Split => [
            "Both finding issues and sending pull requests are rewarded here",
            "Choose one of the two on purpose, and keep to what it asks for",
            "See first which of the two a contribution means to be",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advise(emission_share: f64, issue_discovery_share: f64) -> LaneAdvice {
        let config = RegistryConfig { emission_share, issue_discovery_share, ..RegistryConfig::default() };
        let repository = Repository { is_registered: true, registry_config: Some(config), ..Repository::default() };
        lane_advice(Some(&repository), "acme/widgets")
    }

    #[track_caller]
    fn check(advice: &LaneAdvice, lane: Lane, issue_discovery: f64, direct_pr: f64) {
        assert_eq!(advice.lane, lane);
        assert_eq!((advice.issue_discovery_share, advice.direct_pr_share), (Some(issue_discovery), Some(direct_pr)));
    }

    #[test]
    fn the_share_decides_between_the_lanes() {
        check(&advise(0.1, 1.0), Lane::IssueDiscovery, 1.0, 0.0);
        check(&advise(0.1, 0.0), Lane::DirectPr, 0.0, 1.0);
        check(&advise(0.1, 0.3), Lane::Split, 0.3, 0.7);
        check(&advise(0.0, 0.3), Lane::Inactive, 0.3, 0.0);
    }

    #[test]
    fn what_is_not_registered_is_unknown() {
        let unregistered = Repository { registry_config: Some(RegistryConfig::default()), ..Repository::default() };
        let unconfigured = Repository { is_registered: true, ..Repository::default() };
        for repository in [None, Some(&unregistered), Some(&unconfigured)] {
            let advice = lane_advice(repository, "Acme/Widgets");
            assert_eq!((advice.lane, advice.issue_discovery_share), (Lane::Unknown, None));
            assert_eq!(advice.repo_full_name, "Acme/Widgets");
        }
    }

    #[test]
    fn every_share_is_a_part_without_the_dust_of_a_subtraction() {
        check(&advise(0.0, 1.5), Lane::Inactive, 1.0, 0.0);
        check(&advise(-1.0, -0.2), Lane::Inactive, 0.0, 0.0);
        check(&advise(0.1, 0.9), Lane::Split, 0.9, 0.1);
        check(&advise(0.1, f64::NAN), Lane::Split, 0.5, 0.5);
    }

    #[test]
    fn the_lane_agrees_with_the_shares_that_are_shown() {
        check(&advise(0.1, 1e-13), Lane::DirectPr, 0.0, 1.0);
        check(&advise(0.1, 1.0 - 1e-13), Lane::IssueDiscovery, 1.0, 0.0);
        check(&advise(0.1, 1e-12), Lane::Split, 1e-12, 0.999_999_999_999);
        check(&advise(0.0, 1e-13), Lane::Inactive, 0.0, 0.0);
    }

    #[test]
    fn an_allocation_that_is_no_number_is_none() {
        for emission_share in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
            check(&advise(emission_share, 0.3), Lane::Inactive, 0.3, 0.0);
        }
    }
}
