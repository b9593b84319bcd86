//! The portfolio dashboard: how much waits, runs and is done, in all and on each repository.

use std::collections::BTreeMap;
use std::sync::Arc;

use contract_core::loopover::QueueStatus;

use super::locale_order::{LocaleKey, LocaleKeys};
use super::{MOST_LISTED, moment};

/// How many entries have each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Waiting.
    pub queued: u64,
    /// Leased by a worker.
    pub in_progress: u64,
    /// Done.
    pub done: u64,
}

impl Counts {
    fn add(&mut self, status: QueueStatus) {
        match status {
            QueueStatus::Queued => self.queued += 1,
            QueueStatus::InProgress => self.in_progress += 1,
            QueueStatus::Done => self.done += 1,
        }
    }

    /// The sum.
    pub fn total(&self) -> u64 {
        self.queued + self.in_progress + self.done
    }
}

/// Adds up entries as they come; it keeps one count for each repository that will be listed, and no entry.
#[derive(Clone, Debug, Default)]
pub struct Dashboard {
    counts: Counts,
    repositories: BTreeMap<(Arc<LocaleKey>, Arc<LocaleKey>), Counts>,
    keys: LocaleKeys,
    oldest_queued: Option<i64>,
    is_truncated: bool,
}

/// What was added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Over all repositories, also those that are not listed.
    pub counts: Counts,
    /// Host, repository and its counts, by the repository's name and then by host.
    pub repositories: Vec<(String, String, Counts)>,
    /// How long the oldest waiting entry waits, in milliseconds.
    pub oldest_queued_age: Option<i64>,
    /// Whether there are more repositories than are listed.
    pub is_truncated: bool,
}

impl Dashboard {
    /// Adds one entry.
    pub fn add(&mut self, host: &str, repository: &str, status: QueueStatus, enqueued_at: Option<&str>) {
        self.counts.add(status);
        if status == QueueStatus::Queued
            && let Some(at) = enqueued_at.and_then(moment::milliseconds)
        {
            self.oldest_queued = Some(self.oldest_queued.map_or(at, |oldest| oldest.min(at)));
        }
        let key = (self.keys.of(repository), self.keys.of(host));
        self.repositories.entry(key).or_default().add(status);
        // One that falls out here has so many before it that it would never be listed.
        if self.repositories.len() > MOST_LISTED {
            self.repositories.pop_last();
            self.is_truncated = true;
        }
    }

    /// The summary at a time; without one nothing has an age.
    pub fn finish(self, now: Option<i64>) -> Summary {
        let repositories = self.repositories.into_iter();
        Summary {
            counts: self.counts,
            repositories: repositories
                .map(|((repository, host), counts)| (host.text().to_owned(), repository.text().to_owned(), counts))
                .collect(),
            oldest_queued_age: now.zip(self.oldest_queued).map(|(now, oldest)| now.saturating_sub(oldest).max(0)),
            is_truncated: self.is_truncated,
        }
    }
}
