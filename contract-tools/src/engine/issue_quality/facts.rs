//! What is known about one issue before it is judged.

use std::collections::{BTreeMap, BTreeSet};

use super::lifecycle::{IssueLifecycle, lifecycle};
use super::{IssueQualityInput, WIP_LABELS};
use crate::engine::bounty::{BountyBook, BountyLifecycle};
use crate::engine::collision_report::{Candidates, FoundCluster, ItemType, Risk, find};
use crate::engine::moment;
use crate::engine::records::{Issue, PullRequest, RecentMergedPullRequest};
use crate::engine::text::{is_maintainer_association, trim_spaces, unit_count};

/// What is known about one issue.
pub(super) struct IssueFacts {
    /// The length of its text.
    pub(super) body_length: usize,
    /// Whether it has labels.
    pub(super) has_labels: bool,
    /// Days since it last changed.
    pub(super) age: i64,
    /// Pull requests about it that were not merged lately.
    pub(super) linked_pull_requests: usize,
    /// Pull requests about it that were merged lately.
    pub(super) linked_merged: usize,
    /// Pull requests that its text names.
    pub(super) named_pull_requests: usize,
    /// Where it stands.
    pub(super) lifecycle: IssueLifecycle,
    /// The highest risk that it is about the same as something else.
    pub(super) overlap: Option<Risk>,
    /// Where its bounty stands.
    pub(super) bounty: Option<BountyLifecycle>,
    /// Whether a maintainer opened it.
    pub(super) is_by_maintainer: bool,
    /// Whether that maintainer marks it as being worked on.
    pub(super) is_maintainer_wip: bool,
}

impl IssueFacts {
    /// Whether anybody has already done something about it.
    pub(super) fn has_linked_work(&self) -> bool {
        self.linked_pull_requests + self.linked_merged + self.named_pull_requests > 0
    }
}

/// What else is known, by issue and by pull request, so that each issue is looked at once.
pub(super) struct Surroundings<'a> {
    input: &'a IssueQualityInput<'a>,
    pull_requests: Links<'a, PullRequest>,
    merged: Links<'a, RecentMergedPullRequest>,
    overlaps: BTreeMap<u64, Risk>,
    bounties: BountyBook,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(input: &'a IssueQualityInput<'a>) -> Self {
        let candidates = Candidates::of(input.issues, input.pull_requests, input.recent_merged);
        Self {
            input,
            pull_requests: Links::new(input.pull_requests, |row| row.number, |row| &row.linked_issues),
            merged: Links::new(input.recent_merged, |row| row.number, |row| &row.linked_issues),
            overlaps: overlaps(&find(&candidates)),
            bounties: BountyBook::new(input.repo_full_name, input.bounties, input.issues, input.now),
        }
    }

    pub(super) fn facts(&self, issue: &Issue) -> IssueFacts {
        let changed = issue.updated_at.as_deref().or(issue.created_at.as_deref()).and_then(moment::parse);
        let age = changed.map_or(0, |changed| moment::days_since(changed, self.input.now));
        let merged = self.merged.about(issue);
        let is_by_maintainer = is_maintainer_association(issue.author_association.as_deref());
        let is_wip = |label: &String| WIP_LABELS.contains(&trim_spaces(label).to_lowercase().as_str());
        IssueFacts {
            body_length: unit_count(trim_spaces(issue.body.as_deref().unwrap_or_default())),
            has_labels: !issue.labels.is_empty(),
            age,
            linked_pull_requests: self.pull_requests.about(issue).len(),
            linked_merged: merged.len(),
            named_pull_requests: issue.linked_prs.len(),
            lifecycle: lifecycle(issue, &merged, self.input.lane, age),
            overlap: self.overlaps.get(&issue.number).copied(),
            bounty: self.bounties.on(issue.number),
            is_by_maintainer,
            is_maintainer_wip: is_by_maintainer && issue.labels.iter().any(is_wip),
        }
    }
}

/// Rows by their number and by the issues that they link.
struct Links<'a, Row> {
    by_number: BTreeMap<u64, Vec<&'a Row>>,
    by_issue: BTreeMap<u64, Vec<&'a Row>>,
    number: fn(&Row) -> u64,
}

impl<'a, Row> Links<'a, Row> {
    fn new(rows: &'a [Row], number: fn(&Row) -> u64, linked: fn(&Row) -> &[u64]) -> Self {
        let mut links = Self { by_number: BTreeMap::new(), by_issue: BTreeMap::new(), number };
        for row in rows {
            links.by_number.entry(number(row)).or_default().push(row);
            for issue in linked(row).iter().collect::<BTreeSet<_>>() {
                links.by_issue.entry(*issue).or_default().push(row);
            }
        }
        links
    }

    /// The rows that link this issue, then those that its text names and that do not.
    fn about(&self, issue: &Issue) -> Vec<&'a Row> {
        let mut rows = self.by_issue.get(&issue.number).cloned().unwrap_or_default();
        let mut numbers: BTreeSet<u64> = rows.iter().map(|row| (self.number)(row)).collect();
        for number in issue.linked_prs.iter().filter(|number| numbers.insert(**number)) {
            rows.extend(self.by_number.get(number).into_iter().flatten());
        }
        rows
    }
}

/// The highest risk of the clusters that each issue is in.
fn overlaps(clusters: &[FoundCluster<'_>]) -> BTreeMap<u64, Risk> {
    let mut overlaps = BTreeMap::new();
    for cluster in clusters {
        for item in cluster.members.iter().filter(|item| item.item_type == ItemType::Issue) {
            let highest = overlaps.entry(item.number).or_insert(cluster.risk);
            *highest = cluster.risk.max(*highest);
        }
    }
    overlaps
}
