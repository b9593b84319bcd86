//! Releases of public MCP servers, as each listed its tools: consecutive ones compared, the reports kept.
//!
//! `tests/fixtures/tool-lists/NAME@VERSION.json` is the `tools/list` of that release from npm or PyPI, taken once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use contract_core::evolution::{AnyMetadata, Direction, ToolList, Verdict, compare};
use contract_core::serde_json::{self, Value, json};
use expect_test::expect_file;

use crate::wire::BINARY;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tool-lists")
}

/// The releases of each server, oldest first.
fn releases() -> BTreeMap<String, Vec<PathBuf>> {
    let mut releases: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in fs::read_dir(directory()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.file_stem().unwrap().to_str().unwrap().split_once('@').unwrap().0.to_owned();
            releases.entry(name).or_default().push(path);
        }
    }
    for paths in releases.values_mut() {
        paths.sort_by_cached_key(|path| {
            version(path).split('.').map(|part| part.parse().unwrap()).collect::<Vec<u32>>()
        });
    }
    releases
}

fn version(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().split_once('@').unwrap().1.to_owned()
}

#[test]
fn consecutive_releases_are_compared_as_their_committed_reports_say() {
    for (name, paths) in releases() {
        let mut reports = String::new();
        for pair in paths.windows(2) {
            let output = Command::new(BINARY).args(["contract", "diff"]).args(pair).output().unwrap();
            let (said, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
            assert!(output.status.code() != Some(2), "{name}: {told}");
            let (old, new) = (version(&pair[0]), version(&pair[1]));
            let code = output.status.code().unwrap();
            reports.extend([format!("# {name} {old} -> {new}: exit {code}\n"), said, "\n".to_owned()]);
        }
        expect_file![directory().join(format!("{name}.txt"))].assert_eq(&reports);
    }
}

#[test]
fn every_witness_of_a_history_holds_and_little_is_undecided() {
    let (mut total, mut undecided) = (0, 0);
    let mut witnesses = Vec::new();
    for paths in releases().values() {
        for pair in paths.windows(2) {
            let [old, new] = [&pair[0], &pair[1]].map(|path| {
                let document: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
                ToolList::read(&document).unwrap()
            });
            for change in compare(&old, &new, &AnyMetadata).changes {
                total += 1;
                undecided += usize::from(change.verdict == Verdict::Undecided);
                let (Some(witness), Some(direction)) = (change.witness, change.direction) else { continue };
                let member = if direction == Direction::Input { "inputSchema" } else { "outputSchema" };
                let schema = |list: &ToolList| {
                    list.tools()
                        .iter()
                        .find(|tool| tool["name"] == change.tool.as_str())
                        .and_then(|tool| tool.get(member))
                        .cloned()
                };
                let (Some(before), Some(after)) = (schema(&old), schema(&new)) else { continue };
                let (narrow, wide) = if direction == Direction::Input { (&before, &after) } else { (&after, &before) };
                let judge = |schema: &Value| jsonschema::options().should_validate_formats(true).build(schema).unwrap();
                assert!(
                    judge(narrow).is_valid(&witness) && !judge(wide).is_valid(&witness),
                    "{}: {witness}",
                    change.tool
                );
                witnesses
                    .push(json!({ "direction": direction.as_str(), "old": before, "new": after, "witness": witness }));
            }
        }
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("histories.json");
    fs::write(file, serde_json::to_string(&witnesses).unwrap()).unwrap();
    assert!(!witnesses.is_empty() && undecided * 20 < total, "{undecided} of {total} are undecided");
}
