//! Writing: each change is one or a few statements that keep what is newest and do nothing else, whatever the order.

mod discussion;
mod newest;
mod operator;
mod progress;
mod repositories;

use rusqlite::{Connection, Result};

use self::repositories::Repositories;
use super::read::UNCOUNTED;
use crate::forge::{Applied, Change, RepoName};

pub(super) fn apply(connection: &Connection, changes: &[Change]) -> Result<Applied> {
    let mut writer = Writer { connection, repositories: Repositories::default() };
    let mut applied = Applied::default();
    for change in changes {
        match writer.one(change)? {
            Outcome::Changed => applied.changed += 1,
            Outcome::Known => applied.known += 1,
            Outcome::Nameless => applied.nameless += 1,
        }
    }
    Ok(applied)
}

/// What came of one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Changed,
    Known,
    Nameless,
}

impl Outcome {
    /// By the number of rows that statements touched.
    fn of(rows: usize) -> Self {
        if rows > 0 { Self::Changed } else { Self::Known }
    }
}

/// One transaction that writes.
struct Writer<'c> {
    connection: &'c Connection,
    repositories: Repositories,
}

impl Writer<'_> {
    fn one(&mut self, change: &Change) -> Result<Outcome> {
        match change {
            Change::Repository(facts) => self.facts(facts),
            Change::Renamed { from, to } => self.renamed(from, to),
            Change::Registry(registry) => self.registry(registry),
            Change::Installation(installation) => self.installation(installation),
            Change::Covered { repo, installation, is_covered, is_private, at } => {
                self.covered(repo, is_covered.then_some(*installation), *is_private, at.as_deref())
            }
            Change::Label(repo, label) => self.label(repo, label),
            Change::OnlyLabels(repo, names) => self.only_labels(repo, names),
            Change::Issue(issue) => self.about(&issue.repo_full_name, |w, id| w.issue(id, issue)),
            Change::IssueGone(repo, number) => self.issue_gone(repo, *number),
            Change::PullRequest(pull) => self.about(&pull.repo_full_name, |w, id| w.pull_request(id, pull)),
            Change::Files { repo, head_sha, files } => self.files(repo, head_sha, files),
            Change::Review(repo, review) => self.review(repo, review),
            Change::Check(repo, check) => self.check(repo, check),
            Change::Manifest(repo, file) => self.manifest(repo, file),
            Change::NoManifest(repo, path) => self.no_manifest(repo, path),
            Change::Bounty(bounty) => self.about(&bounty.repo_full_name, |w, id| w.bounty(id, bounty)),
            Change::Contributor(contributor) => self.contributor(contributor),
            Change::Calibration(row) => self.calibration(row),
            Change::Totals(repo, totals) => self.totals(repo, totals),
            Change::NoTotals(repo, at) => self.mark(repo, UNCOUNTED, Some(at)),
            Change::Queue(repo, observation) => self.queue(repo, observation),
            Change::SyncState(state) => self.about(&state.repo_full_name, |w, id| w.sync_state(id, state)),
            Change::SyncSegment(segment) => self.about(&segment.repo_full_name, |w, id| w.sync_segment(id, segment)),
            Change::Mark { repo, key, value } => self.mark(repo, key, value.as_deref()),
        }
    }

    /// Writes about the repository of a name that is a text yet.
    fn about(&mut self, name: &str, write: impl FnOnce(&Self, i64) -> Result<usize>) -> Result<Outcome> {
        let Some(repo) = RepoName::parse(name) else { return Ok(Outcome::Nameless) };
        let id = self.id(&repo)?;
        write(self, id).map(Outcome::of)
    }

    fn id(&mut self, repo: &RepoName) -> Result<i64> {
        self.repositories.id(self.connection, repo)
    }

    fn execute(&self, sql: &str, parameters: impl rusqlite::Params) -> Result<usize> {
        self.connection.prepare_cached(sql)?.execute(parameters)
    }
}
