//! Accounts in the forge store: its sessions, and what it knows about who maintains what.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::accounts::{Accounts, AccountsUnavailable, StoredSession};
use super::secret::TokenHash;
use crate::forge::{self, ForgeError, ForgeReader, RepoName, SharedForge};

/// The accounts of a forge store.
#[derive(Clone, Debug)]
pub struct ForgeAccounts(SharedForge);

impl ForgeAccounts {
    /// Those of `forge`.
    pub fn new(forge: SharedForge) -> Self {
        Self(forge)
    }
}

impl From<&TokenHash> for forge::TokenHash {
    fn from(hash: &TokenHash) -> Self {
        Self(hash.to_bytes())
    }
}

impl From<ForgeError> for AccountsUnavailable {
    fn from(error: ForgeError) -> Self {
        Self { reason: error.reason }
    }
}

impl Accounts for ForgeAccounts {
    fn session(&self, token: &TokenHash) -> Result<Option<StoredSession>, AccountsUnavailable> {
        let Some(session) = self.0.read(|reader| reader.session(&token.into()))? else { return Ok(None) };
        Ok(Some(StoredSession {
            id: session.id.to_string(),
            login: session.login,
            user_id: session.github_id.and_then(|id| i64::try_from(id).ok()),
            expires_at: moment(session.expires_at),
            is_revoked: session.revoked_at.is_some(),
        }))
    }

    fn maintains(&self, login: &str, repository: &str) -> Result<bool, AccountsUnavailable> {
        let Some(name) = RepoName::parse(repository) else { return Ok(false) };
        Ok(self.0.read(|reader| {
            // Also by a name that it had: what is compared is what it is called now.
            let Some(known) = reader.repository(&name)? else { return Ok(false) };
            Ok(maintained(reader, login)?.iter().any(|name| name.eq_ignore_ascii_case(&known.full_name)))
        })?)
    }

    fn maintains_any(&self, login: &str) -> Result<bool, AccountsUnavailable> {
        Ok(!self.0.read(|reader| maintained(reader, login))?.is_empty())
    }
}

/// The names of the repositories that the app covers and that `login` owns, or wrote a pull request for as one of its maintainers.
fn maintained(reader: &dyn ForgeReader, login: &str) -> Result<Vec<String>, ForgeError> {
    let owned = reader.owned_repositories(login)?;
    let maintained = reader.maintained_repositories(login)?;
    Ok(owned.into_iter().chain(maintained).map(|repository| repository.full_name).collect())
}

/// A moment of the store, in milliseconds since 1970.
fn moment(milliseconds: i64) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(milliseconds).ok()?))
}
