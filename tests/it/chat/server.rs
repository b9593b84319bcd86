//! A server in a process of its own, what a browser sends it, and what the session behind it does.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use contract_tests::stdio_client::ALIVE;
use contract_tests::workspace::root;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::miner::state::{State, TOOLS};
use crate::wire::BINARY;

/// What the session says of itself when all is well.
pub(crate) fn init() -> Value {
    let tools: Vec<String> = TOOLS.iter().map(|tool| format!("mcp__loopover-miner__{tool}")).collect();
    json!({
        "type": "system", "subtype": "init", "permissionMode": "dontAsk", "tools": tools,
        "mcp_servers": [{ "name": "loopover-miner", "status": "connected" }],
    })
}

/// A running server.
pub(crate) struct Miner {
    process: Child,
    pub(crate) address: String,
    pub(crate) link: String,
    pub(crate) cookie: String,
    pub(crate) place: PathBuf,
    pub(crate) said: Arc<Mutex<String>>,
    _state: State,
}

impl Miner {
    /// A server whose sessions follow `plan`.
    pub(crate) fn with(plan: &str) -> Self {
        Self::start(plan, &[], &[("MINER_CODING_AGENT_PROVIDER", "agent-sdk")])
    }

    pub(crate) fn with_options(plan: &str, options: &[&str]) -> Self {
        Self::start(plan, options, &[("MINER_CODING_AGENT_PROVIDER", "agent-sdk")])
    }

    pub(crate) fn start(plan: &str, options: &[&str], variables: &[(&str, &str)]) -> Self {
        let state = State::demo();
        let place = state.directory.join("session");
        fs::create_dir(&place).unwrap();
        fs::create_dir(place.join("tmp")).unwrap();
        // A link to a committed script: a script that was just written could still be open in a child of another test.
        symlink(root().join("tests/it/chat/claude.sh"), place.join("claude")).unwrap();
        fs::write(place.join("plan"), plan).unwrap();
        fs::write(place.join("init"), format!("{}\n", init())).unwrap();
        let mut command = Command::new(BINARY);
        command
            .args(["miner", "serve", "--bind", "127.0.0.1:0"])
            .args(options)
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", place.display()))
            .env("HOME", &state.directory)
            .env("LOOPOVER_MINER_CONFIG_DIR", &state.directory)
            .env("TMPDIR", place.join("tmp"))
            .envs(variables.iter().copied())
            .envs(std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE", file)))
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let said = Arc::<Mutex<String>>::default();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let link = first_link(&mut stdout);
        said.lock().unwrap().push_str(&link);
        listen(stdout, &said);
        listen(process.stderr.take().unwrap(), &said);
        let address = link.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
        Self { process, address, link, cookie: String::new(), place, said, _state: state }
    }

    /// The same, let in.
    pub(crate) fn entered(mut self) -> Self {
        let path = self.link[self.link.find("/__auth").unwrap()..].to_owned();
        let answer = self.ask(&format!("GET {path}"), &[], b"");
        assert_eq!(answer.status, 302, "{answer:?}");
        answer.header("set-cookie").unwrap().split(';').next().unwrap().clone_into(&mut self.cookie);
        self
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Sends a request with just these headers beside `Host` and reads the whole answer.
    pub(crate) fn ask(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut all = vec![("Host", self.address.as_str()), ("Connection", "close")];
        all.extend_from_slice(headers);
        let mut stream = send(&self.address, line, &all, body);
        stream.read_all()
    }

    /// The headers that a page of this server sends with a question.
    pub(crate) fn own_headers(&self) -> Vec<(&str, String)> {
        vec![
            ("Host", self.address.clone()),
            ("Cookie", self.cookie.clone()),
            ("Origin", format!("http://{}", self.address)),
            ("Content-Type", "application/json".to_owned()),
        ]
    }

    /// Sends a body to the chat as its own page would.
    pub(crate) fn post(&self, body: &[u8]) -> Stream {
        let headers = self.own_headers();
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        send(&self.address, "POST /api/chat", &headers, body)
    }

    /// Asks one question.
    pub(crate) fn chat(&self, content: &str) -> Stream {
        self.post(json!({ "messages": [{ "role": "user", "content": content }] }).to_string().as_bytes())
    }

    /// Asks one question and reads the answer to its end.
    pub(crate) fn events(&self) -> Vec<Value> {
        let mut stream = self.chat("hi");
        let answer = stream.head();
        assert_eq!(answer.status, 200, "{answer:?}");
        let events = stream.rest();
        assert_eq!(events.last().unwrap(), &json!({ "type": "done" }), "{events:?}");
        assert_eq!(events.iter().filter(|event| event["type"] == "done").count(), 1);
        events
    }

    /// What is noted in the session's place under this name.
    pub(crate) fn noted(&self, name: &str) -> String {
        fs::read_to_string(self.place.join(name)).unwrap_or_default()
    }

    /// Whether a session was started.
    pub(crate) fn has_started(&self) -> bool {
        self.place.join("started").exists()
    }

    pub(crate) fn touch(&self, name: &str) {
        fs::write(self.place.join(name), "").unwrap();
    }

    /// Waits until no process of any session runs and nothing of its directory is left; fails after `most`.
    #[track_caller]
    pub(crate) fn expect_nothing_left(&self, most: Duration) {
        let started = Instant::now();
        loop {
            let processes = self.running();
            let directories = fs::read_dir(self.place.join("tmp")).unwrap().count();
            if processes.is_empty() && directories == 0 {
                return;
            }
            assert!(started.elapsed() < most, "{processes:?} run, {directories} directories are left");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The processes of all sessions that run.
    pub(crate) fn running(&self) -> Vec<String> {
        self.noted("started").lines().filter(|pid| runs(pid)).map(str::to_owned).collect()
    }

    /// How many descriptors the server has open.
    pub(crate) fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.pid())).unwrap().count()
    }

    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.pid().cast_signed()).unwrap(), signal).unwrap();
    }

    /// Ends the server without giving it time for anything.
    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Waits for the server's own end.
    pub(crate) fn end(mut self) -> ExitStatus {
        end(&mut self.process)
    }
}

