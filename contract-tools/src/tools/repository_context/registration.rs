//! The repository, its registration, and how well that fits, as callers read them.

use std::collections::BTreeMap;

use contract_core::contract_type;

use crate::engine::{config_quality, records};
use crate::tools::remote_shared::{Finding, LaneAdvice, findings, labels, same_words};

/// A repository.
#[contract_type]
#[derive(Clone, Debug)]
pub struct RepositoryFacts {
    /// `owner/name`.
    pub full_name: String,
    /// Login of the account that owns it.
    pub owner: String,
    /// Its name without the owner.
    pub name: String,
    /// Number of the app's installation that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub installation_id: Option<u64>,
    /// Whether the app is installed on it.
    pub is_installed: bool,
    /// Whether the registry lists it.
    pub is_registered: bool,
    /// Whether it is private.
    pub is_private: bool,
    /// Its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html_url: Option<String>,
    /// Name of its default branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_branch: Option<String>,
    /// What the registry says about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry_config: Option<RegistryConfig>,
}

/// What the registry says about a repository.
#[contract_type]
#[derive(Clone, Debug)]
pub struct RegistryConfig {
    /// `owner/name`, as the registry spells it.
    pub repo: String,
    /// Its part of all rewards; nothing flows at 0.
    pub emission_share: f64,
    /// The part of that which goes to finding issues, from 0 to 1.
    pub issue_discovery_share: f64,
    /// What a label multiplies a reward with, by label pattern.
    pub label_multipliers: BTreeMap<String, f64>,
    /// Whether labels are set by a pipeline that may be trusted; null when the registry does not say.
    pub trusted_label_pipeline: Option<bool>,
    /// The maintainers' part, from 0 to 1.
    pub maintainer_cut: f64,
}

impl From<&records::Repository> for RepositoryFacts {
    fn from(repository: &records::Repository) -> Self {
        Self {
            full_name: repository.full_name.clone(),
            owner: repository.owner.clone(),
            name: repository.name.clone(),
            installation_id: repository.installation_id,
            is_installed: repository.is_installed,
            is_registered: repository.is_registered,
            is_private: repository.is_private,
            html_url: repository.html_url.clone(),
            default_branch: repository.default_branch.clone(),
            registry_config: repository.registry_config.as_ref().map(|config| RegistryConfig {
                repo: config.repo.clone(),
                emission_share: config.emission_share,
                issue_discovery_share: config.issue_discovery_share,
                label_multipliers: config.label_multipliers.clone(),
                trusted_label_pipeline: config.trusted_label_pipeline,
                maintainer_cut: config.maintainer_cut,
            }),
        }
    }
}

/// How well a registration fits what happens in the repository.
#[contract_type]
#[derive(Clone, Debug)]
pub struct ConfigQuality {
    /// The repository as `owner/name`.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// The fit, from 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub score: u64,
    /// The fit in a word: `excellent`, `good`, `needs_attention` or `fragile`.
    pub level: ConfigLevel,
    /// What the registration rewards.
    pub lane: LaneAdvice,
    /// Patterns of labels that change a reward, at most 500.
    pub configured_labels: Vec<String>,
    /// Labels that open issues and pull requests have, at most 500.
    pub observed_labels: Vec<String>,
    /// Patterns that fit no label seen, at most 500.
    pub not_observed_configured_labels: Vec<String>,
    /// What a maintainer should know.
    pub findings: Vec<Finding>,
}

contract_core::vocabulary! {
    /// How well a registration fits, in a word.
    pub enum ConfigLevel: "config level" {
        /// Nothing is amiss.
        Excellent = "excellent",
        /// Little is amiss.
        Good = "good",
        /// Something should be looked at.
        NeedsAttention = "needs_attention",
        /// Much is amiss.
        Fragile = "fragile",
    }
}
same_words!(ConfigLevel from config_quality::ConfigLevel: Excellent, Good, NeedsAttention, Fragile);

impl From<config_quality::ConfigQuality> for ConfigQuality {
    fn from(quality: config_quality::ConfigQuality) -> Self {
        Self {
            repo_full_name: quality.repo_full_name,
            generated_at: quality.generated_at,
            score: quality.score,
            level: quality.level.into(),
            lane: quality.lane.into(),
            configured_labels: labels(&quality.configured_labels),
            observed_labels: labels(&quality.observed_labels),
            not_observed_configured_labels: labels(&quality.not_observed_configured_labels),
            findings: findings(quality.findings),
        }
    }
}
