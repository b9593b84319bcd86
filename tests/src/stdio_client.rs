//! A raw JSON-RPC client over a child's stdin and stdout: it sends exactly the bytes it is given and keeps every line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::complaints::Complaints;

/// How long to wait before a silent child counts as hung. Not a measure of speed: benchmarks print that.
pub const ALIVE: Duration = Duration::from_secs(30);

/// A running server and its pipes.
pub struct StdioClient {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    complaints: Complaints,
    next_id: u64,
}

impl StdioClient {
    /// Starts `binary` with `arguments` in `directory`, with an environment of its own.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(binary: &str, arguments: &[&str], directory: &Path) -> Self {
        let mut command = Command::new(binary);
        command.args(arguments).current_dir(directory).env("HOME", directory);
        Self::start_command(command)
    }

    /// Starts a prepared command.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start_command(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server under test starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let complaints = Complaints::of(child.stderr.take().expect("stderr is piped"));
        Self { child, stdin, lines, complaints, next_id: 1 }
    }

    /// Opens a session of revision 2025-11-25 and returns the server's answer.
    ///
    /// # Panics
    /// When the server does not answer.
    pub fn initialize(&mut self) -> Value {
        self.initialize_as("2025-11-25", &json!({}))
    }

    /// Opens a session of a revision, for a client that can do what it says, and returns the server's answer.
    ///
    /// # Panics
    /// When the server does not answer.
    pub fn initialize_as(&mut self, revision: &str, capabilities: &Value) -> Value {
        let client = json!({ "name": "raw", "version": "0" });
        let answer = self.request(
            "initialize",
            &json!({ "protocolVersion": revision, "capabilities": capabilities, "clientInfo": client }),
        );
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer
    }

    /// Sends a request and waits for the reply with its id.
    ///
    /// # Panics
    /// When the server does not answer.
    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        self.reply_to(&json!(id))
    }

    /// Sends a request of revision 2026-07-28, which says so itself, and waits for the reply.
    ///
    /// # Panics
    /// When the server does not answer.
    pub fn request_2026(&mut self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
        });
        self.request(method, &params)
    }

    /// Shows that the server is alive, and that it had nothing to say since the last message that was read.
    ///
    /// # Panics
    /// When the next message is not the reply to this ping.
    #[track_caller]
    pub fn expect_silence(&mut self) {
        self.send(r#"{"jsonrpc":"2.0","id":"silence","method":"ping"}"#);
        let message = self.next_message();
        assert_eq!(message["id"], "silence", "an unexpected message: {message}");
    }

    /// Calls a tool and returns the `result`.
    ///
    /// # Panics
    /// When the server does not answer, or with a protocol error.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let reply = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        assert!(reply.get("error").is_none(), "a protocol error: {reply}");
        reply["result"].clone()
    }

    /// Writes one line as it is.
    ///
    /// # Panics
    /// When the server is gone.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Writes bytes as they are.
    ///
    /// # Panics
    /// When the server is gone.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is still open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    /// The next line of stdout, byte for byte.
    ///
    /// # Panics
    /// When nothing comes.
    #[track_caller]
    pub fn next_line(&mut self) -> String {
        self.lines.recv_timeout(ALIVE).expect("the server answers")
    }

    /// The next line of stdout, which must be one JSON-RPC message.
    ///
    /// # Panics
    /// When nothing comes, or something else than a message.
    #[track_caller]
    pub fn next_message(&mut self) -> Value {
        let line = self.next_line();
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("stdout carries protocol only: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// The next reply with this id; notifications before it are passed over.
    ///
    /// # Panics
    /// When it does not come.
    pub fn reply_to(&mut self, id: &Value) -> Value {
        loop {
            let message = self.next_message();
            if message.get("method").is_none() && &message["id"] == id {
                return message;
            }
        }
    }

    /// Closes stdin and waits for the end: the exit status and every line that was still to come.
    ///
    /// # Panics
    /// When the server does not end.
    pub fn finish(mut self) -> (ExitStatus, Vec<String>) {
        self.stdin = None;
        self.end()
    }

    /// Waits for the end with stdin open: the exit status and every line that was still to come.
    ///
    /// # Panics
    /// When the server does not end.
    pub fn end(mut self) -> (ExitStatus, Vec<String>) {
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(ALIVE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end"),
            }
        }
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                return (status, rest);
            }
            assert!(started.elapsed() < ALIVE, "the server closed stdout and lives on");
            thread::yield_now();
        }
    }

    /// What the server wrote to stderr so far.
    pub fn complaints(&self) -> String {
        self.complaints.text()
    }

    /// Waits until the server has complained of something.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn expect_complaint(&self, part: &str) {
        let started = Instant::now();
        while !self.complaints().contains(part) {
            assert!(started.elapsed() < ALIVE, "no `{part}` on stderr: {}", self.complaints());
            thread::yield_now();
        }
    }

    /// The child's process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for StdioClient {
    fn drop(&mut self) {
        self.stdin = None;
        // Only a process that ends by itself writes down what it covered.
        let until = Instant::now() + Duration::from_secs(5);
        while std::env::var_os("LLVM_PROFILE_FILE").is_some() && Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::yield_now();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
