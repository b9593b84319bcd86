//! The state of managed pull requests: what the queue knows of each, joined with the newest report about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use contract_core::loopover::{QueueStatus, RunState};
use serde_json::{Map, Value};

use super::locale_order::{LocaleKey, LocaleKeys};
use super::{MOST_LISTED, blank_to_none, whole_number};
use crate::miner::{DEFAULT_HOST, MAX_SAFE_INTEGER};

/// The type of the events that report about a pull request.
pub const REPORT: &str = "manage_pr_update";

/// Where an entry of the queue stands in its listing: urgent before others, old before new.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its priority.
    pub priority: f64,
    /// Since when it waits.
    pub enqueued_at: String,
    /// Its row.
    pub row: i64,
}

impl Place {
    fn is_after(&self, other: &Self) -> bool {
        let order = other.priority.total_cmp(&self.priority);
        order.then_with(|| self.enqueued_at.cmp(&other.enqueued_at)).then(self.row.cmp(&other.row)).is_gt()
    }
}

/// What the queue says about a pull request.
#[derive(Clone, Debug)]
struct Queued {
    status: Option<QueueStatus>,
    priority: f64,
    place: Place,
}

/// What the newest report says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Its branch.
    pub branch: Option<String>,
    /// State of its checks.
    pub ci_state: Option<String>,
    /// The gate's verdict.
    pub gate_verdict: Option<String>,
    /// What came of it.
    pub outcome: Option<String>,
    /// When it was looked at.
    pub last_polled_at: Option<String>,
}

/// One pull request.
#[derive(Clone, Debug, PartialEq)]
pub struct ManagedPull {
    /// Its host.
    pub host: String,
    /// Its repository.
    pub repository: String,
    /// Its number.
    pub number: i64,
    /// The newest report about it.
    pub report: Report,
    /// Its status in the queue.
    pub queue_status: Option<QueueStatus>,
    /// Its priority in the queue.
    pub priority: Option<f64>,
}

/// One repository with its pull requests and what is being done on it.
#[derive(Clone, Debug, PartialEq)]
pub struct ManagedRepository {
    /// Its host.
    pub host: String,
    /// Its name.
    pub repository: String,
    /// What is being done on it, and since when.
    pub run: Option<(RunState, String)>,
    /// Its pull requests.
    pub pulls: Vec<ManagedPull>,
}

/// Everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Managed {
    /// Pull requests by repository, number and host.
    pub rows: Vec<ManagedPull>,
    /// Repositories with a pull request or a run state.
    pub portfolio: Vec<ManagedRepository>,
    /// Whether there is more than is listed.
    pub is_truncated: bool,
}

/// A repository, a number and a host.
type Key = (Arc<LocaleKey>, i64, Arc<LocaleKey>);

/// A repository and a host.
type RepositoryKey = (Arc<LocaleKey>, Arc<LocaleKey>);

/// Joins entries, reports and run states; it keeps no more than will be listed.
#[derive(Clone, Debug, Default)]
pub struct ManageStatus {
    queue: BTreeMap<Key, Queued>,
    reports: BTreeMap<(Arc<LocaleKey>, i64), Report>,
    runs: BTreeMap<RepositoryKey, (RunState, String)>,
    keys: LocaleKeys,
    is_truncated: bool,
}

/// The number in `pr:<digits>`, if it is positive and exact.
pub fn pull_number(identifier: &str) -> Option<i64> {
    let digits = identifier.strip_prefix("pr:").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok().filter(|number| (1..=MAX_SAFE_INTEGER).contains(number))
}

impl ManageStatus {
    /// Adds an entry of the queue about the pull request with this number.
    pub fn queued(
        &mut self,
        host: &str,
        repository: &str,
        number: i64,
        (status, priority): (Option<QueueStatus>, f64),
        place: Place,
    ) {
        let key = (self.keys.of(repository), number, self.keys.of(host));
        if is_beyond(&self.queue, &key) {
            self.is_truncated = true;
            return;
        }
        let entry = Queued { status, priority, place };
        match self.queue.get_mut(&key) {
            Some(before) if entry.place.is_after(&before.place) => *before = entry,
            Some(_) => {}
            None => drop(self.queue.insert(key, entry)),
        }
        self.is_truncated |= keep_first(&mut self.queue);
    }

