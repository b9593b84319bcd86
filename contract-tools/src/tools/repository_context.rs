//! What is known about a repository as a whole, for those who maintain it and those who mean to contribute.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

mod queue;
mod registration;
mod copy;

use contract_core::{Clock, State, ToolError, contract_type, loopover_tool};

use super::gather::{self, RepositoryData};
use super::remote_shared::{CollisionCluster, LaneAdvice, repository_name, unknown_repository};
use crate::engine::collision_report::{self, collision_report};
use crate::engine::config_quality::config_quality;
use crate::engine::data_quality::{STALE_MILLISECONDS, data_quality};
use crate::engine::lane_advice::lane_advice;
use crate::engine::moment::{self, Moment};
use crate::engine::queue_health::queue_health;
use crate::engine::queue_trends::{QueueObservation, queue_trends, queue_trends_unavailable};
use crate::engine::records::SyncState;
use crate::forge::SharedForge;

pub use self::copy::{DataQuality, DataStatus, SyncSummary};
pub use self::queue::{
    AgeBuckets, BurdenLevel, QueueHealth, QueueSignals, QueueTrends, ReviewableSource, TrendStatus, TrendWindow,
};
pub use self::registration::{ConfigLevel, ConfigQuality, RegistryConfig, RepositoryFacts};

/// Report a repository's context: registration, contribution lane, queue health and trends, work that may collide, and how
/// far the stored data may be relied on.
///
/// Read it before planning or reviewing work there. It answers from stored data and says how old that is.
#[loopover_tool(
    category = "maintainer",
    auth = "token",
    locality = "remote",
    availability = "both",
    open_world = false
)]
pub fn loopover_get_repo_context(
    #[inject] forge: State<SharedForge>,
    #[inject] clock: Clock,
    /// Login of the account that owns the repository.
    #[arg(min_length = 1, example = "acme")]
    owner: String,
    /// Name of the repository without its owner.
    #[arg(min_length = 1, example = "widgets")]
    repo: String,
) -> Result<GetRepoContextOutput, ToolError> {
    let now = Moment::from(clock.now());
    let name = repository_name(&owner, &repo)?;
    let data = gather::repository_data(&forge, &name)?.ok_or_else(|| unknown_repository(name.as_str()))?;
    let RepositoryData { repository, issues, pull_requests, recent_merged, .. } = &data;
    let full_name = &repository.full_name;

    let collisions = collision_report(full_name, issues, pull_requests, recent_merged, now);
    let health = queue_health(Some(repository), issues, pull_requests, &collisions, &data.counts, now);
    let trends = if data.totals.is_empty() && data.observations.is_empty() {
        queue_trends_unavailable(full_name, now)
    } else {
        let current = QueueObservation::from(&health);
        queue_trends(full_name, &data.totals, &data.observations, Some(&current), now)
    };
    let quality = data_quality(full_name, data.sync_state.as_ref(), &data.segments, STALE_MILLISECONDS, now);
    Ok(GetRepoContextOutput {
        repo_full_name: full_name.clone(),
        repo: repository.into(),
        lane: lane_advice(Some(repository), full_name).into(),
        queue_health: health.into(),
        queue_trends: trends.into(),
        collisions: collisions.into(),
        config_quality: config_quality(Some(repository), issues, pull_requests, full_name, now).into(),
        freshness: freshness(data.sync_state.as_ref(), quality.stale, now),
        data_quality: quality.into(),
    })
}

/// What is known about a repository.
#[contract_type]
#[derive(Clone, Debug)]
pub struct GetRepoContextOutput {
    /// The repository as `owner/name`, in the spelling of the store.
    pub repo_full_name: String,
    /// The repository itself.
    pub repo: RepositoryFacts,
    /// What its registration means for who contributes and who maintains.
    pub lane: LaneAdvice,
    /// How heavy its queue weighs on those who review.
    pub queue_health: QueueHealth,
    /// How the queue has changed over one, two and four weeks.
    pub queue_trends: QueueTrends,
    /// Which open work may be the same as other work.
    pub collisions: CollisionReport,
    /// Whether the registration fits what happens in the repository.
    pub config_quality: ConfigQuality,
    /// How far the stored data may be relied on.
    pub data_quality: DataQuality,
    /// How old the stored data is.
    pub freshness: Freshness,
}

