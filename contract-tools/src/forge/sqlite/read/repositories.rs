//! Repositories with what the registry says about them.

use rusqlite::{Connection, Result, Row};

use crate::engine::records::{RegistryConfig, Repository};
use crate::forge::RepoName;
use crate::forge::sqlite::query::{row, rows, signed, unsigned};

const SELECT: &str = "SELECT full_name, is_private, html_url, default_branch, installation_id, \
    registry_at IS NOT NULL AND registry_at = (SELECT at FROM registry WHERE id = 1), registry_repo, emission_share, \
    issue_discovery_share, label_multipliers, trusted_label_pipeline, maintainer_cut FROM repositories";

fn repository(row: &Row<'_>) -> Result<Repository> {
    let full_name: String = row.get(0)?;
    let (owner, name) = full_name.split_once('/').unwrap_or((&full_name, ""));
    let (owner, name) = (owner.to_owned(), name.to_owned());
    let installation_id = row.get::<_, Option<i64>>(4)?.map(unsigned);
    let is_registered = row.get(5)?;
    let registry_config = if is_registered { Some(registry_config(row)?) } else { None };
    Ok(Repository {
        full_name,
        owner,
        name,
        installation_id,
        is_installed: installation_id.is_some(),
        is_registered,
        is_private: row.get(1)?,
        html_url: row.get(2)?,
        default_branch: row.get(3)?,
        registry_config,
    })
}

fn registry_config(row: &Row<'_>) -> Result<RegistryConfig> {
    let multipliers: String = row.get(9)?;
    Ok(RegistryConfig {
        repo: row.get(6)?,
        emission_share: row.get(7)?,
        issue_discovery_share: row.get(8)?,
        label_multipliers: serde_json::from_str(&multipliers).unwrap_or_default(),
        trusted_label_pipeline: row.get(10)?,
        maintainer_cut: row.get(11)?,
    })
}

pub(super) fn one(connection: &Connection, id: i64) -> Result<Option<Repository>> {
    row(connection, &format!("{SELECT} WHERE id = ?1"), [id], repository)
}

pub(super) fn page(connection: &Connection, after: Option<&RepoName>, limit: usize) -> Result<Vec<Repository>> {
    let sql = format!("{SELECT} WHERE name_key > ?1 ORDER BY name_key LIMIT ?2");
    rows(connection, &sql, (after.map_or("", RepoName::key), signed(limit as u64)), repository)
}

pub(super) fn owned(connection: &Connection, owner: &str) -> Result<Vec<Repository>> {
    let sql = format!("{SELECT} WHERE owner_key = ?1 AND installation_id IS NOT NULL ORDER BY name_key");
    rows(connection, &sql, [owner.to_ascii_lowercase()], repository)
}
