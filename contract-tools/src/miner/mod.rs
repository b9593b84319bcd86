//! Reads the stores that a miner keeps on this machine, and writes nothing: not a byte, a directory, a time stamp, nor a lock
//! that its writer would feel for longer than one short read.
//!
//! [`home`] says where the stores are, `database` opens one, [`read`] has a file per store that turns rows into records,
//! and [`rules`] makes answers of records without knowing where those came from.

pub mod home;
pub mod stores;
mod error;
mod database;
mod row;
mod retention;
pub mod read;
pub mod rules;
pub mod status;
pub mod demo;

pub use error::{StoreError, StoreReason};
pub use home::MinerHome;
pub use stores::Store;

/// How long a store that its writer holds is waited for.
pub const BUSY_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(2);

/// The host that rows of older stores belong to.
pub const DEFAULT_HOST: &str = "https://api.github.com";

/// The largest whole number that JSON carries exactly everywhere.
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;
