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
/// Records and findings, for the runners of engines.
mod engine_input;
/// The parts of a repository's context.
mod repository_context;
/// Duplicate work, and whether a pull request is ready for review.
mod review;
/// The gate's rules one by one.
mod gate;
/// What is planned, and what the gate would say to it.
mod preflight;

use contract_tests::vectors::Runner;

pub(crate) use world::World;

/// Every runner; a file without one is listed under `[[not_built]]`.
pub(crate) const RUNNERS: [Runner<World>; 19] = [
    Runner { file: "cli-config", answer: configuration::cli_config },
    Runner { file: "collision_report", answer: review::collision_report_runner },
    Runner { file: "config_quality", answer: repository_context::config_quality_runner },
    Runner { file: "contract-registry", answer: registry::contract_registry },
    Runner { file: "data_quality", answer: repository_context::data_quality_runner },
    Runner { file: "gate_bounty_lifecycle", answer: gate::bounty_lifecycle },
    Runner { file: "gate_calibration", answer: gate::calibration },
    Runner { file: "gate_evaluate", answer: gate::evaluation },
    Runner { file: "gate_issue_quality", answer: gate::quality },
    Runner { file: "gate_readiness_score", answer: gate::readiness_score },
    Runner { file: "git-remote", answer: local_git::git_remote },
    Runner { file: "lane_advice", answer: repository_context::lane_advice_runner },
    Runner { file: "linked-issues", answer: local_git::linked_issues },
    Runner { file: "local-status", answer: local_git::local_status },
    Runner { file: "predict_gate", answer: preflight::predicted },
    Runner { file: "preflight_pr", answer: preflight::preflight_pr },
    Runner { file: "queue_health", answer: repository_context::queue_health_runner },
    Runner { file: "queue_trends", answer: repository_context::queue_trends_runner },
    Runner { file: "reviewability", answer: review::reviewability_runner },
];
