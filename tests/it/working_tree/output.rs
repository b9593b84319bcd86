//! Odd paths, odd settings and huge changes do not change the answer (cases I05, I13 and I18).

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

use contract_tools::git::{ChangeStatus, FileContents, Limits, ReadRequest, Surroundings, WorkingTree, read};

use super::sandbox::{Sandbox, request, summary, write};

const ODD_NAMES: [&[u8]; 7] =
    [b"caf\xe9.txt", "日本.md".as_bytes(), b"tab\tname", b"nl\nname", b" lead", b"\"q\"", b":(top)x"];

#[test]
fn i05_odd_paths_are_counted_and_shown_and_keep_both_names_of_a_rename() {
    let (sandbox, work) = Sandbox::with_commit();
    for name in ODD_NAMES {
        write(&work, OsStr::from_bytes(name), format!("contents of {}\n", String::from_utf8_lossy(name)));
    }
    sandbox.git(&work, &["add", "-A"]);
    let tree = sandbox.read(&work).expect("read");
    assert_eq!((tree.changed_files.len(), tree.totals.additions, tree.totals.files), (7, 8, 7));
    let lossy: Vec<&str> =
        tree.changed_files.iter().filter(|file| file.lossy_path).map(|file| file.path.as_str()).collect();
    assert_eq!(lossy, ["caf\u{fffd}.txt"]);
    assert!(tree.changed_files.iter().any(|file| file.path == "nl\nname" && file.additions == 2));

    sandbox.commit_all(&work, "odd");
    for name in ODD_NAMES {
        let renamed = [b"moved-".as_slice(), name].concat();
        fs::rename(work.join(OsStr::from_bytes(name)), work.join(OsStr::from_bytes(&renamed))).expect("renamed");
    }
    sandbox.git(&work, &["add", "-A"]);
    let tree = sandbox.read(&work).expect("read");
    assert_eq!(tree.changed_files.len(), 7);
    for file in &tree.changed_files {
        assert_eq!(file.status, ChangeStatus::Renamed);
        assert_eq!(file.previous_path.as_deref(), file.path.strip_prefix("moved-"));
    }
}

#[test]
fn i13_neither_settings_nor_the_environment_change_the_answer() {
    let (sandbox, work) = Sandbox::with_commit();
    let many: String = (0..20).map(|number| format!("line {number}\n")).collect();
    write(&work, "renamed", &many);
    write(&work, "sub/inner", "x\n");
    sandbox.commit_all(&work, "second");
    fs::rename(work.join("renamed"), work.join("after")).expect("renamed");
    write(&work, "sub/inner", "y\n");
    sandbox.git(&work, &["add", "-A"]);
    write(&work, "file", "two\n");
    write(&work, "untracked", "x\n");
    let expected = sandbox.read(&work).expect("read");
    assert_eq!(summary(&expected), ["renamed after +0 -0", "modified file +1 -1", "modified sub/inner +1 -1"]);
    for (name, value) in [
        ("color.ui", "always"),
        ("color.diff", "always"),
        ("diff.noprefix", "true"),
        ("diff.renames", "false"),
        ("diff.renameLimit", "1"),
        ("diff.orderFile", "/dev/stdin"),
        ("diff.relative", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.algorithm", "patience"),
        ("diff.statGraphWidth", "1"),
        ("status.showUntrackedFiles", "no"),
        ("log.showSignature", "true"),
        ("log.decorate", "full"),
        ("log.date", "relative"),
        ("format.pretty", "oneline"),
        ("i18n.logOutputEncoding", "ISO-8859-1"),
        ("core.quotePath", "false"),
        ("core.abbrev", "4"),
        ("core.bigFileThreshold", "1"),
        ("core.ignoreStat", "false"),
        ("pager.log", "true"),
    ] {
        sandbox.git(&work, &["config", name, value]);
        assert_eq!(sandbox.read(&work).expect(name), expected, "{name}");
    }
    // The reader takes nothing from the environment of its process, so a child of ours with a wild one is enough.
    let wild = [
        ("LC_ALL", "de_DE.UTF-8"),
        ("LANGUAGE", "de"),
        ("GIT_TRACE", "1"),
        ("GIT_DIR", "/nowhere"),
        ("GIT_WORK_TREE", "/"),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_EXTERNAL_DIFF", "/bin/false"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.bare"),
        ("GIT_CONFIG_VALUE_0", "true"),
        ("GIT_NAMESPACE", "x"),
        ("TZ", "Pacific/Apia"),
    ];
    assert_eq!(in_a_child(&sandbox, &work, &wild).0, format!("{expected:?}"));
}