/// Which open work may be the same as other work.
#[contract_type]
#[derive(Clone, Debug)]
pub struct CollisionReport {
    /// The repository as `owner/name`.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// The report in numbers, over all clusters.
    pub summary: CollisionSummary,
    /// Groups of work that may be the same, the surest first. Of very many only the surest are listed.
    pub clusters: Vec<CollisionCluster>,
}

/// A collision report in numbers.
#[contract_type]
#[derive(Clone, Debug)]
pub struct CollisionSummary {
    /// Clusters.
    pub cluster_count: u64,
    /// Those of high risk.
    pub high_risk_count: u64,
    /// Items that were compared with each other.
    pub items_reviewed: u64,
}

impl From<collision_report::CollisionReport> for CollisionReport {
    fn from(report: collision_report::CollisionReport) -> Self {
        Self {
            repo_full_name: report.repo_full_name,
            generated_at: report.generated_at,
            summary: CollisionSummary {
                cluster_count: report.summary.cluster_count,
                high_risk_count: report.summary.high_risk_count,
                items_reviewed: report.summary.items_reviewed,
            },
            clusters: report.clusters.into_iter().map(CollisionCluster::from).collect(),
        }
    }
}

/// How old the stored data is.
#[contract_type]
#[derive(Clone, Debug)]
pub struct Freshness {
    /// Where the answer comes from: always `store`.
    pub source: String,
    /// When a synchronisation last came to its end; null when none ever did.
    pub synced_at: Option<String>,
    /// How many seconds ago that was; null when it is not known.
    pub age_seconds: Option<u64>,
    /// Whether the data, or a part of it, is older than a week or of unknown age.
    pub stale: bool,
}

fn freshness(sync_state: Option<&SyncState>, has_stale_parts: bool, now: Moment) -> Freshness {
    let synced_at = sync_state.and_then(|state| state.last_completed_at.clone());
    let age = synced_at.as_deref().and_then(moment::parse).map(|moment| now.signed_duration_since(moment));
    let is_old = age.is_none_or(|age| age.num_milliseconds() > STALE_MILLISECONDS);
    Freshness {
        source: "store".to_owned(),
        synced_at,
        // A clock that is behind the synchronisation's makes it no younger than just now.
        age_seconds: age.map(|age| u64::try_from(age.num_seconds()).unwrap_or(0)),
        stale: is_old || has_stale_parts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(completed: Option<&str>, has_stale_parts: bool, expected: (Option<u64>, bool)) {
        let now = moment::parse("2026-06-15T12:00:00Z").unwrap();
        let state = SyncState { last_completed_at: completed.map(str::to_owned), ..SyncState::default() };
        let found = freshness(Some(&state), has_stale_parts, now);
        assert_eq!((found.age_seconds, found.stale), expected, "{completed:?}");
        assert_eq!(found.synced_at.as_deref(), completed);
    }

    #[test]
    fn an_age_is_known_or_stale() {
        check(Some("2026-06-15T11:59:00Z"), false, (Some(60), false));
        check(Some("2026-06-15T11:59:00Z"), true, (Some(60), true));
        check(Some("2026-06-15T12:00:09Z"), false, (Some(0), false));
        check(Some("2026-06-08T12:00:00Z"), false, (Some(604_800), false));
        check(Some("2026-06-08T11:59:59Z"), false, (Some(604_801), true));
        check(Some("soon"), false, (None, true));
        check(None, false, (None, true));
        assert!(freshness(None, false, Moment::default()).stale);
    }
}
