//! What several tools on repository data have in common: names, findings, lanes, and work that may be the same.
//!
//! The shapes are the wire's own, so that a rule may change its records without changing what callers read. Titles are
//! [`Shown`]: strangers wrote them.

use contract_core::{ToolError, contract_type};

use crate::engine::collision_report as collisions;
use crate::engine::lane_advice;
use crate::engine::preflight::RelatedCluster;
use crate::engine::text::plain;
use crate::engine::{finding, records};
use crate::forge::RepoName;
use crate::privacy::{Shown, secret_ranges};

/// Says that a wire's word and a rule's are the same, one by one.
macro_rules! same_words {
    ($wire:ident from $rule:ty: $($word:ident),+) => {
        impl From<$rule> for $wire {
            fn from(word: $rule) -> Self {
                match word {
                    $(<$rule>::$word => Self::$word,)+
                }
            }
        }
    };
}
pub(super) use same_words;

/// The repository that a call names. What no repository can be called is one that nobody has.
pub(super) fn repository_name(owner: &str, repo: &str) -> Result<RepoName, ToolError> {
    RepoName::of(owner, repo).ok_or_else(|| unknown_repository(&format!("{owner}/{repo}")))
}

/// There is no such repository in the store.
pub(super) fn unknown_repository(name: &str) -> ToolError {
    // What no name looks like is not repeated.
    let named = RepoName::parse(name).map(|name| format!("`{name}` ")).unwrap_or_default();
    ToolError::not_found(format!(
        "the repository {named}is not in this server's store; check `owner` and `repo`, or ask the operator to import it"
    ))
}

contract_core::vocabulary! {
    /// How much a finding matters.
    pub enum FindingSeverity: "severity" {
        /// Good to know.
        Info = "info",
        /// Worth acting on.
        Warning = "warning",
        /// Stands in the way.
        Critical = "critical",
    }
}
same_words!(FindingSeverity from finding::Severity: Info, Warning, Critical);

/// One thing that a report has to say.
#[contract_type]
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was found, in a word that programs can branch on.
    pub code: String,
    /// The same for a reader, in a few words.
    pub title: String,
    /// How much it matters.
    pub severity: FindingSeverity,
    /// The facts, with their numbers.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What may be said about it in public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_text: Option<String>,
    /// How sure it is, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl From<finding::Finding> for Finding {
    fn from(finding: finding::Finding) -> Self {
        let finding::Finding { code, title, severity, detail, action, public_text, confidence } = finding;
        Self { code, title, severity: severity.into(), detail, action, public_text, confidence }
    }
}

contract_core::vocabulary! {
    /// A way of contributing.
    pub enum Lane: "lane" {
        /// Pull requests are rewarded.
        DirectPr = "direct_pr",
        /// Finding issues is rewarded.
        IssueDiscovery = "issue_discovery",
        /// Both are.
        Split = "split",
        /// The repository is registered and nothing is rewarded now.
        Inactive = "inactive",
        /// It is not known to be registered.
        Unknown = "unknown",
    }
}
same_words!(Lane from lane_advice::Lane: DirectPr, IssueDiscovery, Split, Inactive, Unknown);

/// What a repository's registration means for those who contribute and those who maintain.
#[contract_type]
#[derive(Clone, Debug)]
pub struct LaneAdvice {
    /// The way of contributing: `direct_pr`, `issue_discovery`, `split`, `inactive` or `unknown`.
    pub lane: Lane,
    /// The repository as `owner/name`.
    pub repo_full_name: String,
    /// The part of rewards for finding issues, from 0 to 1; left out when nothing is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue_discovery_share: Option<f64>,
    /// The part of rewards for pull requests, from 0 to 1; left out when nothing is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_pr_share: Option<f64>,
    /// The lane in a sentence.
    pub summary: String,
    /// What it means for who contributes.
    pub contributor_guidance: String,
    /// What it means for who maintains.
    pub maintainer_guidance: String,
}

impl From<lane_advice::LaneAdvice> for LaneAdvice {
    fn from(advice: lane_advice::LaneAdvice) -> Self {
        Self {
            lane: advice.lane.into(),
            repo_full_name: advice.repo_full_name,
            issue_discovery_share: advice.issue_discovery_share,
            direct_pr_share: advice.direct_pr_share,
            summary: advice.summary,
            contributor_guidance: advice.contributor_guidance,
            maintainer_guidance: advice.maintainer_guidance,
        }
    }
}

contract_core::vocabulary! {
    /// How sure it is that work is the same.
    pub enum CollisionRisk: "risk" {
        /// Hardly.
        Low = "low",
        /// Worth a look.
        Medium = "medium",
        /// To be expected.
        High = "high",
    }
}
same_words!(CollisionRisk from collisions::Risk: Low, Medium, High);

contract_core::vocabulary! {
    /// What an item is.
    pub enum CollisionItemType: "item type" {
        /// An issue.
        Issue = "issue",
        /// A pull request.
        PullRequest = "pull_request",
        /// A pull request that was merged lately.
        RecentMergedPullRequest = "recent_merged_pull_request",
    }
}
same_words!(CollisionItemType from collisions::ItemType: Issue, PullRequest, RecentMergedPullRequest);

