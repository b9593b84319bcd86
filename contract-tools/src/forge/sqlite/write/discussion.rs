//! Issues, pull requests, and what belongs to one.

use rusqlite::{Result, params};

use super::newest::{milliseconds, part, tie};
use super::{Outcome, Writer};
use crate::engine::records::{Issue, OPEN, PullRequest, PullRequestFile};
use crate::forge::sqlite::query::signed;
use crate::forge::{CheckKind, NumberedCheck, NumberedReview, RepoName};

/// A list as JSON; texts and numbers always have one.
fn json(list: &impl serde::Serialize) -> String {
    serde_json::to_string(list).unwrap_or_else(|_| "[]".to_owned())
}

fn key(login: Option<&String>) -> Option<String> {
    login.map(|login| login.to_ascii_lowercase())
}

impl Writer<'_> {
    pub(super) fn issue(&self, repository: i64, issue: &Issue) -> Result<usize> {
        let labels = json(&issue.labels);
        let linked = json(&issue.linked_prs);
        let changed = issue.updated_at.as_ref().or(issue.created_at.as_ref());
        let parts = [
            issue.title.as_str(),
            &issue.state,
            &labels,
            part(issue.author_login.as_ref()),
            part(issue.author_association.as_ref()),
            part(issue.html_url.as_ref()),
            part(issue.body.as_ref()),
            part(issue.created_at.as_ref()),
            part(issue.updated_at.as_ref()),
        ];
        // Of one second, what is closed came later.
        let tie = tie(u8::from(issue.state != OPEN), &parts);
        let sql = "INSERT INTO issues (repository_id, number, title, state, labels, author_login, author_key, \
            author_association, html_url, body, linked_prs, created_at, updated_at, at, tie) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) \
            ON CONFLICT (repository_id, number) DO UPDATE SET title = excluded.title, state = excluded.state, \
            labels = excluded.labels, author_login = excluded.author_login, author_key = excluded.author_key, \
            author_association = excluded.author_association, html_url = excluded.html_url, body = excluded.body, \
            linked_prs = excluded.linked_prs, created_at = excluded.created_at, updated_at = excluded.updated_at, \
            at = excluded.at, tie = excluded.tie WHERE (excluded.at, excluded.tie) > (at, tie)";
        self.execute(
            sql,
            params![
                repository,
                signed(issue.number),
                issue.title,
                issue.state,
                labels,
                issue.author_login,
                key(issue.author_login.as_ref()),
                issue.author_association,
                issue.html_url,
                issue.body,
                linked,
                issue.created_at,
                issue.updated_at,
                milliseconds(changed.map(String::as_str)),
                tie
            ],
        )
    }

    pub(super) fn issue_gone(&mut self, repo: &RepoName, number: u64) -> Result<Outcome> {
        let id = self.id(repo)?;
        // Older than everything else that is said about it, so that the row is the same in any order.
        let sql = "INSERT INTO issues (repository_id, number, title, state, labels, linked_prs, at, tie, is_gone) \
                   VALUES (?1, ?2, '', 'closed', '[]', '[]', -1, 0, 1) \
                   ON CONFLICT (repository_id, number) DO UPDATE SET is_gone = 1 WHERE is_gone = 0";
        self.execute(sql, [id, signed(number)]).map(Outcome::of)
    }

    pub(super) fn pull_request(&self, repository: i64, pull: &PullRequest) -> Result<usize> {
        let number = signed(pull.number);
        let changed = pull.updated_at.as_ref().or(pull.created_at.as_ref());
        let at = milliseconds(changed.map(String::as_str));
        let mut rows = self.pull_request_itself(repository, pull, at)?;
        if let Some(is_draft) = pull.is_draft {
            let sql = "UPDATE pull_requests SET is_draft = ?3, draft_at = ?4 WHERE repository_id = ?1 AND number = ?2 \
                       AND (draft_at IS NULL OR (?4, ?3) > (draft_at, is_draft))";
            rows += self.execute(sql, params![repository, number, is_draft, at])?;
        }
        if let Some(head) = &pull.head_sha {
            let sql = "UPDATE pull_requests SET head_sha = ?3, head_at = ?4 WHERE repository_id = ?1 AND number = ?2 \
                       AND (head_at IS NULL OR (?4, ?3) > (head_at, head_sha))";
            rows += self.execute(sql, params![repository, number, head, at])?;
        }
        let is_merged = pull.state == "merged" || pull.merged_at.is_some();
        if let Some(merged_at) = pull.merged_at.as_ref().or(changed).filter(|_| is_merged) {
            let sql = "UPDATE pull_requests SET state = 'merged', merged_at = ?3, merged_ms = ?4 \
                       WHERE repository_id = ?1 AND number = ?2 AND (merged_ms IS NULL OR (?4, ?3) < (merged_ms, merged_at))";
            rows += self.execute(sql, params![repository, number, merged_at, milliseconds(Some(merged_at))])?;
        }
        Ok(rows)
    }

    /// What every source tells of a pull request.
    fn pull_request_itself(&self, repository: i64, pull: &PullRequest, at: i64) -> Result<usize> {
        let labels = json(&pull.labels);
        let linked = json(&pull.linked_issues);
        // A merge is kept on its own; without it the pull request is closed.
        let state = if pull.state == OPEN { OPEN } else { "closed" };
        let parts = [
            pull.title.as_str(),
            &labels,
            &linked,
            part(pull.author_login.as_ref()),
            part(pull.author_association.as_ref()),
            part(pull.html_url.as_ref()),
            part(pull.body.as_ref()),
            part(pull.created_at.as_ref()),
            part(pull.updated_at.as_ref()),
        ];
        let tie = tie(u8::from(state != OPEN), &parts);
        let sql = "INSERT INTO pull_requests (repository_id, number, title, state, labels, linked_issues, author_login, \
            author_key, author_association, html_url, body, created_at, updated_at, at, tie) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) \
            ON CONFLICT (repository_id, number) DO UPDATE SET title = excluded.title, \
            state = CASE WHEN merged_ms IS NULL THEN excluded.state ELSE 'merged' END, labels = excluded.labels, \
            linked_issues = excluded.linked_issues, author_login = excluded.author_login, \
            author_key = excluded.author_key, author_association = excluded.author_association, \
            html_url = excluded.html_url, body = excluded.body, created_at = excluded.created_at, \
            updated_at = excluded.updated_at, at = excluded.at, tie = excluded.tie \
            WHERE (excluded.at, excluded.tie) > (at, tie)";
        self.execute(
            sql,
            params![
                repository,
                signed(pull.number),
                pull.title,
                state,
                labels,
                linked,
                pull.author_login,
                key(pull.author_login.as_ref()),
                pull.author_association,
                pull.html_url,
                pull.body,
                pull.created_at,
                pull.updated_at,
                at,
                tie
            ],
        )
    }

    pub(super) fn files(&mut self, repo: &RepoName, head_sha: &str, files: &[PullRequestFile]) -> Result<Outcome> {
        let id = self.id(repo)?;
        let mut rows = 0;
        // A commit's files do not change; where two sources count differently, the higher count stays.
        let sql = "INSERT INTO files (repository_id, head_sha, path, additions, deletions) VALUES (?1, ?2, ?3, ?4, ?5) \
            ON CONFLICT (repository_id, head_sha, path) DO UPDATE SET additions = max(additions, excluded.additions), \
            deletions = max(deletions, excluded.deletions) \
            WHERE excluded.additions > additions OR excluded.deletions > deletions";
        for file in files {
            let (additions, deletions) = (signed(file.additions), signed(file.deletions));
            rows += self.execute(sql, params![id, head_sha, file.path, additions, deletions])?;
        }
        Ok(Outcome::of(rows))
    }

    pub(super) fn review(&mut self, repo: &RepoName, new: &NumberedReview) -> Result<Outcome> {
        let id = self.id(repo)?;
        let review = &new.review;
        let at = milliseconds(new.updated_at.as_deref().or(review.submitted_at.as_deref()));
        let number = new.pull_number.to_string();
        let parts =
            [review.state.as_str(), part(review.reviewer_login.as_ref()), part(review.submitted_at.as_ref()), &number];
        // Dismissing leaves the moment as it was.
        let tie = tie(u8::from(review.state.eq_ignore_ascii_case("dismissed")), &parts);
        let sql = "INSERT INTO reviews (repository_id, id, pull_number, state, reviewer_login, submitted_at, at, tie) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (repository_id, id) DO UPDATE SET \
            pull_number = excluded.pull_number, state = excluded.state, reviewer_login = excluded.reviewer_login, \
            submitted_at = excluded.submitted_at, at = excluded.at, tie = excluded.tie \
            WHERE (excluded.at, excluded.tie) > (at, tie)";
        let (review_id, pull_number) = (signed(new.id), signed(new.pull_number));
        let rows = self.execute(
            sql,
            params![id, review_id, pull_number, review.state, review.reviewer_login, review.submitted_at, at, tie],
        )?;
        Ok(Outcome::of(rows))
    }

    pub(super) fn check(&mut self, repo: &RepoName, new: &NumberedCheck) -> Result<Outcome> {
        let id = self.id(repo)?;
        let check = &new.check;
        let moment = |text: &Option<String>| milliseconds(text.as_deref());
        let at = moment(&check.started_at).max(moment(&check.completed_at));
        let parts = [
            new.head_sha.as_str(),
            &check.name,
            &check.status,
            part(check.conclusion.as_ref()),
            part(check.started_at.as_ref()),
            part(check.completed_at.as_ref()),
        ];
        let rank = match check.status.as_str() {
            "completed" => 2,
            "in_progress" => 1,
            _ => 0,
        };
        let tie = tie(rank, &parts);
        let sql = "INSERT INTO checks (repository_id, kind, id, head_sha, name, status, conclusion, started_at, \
            completed_at, at, tie) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
            ON CONFLICT (repository_id, kind, id) DO UPDATE SET head_sha = excluded.head_sha, name = excluded.name, \
            status = excluded.status, conclusion = excluded.conclusion, started_at = excluded.started_at, \
            completed_at = excluded.completed_at, at = excluded.at, tie = excluded.tie \
            WHERE (excluded.at, excluded.tie) > (at, tie)";
        let kind = match new.kind {
            CheckKind::Run => 0,
            CheckKind::Status => 1,
        };
        let rows = self.execute(
            sql,
            params![
                id,
                kind,
                signed(new.id),
                new.head_sha,
                check.name,
                check.status,
                check.conclusion,
                check.started_at,
                check.completed_at,
                at,
                tie
            ],
        )?;
        Ok(Outcome::of(rows))
    }
}
