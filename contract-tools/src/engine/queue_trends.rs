//! How a repository's queue has changed over one, two and four weeks.

use std::fmt;

use serde::{Serialize, Serializer};

use super::moment::{self, DAY_MILLISECONDS, Moment};
use super::queue_health::QueueHealth;
use super::records::GithubTotals;
use super::rounding::{exact, percent, ratio, round};

/// The spans that are looked at, in days.
const WINDOWS: [u32; 3] = [7, 14, 30];

/// Growth of the queue that is worth a warning.
const NOTABLE_GROWTH: i64 = 5;

/// The part of stale pull requests that is worth a warning.
const NOTABLE_STALE_RATE: f64 = 0.35;

/// Warnings that a report holds at most.
const MOST_WARNINGS: usize = 5;

/// A queue as it was at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueueObservation {
    /// When it was so.
    pub generated_at: String,
    /// Open pull requests.
    pub open_pull_requests: u64,
    /// Those that had been quiet for long.
    pub stale_pull_requests: u64,
    /// Groups of duplicate work.
    pub collision_clusters: u64,
}

impl From<&QueueHealth> for QueueObservation {
    fn from(health: &QueueHealth) -> Self {
        Self {
            generated_at: health.generated_at.clone(),
            open_pull_requests: health.signals.open_pull_requests,
            stale_pull_requests: health.signals.stale_pull_requests,
            collision_clusters: health.signals.collision_clusters,
        }
    }
}

/// Whether there was enough to compare.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrendStatus {
    Ready,
    Unavailable,
}

/// How a queue has changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueTrends {
    /// `owner/name`.
    pub repo_full_name: String,
    /// Whether any window is ready.
    pub status: TrendStatus,
    /// Where the numbers come from.
    pub source: &'static str,
    /// When this was found.
    pub generated_at: String,
    /// One entry for each span.
    pub windows: Vec<TrendWindow>,
    /// What a maintainer should know, in sentences.
    pub warnings: Vec<TrendWarning>,
    /// All of it in a sentence.
    pub summary: String,
}

/// How a queue has changed over one span. Without enough history all numbers are missing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrendWindow {
    /// The span in days.
    pub window_days: u32,
    /// Whether there was enough to compare.
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
    /// The part of the open pull requests that is stale now.
    pub stale_pull_request_rate: Option<f64>,
    /// How much larger that part is than before.
    pub stale_pull_request_rate_delta: Option<f64>,
    /// Groups of duplicate work more than before.
    pub duplicate_trend: Option<i64>,
}

/// Something in a trend that a maintainer should know; a sentence on the wire.
#[expect(missing_docs, reason = "the members are those of a window")]
#[derive(Debug, Clone, PartialEq)]
pub enum TrendWarning {
    /// No report was ever made.
    SnapshotMissing,
    /// The queue grew.
    QueueGrowth { window_days: u32, pull_requests: i64 },
    /// Much of it is stale.
    StaleRate { rate: f64 },
    /// There is more duplicate work than before.
    DuplicateGrowth { window_days: u32, clusters: i64 },
}

impl fmt::Display for TrendWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SnapshotMissing => f.write_str("No queue trend is stored for this repository; run the snapshot job"),
            Self::QueueGrowth { window_days, pull_requests } => {
                write!(f, "Over {window_days} days the queue has grown by {pull_requests} open pull requests")
            }
            Self::StaleRate { rate } => write!(f, "{}% of the open pull requests are stale", percent(*rate)),
            Self::DuplicateGrowth { window_days, clusters } => {
                write!(f, "Over {window_days} days groups of duplicate work have increased by {clusters}")
            }
        }
    }
}

impl Serialize for TrendWarning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Stands in where no report was ever made.
pub fn queue_trends_unavailable(repo_full_name: &str, generated_at: Moment) -> QueueTrends {
    let windows = WINDOWS.map(unavailable).into();
    report(repo_full_name, generated_at, windows, vec![TrendWarning::SnapshotMissing])
}

