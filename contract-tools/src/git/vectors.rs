//! Reads the golden facts that unit tests of this module compare with.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

/// Every fact of one file.
pub(super) fn read(name: &str) -> Vec<Value> {
    let folder = std::env::var_os("LOOPOVER_VECTORS").map_or_else(|| "/work/shared/vectors".into(), PathBuf::from);
    let text = fs::read_to_string(folder.join(name).with_extension("jsonl")).expect("the golden facts are readable");
    let facts: Vec<Value> =
        text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(!facts.is_empty(), "{name} holds no facts");
    facts
}
