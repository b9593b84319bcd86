//! The variables of the environment that are documented are those that the program reads.

use std::collections::BTreeSet;
use std::fs;

use contract_tests::workspace::{files, root};

/// How our own variables begin.
const FAMILIES: [&str; 6] = ["LOOPOVER_", "MINER_", "MCP_READ_", "ADMIN_", "INTERNAL_", "GITHUB_TOKEN"];

/// One for each of the miner's stores; the page names them together.
const STORES: &str = "LOOPOVER_MINER_…_DB";

fn is_ours(name: &str) -> bool {
    let is_name = name.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'));
    is_name && !name.ends_with('_') && FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Every name that stands as a string of its own in the sources, tests left out.
fn read_by_the_program() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files(&root().join("contract-tools/src"), ".rs") {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        names.extend(code.split('"').filter(|name| is_ours(name)).map(|name| {
            let is_store = name.starts_with("LOOPOVER_MINER_") && name.ends_with("_DB");
            if is_store { STORES } else { name }.to_owned()
        }));
    }
    names
}

#[test]
fn the_variables_in_operations_are_those_that_the_program_reads() {
    let page = fs::read_to_string(root().join("docs/operations.md")).unwrap();
    let table = page.split("\n## Variables\n").nth(1).expect("a heading `Variables`");
    let cells = table.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let named = cells.flat_map(|cell| cell.split('`')).filter(|name| *name == STORES || is_ours(name));
    let documented: BTreeSet<String> = named.map(str::to_owned).collect();
    assert_eq!(documented, read_by_the_program());
}
