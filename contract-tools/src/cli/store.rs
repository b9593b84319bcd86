//! `--store`: which forge store a command means.

use std::ffi::OsString;

use clap::Args;

use super::Failure;
use crate::forge::{self, ForgeReason, Place, SharedForge, WritableForge};

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

    /// The store, to be read, unless there is none.
    pub(crate) fn existing(&self) -> Result<Option<SharedForge>, Failure> {
        let forge = self.reading()?;
        match forge.read(|_| Ok(())) {
            Ok(()) => Ok(Some(forge)),
            Err(error) if error.reason == ForgeReason::Missing => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The store, to be read, where one is named or stands at its usual place. What is wrong with it is told by whoever reads.
    pub(crate) fn to_be_asked(&self) -> Result<Option<SharedForge>, Failure> {
        let forge = self.reading()?;
        let is_missing = || forge.read(|_| Ok(())).is_err_and(|error| error.reason == ForgeReason::Missing);
        Ok(if Place::is_named(self.place.as_deref()) || !is_missing() { Some(forge) } else { None })
    }
}
