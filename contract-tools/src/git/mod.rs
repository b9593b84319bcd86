//! Reads a git working tree that nobody vouches for: what changed, on which branch, compared with which base.
//!
//! The repository may belong to a stranger, so its configuration is data and never a program: no hook, filter, file
//! system monitor, text converter, diff driver, pager or credential helper of it runs, nothing goes to the network,
//! and nothing is written, not even a refreshed index. `command.rs` and `filters.rs` are the two places that keep
//! this promise; `child.rs` keeps the promise that git outlives neither its time limit, nor the wish for an answer, nor
//! this process, as far as it learns of its own end.
//!
//! Invariant: no decision hangs on git's messages. Standard error is thrown away, and what went wrong is found from
//! exit codes, from further questions and from the file system, so that neither a locale nor a new wording of git
//! changes an answer.
//!
//! Invariant: this module never reads the environment of the process; [`Surroundings`] carries what it may know.
//!
//! Known limits. Files that pass a filter (`git lfs`) and whose time stamps are stale are compared without it, so they
//! may be listed as modified. A repository with a split index has its shared index file's time stamp refreshed by
//! git itself on every read of any kind. Under `sudo` only repositories of root count as one's own. Files above 12 MiB
//! are listed but their lines are not counted. Submodules are looked into five deep.

mod error;
mod linked_issues;
mod model;
mod read;
mod remote;
mod roots;
mod stop;
mod surroundings;
mod workspace;

mod base;
mod changes;
mod child;
mod command;
mod diff_output;
mod discovery;
mod filters;
mod history;
mod narrative;
mod records;
mod repository;
mod submodules;
mod unread_files;

pub use base::LONGEST_REF;
pub use child::stop_all;
pub use error::{GitError, GitReason};
pub use linked_issues::linked_issue_numbers;
pub use model::{
    ChangeStatus, ChangeTotals, ChangedFile, CiStatusHint, CiStatusHintKind, Comparison, FileContents, FileKind,
    SubmoduleCheckout, SubmoduleState, WorkingTree,
};
pub use read::{Limits, ReadRequest, read};
pub use remote::{is_repository_name, repository_name_from_remote};
pub use roots::choose_directory;
pub use stop::StopWhen;
pub use surroundings::{CONFIGURATION, Surroundings};
pub use workspace::Workspace;
