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
            Self::NothingCovered => {
                return f.write_str("No synchronisation of this repository has covered anything yet");
            }
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
    last_attempt: Option<&SyncState>,
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
    let completed = last_attempt.and_then(|state| state.last_completed_at.as_ref());
    let updated = last_attempt.and_then(|state| state.updated_at.as_ref());

    let incomplete_segments = kinds(&segments, |segment| !is_covered(segment));
    let capped_segments = kinds(&segments, |segment| segment.status == SegmentStatus::Capped);
    let stale_segments = kinds(&segments, |segment| {
        segment.status == SegmentStatus::Stale || is_old(segment.completed_at.as_ref().or(completed))
    });
    let rate_limited_segments = rate_limited(&segments);

    let is = |status| last_attempt.is_some_and(|state| state.status == status);
    let all_covered = !segments.is_empty() && segments.iter().all(|segment| is_covered(segment));
    let recovered = !segments.is_empty() && segments.iter().all(|segment| !is_blocked(segment));
    let active_warnings = match last_attempt {
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
    let has_fault = partial || stale || capped || rate_limited;
    let status = if last_attempt.is_none() || is(SyncStatus::NeverSynced) {
        DataStatus::Unknown
    } else if blocked {
        DataStatus::Blocked
    } else if has_fault || segments.is_empty() {
        // Whatever the attempt says of itself, without a segment nothing shows that anything was copied.
        DataStatus::Degraded
    } else {
        DataStatus::Complete
    };

    let mut warnings = Vec::new();
    let mut warn = |applies: bool, warning: DataWarning| warnings.extend(applies.then_some(warning));
    warn(last_attempt.is_none(), DataWarning::NoSyncState);
    let is_bare = status == DataStatus::Degraded && !has_fault;
    warn(is_bare || is(SyncStatus::NeverSynced), DataWarning::NothingCovered);
    warn(partial, DataWarning::Partial(incomplete_segments.clone()));
    warn(capped, DataWarning::Capped(capped_segments.clone()));
    warn(stale, DataWarning::Stale(stale_segments.clone()));
    warn(rate_limited, DataWarning::RateLimited(rate_limited_segments.clone()));
    if let Some(state) = last_attempt.filter(|_| status != DataStatus::Complete) {
        let error = state.error_summary.iter().filter(|error| !error.is_empty());
        warnings.extend(error.map(|error| DataWarning::SyncError(error.clone())));
        warnings.extend(state.warnings.iter().map(|warning| DataWarning::Reported(warning.clone())));
    }
    let mut said = BTreeSet::new();
    warnings.retain(|warning| said.insert(warning.to_string()));

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
        sync_state: last_attempt.map(|state| SyncSummary {
            status: state.status,
            last_completed_at: state.last_completed_at.clone(),
            updated_at: state.updated_at.clone(),
            warnings: state.warnings.clone(),
        }),
        warnings,
    }
}

/// Whether all of it is there: the copy says so, or as many came as there should be.
fn is_covered(segment: &SyncSegment) -> bool {
    use SegmentStatus::{Complete, NotModified, Sampled};
    matches!(segment.status, Complete | NotModified | Sampled)
        || (segment.completed_at.is_some()
            && segment.expected_count.is_some_and(|expected| segment.fetched_count >= expected))
}

/// Whether something stands in the way of what is missing.
fn is_blocked(segment: &SyncSegment) -> bool {
    use SegmentStatus::{Error, RateLimited, Skipped, WaitingRateLimit};
    matches!(segment.status, Error | RateLimited | WaitingRateLimit | Skipped) && !is_covered(segment)
}

/// The kinds of the segments that `holds` is true of, by name.
fn kinds(segments: &[&SyncSegment], holds: impl Fn(&SyncSegment) -> bool) -> Vec<SegmentKind> {
    let mut kinds: Vec<SegmentKind> =
        segments.iter().filter(|segment| holds(segment)).map(|segment| segment.segment).collect();
    kinds.sort_by_key(|kind| kind.name());
    kinds
}

