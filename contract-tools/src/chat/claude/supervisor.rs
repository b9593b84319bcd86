//! Ends a session with everything that it started, wherever that has gone.
//!
//! A process can leave its group and its session, and it outlives its parent. What it cannot leave is the nearest ancestor
//! that takes orphans in (a child subreaper). So each session is started by a process of its own that is one and does nothing
//! else: whatever the session starts stays below it. When the session ends, or its server asks for it or is gone itself, it
//! kills its children, is handed theirs, and kills those, until none is left.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, kill_process_group, wait};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;

/// How long a session that was asked to end may take before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a program to its end and leaves nothing of it; returns the exit code, that of a signal as shells give it. Asked to
/// end by `SIGTERM`, it passes that on and does not wait for long. It ends with its parent as well, which is the process
/// numbered `server` unless that one is gone already.
///
/// # Errors
/// The program cannot be started.
pub fn supervise(command: Command, server: Option<u32>) -> io::Result<u8> {
    take_orphans_in()?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run(command, server))
}

async fn run(mut command: Command, server: Option<u32>) -> io::Result<u8> {
    // Watched before anything runs, so that no end of it falls between.
    let server_is_gone = end_of_parent(server);
    let mut asked = signal(SignalKind::terminate())?;
    let mut changes = signal(SignalKind::child())?;
    let leader = Pid::from_child(&command.process_group(0).spawn()?);
    let mut ended = None;
    tokio::select! {
        status = end_of(leader, &mut changes) => ended = Some(status),
        _ = asked.recv() => {}
        () = server_is_gone => {}
    }
    if ended.is_none() {
        // It may have ended just now, and that is fine.
        let _ = kill_process_group(leader, Signal::TERM);
        ended = timeout(GRACE, end_of(leader, &mut changes)).await.ok();
    }
    if ended.is_none() {
        let _ = kill_process_group(leader, Signal::KILL);
    }
    let killed = end_everybody(leader);
    let status = ended.or(killed);
    let code =
        status.and_then(|status| status.exit_status().or(status.terminating_signal().map(|signal| 128 + signal)));
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// Waits for the leader's end, and reaps the orphans that end before it.
async fn end_of(leader: Pid, changes: &mut tokio::signal::unix::Signal) -> WaitStatus {
    loop {
        while let Ok(Some((child, status))) = wait(WaitOptions::NOHANG) {
            if child == leader {
                return status;
            }
        }
        changes.recv().await;
    }
}

/// Kills until there are no children, who were all handed over by then; tells how the leader ended, if it had not before.
///
/// A child is reaped here alone, so its number names nobody else meanwhile. One that comes while the list is read comes from a
/// parent that was killed too, and whose end is still to be told of.
fn end_everybody(leader: Pid) -> Option<WaitStatus> {
    let mut ended = None;
    loop {
        for child in children() {
            let _ = kill_process(child, Signal::KILL);
        }
        match wait(WaitOptions::empty()) {
            Ok(Some((child, status))) if child == leader => ended = Some(status),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return ended,
        }
    }
}

/// The processes whose parent this one is.
pub(super) fn children() -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number| parent_of(*number) == Some(getpid().as_raw_nonzero().get()))
        .filter_map(Pid::from_raw)
        .collect()
}

fn parent_of(process: i32) -> Option<i32> {
    let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
    // A name may hold anything, also brackets and spaces: what follows the last bracket is the state, then the parent.
    let stat = String::from_utf8_lossy(&stat);
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(target_os = "linux")]
pub(super) fn take_orphans_in() -> io::Result<()> {
    rustix::process::set_child_subreaper(Some(getpid())).map_err(io::Error::from)
}

/// Elsewhere a session's processes end with their group, and those that left it are nobody's.
#[cfg(not(target_os = "linux"))]
pub(super) fn take_orphans_in() -> io::Result<()> {
    Ok(())
}

/// The end of the process that started this one, however it comes, watched from now on. What is not numbered `expected` took
/// this process in when that one ended.
#[cfg(target_os = "linux")]
fn end_of_parent(expected: Option<u32>) -> impl Future<Output = ()> {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{PidfdFlags, getppid, pidfd_open};

    let parent = getppid();
    let watched = parent.and_then(|parent| pidfd_open(parent, PidfdFlags::empty()).ok());
    let number = parent.and_then(|parent| u32::try_from(parent.as_raw_nonzero().get()).ok());
    // Its number may have become somebody else's before it was opened, and then this process has another parent.
    let is_gone_already = getppid() != parent || expected.is_some_and(|expected| number != Some(expected));
    let (gone, is_gone) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        // Where the system cannot say it, nothing is waited for, and that for ever.
        let mut watched: Vec<PollFd<'_>> = watched.iter().map(|parent| PollFd::new(parent, PollFlags::IN)).collect();
        while !is_gone_already && poll(&mut watched, None) == Err(rustix::io::Errno::INTR) {}
        // Nobody asks any more once the program has ended.
        let _ = gone.send(());
    });
    async { is_gone.await.unwrap_or_default() }
}

#[cfg(not(target_os = "linux"))]
fn end_of_parent(_: Option<u32>) -> impl Future<Output = ()> {
    std::future::pending()
}
