//! The shape in which preflight tells of work that is already under way.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::engine::collision_report::{CollisionCluster, CollisionItem, CollisionReason, Risk};

/// Work that may be the same as a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelatedCluster {
    /// Names the cluster within its report, by what is in it.
    pub id: String,
    /// How sure it is.
    pub risk: Risk,
    /// What it has to do with the plan, in a sentence.
    #[serde(rename = "reason")]
    pub relation: Relation,
    /// The items.
    pub items: Vec<CollisionItem>,
}

/// What work has to do with a plan; a sentence on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// It is a cluster already, for this reason, and the plan would join it.
    Joins(CollisionReason),
    /// Open pull requests close an issue that the plan closes too.
    SameIssue {
        /// Number of the issue.
        number: u64,
        /// How many open pull requests close it.
        open_pull_requests: usize,
    },
    /// It has the title of the plan.
    SameTitle,
    /// It has so many terms in common with the plan.
    SharedTerms(usize),
    /// The same of more items than are listed.
    InPart {
        /// What it has to do with the plan.
        of: Box<Relation>,
        /// How many items are listed.
        listed: usize,
        /// How many there are.
        items: usize,
    },
}

impl From<CollisionCluster> for RelatedCluster {
    fn from(cluster: CollisionCluster) -> Self {
        let CollisionCluster { id, risk, reason, items } = cluster;
        Self { id, risk, relation: Relation::Joins(reason), items }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joins(reason) => write!(f, "{reason}, and the plan is about the same"),
            Self::SameIssue { number, open_pull_requests: 1 } => {
                write!(f, "An open pull request closes issue #{number}, which the plan closes too")
            }
            Self::SameIssue { number, open_pull_requests } => {
                write!(f, "{open_pull_requests} open pull requests close issue #{number}, which the plan closes too")
            }
            Self::SameTitle => f.write_str("It has the title of the plan"),
            Self::InPart { of, listed, items } => write!(f, "{of} ({listed} of {items} items are listed)"),
            Self::SharedTerms(shared) => write!(f, "It has {shared} terms in common with the plan"),
        }
    }
}

impl Serialize for Relation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
