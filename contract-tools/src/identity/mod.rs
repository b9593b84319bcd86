//! Who is calling, and what that lets them do: credentials to identities, and the policy that judges them.
//!
//! Everything is denied that no rule here allows. A secret is kept as its SHA-256 and compared in constant time; nothing
//! here prints one. The level of a tool decides whether a caller sees and enters it; the scope, which the arguments name,
//! decides about the repository and the login.

mod bearer;
mod secret;
mod lists;
mod settings;
mod who;
mod accounts;
mod forge_accounts;
mod authenticator;
mod scope;
mod limits;
mod policy;

pub use self::accounts::{Accounts, AccountsUnavailable, StoredSession};
pub use self::authenticator::{Authenticator, Refusal};
pub use self::bearer::bearer_token;
pub use self::forge_accounts::ForgeAccounts;
pub use self::limits::{Limit, RateLimits, limit_of};
pub use self::lists::{Allowlist, Operators, is_on, logins, user_ids};
pub use self::policy::{Policy, Reach};
pub use self::scope::Scope;
pub use self::secret::{SESSION_LIFETIME, SessionToken, TokenHash, same_secret};
pub use self::settings::Settings;
pub use self::who::{Identity, SessionIdentity, StaticActor};
