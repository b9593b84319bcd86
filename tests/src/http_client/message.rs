//! What goes over a raw HTTP connection: a request before it is sent, an answer, a session of them.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::HttpServer;

pub(super) fn field<'event>(event: &'event str, name: &str) -> Option<&'event str> {
    event.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim_start()))
}

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    pub(super) headers: Vec<(String, String)>,
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
