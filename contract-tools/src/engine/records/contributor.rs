//! What is known about somebody who contributes.

use serde::Deserialize;

/// Somebody who contributes, across repositories.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContributorProfile {
    /// Their login.
    pub login: String,
    /// What the programme counted for them, by repository.
    #[serde(default)]
    pub official_repositories: Vec<OfficialRepositoryActivity>,
    /// `owner/name` of the registered repositories where they did anything.
    #[serde(default)]
    pub repositories_touched: Vec<String>,
}

/// What the programme counted for one contributor in one repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfficialRepositoryActivity {
    /// `owner/name`.
    pub repo_full_name: String,
    /// Pull requests.
    pub pull_requests: u64,
    /// Open issues.
    pub open_issues: u64,
    /// Closed issues.
    pub closed_issues: u64,
}

/// What became of one contributor's pull requests in one repository.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepositoryOutcome {
    /// `owner/name`.
    pub repo_full_name: String,
    /// Merged ones.
    #[serde(default)]
    pub merged_pull_requests: u64,
    /// Those closed without a merge.
    #[serde(default)]
    pub closed_pull_requests: u64,
    /// Those still open.
    #[serde(default)]
    pub open_pull_requests: u64,
}

/// How often earlier predictions about one contributor came true.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Calibration {
    /// Predictions whose outcome is known.
    pub sample_size: f64,
    /// The part of them that came true, from 0 to 1.
    pub agreement_rate: f64,
}
