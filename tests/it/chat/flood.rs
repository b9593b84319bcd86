//! Sessions that say more than anybody can listen to: what is no line of the protocol is no sign of life, and however much
//! there is of it, the time for a chat is its time.

use std::time::{Duration, Instant};

use super::server::{Miner, only_error, text, write};

const SOON: Duration = Duration::from_secs(5);

/// How much longer than its time a chat may take on a busy machine.
const SLACK: Duration = Duration::from_secs(4);

#[track_caller]
fn check(miner: &Miner, flood: &str, part: &str) {
    write(&miner.place, "plan", &format!("init; {flood}"));
    let started = Instant::now();
    let (code, message) = only_error(&miner.events());
    let took = started.elapsed();
    assert_eq!(code, "chat_timeout", "{flood}");
    assert!(message.contains(part), "{flood}: {message}");
    assert!(took < Duration::from_secs(1) + SLACK, "{flood}: {took:?}");
    miner.expect_nothing_left(SOON);
}

const JUNK: [&str; 6] = [
    "yes ''",
    "yes junk",
    "yes '{}'",
    "yes '{\"type\":\"later\",\"text\":\"and so on\"}'",
    "yes '{\"type\":\"system\",\"subtype\":\"later\"}'",
    "yes '{\"type\":\"stream_event\",\"event\":{\"type\":\"later\"}}'",
];

#[test]
fn what_is_no_line_of_the_protocol_is_no_sign_of_life() {
    let miner = Miner::with_options("", &["--idle-time", "1", "--chat-time", "600"]).entered();
    for flood in JUNK {
        check(&miner, flood, "nothing was heard");
    }
    // Slowly, too.
    check(&miner, "while :; do echo junk; sleep 0.05; done", "nothing was heard");
}

#[test]
fn a_flood_does_not_outlive_the_time_for_a_chat() {
    let miner = Miner::with_options("", &["--idle-time", "600", "--chat-time", "1"]).entered();
    for flood in JUNK {
        check(&miner, flood, "too long");
    }
    check(&miner, "yes '{\"type\":\"system\",\"subtype\":\"status\"}'", "too long");
    check(&miner, "yes '{\"type\":\"stream_event\",\"event\":{\"type\":\"ping\"}}'", "too long");
}

#[test]
fn an_answer_behind_a_flood_arrives() {
    let flood = "yes '{\"type\":\"later\"}' | head -n 200000";
    let miner = Miner::with(&format!("init; text one; {flood}; text two; result")).entered();
    assert_eq!(text(&miner.events()), "onetwo");
}
