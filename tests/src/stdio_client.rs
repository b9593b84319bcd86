//! A raw JSON-RPC client over a child's stdin and stdout: it sends exactly the bytes it is given and keeps every line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long to wait before a silent child counts as hung. Not a measure of speed: benchmarks print that.
pub const ALIVE: Duration = Duration::from_secs(30);

/// A running server and its pipes.
pub struct StdioClient {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
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
            .stderr(Stdio::null())
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
        Self { child, stdin, lines, next_id: 1 }
    }

    /// Opens a session of revision 2025-11-25 and returns the server's answer.
    ///
    /// # Panics
    /// When the server does not answer.
    pub fn initialize(&mut self) -> Value {
        let answer = self.request(
            "initialize",
            &json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "raw", "version": "0" } }),
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

    /// The next line of stdout, which must be one JSON-RPC message.
    ///
    /// # Panics
    /// When nothing comes, or something else than a message.
    pub fn next_message(&mut self) -> Value {
        let line = self.lines.recv_timeout(ALIVE).expect("the server answers");
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
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(ALIVE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the server outlives its stdin"),
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

    /// The child's process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for StdioClient {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
