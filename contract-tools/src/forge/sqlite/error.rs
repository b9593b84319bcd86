//! What SQLite's errors mean for somebody who uses the store.

use rusqlite::{ErrorCode, ffi};

use crate::forge::{ForgeError, ForgeReason};

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` takes")]
pub(super) fn fault(error: rusqlite::Error) -> ForgeError {
    ForgeError::new(reason(&error))
}

fn reason(error: &rusqlite::Error) -> ForgeReason {
    let rusqlite::Error::SqliteFailure(failure, _) = error else {
        // A cell that is not what its column promises, or a statement that fits no table of ours.
        return ForgeReason::Corrupt;
    };
    match failure.code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed
        // A reading that was given up, since it held a writer up.
        | ErrorCode::OperationInterrupted
        | ErrorCode::SchemaChanged => ForgeReason::Busy,
        ErrorCode::NotADatabase => ForgeReason::NotADatabase,
        ErrorCode::DiskFull => ForgeReason::Full,
        ErrorCode::ReadOnly => ForgeReason::ReadOnly,
        ErrorCode::SystemIoFailure => match failure.extended_code {
            ffi::SQLITE_IOERR_SHORT_READ => ForgeReason::Corrupt,
            // What a full device says depends on which of the files beside the store cannot grow.
            ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE | ffi::SQLITE_IOERR_TRUNCATE => ForgeReason::Full,
            _ => ForgeReason::Unreadable,
        },
        ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied => {
            ForgeReason::Unreadable
        }
        ErrorCode::Unknown => ForgeReason::WrongSchema,
        _ => ForgeReason::Corrupt,
    }
}
