//! Processes that leave nothing behind. A session is started by a supervisor, which ends it with everything that it started;
//! its directory goes when the last of them has. Here a session is that supervisor.
//!
//! It leads a process group and is not reaped before that was killed: until then its number cannot come to name anybody else.
//! One thread a session waits for that, so it happens also when nobody asks any more. A `SIGKILL` of this process leaves no
//! time to clear the directory, which the next server does (`scratch`); the supervisor sees it and ends the session all the same. A supervisor that is killed itself
//! hands its session over to this process, which ends it.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpgid, getpgrp, kill_process, kill_process_group, waitid,
    waitpid,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;

use super::supervisor::{children, take_orphans_in};
use crate::privacy::redact;

/// How long a session that was asked to end may take before it is killed, which its supervisor does much sooner by itself:
/// killed, it could see to nobody.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long one that was killed may take to be gone.
const GRACE: Duration = Duration::from_millis(500);
/// How long one that is done may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(1);
/// How much is kept of what a session complains about.
pub(super) const MOST_COMPLAINTS: usize = 2048;

/// The sessions that run now.
#[derive(Clone, Default)]
pub struct Nursery(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The leaders that were not reaped yet.
    leaders: Vec<Pid>,
    ended: bool,
    takes_orphans_in: bool,
}

impl Nursery {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many sessions run.
    pub fn count(&self) -> usize {
        self.lock().leaders.len()
    }

    /// From now on this process is handed whatever a supervisor leaves behind that was killed itself, and ends it. Only one
    /// nursery of a process may say so, and no other child of the process may lead a group.
    ///
    /// # Errors
    /// The system does not do that.
    pub fn take_orphans_in(&self) -> io::Result<()> {
        take_orphans_in()?;
        self.lock().takes_orphans_in = true;
        Ok(())
    }

    /// Ends every session and starts no other, for a process that is about to end; returns when they are gone.
    pub fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        for leader in &state.leaders {
            signal(*leader, Signal::TERM);
        }
        let (state, _) = self.wait(state, PATIENCE, |state| state.leaders.is_empty());
        for leader in &state.leaders {
            signal(*leader, Signal::KILL);
        }
        drop(self.wait(state, GRACE, |state| state.leaders.is_empty()));
    }

    fn wait<'state>(
        &self,
        state: MutexGuard<'state, State>,
        time: Duration,
        is_done: impl Fn(&State) -> bool,
    ) -> (MutexGuard<'state, State>, bool) {
        let waited = self.0.changed.wait_timeout_while(state, time, |state| !is_done(state));
        let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        (state, !timeout.timed_out())
    }

    /// Starts a session in its directory and gives it its input; the seat is kept until it is gone. Must be called inside the runtime.
    ///
    /// # Errors
    /// The program cannot be started, or the process is about to end.
    pub(super) fn start<P: Send + 'static, S: Send + 'static>(
        &self,
        mut command: Command,
        (place, seat): (P, S),
        input: Vec<u8>,
    ) -> io::Result<(Running, ChildStdout)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut state = self.lock();
        if state.ended {
            return Err(io::Error::other("the process is about to end"));
        }
        let mut child = command.spawn()?;
        let leader = Pid::from_child(&child);
        state.leaders.push(leader);
        drop(state);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (told, exit) = watch::channel(None);
        let nursery = self.clone();
        thread::spawn(move || {
            nursery.see_off(child, leader, place, &told);
            drop(seat);
        });
        let running = Running { nursery: self.clone(), leader, exit, complaints: Arc::default(), is_done: false };
        let (stdin, stdout) = (ChildStdin::from_std(there(stdin)?)?, ChildStdout::from_std(there(stdout)?)?);
        let stderr = ChildStderr::from_std(there(stderr)?)?;
        tokio::spawn(give(stdin, input));
        tokio::spawn(listen(stderr, Arc::clone(&running.complaints)));
        Ok((running, stdout))
    }

    /// Waits for the leader's end, ends what is left of its group, and clears its place.
    fn see_off<P>(&self, mut child: Child, leader: Pid, place: P, told: &watch::Sender<Option<ExitStatus>>) {
        let quietly = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(leader), quietly) {}
        let mut state = self.lock();
        signal(leader, Signal::KILL);
        let status = child.wait().ok();
        if state.takes_orphans_in {
            end_orphans(&state.leaders);
        }
        // What cannot be deleted now is the system's to clear: it is a temporary directory.
        drop(place);
        state.leaders.retain(|running| *running != leader);
        drop(state);
        self.0.changed.notify_all();
        told.send_replace(status);
    }

    /// Brings the leader's end about, one step after another while it has not come.
    fn see_out(&self, leader: Pid, steps: &[(Duration, Signal)]) {
        let is_gone = |state: &State| !state.leaders.contains(&leader);
        let mut state = self.lock();
        for (patience, last) in steps {
            let gone;
            (state, gone) = self.wait(state, *patience, is_gone);
            if gone {
                return;
            }
            signal(leader, *last);
        }
    }
}

/// A session. Dropped, it is ended: at once, unless it is done and about to end by itself.
pub(super) struct Running {
    nursery: Nursery,
    leader: Pid,
    exit: watch::Receiver<Option<ExitStatus>>,
    complaints: Arc<Mutex<Vec<u8>>>,
    is_done: bool,
}

