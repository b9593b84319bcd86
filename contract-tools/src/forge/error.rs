//! Why the store cannot be used: one reason per class, in fixed words. Nothing that the database says, no path and no row
//! leaves.

use std::fmt;

use contract_core::ToolError;

use crate::database::Fault;

contract_core::vocabulary! {
    /// Why the store cannot be used.
    pub enum ForgeReason: "store reason" {
        /// There is none at its place.
        Missing = "missing",
        /// Somebody else writes to it, for longer than we wait.
        Busy = "busy",
        /// It is damaged.
        Corrupt = "corrupt",
        /// The file is something else.
        NotADatabase = "not_a_database",
        /// It is a database, but another program's.
        WrongSchema = "wrong_schema",
        /// A newer program wrote it.
        TooNew = "too_new",
        /// What stands at its place, or where SQLite's own files beside it belong, is no regular file: a directory, a pipe, a
        /// link to nothing.
        NotAFile = "not_a_file",
        /// The file may not be opened, or a device fails.
        Unreadable = "unreadable",
        /// It may be read and not written.
        ReadOnly = "read_only",
        /// There is no room left for what should be written; only writing says this.
        Full = "full",
    }
}

/// The store cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeError {
    /// Why.
    pub reason: ForgeReason,
    /// The version that was found and the newest that is known, when that is the reason.
    pub versions: Option<(i64, i64)>,
    /// It wants its own writer first, which was interrupted.
    pub is_interrupted: bool,
}

impl ForgeError {
    pub(super) fn new(reason: ForgeReason) -> Self {
        Self { reason, versions: None, is_interrupted: false }
    }

    pub(super) fn too_new(found: i64, known: i64) -> Self {
        Self { versions: Some((found, known)), ..Self::new(ForgeReason::TooNew) }
    }
}

impl fmt::Display for ForgeError {
    /// What is wrong and what to do about it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self.reason {
            ForgeReason::Missing => {
                "there is no forge store at its place; `loopover import` and `loopover sync` make it"
            }
            ForgeReason::Busy => "the forge store is busy: another program writes to it; try again",
            ForgeReason::Corrupt => "the forge store is damaged; restore it from a copy, or import into a new one",
            ForgeReason::NotADatabase => "the file of the forge store is no SQLite database; check its path",
            ForgeReason::WrongSchema => "the file of the forge store is another program's database; check its path",
            ForgeReason::TooNew => match self.versions {
                Some((found, known)) => {
                    return write!(
                        f,
                        "the forge store has version {found} and this program knows up to {known}; update this program"
                    );
                }
                None => "the forge store was written by a newer program; update this program",
            },
            ForgeReason::NotAFile => {
                "what stands at the place of the forge store, or beside it under its name, is no regular file; check its path"
            }
            ForgeReason::Unreadable if self.is_interrupted => {
                "what writes the forge store was interrupted; run `loopover import` or `loopover sync` once, which puts it right"
            }
            ForgeReason::Unreadable => "the forge store cannot be opened; check the permissions on its path",
            ForgeReason::ReadOnly => "the forge store may be read and not written; check the permissions on its path",
            ForgeReason::Full => {
                "there is no room left for the forge store, or a limit on the size of files is reached; what was committed is \
                 safe: make room, or raise `ulimit -f`, and do it again"
            }
        };
        f.write_str(message)
    }
}

impl std::error::Error for ForgeError {}

impl From<Fault> for ForgeError {
    fn from(fault: Fault) -> Self {
        let reason = match fault {
            Fault::Busy | Fault::TookTooLong => ForgeReason::Busy,
            Fault::Corrupt => ForgeReason::Corrupt,
            Fault::NotADatabase => ForgeReason::NotADatabase,
            Fault::WrongSchema => ForgeReason::WrongSchema,
            Fault::NotAFile => ForgeReason::NotAFile,
            Fault::Unreadable | Fault::Interrupted => ForgeReason::Unreadable,
        };
        Self { is_interrupted: fault == Fault::Interrupted, ..Self::new(reason) }
    }
}

impl From<ForgeError> for ToolError {
    fn from(error: ForgeError) -> Self {
        // The words that callers know say why a store cannot be read; the last two are those of whoever writes.
        let reason = match error.reason {
            ForgeReason::Full | ForgeReason::ReadOnly => ForgeReason::Unreadable,
            reason => reason,
        };
        Self::store_unavailable(error.to_string()).with_reason(reason)
    }
}
