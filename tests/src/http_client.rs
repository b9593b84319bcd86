//! A raw HTTP client and the server it talks to: it sends exactly the bytes it is given, a forged `Host` included, which
//! well-mannered clients put right or leave out.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub use crate::stdio_client::ALIVE;

/// A server that was started, and where it listens.
pub struct HttpServer {
    child: Child,
    /// Where.
    pub address: SocketAddr,
    /// What it said on stdout, line by line, as far as it was asked for.
    pub said: Vec<String>,
    complaints: Arc<Mutex<String>>,
}

impl HttpServer {
    /// Starts a server that says its URL in its first line, and reads as many lines.
    ///
    /// # Panics
    /// When it does not.
    pub fn start(mut command: Command, lines: usize) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server under test starts");
        let stdout = child.stdout.take().expect("stdout is piped");
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let complaints: Arc<Mutex<String>> = Arc::default();
        let heard = Arc::clone(&complaints);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = stderr.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..length]);
                heard.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
            }
        });
        let said: Vec<String> = BufReader::new(stdout).lines().map_while(Result::ok).take(lines).collect();
        let address = said.first().and_then(|url| url.strip_prefix("http://")?.split('/').next()?.parse().ok());
        let complained = || complaints.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let address = address.unwrap_or_else(|| panic!("no URL in {said:?}; on stderr: {}", complained()));
        Self { child, address, said, complaints }
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote to stderr.
    pub fn complaints(&self) -> String {
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until it has written `text` to stderr.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn until_it_says(&self, text: &str) {
        let said = || self.complaints().contains(text);
        assert!(eventually(said), "`{text}` is not in {}", self.complaints());
    }

    /// Sends it a signal by its number, and waits for its exit code.
    ///
    /// # Panics
    /// When it does not end.
    pub fn end(&mut self, signal: &str) -> Option<i32> {
        self.signal(signal);
        let end = Instant::now() + ALIVE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("a child can be waited for") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }

    /// Sends it a signal.
    ///
    /// # Panics
    /// When that cannot be done.
    pub fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(status.expect("kill runs").success());
    }

    /// A connection to it.
    pub fn connect(&self) -> Connection {
        Connection::to(self.address)
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The resident memory of a process, in KiB.
pub fn resident_kibibytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or_default()
}

/// Whether `holds` comes true before a silent server counts as hung.
pub fn eventually(mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + ALIVE;
    while !holds() {
        if Instant::now() > end {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// One TCP connection.
pub struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    /// Opens one.
    ///
    /// # Panics
    /// When nobody listens.
    pub fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(ALIVE)).expect("a read may time out");
        stream.set_nodelay(true).expect("small writes leave at once");
        Self { stream: BufReader::new(stream) }
    }

    /// The socket itself.
    pub fn socket(&self) -> &TcpStream {
        self.stream.get_ref()
    }

    /// Sends bytes as they are. A server that closed the connection meanwhile is no error here.
    pub fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream.get_mut().write_all(bytes);
    }

    /// Sends a request and reads its whole answer.
    pub fn ask(&mut self, ask: &Ask) -> Answer {
        self.send(&ask.bytes());
        self.answer()
    }

    /// Reads a whole answer.
    ///
    /// # Panics
    /// When there is none.
    pub fn answer(&mut self) -> Answer {
        let mut answer = self.head();
        let length = answer.header("content-length").and_then(|length| length.parse().ok());
        if answer.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk() {
                answer.body.extend(chunk);
            }
        } else if let Some(length) = length {
            answer.body = vec![0; length];
            self.stream.read_exact(&mut answer.body).expect("the body is as long as it says");
        }
        answer
    }

    /// Reads the head of an answer and leaves its body.
    ///
    /// # Panics
    /// When there is none.
    pub fn head(&mut self) -> Answer {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let length = self.stream.read_line(&mut line).expect("an answer arrives");
            assert!(length > 0, "the server closed the connection without an answer");
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            lines.push(line.to_owned());
        }
        let status = lines[0].split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line");
        let headers = lines[1..].iter().filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        Answer { status, headers, body: Vec::new() }
    }

    /// The next chunk of a chunked body; none at its end, or when the connection ends.
    pub fn chunk(&mut self) -> Option<Vec<u8>> {
        let mut line = String::new();
        self.stream.read_line(&mut line).ok().filter(|length| *length > 0)?;
        let length = usize::from_str_radix(line.trim_end(), 16).ok()?;
        let mut chunk = vec![0; length + 2];
        self.stream.read_exact(&mut chunk).ok()?;
        chunk.truncate(length);
        (length > 0).then_some(chunk)
    }

    /// The next event of a stream, as its id and its data; none when the stream ends. Keep-alives are passed over.
    pub fn event(&mut self) -> Option<(Option<String>, String)> {
        loop {
            let chunk = String::from_utf8(self.chunk()?).ok()?;
            if let Some(data) = field(&chunk, "data") {
                return Some((field(&chunk, "id").map(str::to_owned), data.to_owned()));
            }
        }
    }

    /// Whether the server has closed the connection, when all it sent has been read.
    pub fn is_closed(&mut self) -> bool {
        let mut byte = [0];
        !matches!(self.stream.read(&mut byte), Ok(1..))
    }
}

