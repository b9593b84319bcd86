//! Nothing is written, no lock is taken, and no read outlives its limit (case I12).

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use contract_tools::git::{GitReason, Limits, ReadRequest, Surroundings, read};

use super::sandbox::{Sandbox, request, summary, write};

#[test]
fn i12_no_commit_fails_while_the_reader_runs_in_a_loop() {
    let (sandbox, work) = Sandbox::with_commit();
    let done = AtomicBool::new(false);
    let reads = AtomicU32::new(0);
    let failed = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                sandbox.read(&work).expect("every read succeeds");
                reads.fetch_add(1, Ordering::Relaxed);
            }
        });
        let failed = (0..200)
            .filter(|number| {
                write(&work, "file", format!("{number}\n"));
                !sandbox.try_git(&work, &["commit", "-q", "-a", "-m", "next"]).status.success()
            })
            .count();
        done.store(true, Ordering::Relaxed);
        failed
    });
    assert_eq!(failed, 0);
    assert!(reads.into_inner() > 0);
}

#[test]
fn i12_the_index_is_left_alone_where_git_would_refresh_it() {
    let (sandbox, work) = Sandbox::with_commit();
    let index = work.join(".git/index");
    let modified = || fs::metadata(&index).and_then(|metadata| metadata.modified()).expect("a time");
    let make_stale = |seconds: u64| {
        let file = File::options().write(true).open(work.join("file")).expect("a file");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("a time");
        set_time(&index, 900_000_000);
    };
    make_stale(1_000_000_000);
    let before = modified();
    sandbox.git(&work, &["--no-optional-locks", "diff"]);
    assert_ne!(modified(), before, "the control run proves that git diff refreshes the index even when told not to");
    make_stale(1_000_000_001);
    let before = snapshot(&work.join(".git"));
    assert_eq!(summary(&sandbox.read(&work).expect("read")), Vec::<String>::new());
    assert_eq!(snapshot(&work.join(".git")), before);
}

#[test]
fn i12_a_foreign_lock_does_not_fail_the_read() {
    let (sandbox, work) = Sandbox::with_commit();
    write(&work, "file", "two\n");
    write(&work, ".git/index.lock", "");
    assert!(!sandbox.try_git(&work, &["add", "file"]).status.success(), "the control run proves that the lock holds");
    assert_eq!(summary(&sandbox.read(&work).expect("read")), ["modified file +1 -1"]);
    assert!(work.join(".git/index.lock").exists());
}

#[test]
fn a_git_that_hangs_is_stopped_with_all_its_children() {
    let (sandbox, work) = Sandbox::with_commit();
    let pids = sandbox.base.join("pids");
    let hang = format!("sleep 600 & echo $$ $! >> {}; wait", pids.display());
    let program = sandbox.script("hanging/git", &hang);
    let limits = Limits { small_question: Duration::from_millis(500), ..Limits::default() };
    let mut search_path = program.parent().expect("a folder").as_os_str().to_owned();
    search_path.push(":/usr/bin:/bin");
    let surroundings = Surroundings { search_path, ..sandbox.surroundings() };
    let started = Instant::now();
    let error = read(&ReadRequest { limits, ..request(&work) }, &surroundings).expect_err("stopped");
    assert_eq!(error.reason, GitReason::Timeout);
    assert!(started.elapsed() < Duration::from_secs(5));
    for process in fs::read_to_string(pids).expect("the ids").split_whitespace() {
        wait_until_dead(process);
    }
}

#[test]
fn only_small_questions_have_a_limit_of_their_own() {
    let (sandbox, work) = Sandbox::with_commit();
    write(&work, "file", "two\n");
    let slow = "for argument; do case $argument in --numstat) sleep 2.5;; esac; done; exec /usr/bin/env git \"$@\"";
    let program = sandbox.script("slow/git", &format!("PATH=${{PATH#*:}}; {slow}"));
    let mut search_path = program.parent().expect("a folder").as_os_str().to_owned();
    search_path.push(":");
    search_path.push(sandbox.surroundings().search_path);
    let surroundings = Surroundings { search_path, ..sandbox.surroundings() };
    let limits =
        Limits { small_question: Duration::from_secs(2), whole_read: Duration::from_mins(1), ..Limits::default() };
    let tree = read(&ReadRequest { limits, ..request(&work) }, &surroundings).expect("read");
    assert_eq!(summary(&tree), ["modified file +1 -1"]);
}

#[test]
fn the_whole_read_has_a_limit_of_its_own() {
    let (sandbox, work) = Sandbox::with_commit();
    let limits = Limits { whole_read: Duration::ZERO, ..Limits::default() };
    let error = read(&ReadRequest { limits, ..request(&work) }, &sandbox.surroundings()).expect_err("no time");
    assert_eq!(error.reason, GitReason::Timeout);
}

#[test]
fn messages_name_no_path_and_quote_no_git() {
    let (sandbox, work) = Sandbox::with_commit();
    let secret = work.display().to_string();
    let empty = sandbox.base.join("empty");
    fs::create_dir(&empty).expect("a folder");
    let mut errors =
        vec![sandbox.read(&empty).expect_err("refused"), sandbox.read_from(&work, "nope").expect_err("refused")];
    write(&work, ".git/HEAD", "garbage");
    errors.push(sandbox.read(&work).expect_err("refused"));
    for error in errors {
        assert!(!error.message.contains(&secret) && !error.message.contains("fatal"), "{error}");
    }
}

/// A signal is delivered in its own time, so this looks until it has been. Our own child must be reaped by then; its
/// children are for the system to reap.
#[track_caller]
fn wait_until_dead(process: &str) {
    let patience = Instant::now() + Duration::from_secs(20);
    loop {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let ours = state.contains(&format!(" {} ", std::process::id()));
        if state.is_empty() || (state.contains(") Z ") && !ours) {
            return;
        }
        assert!(Instant::now() < patience, "{process} is still there: {state}");
        thread::yield_now();
    }
}

fn set_time(path: &Path, seconds: u64) {
    let file = File::options().write(true).open(path).expect("a file");
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("a time");
}

/// Every entry below a folder, with its size and time stamp.
fn snapshot(folder: &Path) -> Vec<(PathBuf, u64, SystemTime)> {
    let mut entries = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let metadata = fs::symlink_metadata(&path).expect("metadata");
            if metadata.is_dir() {
                folders.push(path.clone());
            }
            entries.push((path, metadata.len(), metadata.modified().expect("a time")));
        }
    }
    entries.sort();
    entries
}
