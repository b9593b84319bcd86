//! How far the copy of a repository's data may be relied on.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Serialize, Serializer};

use super::moment::{self, DAY_MILLISECONDS, Moment};
use super::records::{SegmentKind, SegmentStatus, SyncSegment, SyncState, SyncStatus};

/// How old a copy may become.
pub const STALE_MILLISECONDS: i64 = 7 * DAY_MILLISECONDS;

/// How far a copy may be relied on.
#[expect(missing_docs, reason = "the words say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DataStatus {
    Complete,
    Degraded,
    Blocked,
    Unknown,
}

/// How far the copy of a repository's data may be relied on, and why not further.
#[expect(clippy::struct_excessive_bools, reason = "four independent faults, each a member of the contract")]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DataQuality {
    /// How far it may be relied on.
    pub status: DataStatus,
    /// `owner/name`.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// Whether the copy, or part of it, is old.
    pub stale: bool,
    /// Whether some of it is missing.
    pub partial: bool,
    /// Whether a limit of this program cut it off.
    pub capped: bool,
    /// Whether GitHub's rate limit cut it off.
    pub rate_limited: bool,
    /// Kinds of data that anything is known of.
    pub segment_count: usize,
    /// Kinds of data that are not all there.
    pub incomplete_segments: Vec<SegmentKind>,
    /// Kinds of data that were cut off by a limit of this program.
    pub capped_segments: Vec<SegmentKind>,
    /// Kinds of data whose copy is old.
    pub stale_segments: Vec<SegmentKind>,
    /// Kinds of data that were cut off by GitHub's rate limit.
    pub rate_limited_segments: Vec<SegmentKind>,
    /// The last attempt to copy the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync_state: Option<SyncSummary>,
    /// What a reader should know, in sentences.
    pub warnings: Vec<DataWarning>,
}

/// The last attempt to copy a repository, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SyncSummary {
    /// How it went.
    pub status: SyncStatus,
    /// When one last came to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_completed_at: Option<String>,
    /// When this was last written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    /// What it complained about.
    pub warnings: Vec<String>,
}

/// A reason to rely on a copy less; a sentence on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataWarning {
    /// Nothing is known about any copy.
    NoSyncState,
    /// Nothing was copied to its end so far.
    NothingCovered,
    /// These kinds of data are not all there; none means that the whole copy says so.
    Partial(Vec<SegmentKind>),
    /// These were cut off by a limit of this program.
    Capped(Vec<SegmentKind>),
    /// These are old.
    Stale(Vec<SegmentKind>),
    /// These were cut off by GitHub's rate limit.
    RateLimited(Vec<SegmentKind>),
    /// What went wrong in the last attempt.
    SyncError(String),
    /// What the last attempt itself complained about.
    Reported(String),
}

impl fmt::Display for DataWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (says, segments) = match self {
            Self::NoSyncState => return f.write_str("This repository has no record of a synchronisation"),
            Self::NothingCovered => return f.write_str("No synchronisation of this repository has covered anything yet"),
            Self::SyncError(error) => return write!(f, "The last synchronisation failed: {error}"),
            Self::Reported(warning) => return f.write_str(warning),
            Self::Partial(segments) => ("Some data is missing", segments),
            Self::Capped(segments) => ("Some data was cut off at a limit", segments),
            Self::Stale(segments) => ("Some data is old", segments),
            Self::RateLimited(segments) => ("A rate limit kept some data back", segments),
        };
        f.write_str(says)?;
        let names: Vec<&str> = segments.iter().map(|segment| segment.name()).collect();
        if names.is_empty() { Ok(()) } else { write!(f, ": {}", names.join(", ")) }
    }
}