fn field<'event>(event: &'event str, name: &str) -> Option<&'event str> {
    event.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim_start()))
}

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// A header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON: of a stream of events, the last one's data.
    ///
    /// # Panics
    /// When it is none.
    #[track_caller]
    pub fn json(&self) -> Value {
        let text = self.text();
        let json = match self.header("content-type") {
            Some("text/event-stream") => text
                .split("\n\n")
                .filter_map(|event| field(event, "data"))
                .filter(|data| !data.is_empty())
                .last()
                .unwrap_or_default(),
            _ => &text,
        };
        serde_json::from_str(json).unwrap_or_else(|_| panic!("no JSON: {} {text}", self.status))
    }
}

/// A request to `/mcp`, before it is sent.
#[derive(Clone)]
pub struct Ask {
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Ask {
    /// A request without a body.
    pub fn new(server: &HttpServer, method: &str, path: &str) -> Self {
        let host = ("Host".to_owned(), server.address.to_string());
        Self { line: format!("{method} {path} HTTP/1.1"), headers: vec![host], body: Vec::new() }
    }

    /// A POST of a frame, with the headers that every one must have.
    pub fn post(server: &HttpServer, body: impl Into<Vec<u8>>) -> Self {
        let mut ask = Self::new(server, "POST", "/mcp")
            .with("Content-Type", "application/json")
            .with("Accept", "application/json, text/event-stream");
        ask.body = body.into();
        ask
    }

    /// A request of revision 2026-07-28, which stands alone.
    ///
    /// # Panics
    /// When `params` is no object.
    pub fn alone(server: &HttpServer, method: &str, mut params: Value) -> Self {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
        });
        let name = params["name"].as_str().map(str::to_owned);
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let ask =
            Self::post(server, body.to_string()).with("MCP-Protocol-Version", "2026-07-28").with("Mcp-Method", method);
        match name {
            Some(name) => ask.with("Mcp-Name", &name),
            None => ask,
        }
    }

    /// A call of revision 2026-07-28.
    pub fn call(server: &HttpServer, tool: &str, arguments: &Value) -> Self {
        Self::alone(server, "tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// With one more header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Without a header.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// With a header in place of what it was.
    #[must_use]
    pub fn with_other(self, name: &str, value: &str) -> Self {
        self.without(name).with(name, value)
    }

    /// With another body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// As it goes over the wire.
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{}\r\n", self.line);
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let says_length = self.headers.iter().any(|(name, _)| {
            name.eq_ignore_ascii_case("content-length") || name.eq_ignore_ascii_case("transfer-encoding")
        });
        if !says_length && (!self.body.is_empty() || self.line.starts_with("POST")) {
            let _ = write!(head, "Content-Length: {}\r\n", self.body.len());
        }
        let mut bytes = format!("{head}\r\n").into_bytes();
        bytes.extend(&self.body);
        bytes
    }

    /// Sends it over a connection of its own, and reads the whole answer.
    pub fn answer(&self, server: &HttpServer) -> Answer {
        server.connect().ask(self)
    }
}

/// A session of a revision that has them.
pub struct Session<'server> {
    server: &'server HttpServer,
    /// Its id.
    pub id: String,
    /// The answer that opened it.
    pub opened: Value,
}

impl<'server> Session<'server> {
    /// Opens one.
    ///
    /// # Panics
    /// When that fails.
    #[track_caller]
    pub fn open(server: &'server HttpServer) -> Self {
        Self::open_with(server, |ask| ask)
    }

    /// Opens one with a request that was changed.
    ///
    /// # Panics
    /// When that fails.
    #[track_caller]
    pub fn open_with(server: &'server HttpServer, change: impl FnOnce(Ask) -> Ask) -> Self {
        let answer = change(Ask::post(server, initialize("2025-11-25"))).answer(server);
        let id = answer.header("mcp-session-id").unwrap_or_else(|| panic!("no session: {answer:?}")).to_owned();
        Self { server, id, opened: answer.json() }
    }

    /// A POST in this session.
    pub fn post(&self, body: impl Into<Vec<u8>>) -> Ask {
        Ask::post(self.server, body).with("Mcp-Session-Id", &self.id).with("MCP-Protocol-Version", "2025-11-25")
    }

    /// A request without a body in this session.
    pub fn ask(&self, method: &str) -> Ask {
        Ask::new(self.server, method, "/mcp").with("Mcp-Session-Id", &self.id).with("Accept", "text/event-stream")
    }

    /// Sends a frame and reads the whole answer.
    pub fn say(&self, body: &str) -> Answer {
        self.post(body).answer(self.server)
    }
}

/// The frame that opens a session of a revision.
pub fn initialize(revision: &str) -> String {
    let client = json!({ "name": "raw", "version": "0" });
    let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string()
}
