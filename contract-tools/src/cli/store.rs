//! `--store`: which forge store a command means.

use std::ffi::OsString;

use clap::Args;

use super::Failure;
use crate::forge::{self, ForgeError, Place, SharedForge};

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

    pub(crate) fn open(&self) -> Result<SharedForge, Failure> {
        Ok(forge::open(self.place()?.path())?)
    }

    /// The store, unless there is none, which is as good as an empty one and not made.
    pub(crate) fn open_existing(&self) -> Result<Option<SharedForge>, Failure> {
        Ok(self.existing()??)
    }

    /// The same, for who has words of their own for a store that cannot be used.
    pub(crate) fn existing(&self) -> Result<Result<Option<SharedForge>, ForgeError>, Failure> {
        Ok(forge::open_existing(self.place()?.path()))
    }
}
