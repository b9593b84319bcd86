//! What surrounds a repository's pull requests: issues, labels, bounties, manifests, counts, and how old all of it is.

use rusqlite::types::{FromSqlError, Type};
use rusqlite::{Connection, Error, Result, Row};
use serde::de::DeserializeOwned;

use super::Found;
use crate::engine::manifest::MANIFEST_PATHS;
use crate::engine::moment;
use crate::engine::queue_health::QueueCounts;
use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{Bounty, GithubTotals, Issue, SyncSegment, SyncState};
use crate::forge::sqlite::query::{list, row, rows, signed, some_rows, unsigned};
use crate::forge::{Label, ManifestFile, Which};

fn select_issues(rest: &str) -> String {
    select_issues_with("body", rest)
}

/// `body` is a column, or a value in its place.
fn select_issues_with(body: &str, rest: &str) -> String {
    format!(
        "SELECT number, title, state, labels, author_login, author_association, html_url, {body}, linked_prs, created_at, \
         updated_at FROM issues WHERE repository_id = ?1 AND is_gone = 0 {rest}"
    )
}

fn issue(row: &Row<'_>, repo: &Found) -> Result<Issue> {
    Ok(Issue {
        repo_full_name: repo.full_name.clone(),
        number: unsigned(row.get(0)?),
        title: row.get(1)?,
        state: row.get(2)?,
        labels: list(row.get_ref(3)?.as_str()?),
        author_login: row.get(4)?,
        author_association: row.get(5)?,
        html_url: row.get(6)?,
        body: row.get(7)?,
        linked_prs: list(row.get_ref(8)?.as_str()?),
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
    })
}

pub(super) fn issues(connection: &Connection, repo: &Found, which: Which, limit: usize) -> Result<Vec<Issue>> {
    let open = match which {
        Which::Open => "AND state = 'open'",
        Which::Any => "",
    };
    let sql = select_issues(&format!("{open} ORDER BY at DESC, number DESC LIMIT ?2"));
    rows(connection, &sql, [repo.id, signed(limit as u64)], |row| issue(row, repo))
}

/// Looks at every open one, without its text.
pub(super) fn open_issues_that(
    connection: &Connection,
    repo: &Found,
    is_wanted: &mut dyn FnMut(&Issue) -> bool,
) -> Result<Vec<Issue>> {
    let sql = select_issues_with("NULL", "AND state = 'open' ORDER BY at DESC, number DESC");
    some_rows(connection, &sql, [repo.id], |row| Ok(Some(issue(row, repo)?).filter(|issue| is_wanted(issue))))
}

pub(super) fn issues_by_number(connection: &Connection, repo: &Found, numbers: &[u64]) -> Result<Vec<Issue>> {
    let sql = select_issues("AND number = ?2");
    let one = |number: &u64| row(connection, &sql, [repo.id, signed(*number)], |row| issue(row, repo)).transpose();
    numbers.iter().filter_map(one).collect()
}

pub(super) fn labels(connection: &Connection, repository: i64) -> Result<Vec<Label>> {
    let sql = "SELECT name, color, description FROM labels WHERE repository_id = ?1 ORDER BY name_key";
    rows(connection, sql, [repository], |row| {
        Ok(Label { name: row.get(0)?, color: row.get(1)?, description: row.get(2)? })
    })
}

/// The mark with the moment as of which GitHub did not count.
pub(in crate::forge::sqlite) const UNCOUNTED: &str = "totals/uncounted";

pub(super) fn open_counts(connection: &Connection, repository: i64) -> Result<QueueCounts> {
    let uncounted = mark(connection, repository, UNCOUNTED)?.and_then(|at| moment::parse(&at));
    let is_current =
        |last: &GithubTotals| uncounted.is_none_or(|at| moment::parse(&last.fetched_at).is_some_and(|last| last > at));
    if let Some(last) = totals(connection, repository, 1)?.pop().filter(is_current) {
        return Ok(QueueCounts {
            open_issues: Some(last.open_issues_total),
            open_pull_requests: Some(last.open_pull_requests_total),
            likely_reviewable_pull_requests: None,
        });
    }
    let count = |sql| row(connection, sql, [repository], |row| row.get(0).map(unsigned));
    Ok(QueueCounts {
        open_issues: count("SELECT count(*) FROM issues WHERE repository_id = ?1 AND is_gone = 0 AND state = 'open'")?,
        open_pull_requests: count("SELECT count(*) FROM pull_requests WHERE repository_id = ?1 AND state = 'open'")?,
        likely_reviewable_pull_requests: None,
    })
}

