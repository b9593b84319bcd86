//! Why a store cannot be read: one reason per class, in fixed words. Nothing that SQLite says, no path and no row leaves.

use contract_core::ToolError;

use super::stores::Store;
use crate::database::Fault;

contract_core::vocabulary! {
    /// Why a store cannot be read.
    pub enum StoreReason: "store reason" {
        /// Its writer holds it.
        Busy = "busy",
        /// It is damaged.
        Corrupt = "corrupt",
        /// The file is something else.
        NotADatabase = "not_a_database",
        /// It is a database without the table or the columns that belong there.
        WrongSchema = "wrong_schema",
        /// A newer program wrote it.
        TooNew = "too_new",
        /// What stands at its place, or where SQLite's own files beside it belong, is no regular file: a directory, a pipe, a
        /// link to nothing.
        NotAFile = "not_a_file",
        /// The file is there and may not be read, or not without changing it.
        Unreadable = "unreadable",
    }
}

/// A store that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError {
    /// Which one.
    pub store: Store,
    /// Why.
    pub reason: StoreReason,
    /// The version that was found and the newest that is known, when that is the reason.
    pub versions: Option<(i64, i64)>,
    /// It wants its own writer first, which was interrupted.
    pub is_interrupted: bool,
    /// It was given up, since reading on would hold its writer up.
    pub took_too_long: bool,
}

impl StoreError {
    pub(super) fn new(store: Store, reason: StoreReason) -> Self {
        Self { store, reason, versions: None, is_interrupted: false, took_too_long: false }
    }

    /// What a fault of a database means for whoever reads a store.
    pub(super) fn because(store: Store, fault: Fault) -> Self {
        let reason = match fault {
            Fault::Busy | Fault::TookTooLong => StoreReason::Busy,
            Fault::Corrupt => StoreReason::Corrupt,
            Fault::NotADatabase => StoreReason::NotADatabase,
            Fault::WrongSchema => StoreReason::WrongSchema,
            Fault::NotAFile => StoreReason::NotAFile,
            Fault::Unreadable | Fault::Interrupted => StoreReason::Unreadable,
        };
        let (is_interrupted, took_too_long) = (fault == Fault::Interrupted, fault == Fault::TookTooLong);
        Self { is_interrupted, took_too_long, ..Self::new(store, reason) }
    }

    /// What an error of SQLite means for a reader.
    pub(super) fn of(store: Store, error: &rusqlite::Error) -> Self {
        Self::because(store, Fault::of(error))
    }

    /// What is wrong and what to do about it.
    pub fn message(&self) -> String {
        let name = self.store.name();
        match self.reason {
            StoreReason::Busy if self.took_too_long => {
                format!("the store {name} holds more than can be read at once without holding its writer up")
            }
            StoreReason::Busy => format!("the store {name} is busy: its writer holds it; try again"),
            StoreReason::Corrupt => format!("the store {name} is damaged; restore it from a copy"),
            StoreReason::NotADatabase => format!("the file of the store {name} is no SQLite database; check its path"),
            StoreReason::WrongSchema => {
                format!("the store {name} has not the tables that belong there; check its path")
            }
            StoreReason::TooNew => match self.versions {
                Some((found, supported)) => format!(
                    "the store {name} has version {found} and this program reads up to {supported}; update this program"
                ),
                None => format!("the store {name} was written by a newer program; update this program"),
            },
            StoreReason::NotAFile => format!(
                "what stands at the place of the store {name}, or beside it under its name, is no regular file; check its path"
            ),
            StoreReason::Unreadable if self.is_interrupted => {
                format!(
                    "the writer of the store {name} was interrupted; start the miner once, so that it puts it right"
                )
            }
            StoreReason::Unreadable => format!("the store {name} cannot be read; check the permissions on its path"),
        }
    }
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        if error.took_too_long {
            return Self::timeout(error.message());
        }
        Self::store_unavailable(error.message()).with_reason(error.reason)
    }
}