/// Compares `totals` and `observations` of earlier moments with their last ones, and with the `current` queue when that is
/// known. Whatever has no readable moment is left out.
pub fn queue_trends(
    repo_full_name: &str,
    totals: &[GithubTotals],
    observations: &[QueueObservation],
    current: Option<&QueueObservation>,
    generated_at: Moment,
) -> QueueTrends {
    let totals = History::new(totals, None, |totals| &totals.fetched_at);
    let queues = History::new(observations, current, |queue| &queue.generated_at);
    let windows: Vec<TrendWindow> = WINDOWS.into_iter().map(|days| window(days, &totals, &queues)).collect();

    let mut warnings = Vec::new();
    for ready in windows.iter().filter(|window| window.status == TrendStatus::Ready) {
        let window_days = ready.window_days;
        let growth = ready.pull_request_growth.filter(|growth| *growth >= NOTABLE_GROWTH);
        warnings.extend(growth.map(|pull_requests| TrendWarning::QueueGrowth { window_days, pull_requests }));
        // The rate is that of now, the same in every window, so it is said once.
        let rate = ready.stale_pull_request_rate.filter(|rate| *rate >= NOTABLE_STALE_RATE);
        let stale = rate.map(|rate| TrendWarning::StaleRate { rate });
        warnings.extend(stale.filter(|warning| !warnings.contains(warning)));
        let clusters = ready.duplicate_trend.filter(|clusters| *clusters > 0);
        warnings.extend(clusters.map(|clusters| TrendWarning::DuplicateGrowth { window_days, clusters }));
    }
    warnings.truncate(MOST_WARNINGS);
    report(repo_full_name, generated_at, windows, warnings)
}

fn report(
    repo_full_name: &str,
    generated_at: Moment,
    windows: Vec<TrendWindow>,
    warnings: Vec<TrendWarning>,
) -> QueueTrends {
    let ready: Vec<String> = windows
        .iter()
        .filter(|window| window.status == TrendStatus::Ready)
        .map(|window| window.window_days.to_string())
        .collect();
    let (status, summary) = if ready.is_empty() {
        (TrendStatus::Unavailable, format!("There is too little history of {repo_full_name} to tell a trend"))
    } else {
        let days = ready.join(", ");
        (TrendStatus::Ready, format!("The queue of {repo_full_name} can be compared over {days} days"))
    };
    QueueTrends {
        repo_full_name: repo_full_name.to_owned(),
        status,
        source: "snapshot",
        generated_at: moment::text(generated_at),
        windows,
        warnings,
        summary,
    }
}

fn unavailable(window_days: u32) -> TrendWindow {
    TrendWindow {
        window_days,
        status: TrendStatus::Unavailable,
        observed_days: 0.0,
        baseline_at: None,
        latest_at: None,
        pull_request_growth: None,
        issue_growth: None,
        merged_pull_requests: None,
        closed_unmerged_pull_requests: None,
        review_velocity_per_day: None,
        stale_pull_request_rate: None,
        stale_pull_request_rate_delta: None,
        duplicate_trend: None,
    }
}

fn window(days: u32, totals: &History<'_, GithubTotals>, queues: &History<'_, QueueObservation>) -> TrendWindow {
    let Some([(baseline_moment, baseline), (latest_moment, latest)]) = totals.compared(days) else {
        return unavailable(days);
    };
    let milliseconds = latest_moment.signed_duration_since(baseline_moment).num_milliseconds();
    let observed_days = round(exact(milliseconds.unsigned_abs()) / exact(DAY_MILLISECONDS.unsigned_abs()), 2);
    let merged = latest.merged_pull_requests_total.saturating_sub(baseline.merged_pull_requests_total);
    let closed =
        latest.closed_unmerged_pull_requests_total.saturating_sub(baseline.closed_unmerged_pull_requests_total);

    let stale_rate = |queue: &QueueObservation| round(ratio(queue.stale_pull_requests, queue.open_pull_requests), 2);
    let rate_now = queues.last().map(stale_rate);
    // What the queue is compared with is counted from its own last point, which may be older or newer than the totals.
    let queue_then_and_now = queues.compared(days).map(|[(_, then), (_, now)]| (then, now));
    TrendWindow {
        window_days: days,
        status: TrendStatus::Ready,
        observed_days,
        baseline_at: Some(baseline.fetched_at.clone()),
        latest_at: Some(latest.fetched_at.clone()),
        pull_request_growth: Some(growth(baseline.open_pull_requests_total, latest.open_pull_requests_total)),
        issue_growth: Some(growth(baseline.open_issues_total, latest.open_issues_total)),
        merged_pull_requests: Some(merged),
        closed_unmerged_pull_requests: Some(closed),
        review_velocity_per_day: Some(round(exact(merged.saturating_add(closed)) / observed_days, 2)),
        stale_pull_request_rate: rate_now,
        stale_pull_request_rate_delta: queue_then_and_now
            .map(|(then, now)| round(stale_rate(now) - stale_rate(then), 2)),
        duplicate_trend: queue_then_and_now.map(|(then, now)| growth(then.collision_clusters, now.collision_clusters)),
    }
}

fn growth(then: u64, now: u64) -> i64 {
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    signed(now) - signed(then)
}

/// Records by their moments, the earliest first. Of one moment are those that say less before those that say more, and what
/// is known of now comes after what was known of it, so that the order of a list changes nothing.
struct History<'a, T>(Vec<Point<'a, T>>);

type Point<'a, T> = (Moment, &'a T);

