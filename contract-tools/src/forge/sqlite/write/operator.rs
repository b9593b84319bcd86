//! What the operator's own documents say: the registry, bounties, contributors, outcomes of predictions.

use rusqlite::{Result, params};

use super::newest::{milliseconds, part, tie};
use super::{Outcome, Writer};
use crate::engine::records::{Bounty, RegistryConfig};
use crate::forge::sqlite::query::signed;
use crate::forge::{CalibrationRow, OfficialContributor, RegistrySnapshot, RepoName};

impl Writer<'_> {
    pub(super) fn registry(&mut self, registry: &RegistrySnapshot) -> Result<Outcome> {
        let at = milliseconds(Some(&registry.generated_at));
        let sql = "INSERT INTO registry (id, at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET at = excluded.at \
                   WHERE excluded.at > at";
        let mut rows = self.execute(sql, [at])?;
        for entry in &registry.entries {
            if let Some(repo) = RepoName::parse(&entry.repo) {
                rows += self.registry_entry(&repo, entry, at)?;
            }
        }
        Ok(Outcome::of(rows))
    }

    fn registry_entry(&mut self, repo: &RepoName, entry: &RegistryConfig, at: i64) -> Result<usize> {
        let id = self.id(repo)?;
        let multipliers = serde_json::to_string(&entry.label_multipliers).unwrap_or_else(|_| "{}".to_owned());
        let numbers =
            format!("{:?} {:?} {:?}", entry.emission_share, entry.issue_discovery_share, entry.maintainer_cut);
        let trusted = format!("{:?}", entry.trusted_label_pipeline);
        let tie = tie(0, &[&entry.repo, &multipliers, &numbers, &trusted]);
        let sql = "UPDATE repositories SET registry_at = ?2, registry_tie = ?3, registry_repo = ?4, emission_share = ?5, \
            issue_discovery_share = ?6, label_multipliers = ?7, trusted_label_pipeline = ?8, maintainer_cut = ?9 \
            WHERE id = ?1 AND (registry_at IS NULL OR (?2, ?3) > (registry_at, registry_tie))";
        self.execute(
            sql,
            params![
                id,
                at,
                tie,
                entry.repo,
                entry.emission_share,
                entry.issue_discovery_share,
                multipliers,
                entry.trusted_label_pipeline,
                entry.maintainer_cut
            ],
        )
    }

    pub(super) fn bounty(&self, repository: i64, bounty: &Bounty) -> Result<usize> {
        let at = milliseconds(bounty.updated_at.as_deref().or(bounty.discovered_at.as_deref()));
        let parts = [bounty.status.as_str(), part(bounty.updated_at.as_ref()), part(bounty.discovered_at.as_ref())];
        let sql = "INSERT INTO bounties (repository_id, issue_number, status, updated_at, discovered_at, at, tie) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (repository_id, issue_number) DO UPDATE SET \
            status = excluded.status, updated_at = excluded.updated_at, discovered_at = excluded.discovered_at, \
            at = excluded.at, tie = excluded.tie WHERE (excluded.at, excluded.tie) > (at, tie)";
        let number = signed(bounty.issue_number);
        self.execute(
            sql,
            params![repository, number, bounty.status, bounty.updated_at, bounty.discovered_at, at, tie(0, &parts)],
        )
    }

    pub(super) fn contributor(&self, contributor: &OfficialContributor) -> Result<Outcome> {
        let counted = contributor.repositories.iter().map(|counted| {
            (&counted.repo_full_name, counted.pull_requests, counted.open_issues, counted.closed_issues)
        });
        let counted: Vec<_> = counted.collect();
        let repositories = serde_json::to_string(&counted).unwrap_or_else(|_| "[]".to_owned());
        let at = milliseconds(Some(&contributor.generated_at));
        let tie = tie(0, &[&contributor.login, &repositories]);
        let sql = "INSERT INTO contributors (login_key, login, repositories, at, tie) VALUES (?1, ?2, ?3, ?4, ?5) \
            ON CONFLICT (login_key) DO UPDATE SET login = excluded.login, repositories = excluded.repositories, \
            at = excluded.at, tie = excluded.tie WHERE (excluded.at, excluded.tie) > (at, tie)";
        let key = contributor.login.to_ascii_lowercase();
        self.execute(sql, params![key, contributor.login, repositories, at, tie]).map(Outcome::of)
    }

    pub(super) fn calibration(&mut self, row: &CalibrationRow) -> Result<Outcome> {
        let id = self.id(&row.repo)?;
        let at = milliseconds(Some(&row.decided_at));
        let sql = "INSERT INTO calibration (login_key, repository_id, pull_number, agreed, at) \
            VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (login_key, repository_id, pull_number) DO UPDATE SET \
            agreed = excluded.agreed, at = excluded.at WHERE (excluded.at, excluded.agreed) > (at, agreed)";
        let key = row.login.to_ascii_lowercase();
        self.execute(sql, params![key, id, signed(row.pull_number), row.agreed, at]).map(Outcome::of)
    }
}
