//! An HTTP server that answers what a test tells it to, byte for byte: what no well-made server would do as well.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

/// One request, as it came.
#[derive(Clone, Debug)]
pub struct Request {
    /// The first line.
    pub line: String,
    /// The headers, with their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, when it is JSON.
    pub body: Value,
}

impl Request {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// The method of the JSON-RPC request in it.
    pub fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }
}

/// A server on a port of its own. It goes on until the process ends.
pub struct FakeServer {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl FakeServer {
    /// A server that lets `answer` write whatever it wants to each request's connection, which is closed then.
    ///
    /// # Panics
    /// When no port can be had.
    pub fn start(answer: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let kept = Arc::clone(&requests);
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                thread::spawn(move || {
                    let mut stream = stream;
                    let Some(request) = read(&stream) else { return };
                    kept.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
                    answer(&request, &mut stream);
                });
            }
        });
        Self { address, requests }
    }

    /// A server that opens a conversation of revision 2026-07-28 as it should, and lets `answer` write to calls.
    ///
    /// # Panics
    /// When no port can be had.
    pub fn of_tools(answer: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Self {
        Self::start(move |request, stream| match request.method() {
            "server/discover" => write_json(stream, &reply(request, &discovered())),
            _ => answer(request, stream),
        })
    }

    /// Its address, as it is configured.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let header =
        |line: &String| line.split_once(':').map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
    let headers: Vec<(String, String)> = lines.iter().skip(1).filter_map(header).collect();
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some(Request { line: lines.first()?.clone(), headers, body })
}

/// What a server of revision 2026-07-28 says about itself.
fn discovered() -> Value {
    json!({
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} }, "ttlMs": 0,
        "cacheScope": "private"
    })
}

/// A JSON-RPC response to `request`.
pub fn reply(request: &Request, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": request.body["id"], "result": result })
}

/// Writes a whole HTTP response. Whoever does not read it to the end misses the rest.
pub fn write(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n");
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}

/// Writes a JSON body.
pub fn write_json(stream: &mut TcpStream, body: &Value) {
    write(stream, "200 OK", "content-type: application/json\r\n", &body.to_string());
}

/// Begins a stream of events, which ends with the connection.
pub fn begin_events(stream: &mut TcpStream) {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let _ = stream.write_all(head.as_bytes());
}

/// Writes one event; whether anybody was there to read it.
pub fn write_event(stream: &mut TcpStream, message: &Value) -> bool {
    stream.write_all(format!("data: {message}\n\n").as_bytes()).is_ok()
}
