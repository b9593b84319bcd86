//! What an attempt leaves behind to go on from: the run itself, and for each listing the page that comes next.
//!
//! It is kept as marks beside the data, in the same writes, so the two cannot disagree.

use serde::{Deserialize, Serialize};

use crate::engine::moment::{self, Moment};
use crate::engine::records::{SegmentStatus, SyncState, SyncStatus};
use crate::forge::{Change, ForgeError, ForgeReader, RepoName, WritableForge};

const RUN: &str = "sync/run";
const COMPLETE: &str = "sync/complete";

/// An attempt that has begun and not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    /// When it began: what changes later is the next run's.
    pub(super) started_at: String,
    /// Only what changed since then is copied; none for a first, full copy.
    pub(super) until: Option<String>,
    /// The date on the command line, if there was one.
    pub(super) since: Option<String>,
    /// Listings that it came to the end of.
    #[serde(default)]
    pub(super) done: Vec<String>,
}

/// The place in a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cursor {
    /// The page that comes next.
    pub(super) next: String,
    /// Records of the pages before.
    pub(super) fetched: u64,
    /// The first page's `ETag`, to be noted when the listing came to its end.
    pub(super) etag: Option<String>,
}

/// What is known about one pull request's belongings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PullMark {
    /// The commit whose files are here.
    pub(super) head: Option<String>,
    /// When the pull request had changed last when its reviews were copied.
    pub(super) reviews: Option<String>,
    /// `ETag`s of the check runs and statuses of `head`.
    pub(super) checks: Option<String>,
    pub(super) statuses: Option<String>,
}

/// Reads and writes marks of one repository.
pub(super) struct Marks<'r> {
    reader: Box<dyn ForgeReader + 'r>,
    repo: &'r RepoName,
}

impl<'r> Marks<'r> {
    pub(super) fn of(forge: &'r WritableForge, repo: &'r RepoName) -> Result<Self, ForgeError> {
        Ok(Self { reader: forge.read()?, repo })
    }

    /// A mark's value; one that cannot be read any more is as good as none.
    fn get<T: for<'de> Deserialize<'de>>(&self, key: &str) -> Result<Option<T>, ForgeError> {
        let text = self.reader.mark(self.repo, key)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    pub(super) fn run(&self) -> Result<Option<Run>, ForgeError> {
        self.get(RUN)
    }

    /// When the last run began that came to its end.
    pub(super) fn complete(&self) -> Result<Option<Moment>, ForgeError> {
        let text: Option<String> = self.get(COMPLETE)?;
        Ok(text.and_then(|text| moment::parse(&text)))
    }

    pub(super) fn cursor(&self, listing: &str) -> Result<Option<Cursor>, ForgeError> {
        self.get(&cursor_key(listing))
    }

    pub(super) fn etag(&self, of: &str) -> Result<Option<String>, ForgeError> {
        self.get(&etag_key(of))
    }

    pub(super) fn pull(&self, number: u64) -> Result<PullMark, ForgeError> {
        Ok(self.get(&pull_key(number))?.unwrap_or_default())
    }
}

fn mark(repo: &RepoName, key: String, value: Option<impl Serialize>) -> Change {
    let value = value.and_then(|value| serde_json::to_string(&value).ok());
    Change::Mark { repo: repo.clone(), key, value }
}

fn cursor_key(listing: &str) -> String {
    format!("sync/cursor/{listing}")
}

fn etag_key(of: &str) -> String {
    format!("sync/etag/{of}")
}

fn pull_key(number: u64) -> String {
    format!("sync/pull/{number}")
}

pub(super) fn set_run(repo: &RepoName, run: Option<&Run>) -> Change {
    mark(repo, RUN.to_owned(), run)
}

pub(super) fn set_complete(repo: &RepoName, at: &str) -> Change {
    mark(repo, COMPLETE.to_owned(), Some(at))
}

pub(super) fn set_cursor(repo: &RepoName, listing: &str, cursor: Option<&Cursor>) -> Change {
    mark(repo, cursor_key(listing), cursor)
}

pub(super) fn set_etag(repo: &RepoName, of: &str, etag: Option<&str>) -> Change {
    mark(repo, etag_key(of), etag)
}

pub(super) fn set_pull(repo: &RepoName, number: u64, pull: &PullMark) -> Change {
    mark(repo, pull_key(number), Some(pull))
}

/// Notes that an attempt was ended from outside. A repository that the store does not know is left unknown.
pub(super) fn note_interruption(forge: &WritableForge, repo: &RepoName, now: Moment) -> Result<(), ForgeError> {
    let (state, segments) = {
        let reader = forge.read()?;
        if reader.repository(repo)?.is_none() {
            return Ok(());
        }
        (reader.sync_state(repo)?.unwrap_or_default(), reader.sync_segments(repo)?)
    };
    if state.status != SyncStatus::Running {
        return Ok(());
    }
    let mut changes: Vec<Change> = segments
        .into_iter()
        .filter(|segment| {
            matches!(
                segment.status,
                SegmentStatus::Running | SegmentStatus::Refreshing | SegmentStatus::WaitingRateLimit
            )
        })
        .map(|segment| {
            Change::SyncSegment(crate::engine::records::SyncSegment {
                repo_full_name: repo.as_str().to_owned(),
                status: SegmentStatus::Partial,
                ..segment
            })
        })
        .collect();
    changes.push(Change::SyncState(SyncState {
        repo_full_name: repo.as_str().to_owned(),
        status: SyncStatus::Partial,
        updated_at: Some(moment::text(now)),
        error_summary: Some("the copy was interrupted; the next one goes on from there".to_owned()),
        ..state
    }));
    forge.apply(&changes).map(|_| ())
}
