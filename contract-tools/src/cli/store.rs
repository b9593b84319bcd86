//! `--store`: which forge store a command means.

use std::ffi::OsString;

use clap::Args;

use super::Failure;
use crate::forge::{self, ForgeError, ForgeReason, Place, SharedForge, WritableForge};

/// Which store.
#[derive(Args)]
pub(crate) struct Store {
    /// Where the forge store is; by default as `LOOPOVER_STORE` says, else among this person's data
    #[arg(long = "store", value_name = "PATH")]
    place: Option<OsString>,
}

impl Store {
    fn place(&self) -> Result<Place, Failure> {
        Place::of_process(self.place.as_deref()).map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The store, to be written; made when there is none.
    pub(crate) fn open(&self) -> Result<WritableForge, Failure> {
        Ok(forge::open(self.place()?.path())?)
    }

    /// The store, to be written, unless there is none.
    pub(crate) fn open_existing(&self) -> Result<Option<WritableForge>, Failure> {
        Ok(forge::open_existing(self.place()?.path())?)
    }

    /// The store, to be read, whether or not it is there.
    pub(crate) fn reading(&self) -> Result<SharedForge, Failure> {
        Ok(forge::reading(self.place()?.path()))
    }

    /// The store, to be read, unless there is none; for who has words of their own for one that cannot be used.
    pub(crate) fn existing(&self) -> Result<Result<Option<SharedForge>, ForgeError>, Failure> {
        let forge = self.reading()?;
        Ok(match forge.read(|_| Ok(())) {
            Ok(()) => Ok(Some(forge)),
            Err(error) if error.reason == ForgeReason::Missing => Ok(None),
            Err(error) => Err(error),
        })
    }
}