impl Drop for Miner {
    fn drop(&mut self) {
        if self.process.try_wait().is_ok_and(|status| status.is_none()) {
            self.terminate();
            end(&mut self.process);
        }
    }
}

fn end(process: &mut Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = process.try_wait().unwrap() {
            return status;
        }
        if started.elapsed() > ALIVE {
            let _ = process.kill();
            panic!("the server does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn runs(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn first_link(stdout: &mut impl BufRead) -> String {
    let mut line = String::new();
    while !line.contains("token=") {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0, "the server prints a link");
    }
    line[line.find("http://").unwrap()..].split_whitespace().next().unwrap().to_owned()
}

fn listen(mut pipe: impl Read + Send + 'static, said: &Arc<Mutex<String>>) {
    let said = Arc::clone(said);
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(length @ 1..) = pipe.read(&mut bytes) {
            said.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..length]));
        }
    });
}

/// Sends a request as it is; a `Content-Length` is added unless the headers say how the body is framed.
pub(crate) fn send(address: &str, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Stream {
    let mut request = format!("{line} HTTP/1.1\r\n");
    request.extend(headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")));
    if !headers.iter().any(|(name, _)| ["Content-Length", "Transfer-Encoding"].contains(name)) {
        request.push_str("Content-Length: ");
        request.push_str(&body.len().to_string());
        request.push_str("\r\n");
    }
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(ALIVE)).unwrap();
    stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
    // A server that refuses may close before the body is sent.
    let _ = stream.write_all(body);
    Stream { reader: BufReader::new(stream) }
}

/// An answer's head, and its body where that was read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The error, whose shape is checked.
    #[track_caller]
    pub(crate) fn error(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("JSON: {self:?}"));
        assert_eq!(body.as_object().unwrap().len(), 1, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        body["error"].as_str().unwrap().to_owned()
    }
}

/// An answer that arrives.
pub(crate) struct Stream {
    reader: BufReader<TcpStream>,
}

impl Stream {
    /// Sends more on the same connection, as far as that is taken.
    pub(crate) fn send_behind(&mut self, bytes: &[u8]) {
        let stream = self.reader.get_mut();
        stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
        let _ = stream.write_all(bytes);
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("the server answers");
        line.trim_end_matches(['\r', '\n']).to_owned()
    }

    /// The status and the headers.
    pub(crate) fn head(&mut self) -> Answer {
        let status = self.line();
        let status = status.split(' ').nth(1).unwrap_or_else(|| panic!("a status line: {status:?}")).parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Answer { status, headers, body: String::new() }
    }

    fn read_all(&mut self) -> Answer {
        let mut answer = self.head();
        if answer.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk() {
                answer.body.push_str(&chunk);
            }
        } else {
            let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
            let mut body = vec![0; length];
            // After HEAD there is none.
            let _ = self.reader.read_exact(&mut body);
            String::from_utf8_lossy(&body).trim_end_matches('\0').clone_into(&mut answer.body);
        }
        answer
    }

    /// The whole answer.
    pub(crate) fn answer(mut self) -> Answer {
        self.read_all()
    }

    fn chunk(&mut self) -> Option<String> {
        let length = usize::from_str_radix(&self.line(), 16).ok().filter(|length| *length > 0)?;
        let mut bytes = vec![0; length + 2];
        self.reader.read_exact(&mut bytes).ok()?;
        bytes.truncate(length);
        Some(String::from_utf8(bytes).expect("frames are text"))
    }

    /// The next frame, as it is. Each is sent in a chunk of its own.
    pub(crate) fn frame(&mut self) -> Option<String> {
        self.chunk()
    }

    /// The next event; comments are passed over.
    pub(crate) fn event(&mut self) -> Option<Value> {
        loop {
            let frame = self.frame()?;
            if let Some(data) = frame.strip_prefix("data: ") {
                let data = data.strip_suffix("\n\n").unwrap_or_else(|| panic!("a whole frame: {frame:?}"));
                assert!(!data.contains('\n'), "one line: {frame:?}");
                return Some(serde_json::from_str(data).unwrap());
            }
            assert_eq!(frame, ":\n\n", "a comment");
        }
    }

    /// Everything that is still to come.
    pub(crate) fn rest(mut self) -> Vec<Value> {
        let mut events = Vec::new();
        while let Some(event) = self.event() {
            events.push(event);
        }
        events
    }
}

/// What was said in all `text` events.
pub(crate) fn text(events: &[Value]) -> String {
    events.iter().filter(|event| event["type"] == "text").map(|event| event["text"].as_str().unwrap()).collect()
}

/// The kinds of events, in order; texts that follow each other count once.
pub(crate) fn kinds(events: &[Value]) -> Vec<&str> {
    let mut kinds: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    kinds.dedup_by(|one, other| *one == "text" && *other == "text");
    kinds
}

/// The code of a chat that failed and did nothing else.
#[track_caller]
pub(crate) fn only_error(events: &[Value]) -> (String, String) {
    assert_eq!(kinds(events), ["error", "done"], "{events:?}");
    let member = |name: &str| events[0][name].as_str().unwrap().to_owned();
    (member("code"), member("message"))
}

/// The session's place, for plans that name it.
pub(crate) fn write(place: &Path, name: &str, contents: &str) {
    fs::write(place.join(name), contents).unwrap();
}
