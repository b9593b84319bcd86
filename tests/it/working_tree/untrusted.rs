//! A repository of a stranger runs nothing (cases I06 and I07): each control run proves that plain git would.

use std::fs;
use std::path::{Path, PathBuf};

use contract_tools::git::GitReason;

use super::sandbox::{Sandbox, summary, write};

/// A repository, and a marker file that appears as soon as anything of it runs.
struct Trap {
    sandbox: Sandbox,
    work: PathBuf,
    marker: PathBuf,
}

impl Trap {
    fn new() -> Self {
        let (sandbox, work) = Sandbox::with_commit();
        let marker = sandbox.base.join("PWN");
        Self { sandbox, work, marker }
    }

    /// A command line that leaves the marker and passes its input on.
    fn bait(&self) -> String {
        format!("touch {}; cat", self.marker.display())
    }

    fn configure(&self, name: &str, value: &str) {
        self.sandbox.git(&self.work, &["config", name, value]);
    }

    /// Proves that plain git springs the trap, then that the reader does not.
    #[track_caller]
    fn check(&self, control: &[&str]) {
        self.make_stale();
        self.sandbox.try_git(&self.work, control);
        assert!(self.marker.exists(), "the control run did not spring the trap");
        self.check_reader();
    }

    #[track_caller]
    fn check_reader(&self) {
        let _ = fs::remove_file(&self.marker);
        self.make_stale();
        let tree = self.sandbox.read(&self.work).expect("read");
        assert!(!self.marker.exists(), "the reader sprang the trap");
        assert!(!tree.changed_files.is_empty(), "the reader saw the change");
    }

    /// Gives the file a new time stamp and contents of the same size.
    fn make_stale(&self) {
        write(&self.work, "file", "two\n");
    }
}

#[test]
fn i06_the_file_system_monitor_does_not_run() {
    let trap = Trap::new();
    let script = trap.sandbox.script("monitor", &format!("touch {}", trap.marker.display()));
    trap.configure("core.fsmonitor", script.to_str().expect("a path"));
    trap.check(&["status"]);
}

#[test]
fn i06_hooks_do_not_run() {
    let trap = Trap::new();
    let hook = trap.sandbox.script("hooks/post-index-change", &format!("touch {}", trap.marker.display()));
    trap.configure("core.hooksPath", hook.parent().and_then(Path::to_str).expect("a folder"));
    trap.check(&["add", "file"]);
}

#[test]
fn i06_the_external_diff_does_not_run() {
    let trap = Trap::new();
    trap.configure("diff.external", &trap.bait());
    trap.check(&["diff"]);
}

#[test]
fn i06_signature_programs_do_not_run() {
    let trap = Trap::new();
    let script = trap.sandbox.script("gpg", &format!("touch {}; exit 1", trap.marker.display()));
    trap.configure("gpg.program", script.to_str().expect("a path"));
    trap.configure("log.showSignature", "true");
    let raw = trap.sandbox.git(&trap.work, &["cat-file", "commit", "HEAD"]);
    let signed =
        raw.replacen("\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n", 1);
    write(&trap.sandbox.base, "commit", signed);
    let file = trap.sandbox.base.join("commit");
    let commit = trap.sandbox.git(&trap.work, &["hash-object", "-t", "commit", "-w", file.to_str().expect("a path")]);
    trap.sandbox.git(&trap.work, &["update-ref", "HEAD", &commit]);
    trap.check(&["log", "-1"]);
}

#[test]
fn i06_nothing_of_a_thoroughly_hostile_configuration_runs() {
    let trap = Trap::new();
    let script = trap.sandbox.script("any", &format!("touch {}; exit 1", trap.marker.display()));
    let script = script.to_str().expect("a path");
    let settings = [
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "pager.config",
        "pager.diff",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "core.gitProxy",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "gpg.program",
        "gpg.ssh.program",
        "uploadpack.packObjectsHook",
        "alias.status",
        "alias.rev-parse",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.x.textconv",
        "diff.x.command",
        "merge.x.driver",
        "trailer.x.command",
        "remote.origin.uploadpack",
        "remote.origin.vcs",
    ];
    let lines: String = settings
        .iter()
        .map(|name| {
            let (section, key) = name.rsplit_once('.').expect("a key");
            let section = section.split_once('.').map_or(section.to_owned(), |(a, b)| format!("{a} \"{b}\""));
            format!("[{section}]\n\t{key} = {script}\n")
        })
        .collect();
    write(&trap.sandbox.base, "included", lines);
    trap.configure("filter.x.required", "true");
    trap.configure("include.path", trap.sandbox.base.join("included").to_str().expect("a path"));
    write(&trap.work, ".gitattributes", "* filter=x diff=x merge=x\n");
    trap.check(&["status"]);
}

