//! Recordings of the real program, two versions of it, each as what a chat makes of it.
//!
//! Many were made with a session that is not ours (a tool too many, no restrictions); of those a chat believes nothing. To see
//! what becomes of their lines, they are read a second time by a session that expects what they have.

use std::fmt::Write as _;
use std::fs;

use contract_tests::workspace::{files, root};
use contract_tools::chat::claude::{Expected, Session};
use contract_tools::chat::event::ChatEvent;
use contract_tools::chat::query::{QueryEvent, QueryItem};
use contract_tools::chat::redaction::{Redaction, object, value};
use expect_test::expect_file;
use serde_json::Value;

use crate::miner::state::TOOLS;

const PREFIX: &str = "mcp__loopover-miner__";

/// The tools that the recording says it has, if they are all of our server.
fn own_tools(recording: &str) -> Option<Vec<String>> {
    let lines = recording.split('\n').filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let init = lines.into_iter().find(|line| line["subtype"] == "init")?;
    let tools = init["tools"].as_array()?;
    tools.iter().map(|tool| Some(tool.as_str()?.strip_prefix(PREFIX)?.to_owned())).collect()
}

fn play(recording: &str, tools: Vec<String>) -> Vec<String> {
    let mut session = Session::new(Expected { tools });
    let mut redaction = Redaction::default();
    let mut events: Vec<ChatEvent> = Vec::new();
    let mut end = "no result".to_owned();
    for line in recording.split('\n') {
        for item in session.line(line.as_bytes()) {
            match item {
                QueryItem::Event(QueryEvent::Text(text)) => events.extend(redaction.text(&text)),
                QueryItem::Event(QueryEvent::ToolCall { tool, input }) => {
                    events.push(ChatEvent::ToolCall { tool, input: object(input) });
                }
                QueryItem::Event(QueryEvent::ToolResult { tool, output }) => {
                    events.push(ChatEvent::ToolResult { tool, output: value(output) });
                }
                QueryItem::Alive => {}
                QueryItem::Ended(ended) => {
                    let outcome =
                        ended.outcome.map_or_else(|failure| format!("{failure:?}"), |()| "answered".to_owned());
                    let usage = ended.usage;
                    end = format!(
                        "{outcome}, {} turns, {} + {} tokens, cost {}",
                        usage.turns,
                        usage.input_tokens,
                        usage.output_tokens,
                        usage.cost.is_some()
                    );
                }
            }
        }
    }
    events.extend(redaction.finish());
    let lines = events.iter().map(|event| serde_json::to_string(event).unwrap());
    lines.chain([end]).collect()
}

#[test]
fn each_recording_becomes_these_events() {
    let mut all = String::new();
    let recordings = files(&root().join("tests/it/chat/transcripts"), ".ndjson");
    assert_eq!(recordings.len(), 70);
    for path in recordings {
        let recording = fs::read_to_string(&path).unwrap();
        let ours = play(&recording, TOOLS.map(str::to_owned).to_vec());
        let theirs = own_tools(&recording).map(|tools| play(&recording, tools));
        writeln!(all, "== {}", path.file_stem().unwrap().display()).unwrap();
        match theirs {
            Some(theirs) if theirs != ours => {
                writeln!(all, "{}\n-- were it a session as it must be:\n{}", ours.join("\n"), theirs.join("\n"))
                    .unwrap();
            }
            _ => writeln!(all, "{}", ours.join("\n")).unwrap(),
        }
    }
    expect_file!["recordings.txt"].assert_eq(&all);
}

#[test]
fn a_recording_is_the_same_from_its_first_line_to_any_other() {
    // Nothing that was passed on is taken back by what follows: the events of a beginning are a beginning of the events.
    let recording = fs::read_to_string(root().join("tests/it/chat/transcripts/final_2.1.332_ping.ndjson")).unwrap();
    let tools = TOOLS.map(str::to_owned).to_vec();
    let whole = play(&recording, tools.clone());
    let lines: Vec<&str> = recording.split('\n').collect();
    for end in 0..lines.len() {
        let beginning = play(&lines[..end].join("\n"), tools.clone());
        let (_, events) = beginning.split_last().unwrap();
        assert!(whole.starts_with(events), "{end}: {events:?}");
    }
}
