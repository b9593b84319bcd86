//! The small documents that operators write themselves. Their types are their schemas, in the same way as a tool's input.

use std::collections::BTreeMap;

use contract_core::contract_type;

use super::entries::{Entries, Entry, Listed, Pairs};
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
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]+(\[bot\])?$"), length(max = 100))]
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

/// The list of each.
const LISTS: [&str; 3] = ["repositories", "bounties", "contributors"];

/// What a text with one of them holds in any case, so that other records need not be looked into.
const SIGNS: [&str; 4] = ["\"generatedAt\"", "\"repositories\"", "\"bounties\"", "\"contributors\""];

/// Members of GitHub's own objects with such a list; a document that lacks its moment has none of these.
const FOREIGN: [&str; 8] = ["total_count", "sender", "action", "id", "node_id", "url", "sha", "data"];

/// Reads the three kinds.
pub(super) struct Documents {
    registry: Entries<RegistryDocument, RegistryEntry>,
    bounties: Entries<BountiesDocument, BountyEntry>,
    contributors: Entries<ContributorsDocument, ContributorEntry>,
    predictions: Entries<ContributorEntry, PredictionEntry>,
}

impl Documents {
    pub(super) fn new() -> Self {
        Self {
            registry: Entries::of("repositories"),
            bounties: Entries::of("bounties"),
            contributors: Entries::of("contributors"),
            predictions: Entries::of("predictions"),
        }
    }

    /// Reads a document; none when the text is no document of ours.
    pub(super) fn read(&self, text: &str) -> Option<Reading> {
        if !SIGNS.iter().any(|sign| text.contains(sign)) {
            return None;
        }
        let Pairs(members) = serde_json::from_str(text).ok()?;
        let has = |name: &&str| members.iter().any(|(member, _)| member == name);
        let lists: Vec<&str> = LISTS.into_iter().filter(has).collect();
        if !has(&"generatedAt") && (lists.is_empty() || FOREIGN.iter().any(has)) {
            return None;
        }
        let mut reading = Reading::default();
        match lists[..] {
            ["repositories"] => self.registry(text, &mut reading),
            ["bounties"] => self.bounties(text, &mut reading),
            ["contributors"] => self.contributors(text, &mut reading),
            _ => {
                let told = "the document must have one list: `repositories`, `bounties` or `contributors`";
                reading.skipped.push(Skip::Misfit(vec![told.to_owned()]));
            }
        }
        Some(reading)
    }

    fn registry(&self, text: &str, reading: &mut Reading) {
        let Some((document, found)) = self.registry.read(text, "", &mut reading.skipped) else { return };
        let (mut entries, mut listed) = (Vec::new(), Listed::new());
        for Entry { place, value: entry } in found {
            let Some(repo) = repository(&entry.repo, &place, &mut reading.skipped) else { continue };
            if listed.is_first(repo, &place, &mut reading.skipped) {
                entries.push(RegistryConfig {
                    repo: entry.repo,
                    emission_share: entry.emission_share,
                    issue_discovery_share: entry.issue_discovery_share,
                    label_multipliers: entry.label_multipliers,
                    trusted_label_pipeline: entry.trusted_label_pipeline,
                    maintainer_cut: entry.maintainer_cut,
                });
            }
        }
        // A registry without any entry that fits would end every registration there is.
        if !entries.is_empty() || reading.skipped.is_empty() {
            let snapshot = RegistrySnapshot { generated_at: document.generated_at, entries };
            reading.taken.push((RecordKind::Registry, Change::Registry(snapshot)));
        }
    }

    fn bounties(&self, text: &str, reading: &mut Reading) {
        let Some((document, found)) = self.bounties.read(text, "", &mut reading.skipped) else { return };
        let mut listed = Listed::new();
        for Entry { place, value: entry } in found {
            let Some(repo) = repository(&entry.repo, &place, &mut reading.skipped) else { continue };
            if listed.is_first((repo, entry.issue_number), &place, &mut reading.skipped) {
                let bounty = Bounty {
                    repo_full_name: entry.repo,
                    issue_number: entry.issue_number,
                    status: entry.status,
                    updated_at: entry.updated_at.or_else(|| Some(document.generated_at.clone())),
                    discovered_at: entry.discovered_at,
                };
                reading.taken.push((RecordKind::Bounty, Change::Bounty(bounty)));
            }
        }
    }

