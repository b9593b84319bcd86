//! A repository, and what the registry of rewarded repositories says about it.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A repository.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repository {
    /// `owner/name`.
    pub full_name: String,
    /// Login of the account that owns it.
    pub owner: String,
    /// Its name without the owner.
    pub name: String,
    /// Number of the app's installation that covers it.
    pub installation_id: Option<u64>,
    /// Whether the app is installed on it.
    pub is_installed: bool,
    /// Whether the registry lists it.
    pub is_registered: bool,
    /// Whether it is private.
    pub is_private: bool,
    /// Its page.
    pub html_url: Option<String>,
    /// Name of its default branch.
    pub default_branch: Option<String>,
    /// What the registry says about it.
    pub registry_config: Option<RegistryConfig>,
}

/// What the registry says about a repository.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegistryConfig {
    /// `owner/name`, as the registry spells it.
    pub repo: String,
    /// Its part of all rewards; nothing flows at 0.
    pub emission_share: f64,
    /// The part of that which goes to finding issues, from 0 to 1.
    pub issue_discovery_share: f64,
    /// What a label multiplies a reward with, by label pattern.
    #[serde(default)]
    pub label_multipliers: BTreeMap<String, f64>,
    /// Whether labels are set by a pipeline that may be trusted.
    pub trusted_label_pipeline: Option<bool>,
    /// The maintainers' part, from 0 to 1.
    #[serde(default)]
    pub maintainer_cut: f64,
}

/// How many of what GitHub counted at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GithubTotals {
    /// When they were counted.
    pub fetched_at: String,
    /// Open issues.
    pub open_issues_total: u64,
    /// Open pull requests.
    pub open_pull_requests_total: u64,
    /// Pull requests ever merged.
    pub merged_pull_requests_total: u64,
    /// Pull requests ever closed without a merge.
    pub closed_unmerged_pull_requests_total: u64,
    /// Labels.
    pub labels_total: u64,
}
