//! Copies repositories out of GitHub's REST API into the store, and goes on where an earlier attempt stopped.
//!
//! What GitHub says becomes changes by the same reader as what a file says: nothing here knows a record. Each page is written
//! together with the place to go on from, so that an end at any moment loses at most the page that was on its way, and the
//! outcome is the same as without that end. The token goes to the one host it is for. Nothing is ever deleted because GitHub
//! does not show it any more.

mod address;
mod failure;
mod pause;
mod limits;
mod link;
mod client;
mod run;
mod listing;
mod details;
mod surroundings;
mod repository;

use std::num::NonZeroUsize;
use std::time::{Duration, SystemTime};

pub use address::{AddressError, ApiAddress, ApiToken, DEFAULT_API};
pub use failure::{SyncFailure, duration as said};
pub use limits::LimitKind;
pub use pause::{Pause, RealPause};

use self::client::Client;
use self::repository::Copying;
use super::{Applied, RepoName, WritableForge};
use crate::engine::moment::Moment;
use crate::engine::records::{SegmentKind, SegmentStatus, SyncStatus};

/// What is asked of a copy.
#[derive(Debug)]
pub struct Settings {
    /// Where the API is.
    pub address: ApiAddress,
    /// What opens it; without one GitHub answers fewer questions and shows nothing that is private.
    pub token: Option<ApiToken>,
    /// Only what changed since then; without it everything that is open and what was closed lately.
    pub since: Option<Moment>,
    /// How many closed pull requests a first copy takes, the newest first.
    pub closed: u64,
    /// How many questions may be open at once.
    pub jobs: NonZeroUsize,
    /// The longest wait for a limit; a longer one ends the attempt, to be gone on with later.
    pub patience: Duration,
}

/// Something that happens while a repository is copied.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// One kind of data is being copied; so many records of it are here.
    Segment {
        /// Which kind.
        segment: SegmentKind,
        /// Records so far.
        fetched: u64,
    },
    /// The attempt goes on where one before it stopped.
    Resumed {
        /// When that began.
        started_at: &'a str,
    },
    /// GitHub has a limit, and it is waited for.
    Waiting {
        /// How long.
        wait: Duration,
        /// Which limit.
        kind: LimitKind,
        /// When it goes on.
        until: SystemTime,
    },
    /// A question is asked again.
    Retrying {
        /// After how long.
        wait: Duration,
        /// What was wrong.
        failure: &'a SyncFailure,
    },
    /// The repository has another name now.
    Renamed {
        /// The name that was asked for.
        from: &'a RepoName,
        /// The name that GitHub gives.
        to: &'a RepoName,
    },
}

/// Who is told.
pub trait Watch {
    /// Something happened to a repository.
    fn hear(&self, repo: &RepoName, news: News<'_>);
}

/// How the copy of one kind of data stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentReport {
    /// Which kind.
    pub segment: SegmentKind,
    /// How it went.
    pub status: SegmentStatus,
    /// Records copied.
    pub fetched: u64,
}

/// What came of one repository.
#[derive(Clone, Debug)]
pub struct RepositoryReport {
    /// The name that was asked for.
    pub asked: RepoName,
    /// The name that GitHub gives; the same where it gave none.
    pub name: RepoName,
    /// How it went.
    pub status: SyncStatus,
    /// What ended it early.
    pub failure: Option<SyncFailure>,
    /// What is worth knowing about it.
    pub warnings: Vec<String>,
    /// How far each kind of data is.
    pub segments: Vec<SegmentReport>,
    /// What was written.
    pub applied: Applied,
    /// Questions that GitHub answered.
    pub answers: u64,
    /// Those of them that said "as before".
    pub unchanged: u64,
}

/// Copies one repository. What is wrong with it is in the report, and in the store if the store knows the repository.
pub async fn repository(
    forge: &WritableForge,
    settings: &Settings,
    repo: &RepoName,
    pause: &dyn Pause,
    watch: &dyn Watch,
) -> RepositoryReport {
    let client = match Client::new(settings, pause) {
        Ok(client) => client,
        Err(failure) => return RepositoryReport::failed(repo, failure),
    };
    Copying::new(forge, settings, &client, repo, watch).run().await
}

/// Notes in the store that an attempt was ended from outside; what was copied so far stays, to be gone on with.
///
/// # Errors
/// When the store cannot be used.
pub fn note_interruption(forge: &WritableForge, repo: &RepoName, now: SystemTime) -> Result<(), super::ForgeError> {
    run::note_interruption(forge, repo, now.into())
}

impl RepositoryReport {
    fn failed(repo: &RepoName, failure: SyncFailure) -> Self {
        Self {
            asked: repo.clone(),
            name: repo.clone(),
            status: failure.status(),
            failure: Some(failure),
            warnings: Vec::new(),
            segments: Vec::new(),
            applied: Applied::default(),
            answers: 0,
            unchanged: 0,
        }
    }
}