pub(super) fn totals(connection: &Connection, repository: i64, limit: usize) -> Result<Vec<GithubTotals>> {
    let sql = "SELECT fetched_at, open_issues, open_pull_requests, merged_pull_requests, closed_unmerged_pull_requests, \
               labels FROM totals WHERE repository_id = ?1 ORDER BY at DESC LIMIT ?2";
    rows(connection, sql, [repository, signed(limit as u64)], |row| {
        Ok(GithubTotals {
            fetched_at: row.get(0)?,
            open_issues_total: unsigned(row.get(1)?),
            open_pull_requests_total: unsigned(row.get(2)?),
            merged_pull_requests_total: unsigned(row.get(3)?),
            closed_unmerged_pull_requests_total: unsigned(row.get(4)?),
            labels_total: unsigned(row.get(5)?),
        })
    })
}

pub(super) fn queue_observations(
    connection: &Connection,
    repository: i64,
    limit: usize,
) -> Result<Vec<QueueObservation>> {
    let sql = "SELECT generated_at, open_pull_requests, stale_pull_requests, collision_clusters \
               FROM queue_observations WHERE repository_id = ?1 ORDER BY at DESC LIMIT ?2";
    rows(connection, sql, [repository, signed(limit as u64)], |row| {
        Ok(QueueObservation {
            generated_at: row.get(0)?,
            open_pull_requests: unsigned(row.get(1)?),
            stale_pull_requests: unsigned(row.get(2)?),
            collision_clusters: unsigned(row.get(3)?),
        })
    })
}

/// A cell that holds one of the words of an enum.
fn word<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    let word: String = row.get(column)?;
    serde_json::from_value(word.into())
        .map_err(|_| Error::FromSqlConversionFailure(column, Type::Text, Box::new(FromSqlError::InvalidType)))
}

pub(super) fn sync_state(connection: &Connection, repo: &Found) -> Result<Option<SyncState>> {
    let sql = "SELECT status, last_completed_at, updated_at, error_summary, warnings FROM sync_states \
               WHERE repository_id = ?1";
    row(connection, sql, [repo.id], |row| {
        Ok(SyncState {
            repo_full_name: repo.full_name.clone(),
            status: word(row, 0)?,
            last_completed_at: row.get(1)?,
            updated_at: row.get(2)?,
            error_summary: row.get(3)?,
            warnings: list(row.get_ref(4)?.as_str()?),
        })
    })
}

pub(super) fn sync_segments(connection: &Connection, repo: &Found) -> Result<Vec<SyncSegment>> {
    let sql = "SELECT segment, status, fetched_count, expected_count, completed_at FROM sync_segments \
               WHERE repository_id = ?1 ORDER BY segment";
    rows(connection, sql, [repo.id], |row| {
        Ok(SyncSegment {
            repo_full_name: repo.full_name.clone(),
            segment: word(row, 0)?,
            status: word(row, 1)?,
            fetched_count: unsigned(row.get(2)?),
            expected_count: row.get::<_, Option<i64>>(3)?.map(unsigned),
            completed_at: row.get(4)?,
        })
    })
}

pub(super) fn mark(connection: &Connection, repository: i64, key: &str) -> Result<Option<String>> {
    let sql = "SELECT value FROM marks WHERE repository_id = ?1 AND key = ?2";
    row(connection, sql, (repository, key), |row| row.get(0))
}

fn select_bounties(rest: &str) -> String {
    format!("SELECT issue_number, status, updated_at, discovered_at FROM bounties WHERE repository_id = ?1 {rest}")
}

fn bounty(row: &Row<'_>, repo: &Found) -> Result<Bounty> {
    Ok(Bounty {
        repo_full_name: repo.full_name.clone(),
        issue_number: unsigned(row.get(0)?),
        status: row.get(1)?,
        updated_at: row.get(2)?,
        discovered_at: row.get(3)?,
    })
}

pub(super) fn bounties(connection: &Connection, repo: &Found, limit: usize) -> Result<Vec<Bounty>> {
    let sql = select_bounties("ORDER BY at DESC, issue_number DESC LIMIT ?2");
    rows(connection, &sql, [repo.id, signed(limit as u64)], |row| bounty(row, repo))
}

pub(super) fn bounties_on(connection: &Connection, repo: &Found, issues: &[u64]) -> Result<Vec<Bounty>> {
    let sql = select_bounties("AND issue_number = ?2");
    let one = |number: &u64| row(connection, &sql, [repo.id, signed(*number)], |row| bounty(row, repo)).transpose();
    issues.iter().filter_map(one).collect()
}

pub(super) fn manifests(connection: &Connection, repository: i64) -> Result<Vec<ManifestFile>> {
    let sql = "SELECT path, content FROM manifests WHERE repository_id = ?1";
    let mut files =
        rows(connection, sql, [repository], |row| Ok(ManifestFile { path: row.get(0)?, content: row.get(1)? }))?;
    files.sort_by_key(|file| MANIFEST_PATHS.iter().position(|path| *path == file.path));
    Ok(files)
}
