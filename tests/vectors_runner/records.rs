//! Records and moments as vectors spell them.

use contract_tests::vectors::Vector;
use contract_tools::engine::moment::{self, Moment};
use contract_tools::engine::records::{Bounty, Issue, PullRequest, RecentMergedPullRequest, Repository};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a vector knows about a repository. What it leaves out is empty.
pub(crate) struct Records {
    pub(crate) repository: Option<Repository>,
    pub(crate) issues: Vec<Issue>,
    pub(crate) pull_requests: Vec<PullRequest>,
    pub(crate) recent_merged: Vec<RecentMergedPullRequest>,
    pub(crate) bounties: Vec<Bounty>,
}

impl Records {
    pub(crate) fn of(vector: &Vector) -> Result<Self, String> {
        let input = &vector.input;
        Ok(Self {
            repository: read(&Value::Null, &input["repo"])?,
            issues: rows(&input["issues"])?,
            pull_requests: rows(&input["pullRequests"])?,
            recent_merged: rows(&input["recentMerged"])?,
            bounties: rows(&input["bounties"])?,
        })
    }

    /// The name that the records carry.
    pub(crate) fn repo_full_name(&self) -> &str {
        let of_issue = || self.issues.first().map(|issue| issue.repo_full_name.as_str());
        self.repository.as_ref().map(|repository| repository.full_name.as_str()).or_else(of_issue).unwrap_or_default()
    }
}

fn rows<Row: DeserializeOwned>(value: &Value) -> Result<Vec<Row>, String> {
    Ok(read::<Option<Vec<Row>>>(&Value::Null, value)?.unwrap_or_default())
}

/// A value as a record; members that vectors leave out come from `absent`.
pub(crate) fn read<Record: DeserializeOwned>(absent: &Value, value: &Value) -> Result<Record, String> {
    let mut value = value.clone();
    if let (Some(members), Some(absent)) = (value.as_object_mut(), absent.as_object()) {
        for (name, member) in absent {
            members.entry(name).or_insert_with(|| member.clone());
        }
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// The vector's clock.
pub(crate) fn now(vector: &Vector) -> Result<Moment, String> {
    vector.input["now"].as_str().and_then(moment::parse).ok_or_else(|| "the vector has no clock".to_owned())
}