/// `HUGE_CHANGE=1` makes it a hundred thousand files, a text of 200 MB and a binary file of 1 GB, which takes a while to set up.
#[test]
fn i18_a_huge_change_is_counted_whole_listed_in_part_and_held_in_little_memory() {
    let (sandbox, work) = Sandbox::with_commit();
    let (folders, lines, zeros) = if std::env::var_os("HUGE_CHANGE").is_some() {
        (1_000, 30_000_000, 1 << 30)
    } else {
        (200, 2_000_000, 40 << 20)
    };
    for folder in 0..folders {
        let folder = work.join(format!("generated/folder-with-a-long-name-{folder}"));
        fs::create_dir_all(&folder).expect("a folder");
        for number in 0..100 {
            fs::write(folder.join(format!("file-{number}.txt")), format!("{number}\n")).expect("written");
        }
    }
    write(&work, "lines", "a line of thirty bytes in all\n".repeat(300_000));
    write(&work, "one-line", "日本語".repeat(1_200_000));
    write(&work, "text-beyond-the-limit", "a line\n".repeat(lines));
    write(&work, "z/Cargo.toml", "x\n");
    File::create(work.join("binary")).and_then(|file| file.set_len(zeros)).expect("a file of zeros");
    sandbox.git(&work, &["-c", "core.compression=0", "add", "-A"]);
    let started = Instant::now();
    let (answer, peak) = in_a_child(&sandbox, &work, &[]);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert!(answer.contains("truncated: true"));
    assert!(peak < 64 * 1024, "{peak} KiB");
    let tree = sandbox.read(&work).expect("read");
    let files = folders * 100;
    assert_eq!((tree.totals.files, tree.totals.additions), (files + 5, files + 300_002));
    // What lies beyond all that is kept still counts for the hints.
    assert_eq!(tree.ci_status_hints.len(), 1);
    assert_eq!((tree.totals.uncounted_files, tree.changed_files.len(), tree.truncated), (2, 3_000, true));
}

#[test]
fn i18_a_file_too_large_to_count_is_told_from_a_binary_one() {
    let (sandbox, work) = Sandbox::with_commit();
    write(&work, "binary", b"\0\x01");
    write(&work, "large", "a line\n".repeat(2_000_000));
    sandbox.git(&work, &["add", "-A"]);
    let tree = sandbox.read(&work).expect("read");
    let contents: Vec<FileContents> = tree.changed_files.iter().map(|file| file.contents).collect();
    assert_eq!(contents, [FileContents::Binary, FileContents::TooLarge]);
}

#[test]
fn i18_a_changed_file_of_a_gigabyte_is_judged_by_its_size_and_not_read() {
    let (sandbox, work) = Sandbox::with_commit();
    let grow = |name: &str, size: u64| {
        File::options()
            .create(true)
            .append(true)
            .open(work.join(name))
            .and_then(|file| file.set_len(size))
            .expect("size");
    };
    for name in ["grown", "odd :(top)* name", "stale"] {
        grow(name, 13 * 1024 * 1024);
    }
    sandbox.commit_all(&work, "large");
    grow("grown", 8 * 1024 * 1024 * 1024);
    grow("odd :(top)* name", 14 * 1024 * 1024);
    write(&work, "file", "two\n");
    File::options()
        .write(true)
        .open(work.join("stale"))
        .and_then(|file| file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000)))
        .expect("a time");
    let tree = sandbox.read(&work).expect("read");
    assert_eq!(summary(&tree), ["modified file +1 -1", "modified grown +0 -0", "modified odd :(top)* name +0 -0"]);
    assert_eq!((tree.changed_files[1].contents, tree.totals.uncounted_files), (FileContents::TooLarge, 2));
}

#[test]
fn the_listing_is_cut_where_the_request_says_and_hints_still_see_the_rest() {
    let (sandbox, work) = Sandbox::with_commit();
    for name in ["a", "b", "c", "z/Cargo.toml"] {
        write(&work, name, "x\n");
    }
    sandbox.git(&work, &["add", "-A"]);
    let listing = |listed_files: usize| -> WorkingTree {
        let limits = Limits { listed_files, ..Limits::default() };
        read(&ReadRequest { limits, ..request(&work) }, &sandbox.surroundings()).expect("read")
    };
    let tree = listing(2);
    assert_eq!(summary(&tree), ["added a +1 -0", "added b +1 -0"]);
    assert_eq!((tree.truncated, tree.totals.files, tree.ci_status_hints.len()), (true, 4, 1));
    assert!(!listing(4).truncated);
}

