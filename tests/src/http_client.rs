//! A raw HTTP client and the server it talks to: it sends exactly the bytes it is given, a forged `Host` included, which
//! well-mannered clients put right or leave out.

mod message;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use self::message::field;
pub use self::message::{Answer, Ask, Session, initialize};
use crate::complaints::Complaints;
pub use crate::stdio_client::ALIVE;

/// A server that was started, and where it listens.
pub struct HttpServer {
    child: Child,
    /// Where.
    pub address: SocketAddr,
    /// What it said on stdout, line by line, as far as it was asked for.
    pub said: Vec<String>,
    complaints: Complaints,
    _scratch: TempDir,
}

impl HttpServer {
    /// Starts a server that says its URL in its first line, and reads as many lines. What it leaves behind when it is killed goes
    /// with it.
    ///
    /// # Panics
    /// When it does not.
    pub fn start(mut command: Command, lines: usize) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let scratch = tempfile::tempdir().expect("a temporary directory");
        if !command.get_envs().any(|(name, _)| name == "TMPDIR") {
            command.env("TMPDIR", scratch.path());
        }
        let mut child = command.spawn().expect("the server under test starts");
        let stdout = child.stdout.take().expect("stdout is piped");
        let complaints = Complaints::of(child.stderr.take().expect("stderr is piped"));
        let said: Vec<String> = BufReader::new(stdout).lines().map_while(Result::ok).take(lines).collect();
        let address = said.first().and_then(|url| url.strip_prefix("http://")?.split('/').next()?.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no URL in {said:?}; on stderr: {}", complaints.text()));
        Self { child, address, said, complaints, _scratch: scratch }
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote to stderr.
    pub fn complaints(&self) -> String {
        self.complaints.text()
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
