//! How heavy a repository's queue weighs on those who review.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::collision_report::{CollisionReport, duplicates_told};
use super::finding::{Finding, Severity};
use super::moment::{self, Moment};
use super::records::{Issue, PullRequest, Repository};
use super::text::is_maintainer_association;

/// Days without a change after which a pull request is stale.
const STALE_DAYS: i64 = 14;

/// Days from which a pull request is no more likely to be reviewed.
const FORGOTTEN_DAYS: i64 = 30;

/// Counts that somebody knows better than the records show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueCounts {
    /// Open issues.
    pub open_issues: Option<u64>,
    /// Open pull requests.
    pub open_pull_requests: Option<u64>,
    /// Those of them that are likely to be reviewed.
    pub likely_reviewable_pull_requests: Option<u64>,
}

/// How heavy a queue weighs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueHealth {
    /// `owner/name`.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// The weight, from 0 to 100.
    pub burden_score: u64,
    /// The weight in a word.
    pub level: BurdenLevel,
    /// The weight in a sentence.
    pub summary: String,
    /// What it is made of.
    pub signals: QueueSignals,
    /// What a maintainer should know.
    pub findings: Vec<Finding>,
}

/// How heavy a queue weighs, in a word.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BurdenLevel {
    Low,
    Medium,
    High,
    Critical,
}

impl BurdenLevel {
    fn of(burden: u64) -> Self {
        match burden {
            80.. => Self::Critical,
            55.. => Self::High,
            25.. => Self::Medium,
            _ => Self::Low,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// What a queue's weight is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueSignals {
    /// Open issues.
    pub open_issues: u64,
    /// Open pull requests.
    pub open_pull_requests: u64,
    /// Open pull requests without an issue.
    pub unlinked_pull_requests: u64,
    /// Open pull requests that nobody has touched for two weeks.
    pub stale_pull_requests: u64,
    /// Open drafts.
    pub draft_pull_requests: u64,
    /// Open pull requests by maintainers.
    pub maintainer_authored_pull_requests: u64,
    /// Groups of duplicate work.
    pub collision_clusters: u64,
    /// Open pull requests that look like careless work.
    pub slop_flagged_pull_requests: u64,
    /// Open pull requests that do the same as another.
    pub duplicate_flagged_pull_requests: u64,
    /// Open pull requests by days since their last change.
    pub age_buckets: AgeBuckets,
    /// Open pull requests that are likely to be reviewed.
    pub likely_reviewable_pull_requests: u64,
    /// Open pull requests that there are records of.
    pub cached_open_pull_requests: u64,
    /// Where the number of likely reviews comes from.
    pub likely_reviewable_pull_requests_source: ReviewableSource,
}

/// Open pull requests by days since their last change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgeBuckets {
    /// Less than 7.
    #[serde(rename = "under7Days")]
    pub under_7_days: u64,
    /// From 7 to 30.
    #[serde(rename = "days7To30")]
    pub days_7_to_30: u64,
    /// More than 30.
    #[serde(rename = "over30Days")]
    pub over_30_days: u64,
}

/// Where the number of likely reviews comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewableSource {
    /// From whoever asked.
    Authoritative,
    /// From records of a part of the queue.
    SampledCache,
    /// From records of the whole queue.
    Cache,
}

/// Weighs the queue of open `issues` and `pull_requests`; what is closed among them does not count.
pub fn queue_health(
    repository: Option<&Repository>,
    issues: &[Issue],
    pull_requests: &[PullRequest],
    collisions: &CollisionReport,
    counts: &QueueCounts,
    now: Moment,
) -> QueueHealth {
    let open: Vec<OpenPullRequest<'_>> = pull_requests
        .iter()
        .filter(|pull_request| pull_request.is_open())
        .map(|pull_request| OpenPullRequest { pull_request, age: age_in_days(pull_request, now) })
        .collect();
    let signals = signals(&open, count(issues, Issue::is_open), collisions, counts);
    let burden_score = burden(&signals);
    let level = BurdenLevel::of(burden_score);
    let name = repository.map_or(&collisions.repo_full_name, |repository| &repository.full_name);
    QueueHealth {
        repo_full_name: name.clone(),
        generated_at: moment::text(now),
        burden_score,
        level,
        summary: format!(
            "The burden is {}: {}, {}, {}",
            level.word(),
            counted(signals.open_pull_requests, "open pull request"),
            counted(signals.open_issues, "open issue"),
            counted(signals.collision_clusters, "collision cluster"),
        ),
        findings: findings(&signals, collisions.summary.high_risk_count, &open),
        signals,
    }
}

