//! Pull requests, and what belongs to one: files, reviews, checks.

use rusqlite::{Connection, Result, Row};

use super::Found;
use crate::engine::records::{CheckSummary, PullRequest, PullRequestFile, RecentMergedPullRequest, Review};
use crate::forge::Which;
use crate::forge::sqlite::query::{list as json_list, row, rows, signed, some_rows, unsigned};

/// The paths that are known for its head, as a JSON list.
const PATHS: &str = "(SELECT json_group_array(f.path) FROM files f \
    WHERE f.repository_id = p.repository_id AND f.head_sha = p.head_sha)";

fn select(rest: &str) -> String {
    select_with("body", rest)
}

/// `body` is a column, or a value in its place.
fn select_with(body: &str, rest: &str) -> String {
    format!(
        "SELECT number, title, state, labels, linked_issues, author_login, author_association, html_url, {body}, \
         is_draft, head_sha, created_at, updated_at, merged_at, {PATHS} FROM pull_requests p WHERE repository_id = ?1 {rest}"
    )
}

fn paths(text: &str) -> Option<Vec<String>> {
    Some(json_list(text)).filter(|paths: &Vec<String>| !paths.is_empty())
}

fn text<T>(row: &Row<'_>, column: usize, read: impl FnOnce(&str) -> T) -> Result<T> {
    Ok(read(row.get_ref(column)?.as_str()?))
}

fn pull_request(row: &Row<'_>, repo: &Found) -> Result<PullRequest> {
    Ok(PullRequest {
        repo_full_name: repo.full_name.clone(),
        number: unsigned(row.get(0)?),
        title: row.get(1)?,
        state: row.get(2)?,
        labels: text(row, 3, json_list)?,
        linked_issues: text(row, 4, json_list)?,
        author_login: row.get(5)?,
        author_association: row.get(6)?,
        html_url: row.get(7)?,
        body: row.get(8)?,
        is_draft: row.get(9)?,
        slop_band: None,
        linked_issue_claimed_at: None,
        changed_files: text(row, 14, paths)?,
        head_sha: row.get(10)?,
        created_at: row.get(11)?,
        updated_at: row.get(12)?,
        merged_at: row.get(13)?,
    })
}

pub(super) fn list(connection: &Connection, repo: &Found, which: Which, limit: usize) -> Result<Vec<PullRequest>> {
    let open = match which {
        Which::Open => "AND state = 'open'",
        Which::Any => "",
    };
    let sql = select(&format!("{open} ORDER BY at DESC, number DESC LIMIT ?2"));
    rows(connection, &sql, [repo.id, signed(limit as u64)], |row| pull_request(row, repo))
}

/// Looks at every open one. Their texts stay where they are: a queue of long ones would take long to read.
pub(super) fn open_that(
    connection: &Connection,
    repo: &Found,
    is_wanted: &mut dyn FnMut(&PullRequest) -> bool,
) -> Result<Vec<PullRequest>> {
    let sql = select_with("NULL", "AND state = 'open' ORDER BY at DESC, number DESC");
    some_rows(connection, &sql, [repo.id], |row| Ok(Some(pull_request(row, repo)?).filter(|row| is_wanted(row))))
}

pub(super) fn on(connection: &Connection, repo: &Found, issues: &[u64], limit: usize) -> Result<Vec<PullRequest>> {
    let issues = serde_json::to_string(issues).unwrap_or_default();
    let sql = select(
        "AND linked_issues <> '[]' AND EXISTS (SELECT 1 FROM json_each(p.linked_issues) \
         WHERE json_each.value IN (SELECT value FROM json_each(?2))) ORDER BY at DESC, number DESC LIMIT ?3",
    );
    rows(connection, &sql, (repo.id, issues, signed(limit as u64)), |row| pull_request(row, repo))
}

pub(super) fn one(connection: &Connection, repo: &Found, number: u64) -> Result<Option<PullRequest>> {
    row(connection, &select("AND number = ?2"), [repo.id, signed(number)], |row| pull_request(row, repo))
}

pub(super) fn merged(connection: &Connection, repo: &Found, limit: usize) -> Result<Vec<RecentMergedPullRequest>> {
    let sql = format!(
        "SELECT number, title, labels, linked_issues, author_login, html_url, merged_at, {PATHS} FROM pull_requests p \
         WHERE repository_id = ?1 AND merged_ms IS NOT NULL ORDER BY merged_ms DESC, number DESC LIMIT ?2"
    );
    rows(connection, &sql, [repo.id, signed(limit as u64)], |row| {
        Ok(RecentMergedPullRequest {
            repo_full_name: repo.full_name.clone(),
            number: unsigned(row.get(0)?),
            title: row.get(1)?,
            labels: text(row, 2, json_list)?,
            linked_issues: text(row, 3, json_list)?,
            changed_files: text(row, 7, paths)?,
            author_login: row.get(4)?,
            html_url: row.get(5)?,
            merged_at: row.get(6)?,
        })
    })
}

/// The commit at a pull request's head.
const HEAD: &str = "(SELECT head_sha FROM pull_requests WHERE repository_id = ?1 AND number = ?2)";

pub(super) fn files(connection: &Connection, repository: i64, number: u64) -> Result<Vec<PullRequestFile>> {
    let sql = format!(
        "SELECT path, additions, deletions FROM files WHERE repository_id = ?1 AND head_sha = {HEAD} ORDER BY path"
    );
    rows(connection, &sql, [repository, signed(number)], |row| {
        Ok(PullRequestFile { path: row.get(0)?, additions: unsigned(row.get(1)?), deletions: unsigned(row.get(2)?) })
    })
}

pub(super) fn reviews(connection: &Connection, repository: i64, number: u64) -> Result<Vec<Review>> {
    let sql = "SELECT state, reviewer_login, submitted_at FROM reviews WHERE repository_id = ?1 AND pull_number = ?2 \
               ORDER BY id";
    rows(connection, sql, [repository, signed(number)], |row| {
        Ok(Review { state: row.get(0)?, reviewer_login: row.get(1)?, submitted_at: row.get(2)? })
    })
}

pub(super) fn checks(connection: &Connection, repository: i64, number: u64) -> Result<Vec<CheckSummary>> {
    let sql = format!(
        "SELECT name, status, conclusion, head_sha, started_at, completed_at FROM checks \
         WHERE repository_id = ?1 AND head_sha = {HEAD} ORDER BY at, kind, id"
    );
    rows(connection, &sql, [repository, signed(number)], |row| {
        Ok(CheckSummary {
            name: row.get(0)?,
            status: row.get(1)?,
            conclusion: row.get(2)?,
            head_sha: row.get(3)?,
            started_at: row.get(4)?,
            completed_at: row.get(5)?,
        })
    })
}
