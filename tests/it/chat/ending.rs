//! A chat ends when its reader goes, when its time is over or when the server ends, and nothing is left of it.

use std::time::{Duration, Instant};

use contract_tests::stdio_client::ALIVE;

use super::server::{Miner, Stream, kinds, only_error, text};

/// How soon everything of an abandoned chat is gone. The promise is a second; the rest is for a busy machine.
const SOON: Duration = Duration::from_secs(5);

/// Waits until the session has noted this name.
fn wait_for(miner: &Miner, name: &str) {
    let started = Instant::now();
    while miner.noted(name).is_empty() {
        assert!(started.elapsed() < ALIVE, "no `{name}`");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_reader_that_goes_takes_the_whole_session_along() {
    for (plan, reads) in [
        ("init; text one; hang", true),
        ("hang", false),
        (
            "trap '' TERM; init; text one; (trap '' TERM; sleep 600) & echo $! >>\"$place/started\"; while :; do sleep 1; done",
            true,
        ),
    ] {
        let miner = Miner::with_options(plan, &["--most-chats", "1"]).entered();
        let mut stream = miner.chat("hi");
        if reads {
            stream.head();
            assert_eq!(stream.event().unwrap()["text"], "one");
        }
        wait_for(&miner, "started");
        drop(stream);
        miner.expect_nothing_left(SOON);
        let mut again = miner.chat("hi");
        assert_eq!(again.head().status, 200, "the seat is free");
    }
}

/// What follows the question is a next one, or the beginning of it, which is not read before the answer is whole.
#[test]
fn a_reader_that_goes_is_missed_also_behind_bytes_that_nobody_reads() {
    let miner = Miner::with("init; text one; hang").entered();
    let long = "x".repeat(100_000);
    for behind in ["\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", long.as_str()] {
        for reads in [true, false] {
            std::fs::remove_file(miner.place.join("started")).unwrap_or_default();
            let mut stream = miner.chat("hi");
            stream.send_behind(behind.as_bytes());
            stream.head();
            if reads {
                assert_eq!(stream.event().unwrap()["text"], "one");
            }
            wait_for(&miner, "started");
            drop(stream);
            miner.expect_nothing_left(SOON);
        }
    }
}

#[test]
fn a_server_whose_terminal_is_closed_ends_as_by_another_signal() {
    for (signal, code) in contract_tests::signals::ending() {
        let miner = Miner::with("init; text one; hang").entered();
        let mut stream = miner.chat("hi");
        stream.head();
        assert_eq!(stream.event().unwrap()["text"], "one");
        miner.signal(signal);
        let rest = stream.rest();
        assert_eq!(kinds(&rest), ["error", "done"], "{rest:?}");
        assert_eq!(rest[0]["code"], "chat_cancelled");
        miner.expect_nothing_left(SOON);
        assert_eq!(miner.end().code(), Some(code));
    }
}

#[test]
fn a_seat_is_free_when_its_session_is_gone_and_not_before() {
    let plan = "trap '' TERM; init; text one; while :; do sleep 1; done";
    let miner = Miner::with_options(plan, &["--most-chats", "2"]).entered();
    let opened = || {
        let mut stream = miner.chat("hi");
        assert_eq!(stream.head().status, 200);
        assert_eq!(stream.event().unwrap()["text"], "one");
        stream
    };
    for _ in 0..3 {
        let streams = [opened(), opened()];
        assert_eq!(miner.running().len(), 2, "those before are gone");
        drop(streams);
    }
    miner.expect_nothing_left(SOON);
}

#[test]
fn a_reader_that_goes_while_a_tool_runs_takes_the_session_along() {
    let call = r#"{"type":"assistant","message":{"model":"m","content":[{"type":"tool_use","id":"1","name":"mcp__loopover-miner__loopover_miner_ping","input":{}}]}}"#;
    let miner = Miner::with(&format!("init; say '{call}'; hang")).entered();
    let mut stream = miner.chat("hi");
    stream.head();
    assert_eq!(stream.event().unwrap()["type"], "tool_call");
    drop(stream);
    miner.expect_nothing_left(SOON);
}

#[test]
fn a_session_that_is_silent_or_never_ready_is_given_up() {
    let miner = Miner::with_options("init; text one; hang", &["--idle-time", "2"]).entered();
    let events = miner.events();
    assert_eq!(kinds(&events), ["text", "error", "done"]);
    assert_eq!(events[1]["code"], "chat_timeout");
    miner.expect_nothing_left(SOON);

    let busy = "init; while :; do say '{\"type\":\"system\",\"subtype\":\"api_retry\"}'; sleep 0.05; done";
    let miner = Miner::with_options(busy, &["--idle-time", "20", "--chat-time", "0.5"]).entered();
    let (code, message) = only_error(&miner.events());
    assert_eq!(code, "chat_timeout");
    assert!(message.contains("too long"), "{message}");
    miner.expect_nothing_left(SOON);
}

#[test]
fn signs_of_life_count() {
    let plan = "init; for i in 1 2 3 4 5 6 7 8; do say '{\"type\":\"system\",\"subtype\":\"api_retry\"}'; sleep 0.5; done; text fine; result";
    let miner = Miner::with_options(plan, &["--idle-time", "3"]).entered();
    assert_eq!(text(&miner.events()), "fine");
}

#[test]
fn a_slow_reader_slows_the_session() {
    // Far more than all buffers between the session and its reader can hold.
    let plan = "init; piece=$(head -c 8000 /dev/zero | tr '\\0' x); i=0; while [ $i -lt 4000 ]; do text \"$piece\"; i=$((i+1)); done; touch \"$place/finished\"; result";
    let read_on = |stream: Stream| text(&stream.rest()).len();
    let miner = Miner::with(plan).entered();
    let mut stream = miner.chat("hi");
    stream.head();
    assert_eq!(read_on(stream), 8000 * 4000);
    assert!(miner.place.join("finished").exists(), "a reader that reads gets all of it");

    let miner = Miner::with_options(plan, &["--chat-time", "3"]).entered();
    let mut stream = miner.chat("hi");
    stream.head();
    stream.event();
    wait_for(&miner, "started");
    miner.expect_nothing_left(ALIVE);
    assert!(!miner.place.join("finished").exists(), "the session waited for its reader until its time was over");
    let rest = stream.rest();
    assert!(text(&rest).len() < 8000 * 4000);
    assert_eq!(kinds(&rest), ["text", "error", "done"]);
}

#[test]
fn a_server_that_ends_tells_those_who_wait_and_leaves_nothing() {
    let miner = Miner::with("init; text one; hang").entered();
    let mut stream = miner.chat("hi");
    stream.head();
    assert_eq!(stream.event().unwrap()["text"], "one");
    miner.terminate();
    let rest = stream.rest();
    assert_eq!(kinds(&rest), ["error", "done"]);
    assert_eq!(rest[0]["code"], "chat_cancelled");
    miner.expect_nothing_left(SOON);
    assert_eq!(miner.end().code(), Some(143));
}

#[test]
fn fifty_chats_dropped_at_any_moment_leave_no_process_no_file_and_no_descriptor() {
    let plan = "sleep 0.02; init; text one; sleep 0.02; text two; sleep 600 & echo $! >>\"$place/started\"; text three; sleep 0.02; text four; result; sleep 0.05";
    let miner = Miner::with_options(plan, &["--most-chats", "60"]).entered();
    assert_eq!(text(&miner.events()), "onetwothreefour");
    miner.expect_nothing_left(ALIVE);
    let before = settled(&miner, usize::MAX);
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut outcomes = [0; 5];
    for _ in 0..50 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let moment = usize::try_from(random % 5).unwrap();
        outcomes[moment] += 1;
        let mut stream = miner.chat("hi");
        // A chat is dropped before its head, before its first event, in the middle, or never.
        if moment > 0 {
            assert_eq!(stream.head().status, 200);
        }
        for _ in 1..moment {
            stream.event();
        }
        std::thread::sleep(Duration::from_micros(random % 20_000));
        if moment == 4 {
            stream.rest();
        }
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
    miner.expect_nothing_left(ALIVE);
    let after = settled(&miner, before);
    assert!(after <= before, "{before} descriptors before, {after} after");
}

/// The number of open descriptors, once connections that are closing have closed.
fn settled(miner: &Miner, most: usize) -> usize {
    let started = Instant::now();
    let mut last = miner.descriptors();
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = miner.descriptors();
        if (now == last && now <= most) || started.elapsed() > SOON {
            return now;
        }
        last = now;
    }
}
