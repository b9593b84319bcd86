//! Runs one program to its end, to a deadline or until nobody wants it, and leaves nothing of it behind.
//!
//! The program leads its own process group, so that whatever it started dies with it. Its output is read as it
//! arrives, without a thread: a thread that waits for a pipe held open by a runaway grandchild could never be joined.
//!
//! What runs is written down, because a process that ends does not take its children along: [`stop_all`] is for every
//! way of ending that this process learns of. A `SIGKILL` is none of them. Then git goes on until it is done or writes
//! to a pipe that nobody reads: asking the kernel to kill it along with us takes code between fork and exec, which
//! safe Rust has not.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::stop::StopWhen;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// It ended by itself; a signal counts as code -1.
    Exited(i32),
    /// It was killed at the deadline.
    TimedOut,
    /// It was killed, or not even started, because nobody waits for it any more.
    Stopped,
}

/// How long a program may take, and what else ends it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Until<'a> {
    pub(super) deadline: Instant,
    pub(super) stop: &'a StopWhen,
}

const CHUNK: usize = 64 * 1024;
/// How often to ask whether somebody still waits.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The process groups that run now, by their leaders.
static RUNNING: Mutex<Groups> = Mutex::new(Groups { leaders: Vec::new(), ended: false });

struct Groups {
    leaders: Vec<Pid>,
    ended: bool,
}

/// Kills every git that this process runs, and starts no other: for a process that is about to end.
pub fn stop_all() {
    let mut groups = groups();
    groups.ended = true;
    for leader in &groups.leaders {
        kill(*leader);
    }
}

/// Runs the command and hands its standard output to `sink` piece by piece.
///
/// # Errors
/// The program cannot be started, or its output cannot be read.
pub(super) fn run(mut command: Command, until: Until<'_>, sink: &mut dyn FnMut(&[u8])) -> io::Result<Ending> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    if let Some(ending) = until.reached() {
        return Ok(ending);
    }
    let Some(mut running) = Running::start(&mut command)? else { return Ok(Ending::Stopped) };
    let Some(mut output) = running.child.stdout.take() else {
        return Err(io::Error::other("standard output was not piped"));
    };
    match drain(&mut output, until, sink)? {
        Some(ending) => Ok(ending),
        None => running.wait(until),
    }
}

