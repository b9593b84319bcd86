//! JSON that tools are asked and answer: what is private in it stands in names, in texts, in several of them, or beside them.

use contract_tests::print_line;
use contract_tools::chat::redaction::value;
use contract_tools::privacy::is_private;
use serde_json::{Value, json};

use super::dresses::WORDS;
use super::heavy::miner;
use super::server::kinds;

/// What is not to leave with a term.
const FIGURE: u64 = 918_273;

fn coded(value: &Value) -> Value {
    Value::String(value.to_string())
}

/// Structures that tell of the term.
fn evasions(word: &str, split: usize) -> Vec<Value> {
    let (one, other) = word.split_at(split);
    let half = FIGURE.to_string();
    let mut all = vec![
        json!({ "asset": word, "v": FIGURE }),
        json!({ "v": FIGURE, "asset": word }),
        json!({ "asset": format!("my {word}s"), "v": half }),
        json!({ "asset": word, "v": { "deep": [[FIGURE]] } }),
        json!({ "asset": { "name": word }, "v": FIGURE }),
        json!({ "asset": [word], "v": [FIGURE] }),
        json!({ "key": word, "amounts": [FIGURE, 2] }),
        json!({ word: true, "balance": FIGURE }),
        json!({ word: "main", half.clone(): null }),
        json!({ word: FIGURE }),
        json!({ "a": { format!("my_{word}"): [FIGURE] } }),
        json!([["name", word], ["value", FIGURE]]),
        json!([{ "name": word }, { "value": FIGURE }]),
        json!([word, FIGURE]),
        json!([FIGURE, word]),
        json!([FIGURE, word, "b", "c", "d", "e", "f", "g", "h", "i"]),
        json!(["b", "c", "d", "e", "f", "g", "h", "i", word, FIGURE]),
        json!({ "columns": ["day", word], "rows": [["monday", FIGURE]] }),
        json!({ "a": one, "b": other, "v": FIGURE }),
        json!({ "a": [one], "b": [other], "v": FIGURE }),
        json!([[one], [other], [FIGURE]]),
        json!([{ "a": one }, { "b": { "c": other } }, FIGURE]),
        json!({ "a": one, "n": 1, "b": other, "v": FIGURE }),
        json!({ one: format!("{other} {FIGURE}") }),
        json!({ "a": word.replace('a', "\\u0061").replace('o', "%6f"), "v": FIGURE }),
        json!({ word.replace('e', "\\x65").replace('y', "&#121;"): FIGURE }),
    ];
    // Halves that are words of their own may stand as names beside each other.
    if !["trust", "private", "score", "pay", "hot", "cold"].contains(&one) {
        all.push(json!({ one: true, other: FIGURE }));
        all.push(json!([{ one: 1 }, { other: FIGURE }]));
    }
    let texts: Vec<Value> = all.iter().map(coded).collect();
    let twice: Vec<Value> = texts.iter().map(coded).collect();
    let within: Vec<Value> = texts.iter().map(|text| json!({ "text": "see", "data": [text] })).collect();
    [all, texts, twice, within].concat()
}

#[test]
fn no_figure_leaves_beside_what_it_is_of() {
    let mut count = 0;
    let mut leaks = Vec::new();
    for (word, split) in WORDS {
        for structure in evasions(word, split) {
            count += 1;
            let shown = value(structure.clone()).to_string();
            if shown.contains(&FIGURE.to_string()) || shown.contains(word) {
                leaks.push(format!("{structure}: {shown}"));
            }
        }
    }
    print_line(&format!("{count} structures, {} leaks", leaks.len()));
    assert!(count >= 1000 && leaks.is_empty(), "{count}: {leaks:#?}");
}

#[test]
fn structures_that_only_look_like_it_pass() {
    // Sentences that are taken for something else by themselves are counted by themselves.
    let sentences: Vec<&str> =
        include_str!("innocent.txt").lines().filter(|line| !line.is_empty() && !is_private(line)).collect();
    let mut all = vec![
        json!({ "private": true, "score": 9, "rank": 3 }),
        json!({ "visibility": "private", "score": 9 }),
        json!({ "action": "pay", "output": "done", "count": 2 }),
        json!({ "state": "hot", "key": "a", "n": 1 }),
        json!({ "temperature": "cold", "keys": [1, 2] }),
        json!({ "subject": "Re", "wards": 7 }),
        json!({ "trust": 1, "scores": [2, 3] }),
        json!({ "claims": [{ "repo": "acme/api", "issue": 42, "title": "Add snapshotKey" }] }),
        json!({ "branch": "fix/hot-keymap", "issue": 42 }),
        json!({ "walls": 4, "letters": 5 }),
        json!({ "columns": ["day", "plans"], "rows": [["monday", 3], ["friday", 4]] }),
        json!([["plans", 3], ["claims", 4]]),
        json!([{ "name": "plans", "value": 3 }, { "name": "claims", "value": 4 }]),
        json!({ "repo": "acme/widgets", "issue": 42, "claimedAt": "2026-06-15T12:00:00Z", "score": 0.8 }),
        coded(&json!({ "a": [1, "fine", null], "b": { "c": "three plans" } })),
        json!("{ \"spaces\" : [1,  2] }"),
        json!({ "text": "[draft] 3 plans", "json": "{", "quote": "\"so\" he said" }),
    ];
    for three in sentences.chunks(3) {
        all.push(json!({ "title": three[0], "number": 42, "more": [{ "text": three, "score": 0.5 }] }));
        all.push(json!([coded(&json!({ "note": three[0], "v": 7 })), 1, { "status": "open", "steps": three.len() }]));
    }
    let wrong: Vec<&Value> = all.iter().filter(|structure| value((*structure).clone()) != **structure).collect();
    let count = |number: usize| f64::from(u32::try_from(number).unwrap());
    let share = 100.0 * count(wrong.len()) / count(all.len());
    print_line(&format!("{} innocent structures, {} redacted ({share:.2} %): {wrong:#?}", all.len(), wrong.len()));
    assert!(all.len() >= 200 && share < 1.0);
}

#[test]
fn a_repository_is_not_what_its_name_says_and_other_rows_keep_their_figures() {
    assert_eq!(
        value(json!([
            { "repo": "acme/wallet-connect", "issue": 42 },
            { "name": "wallet", "n": 42 },
            { "name": "plans", "n": 3 },
        ])),
        json!([
            { "repo": "acme/[redacted]", "issue": 42 },
            { "name": "[redacted]", "n": "[redacted]" },
            { "name": "plans", "n": 3 },
        ])
    );
}

#[test]
fn what_a_chat_asks_leaves_without_it() {
    let all: Vec<Value> = evasions("wallet", 3).into_iter().chain(evasions("reward", 2)).collect();
    let input: Value = json!({ "rows": all.iter().map(|structure| json!({ "row": structure })).collect::<Vec<_>>() });
    let miner = miner(&input, "text fine; result");
    let events = miner.events();
    assert_eq!(kinds(&events), ["tool_call", "text", "done"]);
    let text = events[0].to_string();
    assert!(!text.contains(&FIGURE.to_string()) && !text.contains("wallet") && !text.contains("reward"), "{text}");
}