impl Serialize for DataWarning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Judges the copy of `repo_full_name`: its last attempt, and its segments among `segments`.
pub fn data_quality(
    repo_full_name: &str,
    state: Option<&SyncState>,
    segments: &[SyncSegment],
    stale_milliseconds: i64,
    now: Moment,
) -> DataQuality {
    let segments: Vec<&SyncSegment> =
        segments.iter().filter(|segment| segment.repo_full_name == repo_full_name).collect();
    let is_old = |time: Option<&String>| {
        let moment = time.and_then(|time| moment::parse(time));
        moment.is_some_and(|moment| now.signed_duration_since(moment).num_milliseconds() > stale_milliseconds)
    };
    let completed = state.and_then(|state| state.last_completed_at.as_ref());
    let updated = state.and_then(|state| state.updated_at.as_ref());

    let incomplete_segments = kinds(&segments, |segment| !is_covered(segment));
    let capped_segments = kinds(&segments, |segment| segment.status == SegmentStatus::Capped);
    let stale_segments = kinds(&segments, |segment| {
        segment.status == SegmentStatus::Stale || is_old(segment.completed_at.as_ref().or(completed))
    });
    let rate_limited_segments = rate_limited(&segments);

    let is = |status| state.is_some_and(|state| state.status == status);
    let all_covered = !segments.is_empty() && segments.iter().all(|segment| is_covered(segment));
    let recovered = !segments.is_empty() && segments.iter().all(|segment| !is_blocked(segment));
    let active_warnings = match state {
        Some(state) if !(state.status == SyncStatus::Success && all_covered) => state.warnings.as_slice(),
        _ => &[],
    };

    let blocked = is(SyncStatus::Error)
        || is(SyncStatus::Skipped)
        || (is(SyncStatus::RateLimited) && !recovered)
        || segments.iter().any(|segment| is_blocked(segment));
    let partial = is(SyncStatus::Partial) || is(SyncStatus::Capped) || !incomplete_segments.is_empty();
    let stale = is(SyncStatus::Stale) || is_old(completed.or(updated)) || !stale_segments.is_empty();
    let capped = !capped_segments.is_empty()
        || is(SyncStatus::Capped)
        || active_warnings.iter().any(|warning| speaks_of_cap(warning));
    let rate_limited = !rate_limited_segments.is_empty()
        || (is(SyncStatus::RateLimited) && !recovered)
        || active_warnings.iter().any(|warning| speaks_of_rate_limit(warning));
    let nothing_covered = (is(SyncStatus::Running) || is(SyncStatus::Success))
        && !segments.iter().any(|segment| is_covered(segment));

    let status = if state.is_none() || is(SyncStatus::NeverSynced) {
        DataStatus::Unknown
    } else if blocked {
        DataStatus::Blocked
    } else if partial || stale || capped || rate_limited || nothing_covered {
        DataStatus::Degraded
    } else {
        DataStatus::Complete
    };

    let mut warnings = Vec::new();
    let mut warn = |applies: bool, warning: DataWarning| {
        if applies && !warnings.contains(&warning) {
            warnings.push(warning);
        }
    };
    warn(state.is_none(), DataWarning::NoSyncState);
    warn(nothing_covered || is(SyncStatus::NeverSynced), DataWarning::NothingCovered);
    warn(partial, DataWarning::Partial(incomplete_segments.clone()));
    warn(capped, DataWarning::Capped(capped_segments.clone()));
    warn(stale, DataWarning::Stale(stale_segments.clone()));
    warn(rate_limited, DataWarning::RateLimited(rate_limited_segments.clone()));
    if let Some(state) = state.filter(|_| status != DataStatus::Complete) {
        let error = state.error_summary.as_ref().filter(|error| !error.is_empty());
        if let Some(error) = error {
            warn(true, DataWarning::SyncError(error.clone()));
        }
        for warning in distinct(&state.warnings) {
            warn(true, DataWarning::Reported(warning.clone()));
        }
    }

    DataQuality {
        status,
        repo_full_name: repo_full_name.to_owned(),
        generated_at: moment::text(now),
        stale,
        partial,
        capped,
        rate_limited,
        segment_count: segments.len(),
        incomplete_segments,
        capped_segments,
        stale_segments,
        rate_limited_segments,
        sync_state: state.map(|state| SyncSummary {
            status: state.status,
            last_completed_at: state.last_completed_at.clone(),
            updated_at: state.updated_at.clone(),
            warnings: state.warnings.clone(),
        }),
        warnings,
    }
}