struct OpenPullRequest<'a> {
    pull_request: &'a PullRequest,
    age: i64,
}

impl OpenPullRequest<'_> {
    fn is_draft(&self) -> bool {
        self.pull_request.is_draft == Some(true)
    }

    fn is_stale(&self) -> bool {
        self.age >= STALE_DAYS
    }

    fn is_unlinked(&self) -> bool {
        self.pull_request.linked_issues.is_empty()
    }

    fn is_likely_reviewable(&self) -> bool {
        !self.is_unlinked() && self.age < FORGOTTEN_DAYS && !self.is_draft()
    }
}

/// Days since the last change. Without a readable moment it counts as fresh.
fn age_in_days(pull_request: &PullRequest, now: Moment) -> i64 {
    let time = pull_request.updated_at.as_ref().or(pull_request.created_at.as_ref());
    time.and_then(|time| moment::parse(time)).map_or(0, |moment| moment::days_since(moment, now))
}

fn signals(
    open: &[OpenPullRequest<'_>],
    open_issues: u64,
    collisions: &CollisionReport,
    counts: &QueueCounts,
) -> QueueSignals {
    let cached = count(open, |_| true);
    let open_pull_requests = cached.max(counts.open_pull_requests.unwrap_or(0));
    let likely = count(open, OpenPullRequest::is_likely_reviewable)
        .max(counts.likely_reviewable_pull_requests.unwrap_or(0))
        .min(open_pull_requests);
    let duplicates = duplicates(collisions);
    QueueSignals {
        open_issues: open_issues.max(counts.open_issues.unwrap_or(0)),
        open_pull_requests,
        unlinked_pull_requests: count(open, OpenPullRequest::is_unlinked),
        stale_pull_requests: count(open, OpenPullRequest::is_stale),
        draft_pull_requests: count(open, OpenPullRequest::is_draft),
        maintainer_authored_pull_requests: count(open, |open| {
            is_maintainer_association(open.pull_request.author_association.as_deref())
        }),
        collision_clusters: collisions.summary.cluster_count,
        slop_flagged_pull_requests: count(open, |open| {
            matches!(open.pull_request.slop_band.as_deref(), Some("elevated" | "high"))
        }),
        duplicate_flagged_pull_requests: count(open, |open| duplicates.contains(&open.pull_request.number)),
        age_buckets: AgeBuckets {
            under_7_days: count(open, |open| open.age < 7),
            days_7_to_30: count(open, |open| (7..=30).contains(&open.age)),
            over_30_days: count(open, |open| open.age > 30),
        },
        likely_reviewable_pull_requests: likely,
        cached_open_pull_requests: cached,
        likely_reviewable_pull_requests_source: if counts.likely_reviewable_pull_requests.is_some() {
            ReviewableSource::Authoritative
        } else if open_pull_requests > cached {
            ReviewableSource::SampledCache
        } else {
            ReviewableSource::Cache
        },
    }
}

/// Numbers of the pull requests that surely do the same as another one.
fn duplicates(collisions: &CollisionReport) -> HashSet<u64> {
    let shown = collisions.clusters.iter().flat_map(duplicates_told);
    shown.chain(collisions.untold_duplicates.iter().copied()).collect()
}

/// The weight of each signal, from 0 to 100 in all.
fn burden(signals: &QueueSignals) -> u64 {
    let weighed = [
        (6, signals.open_pull_requests),
        (1, signals.open_issues),
        (8, signals.unlinked_pull_requests),
        (6, signals.stale_pull_requests),
        (4, signals.age_buckets.over_30_days),
        (10, signals.collision_clusters),
    ];
    let weight =
        weighed.into_iter().fold(0_u64, |sum, (weight, count)| sum.saturating_add(count.saturating_mul(weight)));
    weight.saturating_sub(signals.likely_reviewable_pull_requests.saturating_mul(2)).min(100)
}

fn findings(signals: &QueueSignals, high_risk_count: u64, open: &[OpenPullRequest<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let unlinked = signals.unlinked_pull_requests;
    if unlinked > 0 {
        let detail = format!("{} without an issue", counted(unlinked, "open pull request"));
        findings.push(
            Finding::new("unlinked_prs", Severity::Warning, "Pull requests without an issue", detail)
                .with_action("Ask for the issue, or for a sentence on why there is none"),
        );
    }
    let clusters = signals.collision_clusters;
    if clusters > 0 {
        let severity = if high_risk_count > 0 { Severity::Warning } else { Severity::Info };
        let detail = format!(
            "{} of contributions that may do the same, {high_risk_count} at high risk",
            counted(clusters, "cluster")
        );
        findings.push(
            Finding::new("collision_clusters", severity, "Duplicate work", detail)
                .with_action("See which of them overlap before reviewing any in depth"),
        );
    }
    let stale = signals.stale_pull_requests;
    if stale > 0 {
        let detail = format!("{} without a change for {STALE_DAYS} days or more", counted(stale, "open pull request"));
        findings.push(Finding::new("stale_prs", Severity::Info, "Stale pull requests", detail));
    }
    let inactive = count(open, |open| open.is_draft() && open.is_stale());
    if inactive > 0 {
        let detail = format!("{} without a change for {STALE_DAYS} days or more", counted(inactive, "open draft"));
        findings.push(
            Finding::new("inactive_draft_prs", Severity::Info, "Inactive drafts", detail)
                .with_action("Ask whether the work goes on, or close them"),
        );
    }
    findings
}

fn count<T>(items: &[T], holds: impl Fn(&T) -> bool) -> u64 {
    items.iter().filter(|item| holds(item)).count() as u64
}

fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::super::collision_report::collision_report;
    use super::*;

    fn now() -> Moment {
        moment::parse("2026-06-15T12:00:00Z").unwrap()
    }

    fn pull_request(number: u64, updated_at: &str, linked_issues: &[u64]) -> PullRequest {
        PullRequest {
            number,
            title: format!("Change {number}"),
            state: "open".to_owned(),
            linked_issues: linked_issues.to_vec(),
            updated_at: Some(updated_at.to_owned()),
            ..PullRequest::default()
        }
    }

    fn weigh(pull_requests: &[PullRequest], counts: &QueueCounts) -> QueueHealth {
        let collisions = collision_report("acme/widgets", &[], pull_requests, &[], now());
        queue_health(None, &[], pull_requests, &collisions, counts, now())
    }

    #[test]
    fn a_healthy_pull_request_weighs_less_than_one_without_an_issue() {
        let linked = weigh(&[pull_request(1, "2026-06-14T12:00:00Z", &[9])], &QueueCounts::default());
        let unlinked = weigh(&[pull_request(1, "2026-06-14T12:00:00Z", &[])], &QueueCounts::default());
        assert_eq!((linked.burden_score, unlinked.burden_score), (4, 14));
        assert_eq!(unlinked.findings[0].code, "unlinked_prs");
    }

    #[test]
    fn a_draft_is_not_likely_to_be_reviewed() {
        let ready = pull_request(1, "2026-06-14T12:00:00Z", &[9]);
        let draft = PullRequest { is_draft: Some(true), ..ready.clone() };
        assert_eq!(weigh(&[ready], &QueueCounts::default()).signals.likely_reviewable_pull_requests, 1);
        assert_eq!(weigh(&[draft], &QueueCounts::default()).signals.likely_reviewable_pull_requests, 0);
    }

    #[test]
    fn days_fall_into_the_three_buckets() {
        let aged: Vec<PullRequest> =
            ["2026-06-08T12:00:00.001Z", "2026-06-08T12:00:00Z", "2026-05-16T12:00:00Z", "2026-05-15T12:00:00Z"]
                .into_iter()
                .zip(1..)
                .map(|(updated_at, number)| pull_request(number, updated_at, &[number + 100]))
                .collect();
        let buckets = weigh(&aged, &QueueCounts::default()).signals.age_buckets;
        assert_eq!((buckets.under_7_days, buckets.days_7_to_30, buckets.over_30_days), (1, 2, 1));
    }

    #[test]
    fn duplicates_count_though_a_report_has_no_room_for_them() {
        let alike = |number: u64| PullRequest {
            title: format!("Bump parser dependency {number}"),
            ..pull_request(number, "2026-06-14T12:00:00Z", &[])
        };
        let health = weigh(&(1000..1120).map(alike).collect::<Vec<_>>(), &QueueCounts::default());
        assert_eq!(health.signals.collision_clusters, 7_140);
        assert_eq!(health.signals.duplicate_flagged_pull_requests, 120);
    }

    #[test]
    fn huge_counts_stay_in_range() {
        let huge = Some(u64::MAX);
        let counts = QueueCounts { open_issues: huge, open_pull_requests: huge, likely_reviewable_pull_requests: huge };
        let health = weigh(&[], &counts);
        assert!(health.burden_score <= 100);
        assert_eq!(weigh(&[], &QueueCounts { open_pull_requests: huge, ..QueueCounts::default() }).burden_score, 100);
    }
}
