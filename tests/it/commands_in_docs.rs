//! Every command that the documents show is one that the program understands.

use std::fs;
use std::process::Command;

use contract_tests::workspace::{files, root};

use crate::wire::BINARY;

/// The commands of the program in the shell blocks of a document, without its name.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let mut is_shell = false;
    for line in text.lines() {
        let line = line.trim();
        if let Some(language) = line.strip_prefix("```") {
            is_shell = !is_shell && matches!(language, "sh" | "bash" | "console");
        } else if is_shell {
            let line = line.strip_prefix("$ ").unwrap_or(line);
            let call = ["loopover ", "cargo run --bin loopover -- "].iter().find_map(|name| line.strip_prefix(name));
            // What a shell would do with the rest of a line is the shell's.
            let call = call.map(|call| call.split(['|', '>', '<', '&', ';', '#']).next().unwrap_or_default());
            commands.extend(call.map(|call| call.split_whitespace().map(str::to_owned).collect()));
        }
    }
    commands
}

#[test]
fn every_command_in_the_documents_is_understood() {
    let root = root();
    let mut documents = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    documents.extend(files(&root.join("docs"), ".md"));
    let mut seen = 0;
    let mut wrong = Vec::new();
    for document in documents {
        for command in commands(&fs::read_to_string(&document).unwrap()) {
            seen += 1;
            // Help is answered by whoever is named, after every word before it was understood.
            let words = command.iter().map(|word| word.trim_matches(['\'', '"', '\\']));
            let output = Command::new(BINARY).args(words).arg("--help").output().unwrap();
            if !output.status.success() {
                wrong.push(format!("{}: {command:?}: {}", document.display(), String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    assert!(seen > 5, "only {seen} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
