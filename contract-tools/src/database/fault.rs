//! Why a database cannot be read: what SQLite says, in the few words that matter to whoever asked.

use rusqlite::{Error, ErrorCode, ffi};

/// Why it cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Its writer holds it.
    Busy,
    /// Reading was given up, since reading on would hold its writer up, or take without an end.
    TookTooLong,
    /// It is damaged.
    Corrupt,
    /// The file is something else.
    NotADatabase,
    /// It has not what was asked for.
    WrongSchema,
    /// What stands at its place, or where SQLite's own files beside it belong, is no regular file.
    NotAFile,
    /// The file may not be read.
    Unreadable,
    /// It wants its own writer first, which was interrupted.
    Interrupted,
}

impl Fault {
    /// What an error of SQLite means for a reader.
    pub(crate) fn of(error: &Error) -> Self {
        let Error::SqliteFailure(failure, _) = error else { return Self::WrongSchema };
        match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => Self::Busy,
            ErrorCode::OperationInterrupted => Self::TookTooLong,
            ErrorCode::DatabaseCorrupt | ErrorCode::TooBig | ErrorCode::TypeMismatch => Self::Corrupt,
            ErrorCode::NotADatabase => Self::NotADatabase,
            ErrorCode::ReadOnly => Self::Interrupted,
            ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied => {
                Self::Unreadable
            }
            // A file that ends too early.
            ErrorCode::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_SHORT_READ => Self::Corrupt,
            ErrorCode::SystemIoFailure => Self::Unreadable,
            _ => Self::WrongSchema,
        }
    }
}