    /// Takes a report; the newest replaces the ones before it as a whole. False when it is about nothing.
    pub fn report(&mut self, repository: Option<&str>, payload: &Map<String, Value>) -> bool {
        let number = payload.get("prNumber").and_then(whole_number).filter(|number| *number > 0);
        let (Some(repository), Some(number)) = (repository.and_then(blank_to_none), number) else { return false };
        let key = (self.keys.of(repository), number);
        if is_beyond(&self.reports, &key) {
            self.is_truncated = true;
            return true;
        }
        let text = |name: &str| payload.get(name).and_then(Value::as_str).and_then(blank_to_none).map(str::to_owned);
        let report = Report {
            branch: text("branch"),
            ci_state: text("ciState"),
            gate_verdict: text("gateVerdict"),
            outcome: text("outcome"),
            last_polled_at: text("lastPolledAt"),
        };
        self.reports.insert(key, report);
        self.is_truncated |= keep_first(&mut self.reports);
        true
    }

    /// Adds what is being done on a repository.
    pub fn run(&mut self, host: &str, repository: &str, state: RunState, updated_at: &str) {
        self.runs.insert((self.keys.of(repository), self.keys.of(host)), (state, updated_at.to_owned()));
        self.is_truncated |= keep_first(&mut self.runs);
    }

    /// The joined lists.
    ///
    /// A report names no host. It belongs to the default host's pull request of that number, else to the first other host's
    /// in the queue, else to the default host.
    pub fn finish(mut self) -> Managed {
        let default = self.keys.of(DEFAULT_HOST);
        let lowest = self.keys.of("");
        let mut rows: BTreeMap<Key, (Option<Queued>, Report)> = BTreeMap::new();
        for ((repository, number), report) in self.reports {
            let first = (Arc::clone(&repository), number, Arc::clone(&lowest));
            let mut queued_on = self
                .queue
                .range(first..)
                .take_while(|((name, other, _), _)| *name == repository && *other == number)
                .map(|((_, _, host), _)| host);
            let elsewhere = queued_on.clone().next();
            let host = queued_on.find(|host| **host == default).or(elsewhere).unwrap_or(&default);
            let host = Arc::clone(host);
            rows.insert((repository, number, host), (None, report));
        }
        for (key, queued) in self.queue {
            rows.entry(key).or_default().0 = Some(queued);
        }
        self.is_truncated |= keep_first(&mut rows);
        let rows: Vec<ManagedPull> = rows
            .into_iter()
            .map(|((repository, number, host), (queued, report))| ManagedPull {
                host: host.text().to_owned(),
                repository: repository.text().to_owned(),
                number,
                report,
                queue_status: queued.as_ref().and_then(|queued| queued.status),
                priority: queued.map(|queued| queued.priority),
            })
            .collect();
        let mut portfolio: BTreeMap<RepositoryKey, ManagedRepository> = BTreeMap::new();
        let empty = |(repository, host): &RepositoryKey| ManagedRepository {
            host: host.text().to_owned(),
            repository: repository.text().to_owned(),
            run: None,
            pulls: Vec::new(),
        };
        for row in &rows {
            let key = (self.keys.of(&row.repository), self.keys.of(&row.host));
            let fresh = empty(&key);
            portfolio.entry(key).or_insert(fresh).pulls.push(row.clone());
        }
        for (key, run) in self.runs {
            let fresh = empty(&key);
            portfolio.entry(key).or_insert(fresh).run = Some(run);
        }
        self.is_truncated |= keep_first(&mut portfolio);
        Managed { rows, portfolio: portfolio.into_values().collect(), is_truncated: self.is_truncated }
    }
}

/// Whether so much stands before a key already that it can never be listed.
fn is_beyond<K: Ord, V>(map: &BTreeMap<K, V>, key: &K) -> bool {
    map.len() >= MOST_LISTED && map.last_key_value().is_some_and(|(last, _)| key > last)
}

/// Drops what can never be listed, since so much stands before it; tells whether anything was.
fn keep_first<K: Ord, V>(map: &mut BTreeMap<K, V>) -> bool {
    let mut dropped = false;
    while map.len() > MOST_LISTED {
        map.pop_last();
        dropped = true;
    }
    dropped
}
