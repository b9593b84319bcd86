//! The forge store and the way in for files, through the real program.

/// GitHub's records, made up in the shapes that it sends.
pub(crate) mod records;
/// `loopover import`: what it says, and its exit codes.
mod command;
/// The same deliveries in any order, any number of times.
mod deliveries;
/// A process that is killed at any moment.
mod killed;
/// A device without room, and limits on files.
mod room;
/// Somebody else's store.
pub(crate) mod permissions;
/// What claims to come from the future.
mod future;
/// Files larger than memory should be.
mod stream;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use crate::wire::BINARY;

/// 2026-07-01T00:00:00Z, at which every file is taken here.
const NOW: u64 = 1_782_864_000;

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(NOW)
}

/// An import into a store, with nothing of this process's environment that could matter.
pub(crate) fn import(store: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.args(["--now", &NOW.to_string(), "import"]).arg("--store").arg(store).stdin(Stdio::null());
    command.env_remove("LOOPOVER_STORE");
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A small generator of numbers (`SplitMix64`), so that a failure can be had again by its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, usize::try_from(other).expect("an index"));
        }
    }
}
