//! What a session starts ends with it, also when it left the session's group and its parents and forgot its environment.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use contract_tests::stdio_client::ALIVE;
use rustix::process::{Pid, Signal, kill_process};

use super::server::{Miner, text, write};
use crate::wire::BINARY;

const SOON: Duration = Duration::from_secs(5);

fn leaving(plan: &str) -> Miner {
    Miner::with(plan).entered()
}

#[test]
fn a_reader_that_goes_takes_those_along_that_left() {
    for plan in [
        "init; leave; text one; hang",
        "trap '' TERM; init; leave; text one; while :; do sleep 1; done",
        // One that is replaced faster than anybody looks.
        "init; leave; again='echo $$ >>\"$0/started\"; sleep 0.02; setsid sh -c \"$1\" \"$0\" \"$1\" & exit'; setsid sh -c \"$again\" \"$place\" \"$again\" & text one; hang",
    ] {
        let miner = leaving(plan);
        let mut stream = miner.chat("hi");
        stream.head();
        assert_eq!(stream.event().unwrap()["text"], "one");
        assert!(miner.running().len() >= 4, "{:?}", miner.noted("started"));
        drop(stream);
        miner.expect_nothing_left(SOON);
        assert!(miner.running().is_empty(), "and nobody comes after");
    }
}

#[test]
fn an_answer_that_is_whole_leaves_nobody_either() {
    let miner = leaving("init; leave; text fine; result");
    assert_eq!(text(&miner.events()), "fine");
    miner.expect_nothing_left(SOON);
    // The session's last word is heard though somebody else still holds its output open.
    let miner = leaving("init; leave; text half; exit 0");
    let events = miner.events();
    assert_eq!(events[events.len() - 2]["code"], "chat_grounding_failed");
    miner.expect_nothing_left(SOON);
}

#[test]
fn a_server_that_ends_takes_them_along() {
    let miner = leaving("init; leave; text one; hang");
    let mut stream = miner.chat("hi");
    stream.head();
    assert_eq!(stream.event().unwrap()["text"], "one");
    miner.terminate();
    miner.expect_nothing_left(SOON);
    assert_eq!(miner.end().code(), Some(143));
}

#[test]
fn a_server_that_is_killed_takes_them_along() {
    let miner = leaving("init; leave; text one; hang");
    let mut stream = miner.chat("hi");
    stream.head();
    assert_eq!(stream.event().unwrap()["text"], "one");
    let started = Instant::now();
    miner.kill();
    while !miner.running().is_empty() {
        assert!(started.elapsed() < SOON, "{:?} run", miner.running());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_supervisor_that_is_killed_takes_them_along() {
    let miner = leaving("init; leave; text one; wait_for go; kill -KILL $PPID; hang");
    let mut other = miner.chat("other");
    other.head();
    assert_eq!(other.event().unwrap()["text"], "one");
    write(&miner.place, "plan", "init; text two; wait_for later; result");
    let mut unharmed = miner.chat("hi");
    unharmed.head();
    assert_eq!(unharmed.event().unwrap()["text"], "two");
    miner.touch("go");
    let events = other.rest();
    assert_eq!(events[events.len() - 2]["type"], "error", "{events:?}");
    let started = Instant::now();
    // The session beside it, which noted itself last, is not taken for an orphan.
    while miner.running().len() > 1 {
        assert!(started.elapsed() < SOON, "{:?} run", miner.running());
        std::thread::sleep(Duration::from_millis(5));
    }
    miner.touch("later");
    assert_eq!(unharmed.rest().last().unwrap()["type"], "done");
    miner.expect_nothing_left(SOON);
}

fn supervised(script: &str) -> Child {
    let mut command = Command::new(BINARY);
    command.args(["miner", "supervise", "--", "/bin/sh", "-c", script]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(mut child: Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(started.elapsed() < ALIVE, "the supervisor does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_supervisor_whose_server_is_gone_ends_its_program() {
    // The shell stands for the server.
    let script = format!(
        "'{BINARY}' miner supervise -- /bin/sh -c 'trap \"\" TERM; setsid sleep 600 & echo ready; wait' & wait"
    );
    let mut server =
        Command::new("/bin/sh").args(["-c", &script]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    server.kill().unwrap();
    server.wait().unwrap();
    // The output ends when nobody is left who holds it.
    let (told, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || told.send(output.read_line(&mut String::new()).unwrap()));
    assert_eq!(ended.recv_timeout(ALIVE), Ok(0));
}

/// The server was gone before its supervisor could watch it: who has taken that in is not the server.
#[test]
fn a_supervisor_that_comes_after_its_servers_end_ends_its_program() {
    let mut command = Command::new(BINARY);
    command.args(["miner", "supervise", "--server", "1", "--", "/bin/sh", "-c", "exec sleep 600"]);
    assert_eq!(end(command.stdin(Stdio::null()).spawn().unwrap()).code(), Some(143));
}

#[test]
fn a_supervisor_ends_as_its_program_does() {
    // An orphan that ends earlier is reaped: a number that is still there would be that of a process that nobody waits for.
    let reaped =
        "orphan=$(sh -c 'sleep 0.01 >/dev/null & echo $!'); while [ -e /proc/$orphan ]; do sleep 0.01; done; exit 4";
    for (script, code) in
        [(reaped, 4), ("exit 0", 0), ("exit 7", 7), ("kill -KILL $$", 137), ("setsid sleep 600 & exit 3", 3)]
    {
        assert_eq!(end(supervised(script)).code(), Some(code), "{script}");
    }
    let missing = Command::new(BINARY).args(["miner", "supervise", "--", "/no/such"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot be started"));
}

#[test]
fn a_supervisor_passes_on_the_wish_to_end_and_kills_who_does_not_heed_it() {
    for (script, code) in [
        ("trap 'exit 9' TERM; echo ready; while :; do sleep 0.01; done", 9),
        ("trap '' TERM; setsid sleep 600 & echo ready; while :; do sleep 1; done", 137),
        ("echo ready; exec sleep 600", 143),
    ] {
        let mut child = supervised(script);
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        assert_eq!(end(child).code(), Some(code), "{script}");
    }
}
