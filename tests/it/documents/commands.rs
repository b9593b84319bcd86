//! Every command that the documents show runs as it is written, in the order of its document, and ends as it should.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use contract_tests::markdown::blocks;
use contract_tests::workspace::root;

use super::documents;
use super::machine::Machine;
use crate::wire::BINARY;

/// A first message to a server on stdin, which answers it and ends with its client.
const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"reader","version":"0"}}}
"#;

/// What is different from "it ends with 0 and says something".
enum How {
    /// It says this.
    Says(&'static str),
    /// It is a server on stdin and stdout, and answers.
    Answers,
    /// It runs with another text at a place, and says this.
    With(&'static str, Instead, &'static str),
    /// It is a server, which runs with another text at a place, says this when it is there, and ends when it is told to, with
    /// 143 for the signal.
    ServesWith(&'static str, &'static str, &'static str),
    /// It is not run here.
    Never(NotRun),
}

/// What stands at a place when a command runs here.
enum Instead {
    Text(&'static str),
    /// The option that names the GitHub of this machine, behind the text.
    GitHub,
    /// The address of a server on this machine.
    Server,
}

/// Why a command is not run here.
enum NotRun {
    /// It is a line of `.ci/run`, which runs this very test as well.
    Gate,
    /// It compiles, or is a measurement of what is tested by itself.
    Compiles,
}

/// The lines with something to say about them.
const LINES: [(&str, How); 23] = [
    (".ci/run", How::Never(NotRun::Compiles)),
    ("cargo fmt --all --check", How::Never(NotRun::Gate)),
    ("cargo clippy --workspace --all-targets -- -D warnings", How::Never(NotRun::Gate)),
    ("cargo test --workspace", How::Never(NotRun::Gate)),
    ("RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps", How::Never(NotRun::Gate)),
    ("cargo test -p contract-tests --test vectors", How::Never(NotRun::Compiles)),
    ("cargo test -p contract-tests --test vectors -- local-status", How::Never(NotRun::Compiles)),
    (
        "LOOPOVER_VECTORS=/some/vectors LOOPOVER_FIXTURES=/some/fixtures cargo test -p contract-tests --test vectors",
        How::Never(NotRun::Compiles),
    ),
    ("cargo test -p contract-tests --test it -- http::load --nocapture", How::Never(NotRun::Compiles)),
    ("cargo tree -p contract-core -e normal", How::Never(NotRun::Compiles)),
    ("cargo install --locked --path contract-tools", How::Never(NotRun::Compiles)),
    (
        "python3 tests/imports/stream.py 2147483648 | /usr/bin/time -v loopover import --store \"$(mktemp -d)/forge\" -",
        How::Never(NotRun::Compiles),
    ),
    // A port that the documents may name and a test may not take.
    (
        "cargo run --release --bin loopover -- serve --demo",
        How::ServesWith("--demo", "--demo --bind 127.0.0.1:0", "curl"),
    ),
    (
        "MINER_CODING_AGENT_PROVIDER=agent-sdk loopover miner serve",
        How::ServesWith("serve", "serve --bind 127.0.0.1:0", "/__auth/bootstrap?token="),
    ),
    ("cargo run --release --bin loopover -- stdio", How::Answers),
    ("LOOPOVER_MINER_CONFIG_DIR=loopover-miner-demo loopover miner mcp", How::Answers),
    ("cargo run --bin loopover -- contract check", How::Says("every convention and law is kept")),
    // A header holds no ellipsis.
    ("export GITHUB_TOKEN=…", How::With("…", Instead::Text("hush"), "")),
    // The network.
    ("loopover sync acme/widgets acme/gadgets", How::With("sync", Instead::GitHub, "acme/gadgets")),
    (
        "loopover contract diff https://tools.example/mcp new.json --format json",
        How::With("https://tools.example/mcp", Instead::Server, "compatible"),
    ),
    ("loopover session create kim > kim.token", How::Says("shown this once")),
    ("loopover session revoke 1", How::Says("")),
    ("loopover serve", How::ServesWith("serve", "serve --bind 127.0.0.1:0", "/mcp")),
];

fn how(line: &str) -> &'static How {
    LINES.iter().find(|(known, _)| *known == line).map_or(&How::Says(""), |(_, how)| how)
}

/// The lines of shell in a document, block by block, each without what is said about it.
fn lines(text: &str) -> Vec<Vec<String>> {
    let shell = blocks(text).into_iter().filter(|block| matches!(block.language.as_str(), "sh" | "bash" | "console"));
    let is_command = |line: &&str| !line.is_empty() && !line.starts_with('#');
    shell.map(|block| block.text.lines().map(str::trim).filter(is_command).map(str::to_owned).collect()).collect()
}

/// Runs what a document shows, on a machine of its own, and returns what did not go as it should.
fn run(name: &str, blocks: &[Vec<String>]) -> Vec<String> {
    let machine = Machine::new();
    let mut wrong = Vec::new();
    for block in blocks {
        // A shell keeps what was exported; each line here has a shell of its own.
        let mut exported = String::new();
        for line in block {
            machine.prepare(line);
            let how = how(line);
            let (said, code, text) = match how {
                How::Never(_) => continue,
                How::Says(text) => (machine.run(&format!("{exported}{line}")), 0, *text),
                How::Answers => (machine.run_with(line, HELLO), 0, "serverInfo"),
                How::ServesWith(from, to, text) => (machine.serve(&line.replacen(from, to, 1), text), 143, *text),
                How::With(from, instead, text) => {
                    let to = match instead {
                        Instead::Text(to) => (*to).to_owned(),
                        Instead::GitHub => format!("{from} --api-url {}", machine.github.url()),
                        Instead::Server => format!("http://{}/mcp", machine.server.address),
                    };
                    let line = line.replacen(from, &to, 1);
                    if line.starts_with("export ") {
                        exported = format!("{exported}{line}\n");
                    }
                    (machine.run(&format!("{exported}{line}")), 0, *text)
                }
            };
            // An import that takes nothing ends well, too, and shows nothing.
            let is_empty = said.text.contains(": 0 taken");
            if said.code != Some(code) || !said.text.contains(text) || is_empty {
                wrong.push(format!("{name}: `{line}` should end with {code} and say `{text}`: {said:?}"));
            }
        }
    }
    wrong
}

#[test]
fn every_command_of_the_documents_runs_as_it_is_written() {
    let all: Vec<_> = documents().into_iter().filter(|(name, _)| name != "docs/tutorial.md").collect();
    let blocks: Vec<(&str, Vec<Vec<String>>)> = all.iter().map(|(name, text)| (name.as_str(), lines(text))).collect();
    let shown: BTreeSet<&str> =
        blocks.iter().flat_map(|(_, blocks)| blocks.iter().flatten()).map(String::as_str).collect();
    let gone: Vec<&str> = LINES.iter().map(|(line, _)| *line).filter(|line| !shown.contains(line)).collect();
    assert!(gone.is_empty(), "no document shows {gone:?} any more");
    let count = shown.iter().filter(|line| !matches!(how(line), How::Never(_))).count();
    assert!(count > 25, "only {count} commands were found");
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = blocks
            .iter()
            .filter(|(_, blocks)| !blocks.is_empty())
            .map(|(name, blocks)| scope.spawn(|| run(name, blocks)))
            .collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_contributing_says_of_the_gate_is_what_the_gate_does() {
    let gate = fs::read_to_string(root().join(".ci/run")).unwrap();
    let mut rest = gate.as_str();
    for (line, _) in LINES.iter().filter(|(_, how)| matches!(how, How::Never(NotRun::Gate))) {
        let at = rest.find(line).unwrap_or_else(|| panic!("`{line}` is not in .ci/run, or not in this order"));
        rest = &rest[at..];
    }
}

/// Commands in running text name no arguments that could be run; what they name of the program has to be there.
#[test]
fn every_command_in_running_text_is_understood() {
    let mut wrong = BTreeSet::new();
    let mut seen = 0;
    for (name, text) in documents() {
        let commands = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
        for command in commands.filter_map(|code| code.strip_prefix("loopover ")) {
            seen += 1;
            // A word in capitals, or with dots, stands for what a reader puts there.
            let is_word = |word: &&str| !word.contains(|c: char| c.is_uppercase() || matches!(c, '…' | '/' | '|'));
            let words: Vec<&str> = command.split(' ').filter(is_word).collect();
            // Help is answered by whoever is named, after every word before it was understood.
            let output = Command::new(BINARY).args(&words).arg("--help").output().unwrap();
            if !output.status.success() {
                wrong.insert(format!("{name}: `loopover {command}`: {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    assert!(seen > 15, "only {seen} commands were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
