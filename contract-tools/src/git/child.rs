//! Runs one program to its end or to a deadline, whichever comes first, and leaves nothing of it behind.
//!
//! The program leads its own process group, so that whatever it started dies with it. Its output is read as it
//! arrives, without a thread: a thread that waits for a pipe held open by a runaway grandchild could never be joined.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// It ended by itself; a signal counts as code -1.
    Exited(i32),
    /// It was killed at the deadline.
    TimedOut,
}

const CHUNK: usize = 64 * 1024;

/// Runs the command and hands its standard output to `sink` piece by piece.
///
/// # Errors
/// The program cannot be started, or its output cannot be read.
pub(super) fn run(mut command: Command, deadline: Instant, sink: &mut dyn FnMut(&[u8])) -> io::Result<Ending> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut running = Running { child: command.spawn()?, reaped: false };
    let Some(mut output) = running.child.stdout.take() else {
        return Err(io::Error::other("standard output was not piped"));
    };
    if !drain(&mut output, deadline, sink)? {
        return Ok(Ending::TimedOut);
    }
    running.wait_until(deadline)
}

/// Reads to the end of the output; false if the deadline came first.
fn drain(output: &mut ChildStdout, deadline: Instant, sink: &mut dyn FnMut(&[u8])) -> io::Result<bool> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let remaining = deadline.saturating_duration_since(Instant::now());
        if remaining.is_zero() {
            return Ok(false);
        }
        let timeout = Timespec::try_from(remaining).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(output, PollFlags::IN)], Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        match output.read(&mut buffer) {
            Ok(0) => return Ok(true),
            Ok(length) => sink(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A started program that is killed with its group and reaped if it is dropped before its end.
struct Running {
    child: Child,
    reaped: bool,
}

impl Running {
    /// Waits for the end. The output is closed by now, so this is a matter of moments unless the program misbehaves.
    fn wait_until(&mut self, deadline: Instant) -> io::Result<Ending> {
        let mut pause = Duration::from_micros(100);
        loop {
            if let Some(status) = self.child.try_wait()? {
                self.reaped = true;
                return Ok(Ending::Exited(status.code().unwrap_or(-1)));
            }
            if Instant::now() >= deadline {
                return Ok(Ending::TimedOut);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        // The leader is not reaped yet, so its number still names its own group and no other. Killing a group that
        // has just ended fails, and that is fine.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let deadline = Instant::now() + Duration::from_secs(20);
        let ending =
            run(shell("printf hello; exit 3"), deadline, &mut |bytes| output.extend_from_slice(bytes)).expect("runs");
        assert_eq!((ending, output.as_slice()), (Ending::Exited(3), b"hello".as_slice()));
    }

    #[test]
    fn a_runaway_and_its_children_are_killed_at_the_deadline() {
        let started = Instant::now();
        let mut output = Vec::new();
        let deadline = started + Duration::from_millis(300);
        let script = "sleep 600 & printf %s $!; sleep 600";
        let ending = run(shell(script), deadline, &mut |bytes| output.extend_from_slice(bytes)).expect("runs");
        assert_eq!(ending, Ending::TimedOut);
        assert!(started.elapsed() < Duration::from_secs(20));
        let grandchild = String::from_utf8(output).expect("a process id");
        wait_until_dead(&grandchild);
    }

    #[test]
    fn a_program_that_closes_its_output_and_lingers_is_killed() {
        let deadline = Instant::now() + Duration::from_millis(300);
        assert_eq!(run(shell("exec >&-; sleep 600"), deadline, &mut |_| {}).expect("runs"), Ending::TimedOut);
    }
}
