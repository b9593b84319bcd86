//! The small documents that operators write themselves. Their types are their schemas, in the same way as a tool's input.

use std::collections::BTreeMap;

use contract_core::{Document, contract_type};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::engine::records::{Bounty, OfficialRepositoryActivity, RegistryConfig};
use crate::forge::github::{Reading, RecordKind, Skip};
use crate::forge::{CalibrationRow, Change, OfficialContributor, RegistrySnapshot, RepoName};

/// `registry.json`: every repository that is registered. What the newest one lacks is not.
#[contract_type]
struct RegistryDocument {
    /// When it was made.
    #[schemars(extend("format" = "date-time"))]
    generated_at: String,
    /// The repositories.
    repositories: Vec<RegistryEntry>,
}

/// One registered repository.
#[contract_type]
struct RegistryEntry {
    /// `owner/name`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$"), length(max = 200))]
    repo: String,
    /// Its part of all rewards; nothing flows at 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    emission_share: f64,
    /// The part of that which goes to finding issues.
    #[serde(default = "half")]
    #[schemars(range(min = 0, max = 1))]
    issue_discovery_share: f64,
    /// What a label multiplies a reward with, by label pattern.
    #[serde(default)]
    label_multipliers: BTreeMap<String, f64>,
    /// Whether labels are set by a pipeline that may be trusted.
    trusted_label_pipeline: Option<bool>,
    /// The maintainers' part.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    maintainer_cut: f64,
}

fn half() -> f64 {
    0.5
}

/// `bounties.json`: bounties on issues.
#[contract_type]
struct BountiesDocument {
    /// When it was made; the moment of bounties that have none.
    #[schemars(extend("format" = "date-time"))]
    generated_at: String,
    /// The bounties.
    bounties: Vec<BountyEntry>,
}

/// One bounty.
#[contract_type]
struct BountyEntry {
    /// `owner/name` of the issue's repository.
    #[schemars(regex(pattern = r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$"), length(max = 200))]
    repo: String,
    /// Number of the issue.
    #[schemars(range(min = 1))]
    issue_number: u64,
    /// Its state, in the words of wherever it was found.
    #[schemars(length(min = 1, max = 100))]
    status: String,
    /// When it last changed.
    #[schemars(extend("format" = "date-time"))]
    updated_at: Option<String>,
    /// When it was found.
    #[schemars(extend("format" = "date-time"))]
    discovered_at: Option<String>,
}

/// `contributors.json`: people whom the programme knows.
#[contract_type]
struct ContributorsDocument {
    /// When it was made.
    #[schemars(extend("format" = "date-time"))]
    generated_at: String,
    /// The people.
    contributors: Vec<ContributorEntry>,
}

/// One contributor.
#[contract_type]
struct ContributorEntry {
    /// Their login at GitHub.
    #[schemars(length(min = 1, max = 100))]
    login: String,
    /// What was counted for them.
    #[serde(default)]
    repositories: Vec<ActivityEntry>,
    /// Predictions about them whose outcome is known.
    #[serde(default)]
    predictions: Vec<PredictionEntry>,
}

/// What was counted for one contributor in one repository.
#[contract_type]
struct ActivityEntry {
    /// `owner/name`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$"), length(max = 200))]
    repo: String,
    /// Pull requests.
    #[serde(default)]
    pull_requests: u64,
    /// Open issues.
    #[serde(default)]
    open_issues: u64,
    /// Closed issues.
    #[serde(default)]
    closed_issues: u64,
}

/// One prediction whose outcome is known.
#[contract_type]
struct PredictionEntry {
    /// `owner/name`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$"), length(max = 200))]
    repo: String,
    /// Number of the pull request.
    #[schemars(range(min = 1))]
    pull_number: u64,
    /// Whether it came true.
    agreed: bool,
    /// When that was known.
    #[schemars(extend("format" = "date-time"))]
    decided_at: String,
}

/// Reads the three kinds.
pub(super) struct Documents {
    registry: Document<RegistryDocument>,
    bounties: Document<BountiesDocument>,
    contributors: Document<ContributorsDocument>,
}

impl Documents {
    pub(super) fn new() -> Self {
        // The types stand above, and a test makes them: a schema that cannot be derived never leaves this house.
        fn made<T>(document: Result<Document<T>, Vec<String>>) -> Document<T> {
            document.unwrap_or_else(|problems| unreachable!("a document's type is no contract: {problems:?}"))
        }
        Self { registry: made(Document::new()), bounties: made(Document::new()), contributors: made(Document::new()) }
    }

    /// Reads a document; none when the text is no document of ours.
    pub(super) fn read(&self, text: &str) -> Option<Reading> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Shape {
            #[serde(rename = "generatedAt")]
            _generated_at: IgnoredAny,
            repositories: Option<IgnoredAny>,
            bounties: Option<IgnoredAny>,
            contributors: Option<IgnoredAny>,
        }
        if !text.contains("\"generatedAt\"") {
            return None;
        }
        let Shape { repositories, bounties, contributors, .. } = serde_json::from_str(text).ok()?;
        let taken = match (repositories, bounties, contributors) {
            (Some(_), None, None) => self.registry.read(text).map(registry),
            (None, Some(_), None) => self.bounties.read(text).map(bounty_list),
            (None, None, Some(_)) => self.contributors.read(text).map(contributor_list),
            _ => return None,
        };
        Some(match taken {
            Ok(taken) => Reading { taken, skipped: Vec::new() },
            Err(error) => {
                let told = |issue: &contract_core::Issue| {
                    let place = if issue.pointer.is_empty() { "the document" } else { &issue.pointer };
                    format!("{place} {}", issue.message)
                };
                let skip = Skip::Misfit(error.issues().iter().take(MOST_TOLD).map(told).collect());
                Reading { taken: Vec::new(), skipped: vec![skip] }
            }
        })
    }
}