    fn contributors(&self, text: &str, reading: &mut Reading) {
        let (document, entries) = self.contributors.cut(text, "", &mut reading.skipped);
        let mut people = Listed::new();
        for (place, text) in entries {
            // A prediction that does not fit keeps neither the others out nor whom it is about.
            let Some((entry, predictions)) = self.predictions.read(text, &place, &mut reading.skipped) else {
                continue;
            };
            if !people.is_first(entry.login.to_ascii_lowercase(), &place, &mut reading.skipped) {
                continue;
            }
            let repositories = activities(entry.repositories, &place, &mut reading.skipped);
            let Some(document) = &document else { continue };
            let contributor = OfficialContributor {
                login: entry.login.clone(),
                repositories,
                generated_at: document.generated_at.clone(),
            };
            reading.taken.push((RecordKind::Contributor, Change::Contributor(contributor)));
            let mut listed = Listed::new();
            for Entry { place, value: prediction } in predictions {
                let Some(repo) = repository(&prediction.repo, &place, &mut reading.skipped) else { continue };
                if !listed.is_first((repo.clone(), prediction.pull_number), &place, &mut reading.skipped) {
                    continue;
                }
                let row = CalibrationRow {
                    login: entry.login.clone(),
                    repo,
                    pull_number: prediction.pull_number,
                    agreed: prediction.agreed,
                    decided_at: prediction.decided_at,
                };
                reading.taken.push((RecordKind::Calibration, Change::Calibration(row)));
            }
        }
    }
}

/// The repository that an entry is about. The pattern lets through what no repository is called: `..`.
fn repository(name: &str, place: &str, skipped: &mut Vec<Skip>) -> Option<RepoName> {
    let repo = RepoName::parse(name);
    if repo.is_none() {
        let told = format!("{place}/repo must be the name of a repository, such as acme/widgets");
        skipped.push(Skip::MisfitEntry(vec![told]));
    }
    repo
}

/// What was counted for somebody whose entry stands at `place`, each repository once.
fn activities(counted: Vec<ActivityEntry>, place: &str, skipped: &mut Vec<Skip>) -> Vec<OfficialRepositoryActivity> {
    let (mut activities, mut listed) = (Vec::new(), Listed::new());
    for (index, activity) in counted.into_iter().enumerate() {
        let place = format!("{place}/repositories/{index}");
        let Some(repo) = repository(&activity.repo, &place, skipped) else { continue };
        if listed.is_first(repo, &place, skipped) {
            activities.push(OfficialRepositoryActivity {
                repo_full_name: activity.repo,
                pull_requests: activity.pull_requests,
                open_issues: activity.open_issues,
                closed_issues: activity.closed_issues,
            });
        }
    }
    activities
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::moment;

    fn read(text: &str) -> Option<Result<Vec<RecordKind>, Vec<String>>> {
        let reading = Documents::new().read(text)?;
        let taken: Vec<RecordKind> = reading.taken.into_iter().map(|(kind, _)| kind).collect();
        let told = reading.skipped.into_iter().flat_map(|skip| match skip {
            Skip::Misfit(told) | Skip::MisfitEntry(told) => told,
            other => panic!("{other:?}"),
        });
        let told: Vec<String> = told.collect();
        Some(if taken.is_empty() && !told.is_empty() { Err(told) } else { Ok(taken) })
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
        assert_eq!(read(r#"{"sender":{},"repositories":[]}"#), None);
        assert_eq!(read(r#"{"number":1,"body":"\"repositories\""}"#), None);
        for none_or_two in [format!("{{{moment}}}"), format!(r#"{{{moment},"bounties":[],"repositories":[]}}"#)] {
            assert!(read(&none_or_two).unwrap().is_err(), "{none_or_two}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        let text = r#"{"generatedAt":"2026-03-01T00:00:00Z","repositories":[{"repo":"no name","emissionShare":2},{"rpeo":"a/b"}]}"#;
        let issues = read(text).unwrap().unwrap_err();
        let has = |part: &str| issues.iter().any(|issue| issue.starts_with(part));
        assert!(has("/repositories/0/repo") && has("/repositories/0/emissionShare"), "{issues:?}");
        assert!(has("/repositories/1"), "{issues:?}");
        let issues = read(r#"{"generatedAt":"yesterday","bounties":[],"more":1,"bounties":[]}"#).unwrap().unwrap_err();
        let has = |part: &str| issues.iter().any(|issue| issue.starts_with(part));
        assert!(has("/generatedAt") && has("/more") && has("/bounties"), "{issues:?}");
        assert!(!issues.iter().any(|issue| issue.contains("yesterday")));
        let issues =
            read(r#"{"generatedAt":"2026-03-01T00:00:00Z","contributors":{"login":"ann"}}"#).unwrap().unwrap_err();
        assert!(issues[0].starts_with("/contributors must be"), "{issues:?}");
    }

    #[test]
    fn dates_of_documents_can_be_read_as_moments() {
        // What the schema takes for a date must order documents.
        for date in ["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.5+02:00"] {
            assert!(moment::parse(date).is_some());
        }
    }
}