#[test]
fn a_stale_time_stamp_is_no_change_for_text_or_binary() {
    let (sandbox, work) = Sandbox::with_commit();
    write(&work, "binary", b"\0\x01\x02");
    write(&work, "changed-binary", b"\0\x01\x02");
    sandbox.commit_all(&work, "binary");
    for name in ["binary", "file"] {
        let file = File::options().write(true).open(work.join(name)).expect("a file");
        file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000)).expect("a time");
    }
    write(&work, "changed-binary", b"\0\x01\x03");
    assert_eq!(summary(&sandbox.read(&work).expect("read")), ["modified changed-binary +0 -0"]);
}

/// Not a test of its own: what the tests above run in a process of their own.
#[test]
fn reader_process() {
    let Some(folder) = std::env::var_os("LOOPOVER_TEST_READ") else { return };
    let report = std::env::var_os("LOOPOVER_TEST_REPORT").expect("a report");
    let surroundings = Surroundings::from_environment(|name| std::env::var_os(name));
    let answer = read(&request(folder.as_ref()), &surroundings).expect("read");
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let peak = peak.trim().trim_end_matches(" kB").to_owned();
    fs::write(report, format!("{peak}\n{answer:?}")).expect("a report");
}

/// The answer of a reader in its own process, and the most memory it held, in KiB.
fn in_a_child(sandbox: &Sandbox, folder: &std::path::Path, environment: &[(&str, &str)]) -> (String, u64) {
    let report = sandbox.base.join("report");
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "working_tree::output::reader_process", "--test-threads=1", "-q"])
        .env("LOOPOVER_TEST_READ", folder)
        .env("LOOPOVER_TEST_REPORT", &report)
        .envs(environment.iter().copied())
        .stdout(std::process::Stdio::null())
        .status()
        .expect("started");
    assert!(status.success());
    let text = fs::read_to_string(report).expect("a report");
    let (peak, answer) = text.split_once('\n').expect("two parts");
    (answer.to_owned(), peak.parse().expect("a number"))
}

#[test]
fn one_path_that_cannot_be_read_does_not_cost_the_rest_of_the_answer() {
    let (sandbox, work) = Sandbox::with_commit();
    for name in ["closed", "pipe", "socket", "empty"] {
        write(&work, name, if name == "empty" { "" } else { "x\n" });
    }
    sandbox.commit_all(&work, "second");
    write(&work, "file", "two\n");
    for name in ["pipe", "empty"] {
        fs::remove_file(work.join(name)).expect("removed");
        assert!(Command::new("mkfifo").arg(work.join(name)).status().expect("runs").success());
    }
    fs::remove_file(work.join("socket")).expect("removed");
    let _listening = UnixListener::bind(work.join("socket")).expect("a socket");
    write(&work, "closed", "y\n");
    // Nothing is closed to the superuser.
    let privileged = rustix::process::geteuid().is_root();
    if !privileged {
        fs::set_permissions(work.join("closed"), fs::Permissions::from_mode(0o000)).expect("closed");
    }
    let tree = sandbox.read(&work).expect("read");
    let closed = if privileged { "modified closed +1 -1" } else { "modified closed +0 -0" };
    let expected =
        [closed, "modified empty +0 -0", "modified file +1 -1", "modified pipe +0 -0", "modified socket +0 -0"];
    assert_eq!(summary(&tree), expected);
    assert_eq!(tree.changed_files[3].contents, FileContents::Unreadable);
    assert!(tree.changed_files[3].is_binary() && tree.hints[0].contains("may not be read"), "{:?}", tree.hints);
}

#[test]
fn very_many_paths_that_cannot_be_read_are_listed_without_lines() {
    let (sandbox, work) = Sandbox::with_commit();
    let names: Vec<String> = (0..250).map(|number| format!("pipe{number}")).collect();
    for name in &names {
        write(&work, name, "x\n");
    }
    sandbox.commit_all(&work, "second");
    for name in &names {
        fs::remove_file(work.join(name)).expect("removed");
    }
    assert!(Command::new("mkfifo").args(&names).current_dir(&work).status().expect("runs").success());
    let tree = sandbox.read(&work).expect("read");
    assert_eq!((tree.totals.files, tree.totals.uncounted_files), (250, 250));
}
