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
/// A deployment's private configuration.
mod private_config;
/// What is told about each tool.
mod registry;
/// The miner's tools, asked through their server.
mod miner_tools;
/// The miner's rules, and its stores as they are made.
mod miner_rules;
/// The miner's rules again, asked through its server over stores that hold a vector's records.
mod miner_stores;
/// What two schemas have in common.
mod schemas;
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
/// The rules for words, references, paths, labels and checks.
mod engine_text;
/// The public manifest and what it configures.
mod engine_manifest;
/// Credentials and the gates that they open.
mod identity;

/// The remote tools, asked at the command line.
mod remote_tools;

/// What single fixes make of expectations.
mod effects;

use contract_tests::vectors::Runner;

pub(crate) use effects::EFFECTS;

pub(crate) use world::World;

/// Every runner; a file without one is listed under `[[not_built]]`.
pub(crate) const RUNNERS: &[Runner<World>] = &[
    Runner { file: "admin-get-config", answer: remote_tools::admin_get_config },
    Runner { file: "audit-feed", answer: miner_tools::audit_feed },
    Runner { file: "auth-gates", answer: identity::auth_gates },
    Runner { file: "auth-identity", answer: identity::auth_identity },
    Runner { file: "auth-primitives", answer: identity::auth_primitives },
    Runner { file: "calibration-ledger-join", answer: miner_stores::calibration_ledger_join },
    Runner { file: "calibration-report", answer: miner_stores::calibration_report },
    Runner { file: "cli-config", answer: configuration::cli_config },
    Runner { file: "collision_report", answer: review::collision_report_runner },
    Runner { file: "config-candidates", answer: private_config::candidates },
    Runner { file: "config-effective", answer: private_config::effective },
    Runner { file: "config-overlay", answer: private_config::overlaid },
    Runner { file: "config_quality", answer: repository_context::config_quality_runner },
    Runner { file: "contract-registry", answer: registry::contract_registry },
    Runner { file: "data_quality", answer: repository_context::data_quality_runner },
    Runner { file: "failing_check", answer: engine_text::failing_check },
    Runner { file: "gate_bounty_lifecycle", answer: gate::bounty_lifecycle },
    Runner { file: "gate_calibration", answer: gate::calibration },
    Runner { file: "gate_cla_check", answer: engine_manifest::gate_cla_check },
    Runner { file: "gate_contract_bounds", answer: remote_tools::gate_contract_bounds },
    Runner { file: "gate_evaluate", answer: gate::evaluation },
    Runner { file: "gate_guardrail_match", answer: engine_manifest::gate_guardrail_match },
    Runner { file: "gate_issue_quality", answer: gate::quality },
    Runner { file: "gate_linked_issue_refs", answer: engine_text::gate_linked_issue_refs },
    Runner { file: "gate_manifest_parse", answer: engine_manifest::gate_manifest_parse },
    Runner { file: "gate_manifest_path_match", answer: engine_manifest::gate_manifest_path_match },
    Runner { file: "gate_no_issue_rationale", answer: engine_text::gate_no_issue_rationale },
    Runner { file: "gate_path_class", answer: engine_text::gate_path_class },
    Runner { file: "gate_premerge_checks", answer: engine_manifest::gate_premerge_checks },
    Runner { file: "gate_public_safe", answer: engine_text::gate_public_safe },
    Runner { file: "gate_readiness_score", answer: gate::readiness_score },
    Runner { file: "gate_text_redaction", answer: engine_text::gate_text_redaction },
    Runner { file: "gate_validation_note", answer: engine_text::gate_validation_note },
    Runner { file: "git-remote", answer: local_git::git_remote },
    Runner { file: "label_glob", answer: engine_text::label_glob },
    Runner { file: "lane_advice", answer: repository_context::lane_advice_runner },
    Runner { file: "linked-issues", answer: local_git::linked_issues },
    Runner { file: "local-status", answer: local_git::local_status },
    Runner { file: "manage-status", answer: miner_stores::manage_status },
    Runner { file: "miner-backtest-proposals", answer: miner_rules::backtest_proposals },
    Runner { file: "miner-goal-spec", answer: miner_rules::goal_spec },
    Runner { file: "miner-paths", answer: miner_rules::paths },
    Runner { file: "miner-plan-validate", answer: miner_stores::plan_validate },
    Runner { file: "miner-repo-name", answer: miner_rules::repo_name },
    Runner { file: "miner-store-schema", answer: miner_tools::store_schema },
    Runner { file: "miner-tools", answer: miner_tools::miner_tools },
    Runner { file: "miner-tools-list", answer: miner_tools::miner_tools_list },
    Runner { file: "path_classes", answer: engine_text::path_classes },
    Runner { file: "portfolio-dashboard", answer: miner_stores::portfolio_dashboard },
    Runner { file: "predict_gate", answer: preflight::predicted },
    Runner { file: "preflight_pr", answer: preflight::preflight_pr },
    Runner { file: "queue_health", answer: repository_context::queue_health_runner },
    Runner { file: "queue_trends", answer: repository_context::queue_trends_runner },
    Runner { file: "reviewability", answer: review::reviewability_runner },
    Runner { file: "tokenize", answer: engine_text::tokenize },
];