impl<'a, T: Ord> History<'a, T> {
    fn new(records: &'a [T], current: Option<&'a T>, time: impl Fn(&T) -> &String) -> Self {
        let point = |record: &'a T| Some((moment::parse(time(record))?, record));
        let mut points: Vec<Point<'a, T>> = records.iter().filter_map(point).collect();
        points.sort_unstable();
        if let Some(now) = current.and_then(point) {
            points.insert(points.partition_point(|(moment, _)| *moment <= now.0), now);
        }
        Self(points)
    }

    fn last(&self) -> Option<&'a T> {
        self.0.last().map(|(_, record)| *record)
    }

    /// The last record, after the one that was the last so many days before it.
    fn compared(&self, days: u32) -> Option<[Point<'a, T>; 2]> {
        let latest = *self.0.last()?;
        let span = i64::from(days) * DAY_MILLISECONDS;
        let is_old_enough =
            |(moment, _): &&(Moment, &T)| latest.0.signed_duration_since(*moment).num_milliseconds() >= span;
        Some([*self.0.iter().rev().find(is_old_enough)?, latest])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(fetched_at: &str, open: u64, merged: u64) -> GithubTotals {
        GithubTotals {
            fetched_at: fetched_at.to_owned(),
            open_pull_requests_total: open,
            merged_pull_requests_total: merged,
            ..GithubTotals::default()
        }
    }

    fn queue(generated_at: &str, stale: u64) -> QueueObservation {
        QueueObservation {
            generated_at: generated_at.to_owned(),
            open_pull_requests: 10,
            stale_pull_requests: stale,
            collision_clusters: stale,
        }
    }

    fn now() -> Moment {
        moment::parse("2026-06-15T12:00:00Z").unwrap()
    }

    #[test]
    fn a_window_compares_the_last_totals_with_those_before_it() {
        let history =
            [totals("2026-06-15T12:00:00Z", 9, 30), totals("2026-06-08T00:00:00Z", 4, 15), totals("nope", 1, 1)];
        let trends = queue_trends("acme/widgets", &history, &[], None, now());
        let week = &trends.windows[0];
        assert_eq!(week.pull_request_growth, Some(5));
        assert_eq!((week.observed_days, week.review_velocity_per_day), (7.5, Some(2.0)));
        assert_eq!(trends.windows[1], unavailable(14));
        assert_eq!(trends.warnings, [TrendWarning::QueueGrowth { window_days: 7, pull_requests: 5 }]);
    }

    #[test]
    fn a_stale_queue_is_said_once_and_pushes_nothing_out() {
        let history = [totals("2026-05-01T00:00:00Z", 0, 0), totals("2026-06-15T12:00:00Z", 20, 0)];
        let queues = [queue("2026-05-01T00:00:00Z", 2)];
        let trends = queue_trends("acme/widgets", &history, &queues, Some(&queue("2026-06-15T12:00:00Z", 9)), now());
        let stale = trends.warnings.iter().filter(|warning| matches!(warning, TrendWarning::StaleRate { .. })).count();
        assert_eq!(stale, 1, "{:?}", trends.warnings);
        assert_eq!(trends.warnings[4], TrendWarning::DuplicateGrowth { window_days: 14, clusters: 7 });
        assert_eq!(trends.warnings[1].to_string(), "90% of the open pull requests are stale");
    }

    #[test]
    fn of_one_moment_the_order_of_the_list_changes_nothing_and_the_present_queue_counts() {
        let (then, at) = ("2026-06-01T00:00:00Z", "2026-06-15T12:00:00Z");
        let mut history = [totals(then, 1, 0), totals(then, 3, 0), totals(at, 9, 30), totals(at, 7, 40)];
        let mut queues = [queue(then, 2), queue(then, 4), queue(at, 9), queue(at, 1)];
        let trends = |history: &[GithubTotals], queues: &[QueueObservation], current: Option<&QueueObservation>| {
            queue_trends("acme/widgets", history, queues, current, now())
        };
        let forwards = trends(&history, &queues, None);
        let now = queue(at, 0);
        assert_eq!(trends(&history, &queues, Some(&now)).windows[0].stale_pull_request_rate, Some(0.0));
        history.reverse();
        queues.reverse();
        assert_eq!(forwards, trends(&history, &queues, None));
        assert_eq!(forwards.windows[0].stale_pull_request_rate, Some(0.9));
        assert_eq!(trends(&history, &queues, Some(&now)).windows[0].stale_pull_request_rate, Some(0.0));
    }

    #[test]
    fn without_history_nothing_is_made_up() {
        let trends = queue_trends_unavailable("acme/widgets", now());
        assert_eq!((trends.status, trends.windows.len()), (TrendStatus::Unavailable, 3));
        assert_eq!(queue_trends("acme/widgets", &[], &[], None, now()).warnings, []);
    }
}
