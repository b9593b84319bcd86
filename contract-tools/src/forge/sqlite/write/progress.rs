//! Labels and manifests, counts, and how far a copy has come: what GitHub does not date counts as of now.

use rusqlite::{Result, params};
use serde::Serialize;

use super::newest::milliseconds;
use super::{Outcome, Writer};
use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{GithubTotals, SyncSegment, SyncState};
use crate::forge::sqlite::query::{rows, signed};
use crate::forge::{Label, ManifestFile, RepoName};

/// The word of an enum that serialises as one.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

impl Writer<'_> {
    pub(super) fn label(&mut self, repo: &RepoName, label: &Label) -> Result<Outcome> {
        let id = self.id(repo)?;
        let sql = "INSERT INTO labels (repository_id, name_key, name, color, description) VALUES (?1, ?2, ?3, ?4, ?5) \
            ON CONFLICT (repository_id, name_key) DO UPDATE SET name = excluded.name, color = excluded.color, \
            description = excluded.description \
            WHERE (excluded.name, excluded.color, excluded.description) IS NOT (name, color, description)";
        let key = label.name.to_lowercase();
        self.execute(sql, params![id, key, label.name, label.color, label.description]).map(Outcome::of)
    }

    pub(super) fn only_labels(&mut self, repo: &RepoName, names: &[String]) -> Result<Outcome> {
        let id = self.id(repo)?;
        let keys: std::collections::BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let sql = "SELECT name_key FROM labels WHERE repository_id = ?1";
        let known: Vec<String> = rows(self.connection, sql, [id], |row| row.get(0))?;
        let mut gone = 0;
        for key in known.iter().filter(|key| !keys.contains(*key)) {
            gone += self.execute("DELETE FROM labels WHERE repository_id = ?1 AND name_key = ?2", params![id, key])?;
        }
        Ok(Outcome::of(gone))
    }

    pub(super) fn manifest(&mut self, repo: &RepoName, file: &ManifestFile) -> Result<Outcome> {
        let id = self.id(repo)?;
        let sql = "INSERT INTO manifests (repository_id, path, content) VALUES (?1, ?2, ?3) \
            ON CONFLICT (repository_id, path) DO UPDATE SET content = excluded.content WHERE excluded.content <> content";
        self.execute(sql, params![id, file.path, file.content]).map(Outcome::of)
    }

    pub(super) fn no_manifest(&mut self, repo: &RepoName, path: &str) -> Result<Outcome> {
        let id = self.id(repo)?;
        let sql = "DELETE FROM manifests WHERE repository_id = ?1 AND path = ?2";
        self.execute(sql, params![id, path]).map(Outcome::of)
    }

    pub(super) fn totals(&mut self, repo: &RepoName, totals: &GithubTotals) -> Result<Outcome> {
        let id = self.id(repo)?;
        let at = milliseconds(Some(&totals.fetched_at));
        let sql = "INSERT INTO totals (repository_id, at, fetched_at, open_issues, open_pull_requests, \
            merged_pull_requests, closed_unmerged_pull_requests, labels) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
            ON CONFLICT (repository_id, at) DO UPDATE SET fetched_at = max(fetched_at, excluded.fetched_at), \
            open_issues = max(open_issues, excluded.open_issues), \
            open_pull_requests = max(open_pull_requests, excluded.open_pull_requests), \
            merged_pull_requests = max(merged_pull_requests, excluded.merged_pull_requests), \
            closed_unmerged_pull_requests = max(closed_unmerged_pull_requests, excluded.closed_unmerged_pull_requests), \
            labels = max(labels, excluded.labels) \
            WHERE excluded.fetched_at > fetched_at OR excluded.open_issues > open_issues OR excluded.open_pull_requests > open_pull_requests \
            OR excluded.merged_pull_requests > merged_pull_requests OR excluded.labels > labels \
            OR excluded.closed_unmerged_pull_requests > closed_unmerged_pull_requests";
        let rows = self.execute(
            sql,
            params![
                id,
                at,
                totals.fetched_at,
                signed(totals.open_issues_total),
                signed(totals.open_pull_requests_total),
                signed(totals.merged_pull_requests_total),
                signed(totals.closed_unmerged_pull_requests_total),
                signed(totals.labels_total)
            ],
        )?;
        Ok(Outcome::of(rows))
    }

    pub(super) fn queue(&mut self, repo: &RepoName, seen: &QueueObservation) -> Result<Outcome> {
        let id = self.id(repo)?;
        let at = milliseconds(Some(&seen.generated_at));
        let sql = "INSERT INTO queue_observations (repository_id, at, generated_at, open_pull_requests, \
            stale_pull_requests, collision_clusters) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
            ON CONFLICT (repository_id, at) DO UPDATE SET generated_at = excluded.generated_at, \
            open_pull_requests = excluded.open_pull_requests, stale_pull_requests = excluded.stale_pull_requests, collision_clusters = excluded.collision_clusters \
            WHERE (excluded.open_pull_requests, excluded.stale_pull_requests, excluded.collision_clusters, \
            excluded.generated_at) > (open_pull_requests, stale_pull_requests, collision_clusters, generated_at)";
        let (open, stale, clusters) =
            (signed(seen.open_pull_requests), signed(seen.stale_pull_requests), signed(seen.collision_clusters));
        self.execute(sql, params![id, at, seen.generated_at, open, stale, clusters]).map(Outcome::of)
    }

    pub(super) fn sync_state(&self, repository: i64, state: &SyncState) -> Result<usize> {
        let sql = "INSERT INTO sync_states (repository_id, status, last_completed_at, updated_at, error_summary, \
            warnings) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (repository_id) DO UPDATE SET \
            status = excluded.status, last_completed_at = excluded.last_completed_at, \
            updated_at = excluded.updated_at, error_summary = excluded.error_summary, warnings = excluded.warnings";
        let warnings = serde_json::to_string(&state.warnings).unwrap_or_else(|_| "[]".to_owned());
        let status = word(&state.status);
        self.execute(
            sql,
            params![repository, status, state.last_completed_at, state.updated_at, state.error_summary, warnings],
        )
    }

    pub(super) fn sync_segment(&self, repository: i64, segment: &SyncSegment) -> Result<usize> {
        let sql = "INSERT INTO sync_segments (repository_id, segment, status, fetched_count, expected_count, \
            completed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (repository_id, segment) DO UPDATE SET \
            status = excluded.status, fetched_count = excluded.fetched_count, \
            expected_count = excluded.expected_count, completed_at = excluded.completed_at";
        let (kind, status) = (segment.segment.name(), word(&segment.status));
        let (fetched, expected) = (signed(segment.fetched_count), segment.expected_count.map(signed));
        self.execute(sql, params![repository, kind, status, fetched, expected, segment.completed_at])
    }

    pub(super) fn mark(&mut self, repo: &RepoName, key: &str, value: Option<&str>) -> Result<Outcome> {
        let id = self.id(repo)?;
        let rows = match value {
            Some(value) => {
                let sql = "INSERT INTO marks (repository_id, key, value) VALUES (?1, ?2, ?3) \
                    ON CONFLICT (repository_id, key) DO UPDATE SET value = excluded.value WHERE excluded.value <> value";
                self.execute(sql, params![id, key, value])?
            }
            None => self.execute("DELETE FROM marks WHERE repository_id = ?1 AND key = ?2", params![id, key])?,
        };
        Ok(Outcome::of(rows))
    }
}
