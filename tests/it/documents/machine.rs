//! A machine on which the commands of one document run: a home, a program path, a repository, a GitHub, a server.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use contract_tests::github::{GitHub, Pull, World};
use contract_tests::http_client::{Connection, HttpServer, eventually};
use serde_json::Value;
use tempfile::TempDir;

use crate::wire::BINARY;

/// What of a machine the documents take as given.
pub(super) struct Machine {
    folder: TempDir,
    pub(super) github: GitHub,
    pub(super) server: HttpServer,
}

/// What a command said and how it ended.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) code: Option<i32>,
    pub(super) text: String,
}

impl Machine {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut world = World::widgets();
        world.first().pulls.push(Pull { number: 7, title: "Change 7".to_owned(), state: "open", ..Pull::default() });
        let mut gadgets = world.first().clone();
        "acme/gadgets".clone_into(&mut gadgets.name);
        world.repos.push(gadgets);
        let mut serve = Command::new(BINARY);
        serve.args(["serve", "--demo", "--bind", "127.0.0.1:0"]).env_clear();
        let this = Self { github: GitHub::start(world), server: HttpServer::start(serve, 1), folder };
        for name in ["bin", "home", "tree", "tree/contract-tools"] {
            fs::create_dir(this.path(name)).unwrap();
        }
        symlink(BINARY, this.path("bin/loopover")).unwrap();
        // `cargo run` of the program is the program that is under test; nothing else is asked of cargo here.
        let run = "while [ \"$1\" != -- ]; do shift; done; shift; exec loopover \"$@\"";
        this.program("cargo", &format!("case \"$*\" in run*\"--bin loopover -- \"*) ;; *) exit 9 ;; esac\n{run}"));
        // The last word is what is asked for.
        this.program("gh", "for word; do :; done; exec cat \"$GH_ANSWERS/$(printf %s \"$word\" | tr '/?&' '___')\"");
        fs::create_dir(this.path("answers")).unwrap();
        this.commit_twice();
        this
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The working tree has a contract that was committed, and a commit after that.
    fn commit_twice(&self) {
        fs::write(self.path("tree/contract-tools/contract.json"), contract_tools::contract::COMMITTED).unwrap();
        let identity = "-c user.name=T -c user.email=t@example.com -c commit.gpgsign=false";
        let said = self.run(&format!(
            "git init -q -b main && git add . && git {identity} commit -qm One && git {identity} commit -q --allow-empty -m Two"
        ));
        assert_eq!(said.code, Some(0), "{}", said.text);
    }

    /// Keeps what GitHub answers to each path that a line asks `gh` for, as `gh` prints it.
    pub(super) fn prepare(&self, line: &str) {
        let Some(asked) = line.strip_prefix("gh api ").and_then(|rest| rest.split(" | ").next()) else { return };
        let path = asked.trim_start_matches("--paginate").trim().trim_matches('\'');
        let address: SocketAddr = self.github.url().trim_start_matches("http://").parse().unwrap();
        let mut records = Vec::new();
        let mut page = 1;
        let answer = loop {
            let joint = if path.contains('?') { '&' } else { '?' };
            let target = if page == 1 { format!("/{path}") } else { format!("/{path}{joint}page={page}") };
            let mut connection = Connection::to(address);
            connection.send(format!("GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes());
            let answer = connection.answer();
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            match answer.json() {
                Value::Array(more) if !more.is_empty() => records.extend(more),
                Value::Array(_) => break Value::Array(records),
                one => break one,
            }
            page += 1;
        };
        // Records name the host that they come from.
        let text = answer.to_string().replace(&self.github.url(), "https://api.github.com");
        fs::write(self.path("answers").join(path.replace(['/', '?', '&'], "_")), text).unwrap();
    }

    fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        let path = std::env::var("PATH").unwrap();
        command
            .args(["-c", line])
            .current_dir(self.path("tree"))
            .env_clear()
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("HOME", self.path("home"))
            .env("GH_ANSWERS", self.path("answers"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a line to its end, with nothing to read.
    pub(super) fn run(&self, line: &str) -> Said {
        self.run_with(line, "")
    }

    /// Runs a line to its end, with this on stdin.
    pub(super) fn run_with(&self, line: &str, input: &str) -> Said {
        let mut child = self.shell(line).spawn().unwrap();
        // Who reads nothing has gone by then.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Said { code: output.status.code(), text }
    }

    /// Starts the server that a line starts, waits until it says `text` on stdout, and tells it to end.
    pub(super) fn serve(&self, line: &str, text: &str) -> Said {
        // One process, so that the signal reaches the server and not the shell before it.
        let mut child = self.shell(&format!("exec env {line}")).spawn().unwrap();
        drop(child.stderr.take());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut said = String::new();
        while !said.contains(text) {
            let Some(line) = lines.next() else { break };
            said.push_str(&line);
            said.push('\n');
        }
        Said { code: end(&mut child), text: said }
    }
}

/// Tells a process to end, and waits for its exit code.
fn end(child: &mut Child) -> Option<i32> {
    let status = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    let _ = status.expect("kill runs");
    let mut code = None;
    let has_ended = eventually(|| {
        child.try_wait().expect("a child can be waited for").inspect(|status| code = status.code()).is_some()
    });
    if !has_ended {
        child.kill().expect("a child can be killed");
    }
    code
}
