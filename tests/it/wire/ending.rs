//! How a server ends: when its client is done, gone, or a signal says so; and what is still answered.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{BINARY, DOOR, door, opened_door};

const SLEEP: &str = r#"{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"wire_sleeps","arguments":{"milliseconds":60000}}}"#;

#[track_caller]
fn exit_within(child: &mut Child, most: Duration) -> std::process::ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(started.elapsed() < most, "it lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn no_input_is_no_output_and_success() {
    for binary in [BINARY, DOOR] {
        let output = Command::new(binary).arg("stdio").stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn what_was_accepted_is_answered_when_stdin_closes_right_after_it() {
    let mut client = opened_door();
    client.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wire_sleeps","arguments":{"milliseconds":300}}}"#);
    // The end of the line is missing too.
    client.send_bytes(br#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#);
    let (status, rest) = client.finish();
    assert!(status.success());
    let mut ids: Vec<Value> =
        rest.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    ids.sort_by_key(Value::to_string);
    assert_eq!(ids, [json!(2), json!(3)], "{rest:?}");
}

#[test]
fn a_call_that_outlasts_the_end_is_told_that_the_server_goes() {
    let mut client = opened_door();
    client.send(SLEEP);
    client.expect_silence();
    let started = Instant::now();
    let (status, rest) = client.finish();
    assert!(status.success() && rest.len() == 1, "{rest:?}");
    let reply: Value = serde_json::from_str(&rest[0]).unwrap();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!("last"), &json!(-32603)));
    let took = started.elapsed();
    let drain = contract_tools::serve::stdio::DRAIN;
    assert!(took >= drain && took < drain + Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_signal_ends_it_with_the_code_that_shells_give_and_nobody_is_left_waiting() {
    for (signal, code) in contract_tests::signals::ending() {
        for busy in [false, true] {
            let mut client = opened_door();
            if busy {
                client.send(SLEEP);
            }
            client.expect_silence();
            kill_process(Pid::from_raw(client.pid().cast_signed()).unwrap(), signal).unwrap();
            let started = Instant::now();
            let (status, rest) = client.end();
            assert_eq!((status.code(), rest.len()), (Some(code), usize::from(busy)), "{rest:?}");
            assert!(rest.iter().all(|line| line.contains(r#""id":"last","error":{"code":-32603"#)), "{rest:?}");
            assert!(started.elapsed() < Duration::from_secs(5));
        }
    }
}

#[test]
fn every_server_says_how_it_ends() {
    for server in ["serve", "stdio", "miner serve", "miner mcp"] {
        let output = Command::new(BINARY).args(server.split(' ')).arg("--help").output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["exit code", "143 for SIGTERM", "130 for SIGINT", "129 for SIGHUP"] {
            assert!(help.contains(part), "{server}: {help}");
        }
    }
}

/// As under `nohup`.
#[test]
fn one_that_was_started_to_outlive_its_terminal_does() {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "trap '' HUP; exec \"$0\"", DOOR]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..2 {
        writeln!(stdin, r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains(r#""id":1"#), "{line}");
        kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    }
    drop(stdin);
    assert!(exit_within(&mut child, Duration::from_secs(5)).success());
}

#[test]
fn it_ends_at_once_when_nobody_can_read_it_any_more() {
    for busy in [false, true] {
        let mut child =
            Command::new(DOOR).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        writeln!(stdin, r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#).unwrap();
        stdout.read_line(&mut String::new()).unwrap();
        if busy {
            writeln!(stdin, "{}\n{SLEEP}", initialize()).unwrap();
            stdout.read_line(&mut String::new()).unwrap();
        }
        // stdin stays open: some other process may hold it.
        drop(stdout);
        let status = exit_within(&mut child, Duration::from_secs(2));
        assert!(status.success(), "{status}");
        drop(stdin);
    }
}

#[test]
fn it_does_not_outlive_a_killed_parent_while_a_tool_runs() {
    const PARENT: &str = r#"
        mkfifo in out
        "$1" <in >out 2>/dev/null &
        echo $!
        exec 3>in 4<out
        printf '%s\n' "$2" >&3
        read -r answer <&4
        printf '%s\n' "$3" '{"jsonrpc":"2.0","id":9,"method":"ping"}' >&3
        read -r answer <&4
        echo busy
        read -r never <&4
    "#;
    let directory = tempfile::tempdir().unwrap();
    let mut parent = Command::new("sh")
        .args(["-c", PARENT, "parent", DOOR, &initialize(), SLEEP])
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(parent.stdout.take().unwrap()).lines();
    let pid = Pid::from_raw(said.next().unwrap().unwrap().parse().unwrap()).unwrap();
    assert_eq!(said.next().unwrap().unwrap(), "busy");
    assert!(is_running(pid));
    parent.kill().unwrap();
    parent.wait().unwrap();
    let started = Instant::now();
    while is_running(pid) {
        assert!(started.elapsed() < Duration::from_secs(2), "it outlives its parent");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How a client stops waiting.
enum Leaving {
    Cancelled,
    Signalled(Signal),
    /// It closed both pipes.
    Gone,
    /// It reads no more, and its end of stdin stays open.
    Deaf,
}

#[test]
fn no_git_outlives_the_wish_for_its_answer() {
    let leavings = [
        Leaving::Cancelled,
        Leaving::Signalled(Signal::TERM),
        Leaving::Signalled(Signal::INT),
        Leaving::Gone,
        Leaving::Deaf,
    ];
    for leaving in leavings {
        let git = HangingGit::new();
        let mut child = Command::new(BINARY)
            .arg("stdio")
            .current_dir(git.directory.path())
            .env("PATH", git.search_path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        writeln!(stdin, "{}", initialize()).unwrap();
        stdout.read_line(&mut String::new()).unwrap();
        let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"loopover_local_status_structured","arguments":{}}}"#;
        writeln!(stdin, "{call}").unwrap();
        let started = git.wait_until_started();
        let mut kept = (None, None);
        match leaving {
            Leaving::Cancelled => {
                writeln!(stdin, r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":7}}}}"#)
                    .unwrap();
                kept = (Some(stdin), Some(stdout));
            }
            Leaving::Signalled(signal) => {
                kill_process(Pid::from_child(&child), signal).unwrap();
                kept = (Some(stdin), Some(stdout));
            }
            Leaving::Gone => drop((stdin, stdout)),
            Leaving::Deaf => {
                drop(stdout);
                kept.0 = Some(stdin);
            }
        }
        started.wait_until_ended();
        drop(kept);
        exit_within(&mut child, Duration::from_secs(5));
    }
}

#[test]
fn no_git_outlives_a_command_that_is_interrupted() {
    for (signal, code) in contract_tests::signals::ending() {
        let git = HangingGit::new();
        let mut child = Command::new(BINARY)
            .args(["tools", "call", "loopover_local_status_structured"])
            .current_dir(git.directory.path())
            .env("PATH", git.search_path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let started = git.wait_until_started();
        kill_process(Pid::from_child(&child), signal).unwrap();
        started.wait_until_ended();
        assert_eq!(exit_within(&mut child, Duration::from_secs(5)).code(), Some(code));
    }
}

/// A program called git that never ends by itself, nor does what it starts.
struct HangingGit {
    directory: tempfile::TempDir,
}

/// The processes of a [`HangingGit`].
struct Started(Vec<Pid>);

impl HangingGit {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let ids = directory.path().join("ids");
        let script =
            format!("#!/bin/sh\nsleep 300 &\necho $$ $! > {0}.new\nmv {0}.new {0}\nsleep 300\n", ids.display());
        let program = directory.path().join("git");
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { directory }
    }

    fn search_path(&self) -> String {
        format!("{}:/usr/bin:/bin", self.directory.path().display())
    }

    #[track_caller]
    fn wait_until_started(&self) -> Started {
        let begun = Instant::now();
        let ids = loop {
            if let Ok(ids) = std::fs::read_to_string(self.directory.path().join("ids")) {
                break ids;
            }
            assert!(begun.elapsed() < Duration::from_secs(10), "git was not started");
            std::thread::sleep(Duration::from_millis(5));
        };
        let started = Started(ids.split_whitespace().map(|id| Pid::from_raw(id.parse().unwrap()).unwrap()).collect());
        assert!(started.0.iter().all(|id| is_running(*id)));
        started
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        for id in self.0.iter().filter(|id| is_running(**id)) {
            let _ = kill_process(*id, Signal::KILL);
        }
    }
}

impl Started {
    /// Sooner than the time limit of a question to git would end it.
    #[track_caller]
    fn wait_until_ended(&self) {
        let begun = Instant::now();
        while self.0.iter().any(|id| is_running(*id)) {
            assert!(begun.elapsed() < Duration::from_secs(3), "git lives on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn initialize() -> String {
    let client = json!({ "name": "raw", "version": "0" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params }).to_string()
}

/// Whether there is a process that has not ended; nobody may have asked for the status of one that has.
fn is_running(pid: Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

#[test]
fn an_end_in_the_middle_of_the_handshake_is_an_end() {
    let mut client = door();
    client.send_bytes(br#"{"jsonrpc":"2.0","id":1,"method":"initi"#);
    let (status, rest) = client.finish();
    assert!(status.success());
    assert!(rest.len() == 1 && rest[0].contains("-32700"), "{rest:?}");
}