impl Running {
    /// The session has said its last word, and may end by itself.
    pub(super) fn is_done(&mut self) {
        self.is_done = true;
    }

    /// The exit code, once there is one; that of a signal is its number, negative.
    pub(super) async fn exit(&mut self) -> Option<i32> {
        let status = *self.exit.wait_for(Option::is_some).await.ok()?;
        status.map(|status| status.code().unwrap_or_else(|| -status.signal().unwrap_or(1)))
    }

    /// The last of what the session complained about, for the log.
    pub(super) fn complaints(&self) -> String {
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        redact(&String::from_utf8_lossy(&complaints))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let state = self.nursery.lock();
        if !state.leaders.contains(&self.leader) {
            return;
        }
        let steps: &[(Duration, Signal)] = if self.is_done {
            &[(FAREWELL, Signal::TERM), (PATIENCE, Signal::KILL)]
        } else {
            &[(PATIENCE, Signal::KILL)]
        };
        if !self.is_done {
            signal(self.leader, Signal::TERM);
        }
        drop(state);
        let (nursery, leader) = (self.nursery.clone(), self.leader);
        thread::spawn(move || nursery.see_out(leader, steps));
    }
}

/// Ends who was handed over by a supervisor that is gone, and then their children, until none is left. New sessions wait for
/// that: one that is not known as a leader yet would be taken for an orphan.
fn end_orphans(leaders: &[Pid]) {
    let own_group = getpgrp();
    loop {
        let is_orphan =
            |child: &Pid| !leaders.contains(child) && getpgid(Some(*child)).is_ok_and(|group| group != own_group);
        let orphans: Vec<Pid> = children().into_iter().filter(is_orphan).collect();
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            let _ = kill_process(orphan, Signal::KILL);
            while let Err(rustix::io::Errno::INTR) = waitpid(Some(orphan), WaitOptions::empty()) {}
        }
    }
}

/// A pipe that was asked for.
fn there<T>(pipe: Option<T>) -> io::Result<T> {
    pipe.ok_or_else(|| io::Error::other("a pipe is missing"))
}

/// To a group that has just ended this fails, and that is fine.
fn signal(leader: Pid, signal: Signal) {
    let _ = kill_process_group(leader, signal);
}

/// Writes the input and closes it. A session that does not read it ends in its own way.
async fn give(mut stdin: ChildStdin, input: Vec<u8>) {
    let _ = stdin.write_all(&input).await;
    let _ = stdin.shutdown().await;
}

/// Reads complaints to their end, so that they never hold the session up, and keeps the last of them.
async fn listen(mut stderr: ChildStderr, complaints: Arc<Mutex<Vec<u8>>>) {
    let mut chunk = vec![0; 4096];
    while let Ok(length @ 1..) = stderr.read(&mut chunk).await {
        let mut complaints = complaints.lock().unwrap_or_else(PoisonError::into_inner);
        complaints.extend_from_slice(&chunk[..length]);
        let excess = complaints.len().saturating_sub(MOST_COMPLAINTS);
        complaints.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(nursery: &Nursery, script: &str) -> io::Result<(Running, ChildStdout)> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        nursery.start(command, (tempfile::tempdir()?, ()), b"input".to_vec())
    }

    #[tokio::test]
    async fn a_session_reads_its_input_and_tells_how_it_ended() {
        let nursery = Nursery::default();
        let (mut running, mut output) = start(&nursery, "cat; echo 'a wallet and so on' >&2; exit 7").unwrap();
        let mut read = String::new();
        output.read_to_string(&mut read).await.unwrap();
        assert_eq!((read.as_str(), running.exit().await), ("input", Some(7)));
        assert_eq!(nursery.count(), 0);
        let (mut killed, _output) = start(&nursery, "kill -KILL $$").unwrap();
        assert_eq!(killed.exit().await, Some(-9));
        while running.complaints().is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(running.complaints(), "a [redacted]\n");
    }

    #[tokio::test]
    async fn one_that_is_done_may_end_by_itself_and_is_ended_if_it_does_not() {
        let nursery = Nursery::default();
        let (mut running, _output) = start(&nursery, "sleep 600").unwrap();
        running.is_done();
        let mut exit = running.exit.clone();
        drop(running);
        let status = exit.wait_for(Option::is_some).await.unwrap().unwrap();
        assert_eq!(status.signal(), Some(15), "asked to, and not killed");
    }

    #[tokio::test]
    async fn a_nursery_that_ended_is_empty_and_takes_nobody_in() {
        let nursery = Nursery::default();
        let (mut willing, _one) = start(&nursery, "sleep 600").unwrap();
        let (mut stubborn, mut other) = start(&nursery, "trap '' TERM; echo; while :; do sleep 1; done").unwrap();
        // Once it has said something it does not hear of the wish to end any more.
        other.read_u8().await.unwrap();
        assert_eq!(nursery.count(), 2);
        let ended = nursery.clone();
        tokio::task::spawn_blocking(move || ended.end()).await.unwrap();
        assert_eq!(nursery.count(), 0);
        assert_eq!((willing.exit().await, stubborn.exit().await), (Some(-15), Some(-9)));
        assert!(start(&nursery, "true").is_err());
    }
}
