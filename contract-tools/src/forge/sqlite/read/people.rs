//! People: what the programme and this store know of them, and what they may look after. Logins are found in any casing.

use std::collections::BTreeSet;

use rusqlite::{Connection, Result};

use super::repositories;
use crate::engine::records::{
    Calibration, ContributorProfile, OfficialRepositoryActivity, Repository, RepositoryOutcome,
};
use crate::forge::sqlite::query::{row, rows, unsigned};
use crate::forge::{Contributor, Installation};

pub(super) fn contributor(connection: &Connection, login: &str) -> Result<Option<Contributor>> {
    let key = login.to_ascii_lowercase();
    let official =
        row(connection, "SELECT login, repositories FROM contributors WHERE login_key = ?1", [&key], |row| {
            let repositories: Vec<(String, u64, u64, u64)> = super::super::query::list(row.get_ref(1)?.as_str()?);
            Ok((row.get::<_, String>(0)?, repositories))
        })?;
    let touched = touched(connection, &key)?;
    if official.is_none() && touched.is_empty() {
        return Ok(None);
    }
    let mut names = Vec::new();
    for id in touched {
        names.extend(repositories::one(connection, id)?.filter(|repository| repository.is_registered));
    }
    let is_official = official.is_some();
    let (login, activity) = official.unwrap_or_else(|| (login.to_owned(), Vec::new()));
    let activity = activity.into_iter().map(|(repo_full_name, pull_requests, open_issues, closed_issues)| {
        OfficialRepositoryActivity { repo_full_name, pull_requests, open_issues, closed_issues }
    });
    let profile = ContributorProfile {
        login,
        official_repositories: activity.collect(),
        repositories_touched: names.into_iter().map(|repository| repository.full_name).collect(),
    };
    Ok(Some(Contributor { is_official, profile }))
}

/// Numbers of the repositories where somebody opened anything.
fn touched(connection: &Connection, key: &str) -> Result<BTreeSet<i64>> {
    let sources = [
        "SELECT DISTINCT repository_id FROM pull_requests WHERE author_key = ?1",
        "SELECT DISTINCT repository_id FROM issues WHERE author_key = ?1 AND is_gone = 0",
    ];
    let mut touched = BTreeSet::new();
    for sql in sources {
        touched.extend(rows(connection, sql, [key], |row| row.get::<_, i64>(0))?);
    }
    Ok(touched)
}

pub(super) fn outcomes(connection: &Connection, login: &str) -> Result<Vec<RepositoryOutcome>> {
    let sql = "SELECT r.full_name, sum(p.state = 'merged'), sum(p.state = 'closed'), sum(p.state = 'open') \
               FROM pull_requests p JOIN repositories r ON r.id = p.repository_id WHERE p.author_key = ?1 \
               GROUP BY p.repository_id";
    rows(connection, sql, [login.to_ascii_lowercase()], |row| {
        Ok(RepositoryOutcome {
            repo_full_name: row.get(0)?,
            merged_pull_requests: unsigned(row.get(1)?),
            closed_pull_requests: unsigned(row.get(2)?),
            open_pull_requests: unsigned(row.get(3)?),
        })
    })
}

pub(super) fn calibration(connection: &Connection, login: &str) -> Result<Option<Calibration>> {
    let sql = "SELECT count(*), total(agreed) FROM calibration WHERE login_key = ?1";
    let counted = row(connection, sql, [login.to_ascii_lowercase()], |row| {
        #[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 predictions")]
        let sample_size = row.get::<_, i64>(0)? as f64;
        Ok((sample_size, row.get::<_, f64>(1)?))
    })?;
    let known = counted.filter(|(sample_size, _)| *sample_size > 0.0);
    Ok(known.map(|(sample_size, agreed)| Calibration { sample_size, agreement_rate: agreed / sample_size }))
}

pub(super) fn installations(connection: &Connection, account_login: &str) -> Result<Vec<Installation>> {
    let sql = "SELECT id, account_login, is_suspended, is_removed, updated_at FROM installations \
               WHERE account_key = ?1 AND is_removed = 0 ORDER BY id";
    rows(connection, sql, [account_login.to_ascii_lowercase()], |row| {
        Ok(Installation {
            id: unsigned(row.get(0)?),
            account_login: row.get(1)?,
            is_suspended: row.get(2)?,
            is_removed: row.get(3)?,
            updated_at: row.get(4)?,
        })
    })
}

pub(super) fn maintained(connection: &Connection, login: &str) -> Result<Vec<Repository>> {
    let sql = "SELECT DISTINCT repository_id FROM pull_requests WHERE author_key = ?1 \
               AND upper(trim(author_association)) IN ('OWNER', 'MEMBER', 'COLLABORATOR')";
    let ids = rows(connection, sql, [login.to_ascii_lowercase()], |row| row.get::<_, i64>(0))?;
    let mut maintained = Vec::new();
    for id in ids {
        maintained.extend(repositories::one(connection, id)?.filter(|repository| repository.is_installed));
    }
    maintained.sort_by_key(|repository| repository.full_name.to_ascii_lowercase());
    Ok(maintained)
}
