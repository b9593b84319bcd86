//! The miner's tools over real stores: what they answer, and that nobody else notices.

/// A state directory for one test, and what can be seen of it from outside.
pub(crate) mod state;
/// Nothing changes: no byte, no time stamp, no entry, whatever the writer is doing.
mod untouched;
/// Stores that cannot be read, each class with its reason.
mod faults;
/// Stores that are held, and for how long that is waited for.
mod locks;
/// Older and newer versions, and rows that are not as they should be.
mod shapes;
/// Large ledgers, a page at a time.
mod pages;
/// A writer that never rests.
mod restless;
/// A store that is replaced while it is read, or whose writer was killed.
mod replaced;
/// What never leaves.
mod privacy;
/// The server: which tools it has, how it starts, the demo.
mod server;
