//! What a miner is made of on this machine, and whether it is in order. No value of a variable is in any of it.

mod driver;
mod doctor;
mod integrity;

pub use doctor::{Check, checks};
pub use driver::{Driver, Provider, program_path};

use std::path::{Path, PathBuf};

use super::MinerHome;

/// Where a repository says what a miner may do there.
const GOAL_FILES: [&str; 4] =
    [".loopover-miner.yml", ".github/loopover-miner.yml", ".loopover-miner.json", ".github/loopover-miner.json"];

/// The version that the miner's own variable says, else this program's.
pub fn version(home: &MinerHome) -> String {
    home.text("LOOPOVER_MINER_VERSION").unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned())
}

/// The goal file of the directory that the process stands in.
pub fn goal_file(home: &MinerHome) -> Option<PathBuf> {
    GOAL_FILES.iter().map(|name| home.absolute(Path::new(name))).find(|path| path.exists())
}
