//! `tests/cases.md` names tests, files and laws that are there: a row whose test was renamed or taken away is found.

use std::fs;
use std::path::PathBuf;

use contract_core::testing::Law;
use contract_tests::workspace::{files, root};

/// The row's last cell, and its case.
fn rows(text: &str) -> Vec<(&str, &str)> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    cells
        .filter(|cells| cells[0] != "case" && cells[0] != "---")
        .map(|cells| (cells[0], cells[cells.len() - 1]))
        .collect()
}

/// `a::{b,c}` as `a::b` and `a::c`.
fn spread(code: &str) -> Vec<String> {
    match code.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?))) {
        Some((head, (list, tail))) => list.split(',').map(|one| format!("{head}{}{tail}", one.trim())).collect(),
        None => vec![code.to_owned()],
    }
}

/// The sources of a module of `tests/it`, the whole folder for a folder.
fn module(path: &str) -> Option<String> {
    let place = root().join("tests/it").join(path.replace("::", "/"));
    let file = PathBuf::from(format!("{}.rs", place.display()));
    let sources = if place.is_dir() { files(&place, ".rs") } else { vec![file] };
    sources.into_iter().map(|file| fs::read_to_string(file).ok()).collect()
}

/// Whether a text has a test whose name is this, or fits where dots stand for the rest.
fn has_test(text: &str, name: &str) -> bool {
    let tests = text.split("#[test]").skip(1).filter_map(|rest| {
        let name = rest.split_once("fn ")?.1;
        name.split_once('(').map(|(name, _)| name)
    });
    let (start, end) = name.split_once('…').unwrap_or((name, ""));
    let is_whole = !name.contains('…');
    tests.into_iter().any(|test| if is_whole { test == name } else { test.starts_with(start) && test.ends_with(end) })
}

/// What a word of code names; nothing where it names none of ours.
enum Named {
    Found,
    Missing,
    Nothing,
}

fn look(code: &str, source: &mut String) -> Named {
    let found = |is_there| if is_there { Named::Found } else { Named::Missing };
    let is_path = ["ui/", "tests/", "contract-", ".ci/"].iter().any(|start| code.starts_with(start));
    if is_path {
        let place = if code.starts_with("ui/") { format!("tests/{code}") } else { code.to_owned() };
        let file = root().join(&place);
        let file = if file.exists() { file } else { PathBuf::from(format!("{}.rs", file.display())) };
        if let Ok(text) = fs::read_to_string(&file) {
            *source = text;
        }
        return found(file.exists());
    }
    if let Some((path, name)) = code.rsplit_once("::") {
        // A module under its own name, or a test in one.
        return match (module(code), module(path)) {
            (Some(text), _) => {
                *source = text;
                Named::Found
            }
            (None, Some(text)) => {
                *source = text;
                found(has_test(source, name))
            }
            (None, None) => Named::Missing,
        };
    }
    if let Some(text) = module(code) {
        *source = text;
        return Named::Found;
    }
    // A test of what was named before.
    let is_name =
        code.contains('_') && code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_…".contains(c));
    if is_name { found(has_test(source, code)) } else { Named::Nothing }
}

#[test]
fn every_case_names_tests_that_are_there() {
    let text = fs::read_to_string(root().join("tests/cases.md")).unwrap();
    let rows = rows(&text);
    assert!(rows.len() > 100, "only {} rows", rows.len());
    let mut wrong = Vec::new();
    for (case, cell) in rows {
        let mut source = String::new();
        let mut found = 0;
        let mut is_law = false;
        for (index, part) in cell.split('`').enumerate() {
            if index % 2 == 0 {
                is_law = part.ends_with("law ");
                continue;
            }
            if is_law {
                found += 1;
                if !Law::WORDS.contains(&part) {
                    wrong.push(format!("{case}: no law is called `{part}`"));
                }
                continue;
            }
            for one in spread(part) {
                match look(&one, &mut source) {
                    Named::Found => found += 1,
                    Named::Missing => wrong.push(format!("{case}: `{one}` is not there")),
                    Named::Nothing => {}
                }
            }
        }
        if found == 0 && !cell.contains("the same test") {
            wrong.push(format!("{case}: names no test"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