#[test]
fn i07_text_converters_and_diff_drivers_do_not_run() {
    let trap = Trap::new();
    write(&trap.work, ".gitattributes", "* diff=x\n");
    trap.configure("diff.x.textconv", &trap.bait());
    trap.check(&["diff"]);
    let _ = fs::remove_file(&trap.marker);
    trap.sandbox.git(&trap.work, &["config", "--unset", "diff.x.textconv"]);
    trap.configure("diff.x.command", &trap.bait());
    trap.check(&["diff"]);
}

#[test]
fn clean_filters_do_not_run_whatever_they_are_called() {
    for name in ["x", "a.b", "UPPER", "größe", "-c"] {
        let trap = Trap::new();
        write(&trap.work, ".git/info/attributes", format!("* filter={name}\n"));
        trap.configure(&format!("filter.{name}.clean"), &trap.bait());
        trap.configure(&format!("filter.{name}.required"), "true");
        trap.check(&["diff"]);
    }
}

#[test]
fn process_filters_do_not_run() {
    let trap = Trap::new();
    write(&trap.work, ".gitattributes", "* filter=x\n");
    trap.configure("filter.x.process", &trap.bait());
    trap.configure("filter.x.required", "true");
    trap.check(&["diff"]);
}

#[test]
fn a_filter_whose_name_defeats_the_command_line_is_refused() {
    let trap = Trap::new();
    write(&trap.work, ".git/info/attributes", "* filter=x=y\n");
    let text = fs::read_to_string(trap.work.join(".git/config")).expect("a configuration");
    let filter = format!("[filter \"x=y\"]\n\tclean = \"{}\"\n", trap.bait());
    write(&trap.work, ".git/config", text + &filter);
    trap.make_stale();
    trap.sandbox.try_git(&trap.work, &["diff"]);
    assert!(trap.marker.exists(), "the control run did not spring the trap");
    fs::remove_file(&trap.marker).expect("removed");
    trap.make_stale();
    assert_eq!(trap.sandbox.refusal(&trap.work), GitReason::UnsafeConfiguration);
    assert!(!trap.marker.exists());
}

#[test]
fn a_partial_clone_fetches_nothing_behind_our_back() {
    let (sandbox, origin) = Sandbox::with_commit();
    write(&origin, "file", "two\n");
    sandbox.commit_all(&origin, "second");
    sandbox.git(&origin, &["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", origin.display());
    sandbox.git(&sandbox.base, &["clone", "-q", "--filter=blob:none", &url, "partial"]);
    let partial = sandbox.base.join("partial");
    let marker = sandbox.base.join("PWN");
    let bait = sandbox.script("upload", &format!("touch {}; exec git-upload-pack \"$@\"", marker.display()));
    sandbox.git(&partial, &["config", "remote.origin.uploadpack", bait.to_str().expect("a path")]);
    write(&partial, "file", "three\n");
    let objects = || sandbox.git(&partial, &["count-objects", "-v"]);
    let before = objects();
    let answer = sandbox.read_from(&partial, "HEAD~1");
    assert!(!marker.exists(), "the reader fetched");
    assert_eq!(objects(), before);
    let tree = answer.expect("the facts that need no missing blob");
    assert_eq!(summary(&tree), ["modified file +0 -0"]);
    sandbox.try_git(&partial, &["diff", "HEAD~1"]);
    assert!(marker.exists(), "the control run proves that git would have fetched");
}

#[test]
fn replaced_and_grafted_history_does_not_change_the_answer() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["branch", "base"]);
    write(&work, "file", "two\n");
    let second = sandbox.commit_all(&work, "second");
    sandbox.git(&work, &["replace", &second, "base"]);
    write(&work, ".git/info/grafts", format!("{second}\n"));
    let tree = sandbox.read_from(&work, "base").expect("read");
    assert_eq!(summary(&tree), ["modified file +1 -1"]);
    assert_eq!((tree.pending_commit_count, tree.commit_messages), (Some(1), vec!["second".to_owned()]));
}