/// Those that hit the limit, then those that wait for it to pass.
fn rate_limited(segments: &[&SyncSegment]) -> Vec<SegmentKind> {
    let of = |status| kinds(segments, |segment| segment.status == status && !is_covered(segment));
    let mut kinds = of(SegmentStatus::RateLimited);
    for kind in of(SegmentStatus::WaitingRateLimit) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// Whether a warning has the word "cap"; "escaped" has not.
fn speaks_of_cap(warning: &str) -> bool {
    let lower = warning.to_ascii_lowercase();
    let mut words = lower.split(|character: char| !character.is_ascii_alphanumeric());
    words.any(|word| matches!(word, "cap" | "caps" | "capped" | "capping"))
}

/// Whether a warning has "rate" at the start of a word and then, after at most one character, "limit".
fn speaks_of_rate_limit(warning: &str) -> bool {
    let lower = warning.to_ascii_lowercase();
    lower.match_indices("rate").any(|(start, rate)| {
        let starts_word = !lower[..start].ends_with(|before: char| before.is_ascii_alphanumeric());
        let after = &lower[start + rate.len()..];
        let mut past_one = after.chars();
        past_one.next();
        starts_word && (after.starts_with("limit") || past_one.as_str().starts_with("limit"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-06-15T12:00:00.000Z";
    const YESTERDAY: &str = "2026-06-14T12:00:00.000Z";

    fn state(status: SyncStatus) -> SyncState {
        SyncState {
            repo_full_name: "acme/widgets".to_owned(),
            status,
            last_completed_at: Some(YESTERDAY.to_owned()),
            ..SyncState::default()
        }
    }

    fn segment(kind: SegmentKind, status: SegmentStatus) -> SyncSegment {
        SyncSegment {
            repo_full_name: "acme/widgets".to_owned(),
            segment: kind,
            status,
            fetched_count: 0,
            expected_count: None,
            completed_at: Some(YESTERDAY.to_owned()),
        }
    }

    fn judge(state: Option<&SyncState>, segments: &[SyncSegment]) -> DataQuality {
        data_quality("acme/widgets", state, segments, STALE_MILLISECONDS, moment::parse(NOW).unwrap())
    }

    #[test]
    fn nothing_is_complete_before_something_was_covered() {
        assert_eq!(judge(None, &[]).status, DataStatus::Unknown);
        assert_eq!(judge(Some(&state(SyncStatus::NeverSynced)), &[]).status, DataStatus::Unknown);
        let open = segment(SegmentKind::OpenIssues, SegmentStatus::NotModified);
        for status in [SyncStatus::Running, SyncStatus::Success] {
            let quality = judge(Some(&state(status)), &[]);
            assert_eq!(quality.status, DataStatus::Degraded);
            assert_eq!(quality.warnings, [DataWarning::NothingCovered]);
            assert_eq!(judge(Some(&state(status)), std::slice::from_ref(&open)).status, DataStatus::Complete);
        }
    }

    #[test]
    fn a_word_that_contains_cap_is_no_cap() {
        for (warning, capped) in
            [("hit cap of 100", true), ("Capped: 3", true), ("escaped text", false), ("cape", false)]
        {
            let state = SyncState { warnings: vec![warning.to_owned()], ..state(SyncStatus::Partial) };
            assert_eq!(judge(Some(&state), &[]).capped, capped, "{warning}");
        }
    }

    #[test]
    fn a_rate_limit_is_named_in_several_spellings() {
        for (warning, limited) in [
            ("secondary rate-limit", true),
            ("RateLimit", true),
            ("rate\u{2011}limited", true),
            ("rate  limit", false),
            ("separate limit", false),
            ("rate", false),
        ] {
            assert_eq!(speaks_of_rate_limit(warning), limited, "{warning}");
        }
    }

    #[test]
    fn a_missing_kind_is_named_in_order_and_said_in_a_sentence() {
        let segments = [
            segment(SegmentKind::OpenIssues, SegmentStatus::Running),
            segment(SegmentKind::Labels, SegmentStatus::WaitingRateLimit),
        ];
        let quality = judge(Some(&state(SyncStatus::Success)), &segments);
        assert_eq!(quality.status, DataStatus::Blocked);
        assert_eq!(quality.incomplete_segments, [SegmentKind::Labels, SegmentKind::OpenIssues]);
        let texts: Vec<String> = quality.warnings.iter().map(ToString::to_string).collect();
        assert!(texts.iter().any(|text| text == "Some data is missing: labels, open_issues"), "{texts:?}");
    }

    #[test]
    fn many_equal_warnings_cost_no_more_than_reading_them() {
        let warnings = (0..50_000).map(|number| format!("page {} was skipped", number % 25_000)).collect();
        let state = SyncState { warnings, ..state(SyncStatus::Partial) };
        assert_eq!(judge(Some(&state), &[]).warnings.len(), 25_001);
    }
}
