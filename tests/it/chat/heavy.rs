//! Structures that take long to look at: a chat with one keeps its time, goes with its reader and lets its server end.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::server::{Miner, kinds, write};

/// What looking at a structure may take on a busy machine; where each string was looked at with all behind it, it took
/// minutes.
const ALIVE: Duration = Duration::from_mins(1);

fn call(input: &Value) -> String {
    let block =
        json!({ "type": "tool_use", "id": "1", "name": "mcp__loopover-miner__loopover_miner_ping", "input": input });
    format!("{}\n", json!({ "type": "assistant", "message": { "model": "m", "content": [block] } }))
}

pub(super) fn miner(input: &Value, then: &str) -> Miner {
    let miner = Miner::with("init; cat \"$place/call\"; . \"$place/then\"").entered();
    write(&miner.place, "call", &call(input));
    write(&miner.place, "then", then);
    miner
}

fn pairs(count: usize) -> Value {
    json!({ "a": vec![["wal", "let"]; count].concat() })
}

#[test]
fn long_lists_and_wide_objects_are_looked_at_once() {
    let mut wide: Map<String, Value> = (0..2000).map(|number| (format!("m{number:04}"), json!("fine"))).collect();
    wide.insert("y".to_owned(), json!("wal"));
    wide.insert("z".to_owned(), json!("let"));
    for (input, expect) in [
        (pairs(5000), json!({ "a": vec!["[redacted]"; 5000] })),
        (Value::Object(wide.clone()), {
            wide.insert("y".to_owned(), json!("[redacted]"));
            wide.insert("z".to_owned(), json!("[redacted]"));
            Value::Object(wide)
        }),
        (pairs(40_000), json!({ "truncated": true, "note": "the input is too large to be shown" })),
    ] {
        let miner = miner(&input, "text fine; result");
        let started = Instant::now();
        let events = miner.events();
        assert!(started.elapsed() < ALIVE, "{:?}", started.elapsed());
        assert_eq!(kinds(&events), ["tool_call", "text", "done"]);
        assert!(events[0]["input"] == expect);
    }
}

#[test]
fn a_server_ends_in_the_middle_of_a_long_text() {
    let piece = "all is fine here, and nothing is left to be said of it ".repeat(180_000);
    let delta = json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": piece } });
    let miner = Miner::with("init; text one; cat \"$place/call\"; touch \"$place/said\"; hang").entered();
    write(&miner.place, "call", &format!("{}\n", json!({ "type": "stream_event", "event": delta })));
    let mut stream = miner.chat("hi");
    stream.head();
    stream.event();
    stream.event();
    let started = Instant::now();
    miner.terminate();
    let rest = std::thread::spawn(move || stream.rest());
    assert_eq!(miner.end().code(), Some(143));
    assert!(started.elapsed() < ALIVE, "{:?}", started.elapsed());
    let rest = rest.join().unwrap();
    assert_eq!(rest[rest.len() - 2]["code"], "chat_cancelled");
}
