//! Sessions: tokens are stored as digests, so nobody who reads the file can use one.

use rusqlite::{Connection, Result, Row, params};

use super::query::{row, rows, signed, unsigned};
use crate::forge::{NewSession, Session, TokenHash};

const COLUMNS: &str = "id, login, github_id, created_at, expires_at, revoked_at";

fn session(row: &Row<'_>) -> Result<Session> {
    Ok(Session {
        id: row.get(0)?,
        login: row.get(1)?,
        github_id: row.get::<_, Option<i64>>(2)?.map(unsigned),
        created_at: row.get(3)?,
        expires_at: row.get(4)?,
        revoked_at: row.get(5)?,
    })
}

pub(super) fn create(connection: &Connection, new: &NewSession) -> Result<i64> {
    let sql = "INSERT INTO sessions (token_hash, login, login_key, github_id, created_at, expires_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let github_id = new.github_id.map(signed);
    let key = new.login.to_ascii_lowercase();
    connection.execute(sql, params![new.token.0, new.login, key, github_id, new.created_at, new.expires_at])?;
    Ok(connection.last_insert_rowid())
}

pub(super) fn find(connection: &Connection, token: &TokenHash) -> Result<Option<Session>> {
    row(connection, &format!("SELECT {COLUMNS} FROM sessions WHERE token_hash = ?1"), [token.0], session)
}

pub(super) fn list(connection: &Connection, login: Option<&str>) -> Result<Vec<Session>> {
    let order = "ORDER BY created_at DESC, id DESC";
    if let Some(login) = login {
        let sql = format!("SELECT {COLUMNS} FROM sessions WHERE login_key = ?1 {order}");
        return rows(connection, &sql, [login.to_ascii_lowercase()], session);
    }
    // Every session is asked for, so every session is read: in the order of an index that needs no bound.
    let sql = format!("SELECT {COLUMNS} FROM sessions WHERE created_at >= ?1 {order}");
    rows(connection, &sql, [i64::MIN], session)
}

pub(super) fn revoke(connection: &Connection, id: i64, at: i64) -> Result<bool> {
    let sql = "UPDATE sessions SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
    connection.execute(sql, [id, at]).map(|revoked| revoked > 0)
}

pub(super) fn revoke_of(connection: &Connection, login: &str, at: i64) -> Result<u64> {
    let sql = "UPDATE sessions SET revoked_at = ?2 WHERE login_key = ?1 AND revoked_at IS NULL";
    connection.execute(sql, params![login.to_ascii_lowercase(), at]).map(|revoked| revoked as u64)
}

pub(super) fn forget(connection: &Connection, before: i64) -> Result<u64> {
    let sql = "DELETE FROM sessions WHERE expires_at < ?1 OR revoked_at < ?1";
    connection.execute(sql, [before]).map(|forgotten| forgotten as u64)
}
