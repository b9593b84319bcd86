//! Repositories: made when they are first named, described by GitHub, covered by installations, renamed.

use std::collections::BTreeMap;

use rusqlite::{Connection, Result, params};

use super::newest::{milliseconds, part, tie};
use super::{Outcome, Writer};
use crate::forge::sqlite::query::signed;
use crate::forge::sqlite::read::find;
use crate::forge::{Installation, RepoName, RepositoryFacts};

/// The numbers of the repositories that this transaction names, so that each is looked up once.
#[derive(Default)]
pub(super) struct Repositories {
    ids: BTreeMap<String, i64>,
}

impl Repositories {
    /// The number of a repository, which is made when it is not there.
    pub(super) fn id(&mut self, connection: &Connection, repo: &RepoName) -> Result<i64> {
        // By its spelling, since that may have to be noted.
        if let Some(id) = self.ids.get(repo.as_str()) {
            return Ok(*id);
        }
        let id = if let Some(found) = find(connection, repo)? {
            // Until GitHub says how it is spelled, the highest spelling is as good as any, and the same in any order.
            let sql = "UPDATE repositories SET full_name = ?2 WHERE id = ?1 AND name_key = ?3 AND facts_at IS NULL \
                       AND full_name < ?2";
            connection.prepare_cached(sql)?.execute(params![found.id, repo.as_str(), repo.key()])?;
            found.id
        } else {
            let sql = "INSERT INTO repositories (name_key, owner_key, full_name) VALUES (?1, ?2, ?3)";
            let owner = repo.owner().to_ascii_lowercase();
            connection.prepare_cached(sql)?.execute(params![repo.key(), owner, repo.as_str()])?;
            connection.last_insert_rowid()
        };
        self.ids.insert(repo.as_str().to_owned(), id);
        Ok(id)
    }
}

/// Tables whose rows belong to a repository and go with it when it is found to be another one under an old name.
const BELONGINGS: [&str; 15] = [
    "former_names",
    "labels",
    "issues",
    "pull_requests",
    "files",
    "reviews",
    "checks",
    "manifests",
    "bounties",
    "calibration",
    "totals",
    "queue_observations",
    "sync_states",
    "sync_segments",
    "marks",
];