/// Work that may be the same.
#[contract_type]
#[derive(Clone, Debug)]
pub struct CollisionCluster {
    /// Names the cluster within its report, by what is in it.
    pub id: String,
    /// How sure it is: `low`, `medium` or `high`.
    pub risk: CollisionRisk,
    /// What the items have in common, in a sentence.
    pub reason: String,
    /// The items.
    pub items: Vec<CollisionItem>,
}

/// An item that may be the same work as another. What it says beside its title is never part of an answer.
#[contract_type]
#[derive(Clone, Debug)]
pub struct CollisionItem {
    /// What it is: `issue`, `pull_request` or `recent_merged_pull_request`.
    #[serde(rename = "type")]
    pub item_type: CollisionItemType,
    /// Its number.
    pub number: u64,
    /// Its title, at most 300 characters long.
    pub title: Shown,
    /// Login of who opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author_login: Option<String>,
    /// Its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html_url: Option<String>,
    /// Names of its labels, at most 50.
    pub labels: Vec<String>,
    /// Numbers of the issues that it closes; of an issue its own.
    pub linked_issues: Vec<u64>,
    /// When its author claimed the issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked_issue_claimed_at: Option<String>,
    /// Paths of the first 20 files that it changes, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_files: Option<Vec<String>>,
}

impl From<collisions::CollisionItem> for CollisionItem {
    fn from(item: collisions::CollisionItem) -> Self {
        Self {
            item_type: item.item_type.into(),
            number: item.number,
            title: item.title.into(),
            author_login: item.author_login.filter(|login| is_login(login)),
            html_url: item.html_url.filter(|address| is_page(address)),
            labels: labels(&item.labels),
            linked_issues: item.linked_issues,
            linked_issue_claimed_at: item.linked_issue_claimed_at,
            changed_files: item.changed_files,
        }
    }
}

impl From<collisions::CollisionCluster> for CollisionCluster {
    fn from(cluster: collisions::CollisionCluster) -> Self {
        let collisions::CollisionCluster { id, risk, reason, items } = cluster;
        Self {
            id,
            risk: risk.into(),
            reason: reason.to_string(),
            items: items.into_iter().map(CollisionItem::from).collect(),
        }
    }
}

impl From<RelatedCluster> for CollisionCluster {
    fn from(cluster: RelatedCluster) -> Self {
        let RelatedCluster { id, risk, relation, items } = cluster;
        Self {
            id,
            risk: risk.into(),
            reason: relation.to_string(),
            items: items.into_iter().map(CollisionItem::from).collect(),
        }
    }
}

/// An answer names this many labels at most.
const MOST_LABELS: usize = 500;

/// A label's name is shown up to this many characters, which is more than GitHub allows.
const LONGEST_LABEL: usize = 100;

/// Names of labels as answers show them: on one line each, not without end, and without what is shaped like a secret. A word
/// that would be private elsewhere is data here: people filter by it.
pub(super) fn labels(names: &[String]) -> Vec<String> {
    names.iter().take(MOST_LABELS).map(|name| plain(name, LONGEST_LABEL)).collect()
}

/// GitHub's logins are shorter, with what it adds for programs and enterprises.
const LONGEST_LOGIN: usize = 100;

/// Whether it is what a login looks like; anything else is not repeated.
fn is_login(login: &str) -> bool {
    let name = login.strip_suffix("[bot]").unwrap_or(login);
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    is_name && login.len() <= LONGEST_LOGIN && secret_ranges(login).is_empty()
}

/// A page's address is shown up to this length.
const LONGEST_ADDRESS: usize = 500;

/// Whether it is the address of a page that may be shown.
fn is_page(address: &str) -> bool {
    let is_written = address.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\`".contains(&byte));
    address.starts_with("https://")
        && address.len() <= LONGEST_ADDRESS
        && is_written
        && secret_ranges(address).is_empty()
}

/// What every part of a finding list needs: the wire's findings of a rule's.
pub(super) fn findings(findings: Vec<finding::Finding>) -> Vec<Finding> {
    findings.into_iter().map(Finding::from).collect()
}

/// The spelling of a repository's name that the store keeps, else the caller's.
pub(super) fn spelled<'a>(repository: Option<&'a records::Repository>, asked: &'a str) -> &'a str {
    repository.map_or(asked, |repository| &repository.full_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_strangers_wrote_is_shown_when_it_is_what_it_should_be() {
        for login in ["ann", "a-b_c", "dependabot[bot]"] {
            assert!(is_login(login), "{login}");
        }
        for login in ["", "[bot]", "a b", "a\u{202e}b", "a\nb", "ghp_0123456789abcdef0123", &"a".repeat(101)] {
            assert!(!is_login(login), "{login}");
        }
        assert!(is_page("https://github.com/acme/widgets/pull/7#issuecomment-1"));
        let long = format!("https://host/{}", "a".repeat(500));
        for address in ["http://host/", "javascript:alert(1)", "https://u:p@host/", "https://host/a b", "", &long] {
            assert!(!is_page(address), "{address}");
        }
        let names = ["bug", "my wallet", "ghp_0123456789abcdef0123"].map(str::to_owned);
        assert_eq!(labels(&names), ["bug", "my wallet", "[redacted]"]);
    }
}
