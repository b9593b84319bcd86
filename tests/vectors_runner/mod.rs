//! Runners: for each file of vectors, how this program is asked what the original was asked.
//!
//! A runner answers in the form of its file's expectations. It translates and decides nothing: what differs on purpose is
//! listed in `deviations.toml` and nowhere else.

mod world;
mod process;
/// The git working tree and what is read out of its texts.
mod local_git;
/// The command line's configuration.
mod configuration;
/// What is told about each tool.
mod registry;

use contract_tests::vectors::Runner;

pub(crate) use world::World;

/// Every runner; a file without one is listed under `[[not_built]]`.
pub(crate) const RUNNERS: [Runner<World>; 5] = [
    Runner { file: "cli-config", answer: configuration::cli_config },
    Runner { file: "contract-registry", answer: registry::contract_registry },
    Runner { file: "git-remote", answer: local_git::git_remote },
    Runner { file: "linked-issues", answer: local_git::linked_issues },
    Runner { file: "local-status", answer: local_git::local_status },
];
