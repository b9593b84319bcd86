//! stdout, for the protocol alone: one thread writes it, and one notices when nobody reads it any more.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tokio::sync::{Notify, mpsc};

use super::link::Link;

/// Lines that may wait for the writer; each sender beyond them waits itself.
const WAITING: usize = 16;

/// Moves stdout to a descriptor that nobody else knows, and lets what else is printed go to stderr.
pub(super) fn take_stdout() -> io::Result<File> {
    let private = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(File::from(private))
}

/// The one writer.
pub(super) struct Output {
    lines: mpsc::Sender<String>,
    gone: Arc<Notify>,
}

impl Output {
    /// Starts writing to `stdout`, and watching it.
    pub(super) fn start(stdout: File, link: Arc<Link>) -> io::Result<Self> {
        let (lines, waiting) = mpsc::channel(WAITING);
        let gone = Arc::new(Notify::new());
        let (watched, told) = (stdout.try_clone()?, Arc::clone(&gone));
        thread::Builder::new().name("stdout-watch".to_owned()).spawn(move || watch(&watched, &told))?;
        let told = Arc::clone(&gone);
        thread::Builder::new().name("stdout".to_owned()).spawn(move || write_lines(stdout, waiting, &link, &told))?;
        Ok(Self { lines, gone })
    }

    /// Where lines, without their ends, are to be sent.
    pub(super) fn lines(&self) -> mpsc::Sender<String> {
        self.lines.clone()
    }

    /// Waits until nobody can read stdout any more.
    pub(super) async fn gone(&mut self) {
        self.gone.notified().await;
    }
}

fn write_lines(mut stdout: File, mut lines: mpsc::Receiver<String>, link: &Link, gone: &Notify) {
    while let Some(mut line) = lines.blocking_recv() {
        let length = line.len();
        line.push('\n');
        if write_all(&mut stdout, line.as_bytes()).is_err() {
            gone.notify_one();
            return;
        }
        link.written(length);
    }
}

/// As [`Write::write_all`], also where somebody who shares stdout made it non-blocking.
fn write_all(stdout: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match stdout.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                poll(&mut [PollFd::new(stdout, PollFlags::OUT)], None)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A pipe without a reader and a socket without a peer say so without being asked.
fn watch(stdout: &File, gone: &Notify) {
    loop {
        let mut descriptors = [PollFd::new(stdout, PollFlags::empty())];
        match poll(&mut descriptors, None) {
            Ok(_) => {
                gone.notify_one();
                return;
            }
            Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}