impl Writer<'_> {
    pub(super) fn facts(&mut self, facts: &RepositoryFacts) -> Result<Outcome> {
        if facts.updated_at.is_none() {
            return self.undated_facts(facts);
        }
        let id = self.id(&facts.name)?;
        let at = milliseconds(facts.updated_at.as_deref());
        let private = if facts.is_private { "private" } else { "public" };
        let (url, branch) = (part(facts.html_url.as_ref()), part(facts.default_branch.as_ref()));
        let tie = tie(0, &[facts.name.as_str(), private, url, branch]);
        // A record under a name that the repository had does not bring that name back.
        let sql = "UPDATE repositories SET facts_at = ?2, facts_tie = ?3, is_private = ?4, html_url = ?5, \
                   default_branch = ?6, full_name = CASE name_key WHEN ?8 THEN ?7 ELSE full_name END \
                   WHERE id = ?1 AND (facts_at IS NULL OR (?2, ?3) > (facts_at, facts_tie))";
        let (name, key) = (facts.name.as_str(), facts.name.key());
        let rows =
            self.execute(sql, params![id, at, tie, facts.is_private, facts.html_url, facts.default_branch, name, key])?;
        Ok(Outcome::of(rows))
    }

    /// Facts without a moment only add to each other, so that their order does not matter, and give way to dated ones.
    fn undated_facts(&mut self, facts: &RepositoryFacts) -> Result<Outcome> {
        let is_new = find(self.connection, &facts.name)?.is_none();
        let id = self.id(&facts.name)?;
        let described = self.execute(
            "UPDATE repositories SET html_url = ?2 WHERE id = ?1 AND facts_at IS NULL \
             AND coalesce(html_url, '') < ?2",
            params![id, facts.html_url],
        )? + self.execute(
            "UPDATE repositories SET default_branch = ?2 WHERE id = ?1 AND facts_at IS NULL \
             AND coalesce(default_branch, '') < ?2",
            params![id, facts.default_branch],
        )?;
        let hidden = self.undated_visibility(id, Some(facts.is_private))?;
        Ok(if is_new { Outcome::Changed } else { Outcome::of(described + hidden) })
    }

    /// Nothing dated says whether it is private: then it is, once anything says so.
    fn undated_visibility(&self, id: i64, is_private: Option<bool>) -> Result<usize> {
        let sql = "UPDATE repositories SET is_private = 1 WHERE id = ?1 AND facts_at IS NULL AND NOT is_private AND ?2";
        self.execute(sql, params![id, is_private == Some(true)])
    }

    pub(super) fn renamed(&mut self, from: &RepoName, to: &RepoName) -> Result<Outcome> {
        let old = self.id(from)?;
        let target = find(self.connection, to)?;
        self.repositories = Repositories::default();
        match target {
            Some(target) if target.id == old => {
                // Renamed before, or in its casing alone.
                let sql = "UPDATE repositories SET full_name = ?2 WHERE id = ?1 AND name_key = ?3 AND full_name <> ?2";
                self.execute(sql, params![old, to.as_str(), to.key()]).map(Outcome::of)
            }
            Some(target) => {
                for table in BELONGINGS {
                    // Where both have a row, the one under the new name is the one that is kept up to date.
                    let sql = format!("UPDATE OR IGNORE {table} SET repository_id = ?2 WHERE repository_id = ?1");
                    self.execute(&sql, [old, target.id])?;
                }
                let registry = "UPDATE repositories SET (registry_at, registry_tie, registry_repo, emission_share, \
                    issue_discovery_share, label_multipliers, trusted_label_pipeline, maintainer_cut) = \
                    (SELECT registry_at, registry_tie, registry_repo, emission_share, issue_discovery_share, \
                    label_multipliers, trusted_label_pipeline, maintainer_cut FROM repositories WHERE id = ?1) \
                    WHERE id = ?2 AND registry_at IS NULL";
                self.execute(registry, [old, target.id])?;
                let covered = "UPDATE repositories SET (installation_id, covered_at, covered_tie) = \
                    (SELECT installation_id, covered_at, covered_tie FROM repositories WHERE id = ?1) \
                    WHERE id = ?2 AND covered_at IS NULL";
                self.execute(covered, [old, target.id])?;
                let visibility = "UPDATE repositories SET is_private = 1 WHERE id = ?2 AND facts_at IS NULL \
                    AND (SELECT is_private FROM repositories WHERE id = ?1)";
                self.execute(visibility, [old, target.id])?;
                self.execute("DELETE FROM repositories WHERE id = ?1", [old])?;
                self.remember(from, target.id)
            }
            None => {
                let sql = "UPDATE repositories SET name_key = ?2, owner_key = ?3, full_name = ?4 WHERE id = ?1";
                let owner = to.owner().to_ascii_lowercase();
                self.execute(sql, params![old, to.key(), owner, to.as_str()])?;
                self.remember(from, old)
            }
        }
    }

    fn remember(&self, former: &RepoName, id: i64) -> Result<Outcome> {
        let sql = "INSERT INTO former_names (name_key, repository_id) VALUES (?1, ?2) \
                   ON CONFLICT (name_key) DO UPDATE SET repository_id = excluded.repository_id";
        self.execute(sql, params![former.key(), id])?;
        Ok(Outcome::Changed)
    }

    pub(super) fn installation(&self, new: &Installation) -> Result<Outcome> {
        let at = milliseconds(new.updated_at.as_deref());
        let rank = u8::from(new.is_removed) << 1 | u8::from(new.is_suspended);
        let tie = tie(rank, &[&new.account_login, part(new.updated_at.as_ref())]);
        // Nobody gets a number again that was taken away: whatever is newer about it only looks so.
        let sql = "INSERT INTO installations (id, account_login, account_key, is_suspended, is_removed, updated_at, at, tie) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE SET \
                   account_login = excluded.account_login, account_key = excluded.account_key, \
                   is_suspended = excluded.is_suspended, is_removed = excluded.is_removed, \
                   updated_at = excluded.updated_at, at = excluded.at, tie = excluded.tie \
                   WHERE (excluded.is_removed, excluded.at, excluded.tie) > (is_removed, at, tie)";
        let key = new.account_login.to_ascii_lowercase();
        let rows = self.execute(
            sql,
            params![signed(new.id), new.account_login, key, new.is_suspended, new.is_removed, new.updated_at, at, tie],
        )?;
        Ok(Outcome::of(rows))
    }

    /// `installation` covers the repository, or nothing does.
    pub(super) fn covered(
        &mut self,
        repo: &RepoName,
        installation: Option<u64>,
        is_private: Option<bool>,
        at: Option<&str>,
    ) -> Result<Outcome> {
        let id = self.id(repo)?;
        let hidden = self.undated_visibility(id, is_private)?;
        let installation = installation.map(signed);
        let number = installation.unwrap_or_default().to_string();
        let tie = tie(u8::from(installation.is_none()), &[&number]);
        let sql = "UPDATE repositories SET installation_id = ?2, covered_at = ?3, covered_tie = ?4 \
                   WHERE id = ?1 AND (covered_at IS NULL OR (?3, ?4) > (covered_at, covered_tie))";
        self.execute(sql, params![id, installation, milliseconds(at), tie]).map(|rows| Outcome::of(rows + hidden))
    }
}
