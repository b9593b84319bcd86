//! A session of the `claude` program, driven over its stream of JSON lines, with the miner's tools and nothing else.
//!
//! What the session may do is decided on its command line (`arguments`) and in its environment (`surroundings`), and is
//! checked against what it says of itself before anything of it is believed (`session`). It lives below a process
//! that ends whatever it starts (`supervisor`), in a directory of its own (`scratch`), and leaves neither behind (`process`).

mod arguments;
mod lines;
mod message;
mod process;
mod session;
mod supervisor;
mod surroundings;
mod tool;
mod unread;
mod verdict;

pub use self::process::Nursery;
pub use self::session::{Expected, Session};
pub use self::supervisor::supervise;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream;
use tokio::task::consume_budget;
use tokio::time::timeout;

use self::lines::{Line, Lines};
use self::process::Running;
use super::failure::Failure;
use super::prompt::Prompt;
use super::query::{ChatQuery, Ended, QueryItem, QueryStream, Seat};
use crate::miner::MinerHome;
use crate::miner::status::program_path;
use crate::serve::remote::log::TARGET;

/// What the session's server is called.
pub const SERVER: &str = "loopover-miner";

/// How long a program that closed its output may take to end.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// Starts sessions.
pub struct ClaudeQuery {
    home: Arc<MinerHome>,
    /// This program, which serves the tools and looks after sessions.
    program: PathBuf,
    expected: Expected,
    nursery: Nursery,
}

impl ClaudeQuery {
    /// Sessions with the `tools` that `program miner mcp` serves.
    pub fn new(home: Arc<MinerHome>, program: PathBuf, tools: Vec<String>) -> Self {
        Self { home, program, expected: Expected { tools }, nursery: Nursery::default() }
    }

    /// What runs now.
    pub fn nursery(&self) -> &Nursery {
        &self.nursery
    }

    /// Clears the directories of sessions whose server was killed; returns how many.
    pub fn clear_left_over() -> usize {
        surroundings::SESSIONS.sweep(&std::env::temp_dir())
    }

    fn open(&self, prompt: &Prompt, seat: Seat) -> Result<Open, Failure> {
        let claude = program_path(&self.home, "claude").ok_or(Failure::CliMissing)?;
        let place = surroundings::prepare(&self.home, &self.program).map_err(|error| {
            tracing::warn!(target: TARGET, kind = ?error.kind(), "a session's temporary directory cannot be made");
            Failure::NoDirectory
        })?;
        let mut command = std::process::Command::new(&self.program);
        command.args(["miner", "supervise", "--server", &std::process::id().to_string(), "--"]).arg(claude);
        command.args(arguments::of(prompt, &self.expected.tools, &place.servers));
        command.env_clear().envs(surroundings::environment(&self.home, &place)).current_dir(&place.work);
        let running = self.nursery.start(command, (place.root, seat), arguments::input(prompt)).map_err(|error| {
            tracing::warn!(target: TARGET, kind = ?error.kind(), program = %self.program.display(), "a session's process cannot be started");
            Failure::NoProcess
        })?;
        let (running, output) = running;
        Ok(Open {
            running,
            lines: Lines::new(output),
            session: Session::new(self.expected.clone()),
            ready: VecDeque::new(),
        })
    }
}

impl ChatQuery for ClaudeQuery {
    fn start(&self, prompt: Prompt, seat: Seat) -> QueryStream {
        match self.open(&prompt, seat) {
            Ok(open) => Box::pin(stream::unfold(open, |mut open| async { Some((open.next().await, open)) })),
            Err(failure) => Box::pin(stream::iter([QueryItem::Ended(Ended::failed(failure))])),
        }
    }
}

/// A session that runs. Dropped, it is ended with everything that it started.
struct Open {
    running: Running,
    lines: Lines<tokio::process::ChildStdout>,
    session: Session,
    ready: VecDeque<QueryItem>,
}

impl Open {
    /// What comes next, up to the end: behind that nobody asks.
    async fn next(&mut self) -> QueryItem {
        loop {
            if let Some(item) = self.ready.pop_front() {
                match &item {
                    QueryItem::Ended(Ended { outcome: Ok(()), .. }) => self.running.is_done(),
                    QueryItem::Ended(Ended { outcome: Err(failure), .. }) => self.tell(*failure),
                    QueryItem::Event(_) | QueryItem::Alive => {}
                }
                return item;
            }
            let item = match self.lines.next().await {
                Ok(Some(Line::Whole(line))) => {
                    self.ready.extend(self.session.line(&line));
                    // However many lines there are, clocks are looked at between them.
                    consume_budget().await;
                    if !self.session.was_understood() {
                        continue;
                    }
                    QueryItem::Alive
                }
                Ok(Some(Line::TooLong)) => QueryItem::Ended(Ended::failed(Failure::Other)),
                Ok(None) | Err(_) => QueryItem::Ended(Ended::failed(self.broke_off().await)),
            };
            self.ready.push_back(item);
        }
    }

    /// Tells the log what the program said itself of an error, where it said anything: who asks is told in other words.
    fn tell(&self, failure: Failure) {
        let complaint = self.session.complaint();
        if !complaint.is_empty() {
            tracing::warn!(target: TARGET, ?failure, complaint, "the claude program told of an error");
        }
    }

    /// Why there are no more lines, though there was no result.
    async fn broke_off(&mut self) -> Failure {
        let code = timeout(LAST_BREATH, self.running.exit()).await.ok().flatten();
        tracing::warn!(target: TARGET, code, stderr = self.running.complaints(), "the claude program ended without a result");
        if self.session.has_spoken() { Failure::NoResult } else { Failure::CliUnusable }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;
    use tokio::sync::Semaphore;

    use super::*;

    /// As when an upgrade has taken the program away from below a server that runs.
    #[tokio::test]
    async fn a_session_that_no_process_can_be_started_for_leaves_nothing() {
        let place = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/bin/sh", place.path().join("claude")).unwrap();
        let environment = [("PATH".into(), place.path().as_os_str().to_owned())].into();
        let home = Arc::new(MinerHome { environment, home: None, current: None });
        let query = ClaudeQuery::new(home, place.path().join("gone"), Vec::new());
        let seats = Arc::new(Semaphore::new(1));
        let seat = Arc::clone(&seats).try_acquire_owned().unwrap();
        let prompt = Prompt { system: String::new(), user: String::new() };
        let said: Vec<QueryItem> = query.start(prompt, seat).collect().await;
        assert_eq!(said, [QueryItem::Ended(Ended::failed(Failure::NoProcess))]);
        assert_eq!((seats.available_permits(), query.nursery().count()), (1, 0));
    }
}
