//! The generated reference is that of this program, and what it shows is true.

use std::collections::BTreeMap;
use std::fs;

use contract_core::loopover::NAME_PREFIX;
use contract_core::{Registry, ToolDefinition, ToolFilter};
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

#[test]
fn every_tool_has_an_answer_that_fits_and_a_handle_that_is_there() {
    let registry = Registry::collect().unwrap();
    for tool in loopover(&registry) {
        let schema = serde_json::Value::Object(tool.output_schema().clone());
        let judge = jsonschema::draft202012::options().should_validate_formats(true).build(&schema).unwrap();
        let answer = tool.example_answer().unwrap_or_else(|| panic!("{} has no example answer", tool.name()));
        assert!(judge.is_valid(&answer), "{}: {answer}", tool.name());
        let source = fs::read_to_string(root().join(tool.source().file)).unwrap();
        assert!(
            source.contains(&format!("fn {}(", tool.name())),
            "the handle of {} is named after its function",
            tool.name()
        );
    }
}
