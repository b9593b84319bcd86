//! The shape of a collision report.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Serialize, Serializer};

/// Which open work may be the same as other work.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CollisionReport {
    /// `owner/name`, as it was asked for.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// The report in numbers.
    pub summary: CollisionSummary,
    /// Groups of work that may be the same, the surest first. Of very many the summary's count tells; here stand the
    /// surest.
    pub clusters: Vec<CollisionCluster>,
    /// Open pull requests in a cluster of high risk with another one that the clusters above do not show.
    #[serde(skip)]
    pub untold_duplicates: BTreeSet<u64>,
}

/// A collision report in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CollisionSummary {
    /// Clusters.
    pub cluster_count: u64,
    /// Those of high risk.
    pub high_risk_count: u64,
    /// Items whose words were compared pair by pair, of very many a part. Equal titles and closed issues are found among all.
    pub items_reviewed: u64,
}

/// Work that may be the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CollisionCluster {
    /// Names the cluster within its report, by what is in it.
    pub id: String,
    /// How sure it is.
    pub risk: Risk,
    /// What they have in common, in a sentence.
    pub reason: CollisionReason,
    /// The items; of a very large group the first.
    pub items: Vec<CollisionItem>,
}

/// How sure it is that work is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Hardly. No rule finds it so now.
    Low,
    /// Worth a look.
    Medium,
    /// To be expected.
    High,
}

/// What the items of a cluster have in common; a sentence on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollisionReason {
    /// The pull requests close these issues, most often one.
    SharedIssues {
        /// Numbers of the issues, as they were discovered.
        numbers: Vec<u64>,
        /// How many open pull requests close it.
        open_pull_requests: usize,
    },
    /// Two items share so many terms.
    SharedTerms(usize),
    /// Their titles are the same.
    SameTitle {
        /// How many items have it.
        items: usize,
        /// How many terms it has.
        terms: usize,
    },
    /// What they have in common, of more items than are listed.
    InPart {
        /// What it is.
        of: Box<CollisionReason>,
        /// How many items are listed.
        listed: usize,
        /// How many there are.
        items: usize,
    },
}

impl fmt::Display for CollisionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SharedIssues { numbers, open_pull_requests: 1 } => {
                write!(f, "An open pull request references {}, and so did one that was merged", issues(numbers))
            }
            Self::SharedIssues { numbers, open_pull_requests } => {
                write!(f, "{open_pull_requests} open pull requests reference {}", issues(numbers))
            }
            Self::SharedTerms(1) => f.write_str("Their titles are the same, with one term"),
            Self::SharedTerms(shared) => write!(f, "They have {shared} terms in common"),
            Self::SameTitle { items, .. } => write!(f, "{items} items have the same title"),
            Self::InPart { of, listed, items } => write!(f, "{of} ({listed} of {items} items are listed)"),
        }
    }
}

fn issues(numbers: &[u64]) -> String {
    let list: Vec<String> = numbers.iter().map(|number| format!("#{number}")).collect();
    format!("{} {}", if list.len() == 1 { "issue" } else { "issues" }, list.join(", "))
}

impl Serialize for CollisionReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An item that may be the same work as another. Its text stays behind: nobody needs it here, and strangers wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CollisionItem {
    /// What it is.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// Its number.
    pub number: u64,
    /// Its title, without control characters and at most 300 units long.
    pub title: String,
    /// Login of who opened it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author_login: Option<String>,
    /// Its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html_url: Option<String>,
    /// Names of its labels.
    pub labels: Vec<String>,
    /// Numbers of the first issues that it closes; of an issue its own.
    pub linked_issues: Vec<u64>,
    /// When its author claimed the issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linked_issue_claimed_at: Option<String>,
    /// Paths of the first files that it changes, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_files: Option<Vec<String>>,
}

/// What an item is.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemType {
    Issue,
    PullRequest,
    RecentMergedPullRequest,
}

impl ItemType {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::PullRequest => "pull_request",
            Self::RecentMergedPullRequest => "recent_merged_pull_request",
        }
    }
}
