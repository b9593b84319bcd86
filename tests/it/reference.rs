//! The generated reference is that of this program, and what it shows is true.

use std::collections::BTreeMap;
use std::fs;

use contract_core::loopover::NAME_PREFIX;
use contract_core::{ContractTool, Registry, ToolDefinition, ToolFilter};
use contract_tests::workspace::root;
use contract_tools::contract::reference;

/// The program's own tools: this binary links those of other tests as well.
fn loopover(registry: &Registry) -> Vec<&ToolDefinition> {
    let all = registry.list_tool_definitions(&ToolFilter::new());
    all.into_iter().filter(|tool| tool.name().starts_with(NAME_PREFIX)).collect()
}

#[test]
fn the_committed_pages_are_fresh() {
    let registry = Registry::collect().unwrap();
    let pages = reference::pages(&loopover(&registry));
    let directory = root().join("docs/reference");
    let committed: BTreeMap<String, String> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .collect();
    let stale: Vec<&String> = pages
        .iter()
        .filter(|(name, page)| committed.get(*name) != Some(*page))
        .map(|(name, _)| name)
        .chain(committed.keys().filter(|name| !pages.contains_key(*name)))
        .collect();
    assert!(stale.is_empty(), "{stale:?} are stale; renew them with `{}`", reference::RENEW);
}

/// Handles by their paths; one that is not there does not compile.
macro_rules! handles {
    ($($handle:path,)*) => { [$((<$handle as ContractTool>::NAME, stringify!($handle))),*] };
}

#[test]
fn every_page_names_a_handle_that_is_there() {
    let handles = handles![
        contract_tools::tools::admin::LoopoverAdminGetConfig,
        contract_tools::tools::discovery::LoopoverPreflightPr,
        contract_tools::tools::local_git::LoopoverLocalStatusStructured,
        contract_tools::tools::miner_calibration::LoopoverMinerGetCalibrationReport,
        contract_tools::tools::miner_ledgers::LoopoverMinerGetAuditFeed,
        contract_tools::tools::miner_ledgers::LoopoverMinerGetGovernorDecisions,
        contract_tools::tools::miner_ledgers::LoopoverMinerListClaims,
        contract_tools::tools::miner_plans::LoopoverMinerGetPlan,
        contract_tools::tools::miner_plans::LoopoverMinerListPlans,
        contract_tools::tools::miner_portfolio::LoopoverMinerGetManageStatus,
        contract_tools::tools::miner_portfolio::LoopoverMinerGetPortfolioDashboard,
        contract_tools::tools::miner_portfolio::LoopoverMinerGetRunState,
        contract_tools::tools::miner_status::LoopoverMinerPing,
        contract_tools::tools::miner_status::LoopoverMinerStatus,
        contract_tools::tools::repository_context::LoopoverGetRepoContext,
        contract_tools::tools::review::LoopoverGetPrReviewability,
        contract_tools::tools::review::LoopoverPredictGate,
    ];
    let registry = Registry::collect().unwrap();
    let pages = reference::pages(&loopover(&registry));
    for tool in loopover(&registry) {
        let page = &pages[&format!("{}.md", tool.name())];
        let told = page.split("## In Rust\n\n`").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
        let known = handles.iter().find(|(name, _)| *name == tool.name());
        let (_, path) = known.unwrap_or_else(|| panic!("name the handle of {} here", tool.name()));
        assert_eq!(path.replace(' ', ""), told);
    }
}

#[test]
fn every_tool_has_an_answer_that_fits() {
    let registry = Registry::collect().unwrap();
    for tool in loopover(&registry) {
        let schema = serde_json::Value::Object(tool.output_schema().clone());
        let judge = jsonschema::draft202012::options().should_validate_formats(true).build(&schema).unwrap();
        let answer = tool.example_answer().unwrap_or_else(|| panic!("{} has no example answer", tool.name()));
        assert!(judge.is_valid(&answer), "{}: {answer}", tool.name());
        assert_eq!(Some(&answer), tool.example_answer().as_ref(), "{} answers alike each time", tool.name());
        let plain = plain_texts(&answer);
        assert!(plain.is_empty(), "{} answers with {plain:?}, which nobody takes for an answer", tool.name());
    }
}

/// The texts in `value` that are one character, however often.
fn plain_texts(value: &serde_json::Value) -> Vec<&str> {
    match value {
        serde_json::Value::String(text) => {
            let first = text.chars().next();
            Vec::from_iter(text.chars().all(|character| Some(character) == first).then_some(text.as_str()))
        }
        serde_json::Value::Array(items) => items.iter().flat_map(plain_texts).collect(),
        serde_json::Value::Object(members) => members.values().flat_map(plain_texts).collect(),
        _ => Vec::new(),
    }
}
