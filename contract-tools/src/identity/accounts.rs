//! What identities ask the store: sessions by the hash of their token, and who maintains what.

use std::time::SystemTime;

use super::secret::TokenHash;
use crate::forge::ForgeReason;

/// A session as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSession {
    /// Which session it is.
    pub id: String,
    /// Who signed in.
    pub login: String,
    /// The number of their account.
    pub user_id: Option<i64>,
    /// When it ends; none if what is kept cannot be read as a time.
    pub expires_at: Option<SystemTime>,
    /// It was ended before its time.
    pub is_revoked: bool,
}

/// The store cannot be asked now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountsUnavailable {
    /// Why, in the words in which tools say it too.
    pub reason: ForgeReason,
}

/// Where sessions are kept and standing is known. Methods may block their thread.
pub trait Accounts: Send + Sync {
    /// The session of this token, whether or not it still counts.
    ///
    /// # Errors
    /// When the store cannot be asked.
    fn session(&self, token: &TokenHash) -> Result<Option<StoredSession>, AccountsUnavailable>;

    /// Whether `login` owns this known repository or authored a pull request there as one of its maintainers.
    ///
    /// # Errors
    /// When the store cannot be asked.
    fn maintains(&self, login: &str, repository: &str) -> Result<bool, AccountsUnavailable>;

    /// Whether there is a repository that `login` maintains.
    ///
    /// # Errors
    /// When the store cannot be asked.
    fn maintains_any(&self, login: &str) -> Result<bool, AccountsUnavailable>;
}