/// Reads to the end of the output, or tells what came first.
fn drain(output: &mut ChildStdout, until: Until<'_>, sink: &mut dyn FnMut(&[u8])) -> io::Result<Option<Ending>> {
    let mut buffer = vec![0; CHUNK];
    loop {
        if let Some(ending) = until.reached() {
            return Ok(Some(ending));
        }
        let pause = until.deadline.saturating_duration_since(Instant::now()).min(LONGEST_PAUSE);
        let timeout = Timespec::try_from(pause).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(output, PollFlags::IN)], Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        match output.read(&mut buffer) {
            Ok(0) => return Ok(None),
            Ok(length) => sink(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl Until<'_> {
    fn reached(self) -> Option<Ending> {
        if self.stop.is_due() {
            Some(Ending::Stopped)
        } else if Instant::now() >= self.deadline {
            Some(Ending::TimedOut)
        } else {
            None
        }
    }
}

/// A started program. Dropped, at its end or before, it is killed with its group and reaped.
struct Running {
    child: Child,
    leader: Pid,
}

impl Running {
    /// Starts the program, unless this process is about to end. It is written down before anybody can ask what runs.
    fn start(command: &mut Command) -> io::Result<Option<Self>> {
        let mut groups = groups();
        if groups.ended {
            return Ok(None);
        }
        let child = command.spawn()?;
        let leader = Pid::from_child(&child);
        groups.leaders.push(leader);
        Ok(Some(Self { child, leader }))
    }

    /// Waits for the end. The output is closed by now, so this is a matter of moments unless the program misbehaves.
    ///
    /// The program is not reaped yet: its children may still run, and its number must go on naming its group.
    fn wait(&mut self, until: Until<'_>) -> io::Result<Ending> {
        let mut pause = Duration::from_micros(100);
        let quietly = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            if waitid(WaitId::Pid(self.leader), quietly)?.is_some() {
                self.end_group();
                return Ok(Ending::Exited(self.child.wait()?.code().unwrap_or(-1)));
            }
            if let Some(ending) = until.reached() {
                return Ok(ending);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    /// Kills what is left of the group, once: afterwards the number may come to name somebody else's.
    fn end_group(&self) {
        let mut groups = groups();
        if let Some(at) = groups.leaders.iter().position(|leader| *leader == self.leader) {
            groups.leaders.swap_remove(at);
            kill(self.leader);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end_group();
        // Does nothing if it was waited for already.
        let _ = self.child.wait();
    }
}

fn groups() -> MutexGuard<'static, Groups> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Killing a group that has just ended fails, and that is fine.
fn kill(leader: Pid) {
    let _ = kill_process_group(leader, Signal::KILL);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, LazyLock};

    use super::*;

    static NEVER: LazyLock<StopWhen> = LazyLock::new(StopWhen::default);

    fn within(time: Duration) -> Until<'static> {
        Until { deadline: Instant::now() + time, stop: &NEVER }
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    /// A signal is delivered in its own time, so this looks until it has been, and fails if that takes long.
    #[track_caller]
    fn wait_until_dead(process: &str) {
        let patience = Instant::now() + Duration::from_secs(20);
        loop {
            let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            if state.is_empty() || state.contains(") Z ") {
                return;
            }
            assert!(Instant::now() < patience, "the grandchild still runs: {state}");
            thread::yield_now();
        }
    }

    #[test]
    fn output_and_exit_code_are_passed_on() {
        let mut output = Vec::new();
        let ending = run(shell("printf hello; exit 3"), within(Duration::from_secs(20)), &mut |bytes| {
            output.extend_from_slice(bytes);
        })
        .expect("runs");
        assert_eq!((ending, output.as_slice()), (Ending::Exited(3), b"hello".as_slice()));
    }

    #[test]
    fn a_runaway_and_its_children_are_killed_at_the_deadline() {
        let started = Instant::now();
        let mut output = Vec::new();
        let script = "sleep 600 & printf %s $!; sleep 600";
        let ending =
            run(shell(script), within(Duration::from_millis(300)), &mut |bytes| output.extend_from_slice(bytes))
                .expect("runs");
        assert_eq!(ending, Ending::TimedOut);
        assert!(started.elapsed() < Duration::from_secs(20));
        let grandchild = String::from_utf8(output).expect("a process id");
        wait_until_dead(&grandchild);
    }

    #[test]
    fn a_program_that_closes_its_output_and_lingers_is_killed() {
        let ending = run(shell("exec >&-; sleep 600"), within(Duration::from_millis(300)), &mut |_| {});
        assert_eq!(ending.expect("runs"), Ending::TimedOut);
    }

    #[test]
    fn what_a_program_leaves_running_ends_with_it() {
        let mut output = Vec::new();
        let script = "sleep 600 >/dev/null & printf %s $!";
        let ending = run(shell(script), within(Duration::from_secs(20)), &mut |bytes| output.extend_from_slice(bytes));
        assert_eq!(ending.expect("runs"), Ending::Exited(0));
        wait_until_dead(&String::from_utf8(output).expect("a process id"));
    }

    #[test]
    fn a_program_that_nobody_waits_for_any_more_is_killed() {
        let started = Instant::now();
        let said = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&said);
        let stop = StopWhen::new(move || asked.load(Ordering::Relaxed));
        let until = Until { deadline: started + Duration::from_mins(1), stop: &stop };
        let ending = run(shell("echo begun; sleep 600"), until, &mut |_| said.store(true, Ordering::Relaxed));
        assert_eq!(ending.expect("runs"), Ending::Stopped);
        assert_eq!(run(shell("exit 0"), until, &mut |_| {}).expect("not even started"), Ending::Stopped);
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}
