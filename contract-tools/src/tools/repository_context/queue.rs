//! A queue's health and its trends, as callers read them.

use contract_core::contract_type;

use crate::engine::{queue_health, queue_trends};
use crate::tools::remote_shared::{Finding, findings, same_words};

/// How heavy a queue weighs on those who review.
#[contract_type]
#[derive(Clone, Debug)]
pub struct QueueHealth {
    /// The repository as `owner/name`.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// The weight, from 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub burden_score: u64,
    /// The weight in a word: `low`, `medium`, `high` or `critical`.
    pub level: BurdenLevel,
    /// The weight in a sentence.
    pub summary: String,
    /// What it is made of.
    pub signals: QueueSignals,
    /// What a maintainer should know.
    pub findings: Vec<Finding>,
}

contract_core::vocabulary! {
    /// How heavy a queue weighs, in a word.
    pub enum BurdenLevel: "burden level" {
        /// Hardly.
        Low = "low",
        /// Noticeably.
        Medium = "medium",
        /// Much.
        High = "high",
        /// Too much.
        Critical = "critical",
    }
}
same_words!(BurdenLevel from queue_health::BurdenLevel: Low, Medium, High, Critical);

/// What a queue's weight is made of.
#[contract_type]
#[derive(Clone, Debug)]
pub struct QueueSignals {
    /// Open issues, as GitHub counted them where that is known.
    pub open_issues: u64,
    /// Open pull requests, as GitHub counted them where that is known.
    pub open_pull_requests: u64,
    /// Open pull requests without an issue.
    pub unlinked_pull_requests: u64,
    /// Open pull requests that nobody has touched for two weeks.
    pub stale_pull_requests: u64,
    /// Open drafts.
    pub draft_pull_requests: u64,
    /// Open pull requests by maintainers.
    pub maintainer_authored_pull_requests: u64,
    /// Groups of work that may be the same.
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
    /// Whether the records are the whole queue (`cache`) or a part of it (`sampled_cache`).
    pub likely_reviewable_pull_requests_source: ReviewableSource,
}

/// Open pull requests by days since their last change.
#[contract_type]
#[derive(Clone, Debug)]
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

contract_core::vocabulary! {
    /// Where the number of likely reviews comes from.
    pub enum ReviewableSource: "source" {
        /// From whoever asked.
        Authoritative = "authoritative",
        /// From records of a part of the queue.
        SampledCache = "sampled_cache",
        /// From records of the whole queue.
        Cache = "cache",
    }
}
same_words!(ReviewableSource from queue_health::ReviewableSource: Authoritative, SampledCache, Cache);

impl From<queue_health::QueueHealth> for QueueHealth {
    fn from(health: queue_health::QueueHealth) -> Self {
        let signals = health.signals;
        Self {
            repo_full_name: health.repo_full_name,
            generated_at: health.generated_at,
            burden_score: health.burden_score,
            level: health.level.into(),
            summary: health.summary,
            signals: QueueSignals {
                open_issues: signals.open_issues,
                open_pull_requests: signals.open_pull_requests,
                unlinked_pull_requests: signals.unlinked_pull_requests,
                stale_pull_requests: signals.stale_pull_requests,
                draft_pull_requests: signals.draft_pull_requests,
                maintainer_authored_pull_requests: signals.maintainer_authored_pull_requests,
                collision_clusters: signals.collision_clusters,
                slop_flagged_pull_requests: signals.slop_flagged_pull_requests,
                duplicate_flagged_pull_requests: signals.duplicate_flagged_pull_requests,
                age_buckets: AgeBuckets {
                    under_7_days: signals.age_buckets.under_7_days,
                    days_7_to_30: signals.age_buckets.days_7_to_30,
                    over_30_days: signals.age_buckets.over_30_days,
                },
                likely_reviewable_pull_requests: signals.likely_reviewable_pull_requests,
                cached_open_pull_requests: signals.cached_open_pull_requests,
                likely_reviewable_pull_requests_source: signals.likely_reviewable_pull_requests_source.into(),
            },
            findings: findings(health.findings),
        }
    }
}

/// How a queue has changed.
#[contract_type]
#[derive(Clone, Debug)]
pub struct QueueTrends {
    /// The repository as `owner/name`.
    pub repo_full_name: String,
    /// Whether any span is ready: `ready` or `unavailable`.
    pub status: TrendStatus,
    /// Where the numbers come from.
    pub source: String,
    /// When this was found.
    pub generated_at: String,
    /// One entry for each span.
    pub windows: Vec<TrendWindow>,
    /// What a maintainer should know, in sentences.
    pub warnings: Vec<String>,
    /// All of it in a sentence.
    pub summary: String,
}

contract_core::vocabulary! {
    /// Whether there was enough to compare.
    pub enum TrendStatus: "trend status" {
        /// There was.
        Ready = "ready",
        /// There was not.
        Unavailable = "unavailable",
    }
}
same_words!(TrendStatus from queue_trends::TrendStatus: Ready, Unavailable);

/// How a queue has changed over one span. Without enough history all numbers are null.
#[contract_type]
#[derive(Clone, Debug)]
pub struct TrendWindow {
    /// The span in days.
    pub window_days: u32,
    /// Whether there was enough to compare: `ready` or `unavailable`.
    pub status: TrendStatus,
    /// The days that really lie between what is compared.
    pub observed_days: f64,
    /// When the earlier totals were counted.
    pub baseline_at: Option<String>,
    /// When the later totals were counted.
    pub latest_at: Option<String>,
    /// Open pull requests more than before.
    pub pull_request_growth: Option<i64>,
    /// Open issues more than before.
    pub issue_growth: Option<i64>,
    /// Pull requests merged in between.
    pub merged_pull_requests: Option<u64>,
    /// Pull requests closed without a merge in between.
    pub closed_unmerged_pull_requests: Option<u64>,
    /// Pull requests merged or closed a day.
    pub review_velocity_per_day: Option<f64>,
    /// The part of the open pull requests that is stale now, from 0 to 1.
    pub stale_pull_request_rate: Option<f64>,
    /// How much larger that part is than before.
    pub stale_pull_request_rate_delta: Option<f64>,
    /// Groups of work that may be the same more than before.
    pub duplicate_trend: Option<i64>,
}

impl From<queue_trends::QueueTrends> for QueueTrends {
    fn from(trends: queue_trends::QueueTrends) -> Self {
        Self {
            repo_full_name: trends.repo_full_name,
            status: trends.status.into(),
            source: trends.source.to_owned(),
            generated_at: trends.generated_at,
            windows: trends.windows.into_iter().map(TrendWindow::from).collect(),
            warnings: trends.warnings.iter().map(ToString::to_string).collect(),
            summary: trends.summary,
        }
    }
}

impl From<queue_trends::TrendWindow> for TrendWindow {
    fn from(window: queue_trends::TrendWindow) -> Self {
        Self {
            window_days: window.window_days,
            status: window.status.into(),
            observed_days: window.observed_days,
            baseline_at: window.baseline_at,
            latest_at: window.latest_at,
            pull_request_growth: window.pull_request_growth,
            issue_growth: window.issue_growth,
            merged_pull_requests: window.merged_pull_requests,
            closed_unmerged_pull_requests: window.closed_unmerged_pull_requests,
            review_velocity_per_day: window.review_velocity_per_day,
            stale_pull_request_rate: window.stale_pull_request_rate,
            stale_pull_request_rate_delta: window.stale_pull_request_rate_delta,
            duplicate_trend: window.duplicate_trend,
        }
    }
}