/// Violations of one document that are told.
const MOST_TOLD: usize = 20;

type Taken = Vec<(RecordKind, Change)>;

fn registry(document: RegistryDocument) -> Taken {
    let entries = document.repositories.into_iter().map(|entry| RegistryConfig {
        repo: entry.repo,
        emission_share: entry.emission_share,
        issue_discovery_share: entry.issue_discovery_share,
        label_multipliers: entry.label_multipliers,
        trusted_label_pipeline: entry.trusted_label_pipeline,
        maintainer_cut: entry.maintainer_cut,
    });
    let snapshot = RegistrySnapshot { generated_at: document.generated_at, entries: entries.collect() };
    vec![(RecordKind::Registry, Change::Registry(snapshot))]
}

fn bounty_list(document: BountiesDocument) -> Taken {
    let bounties = document.bounties.into_iter().map(|entry| {
        let bounty = Bounty {
            repo_full_name: entry.repo,
            issue_number: entry.issue_number,
            status: entry.status,
            updated_at: entry.updated_at.or_else(|| Some(document.generated_at.clone())),
            discovered_at: entry.discovered_at,
        };
        (RecordKind::Bounty, Change::Bounty(bounty))
    });
    bounties.collect()
}

fn contributor_list(document: ContributorsDocument) -> Taken {
    let mut taken = Vec::new();
    for entry in document.contributors {
        let repositories = entry.repositories.into_iter().map(|activity| OfficialRepositoryActivity {
            repo_full_name: activity.repo,
            pull_requests: activity.pull_requests,
            open_issues: activity.open_issues,
            closed_issues: activity.closed_issues,
        });
        let contributor = OfficialContributor {
            login: entry.login.clone(),
            repositories: repositories.collect(),
            generated_at: document.generated_at.clone(),
        };
        taken.push((RecordKind::Contributor, Change::Contributor(contributor)));
        for prediction in entry.predictions {
            // The pattern lets through what no repository is called: `..`.
            let Some(repo) = RepoName::parse(&prediction.repo) else { continue };
            let row = CalibrationRow {
                login: entry.login.clone(),
                repo,
                pull_number: prediction.pull_number,
                agreed: prediction.agreed,
                decided_at: prediction.decided_at,
            };
            taken.push((RecordKind::Calibration, Change::Calibration(row)));
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::moment;

    fn read(text: &str) -> Option<Result<Vec<RecordKind>, Vec<String>>> {
        let reading = Documents::new().read(text)?;
        Some(match reading.skipped.into_iter().next() {
            Some(Skip::Misfit(issues)) => Err(issues),
            Some(other) => panic!("{other:?}"),
            None => Ok(reading.taken.into_iter().map(|(kind, _)| kind).collect()),
        })
    }

    #[test]
    fn each_document_is_known_by_its_list() {
        let moment = r#""generatedAt":"2026-03-01T00:00:00Z""#;
        assert_eq!(
            read(&format!(r#"{{{moment},"repositories":[{{"repo":"a/b"}}]}}"#)),
            Some(Ok(vec![RecordKind::Registry]))
        );
        let bounty = format!(r#"{{"bounties":[{{"repo":"a/b","issueNumber":1,"status":"open"}}],{moment}}}"#);
        assert_eq!(read(&bounty), Some(Ok(vec![RecordKind::Bounty])));
        let people = format!(
            r#"{{{moment},"contributors":[{{"login":"ann","predictions":[{{"repo":"a/b","pullNumber":1,"agreed":true,"decidedAt":"2026-03-01T00:00:00Z"}}]}}]}}"#
        );
        assert_eq!(read(&people), Some(Ok(vec![RecordKind::Contributor, RecordKind::Calibration])));
        assert_eq!(read(r#"{"total_count":0,"repositories":[]}"#), None);
        assert_eq!(read(&format!("{{{moment}}}")), None);
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        let text =
            r#"{"generatedAt":"yesterday","repositories":[{"repo":"no name","emissionShare":2},{"rpeo":"a/b"}]}"#;
        let issues = read(text).unwrap().unwrap_err();
        let has = |part: &str| issues.iter().any(|issue| issue.starts_with(part));
        assert!(
            has("/generatedAt") && has("/repositories/0/repo") && has("/repositories/0/emissionShare"),
            "{issues:?}"
        );
        assert!(has("/repositories/1"), "{issues:?}");
        assert!(!issues.iter().any(|issue| issue.contains("yesterday")));
    }

    #[test]
    fn dates_of_documents_can_be_read_as_moments() {
        // What the schema takes for a date must order documents.
        for date in ["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.5+02:00"] {
            assert!(moment::parse(date).is_some());
        }
    }
}
