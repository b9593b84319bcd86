//! Each test looks at every byte, time stamp and entry before and after each of the five tools, asked of a running server and
//! at the prompt.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

use contract_tests::seen::seen;
use serde_json::{Value, json};

use super::{BINARY, Deployment, Server, good_calls, serve_by};
use crate::forge::import;
use crate::forge::permissions::{as_nobody, mode};
use crate::forge::records::issue;

/// More than are committed at once.
const ISSUES: u64 = 1_200;

#[track_caller]
fn check_untouched(deployment: &Deployment, server: &Server) {
    let before = seen(deployment.directory.path());
    for (tool, arguments) in good_calls() {
        let answer = server.call(tool, &arguments).answer();
        assert_eq!(before, seen(deployment.directory.path()), "{tool}");
        assert_eq!(deployment.at_the_prompt(tool, &arguments).answer(), answer);
        assert_eq!(before, seen(deployment.directory.path()), "{tool} at the prompt");
    }
}

/// An import that has committed some records and waits for more.
fn writer(deployment: &Deployment) -> Child {
    let mut child = import(&deployment.store())
        .args(["--progress", "lines", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for number in 1..=ISSUES {
        let record = issue(number + 10_000, "2026-06-01T00:00:00Z", json!({}));
        writeln!(child.stdin.as_mut().unwrap(), "{record}").unwrap();
    }
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let committed = |line: &str| line.split("committed ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    while said.next().unwrap().ok().and_then(|line| committed(&line)).unwrap() < 1_000 {}
    // What it says later is not waited for, and must not end it.
    thread::spawn(move || said.count());
    child
}

/// How many issues and pull requests the server looked at.
fn looked_at(server: &Server) -> u64 {
    let context = server.call("loopover_get_repo_context", &json!({ "owner": "acme", "repo": "widgets" })).answer();
    context["collisions"]["summary"]["itemsReviewed"].as_u64().unwrap_or_else(|| panic!("{context}"))
}

#[test]
fn a_store_at_rest_stays_as_it_is() {
    let deployment = Deployment::new();
    check_untouched(&deployment, &deployment.serve());
}

#[test]
fn a_store_that_is_being_written_is_read_with_what_is_committed_and_stays_as_it_is() {
    let deployment = Deployment::new();
    let server = deployment.serve();
    let before = looked_at(&server);
    let mut writer = writer(&deployment);
    check_untouched(&deployment, &server);
    assert!(looked_at(&server) > before, "what is committed is seen");
    drop(writer.stdin.take());
    assert!(writer.wait().unwrap().success(), "the writer was not disturbed");
    assert!(!beside(&deployment, "-wal").exists(), "nobody kept the writer from tidying up");
    check_untouched(&deployment, &server);
}

#[test]
fn what_a_killed_writer_left_is_read_and_stays() {
    let deployment = Deployment::new();
    let server = deployment.serve();
    let before = looked_at(&server);
    let mut writer = writer(&deployment);
    writer.kill().unwrap();
    writer.wait().unwrap();
    assert!(fs::metadata(beside(&deployment, "-wal")).unwrap().len() > 0);
    check_untouched(&deployment, &server);
    assert!(looked_at(&server) > before, "what is in the log is seen");
}

fn beside(deployment: &Deployment, suffix: &str) -> std::path::PathBuf {
    let mut name = deployment.store().into_os_string();
    name.push(suffix);
    name.into()
}

#[test]
fn somebody_who_may_only_read_reads_and_is_denied_everything_else() {
    for is_left_by_a_killed_writer in [false, true] {
        let deployment = Deployment::new();
        if is_left_by_a_killed_writer {
            let mut writer = writer(&deployment);
            writer.kill().unwrap();
            writer.wait().unwrap();
        }
        // Where nobody may look the program cannot be started from.
        let elsewhere = tempfile::tempdir().unwrap();
        mode(elsewhere.path(), 0o755);
        let program = elsewhere.path().join("program");
        fs::copy(BINARY, &program).unwrap();
        for entry in fs::read_dir(deployment.directory.path()).unwrap() {
            let path = entry.unwrap().path();
            mode(&path, if path.is_dir() { 0o555 } else { 0o444 });
        }
        mode(deployment.directory.path(), 0o555);

        // The control: the same somebody can neither make an entry nor open the store for writing.
        for attempt in ["touch made", ": >> forge.sqlite3"] {
            let mut denied = as_nobody(Path::new("/bin/sh"));
            let denied = denied.args(["-c", attempt]).current_dir(deployment.directory.path()).output().unwrap();
            assert!(!denied.status.success(), "`{attempt}` is not denied, so this test shows nothing");
        }

        let command = || deployment.program_of(as_nobody(&program));
        let server = serve_by(command());
        let before = seen(deployment.directory.path());
        for (tool, arguments) in good_calls() {
            let answer = server.call(tool, &arguments).answer();
            let output = command().args(["tools", "call", tool, &arguments.to_string()]).output().unwrap();
            let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
            assert_eq!(said, answer, "{tool}");
            assert_eq!(before, seen(deployment.directory.path()), "{tool}");
        }
        mode(deployment.directory.path(), 0o755);
    }
}

#[test]
fn no_other_reader_of_the_store_touches_it() {
    let deployment = Deployment::new();
    let before = seen(deployment.directory.path());
    for arguments in [&["doctor"][..], &["session", "list"]] {
        let output = deployment.program().args(arguments).output().unwrap();
        assert!(output.status.code().is_some(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("forge store: can be read") || said.contains("no sessions"), "{output:?}");
        assert_eq!(before, seen(deployment.directory.path()), "{arguments:?}");
    }
}

#[test]
fn nothing_is_made_where_nothing_is() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("data/forge.sqlite3");
    let mut command = Command::new(BINARY);
    command.env_clear().env("LOOPOVER_STORE", &store).current_dir(directory.path());
    command.envs(std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE", file)));
    command.args(["serve", "--bind", "127.0.0.1:0"]).env("LOOPOVER_API_TOKEN", super::API_TOKEN);
    let server = Server(contract_tests::http_client::HttpServer::start(command, 1));
    for (tool, arguments) in good_calls().into_iter().filter(|(tool, _)| *tool != "loopover_admin_get_config") {
        let super::Reply::Refused(code, envelope) = server.call(tool, &arguments) else { panic!("{tool} answers") };
        assert_eq!((code.as_str(), &envelope["error"]["reason"]), ("store_unavailable", &json!("missing")), "{tool}");
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}
