//! Submodules are listed once, with flags and no lines, and git never enters them by itself (case I17).

use std::fs;
use std::path::PathBuf;

use contract_tools::git::{ChangedFile, FileKind, SubmoduleCheckout};

use super::sandbox::{Sandbox, write};

/// A repository with a submodule at `lib`, whose first commit holds `inner`.
fn with_submodule() -> (Sandbox, PathBuf, PathBuf) {
    let (sandbox, work) = Sandbox::with_commit();
    let library = sandbox.repository("library");
    write(&library, "inner", "x\n");
    sandbox.commit_all(&library, "library");
    sandbox.git(&work, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "lib"]);
    sandbox.commit_all(&work, "submodule");
    let submodule = work.join("lib");
    (sandbox, work, submodule)
}

#[track_caller]
fn only_file(sandbox: &Sandbox, work: &std::path::Path) -> ChangedFile {
    let tree = sandbox.read(work).expect("read");
    assert_eq!(tree.changed_files.len(), 1, "{:?}", tree.changed_files);
    assert_eq!((tree.totals.files, tree.totals.additions, tree.totals.deletions), (1, 0, 0));
    tree.changed_files[0].clone()
}

#[test]
fn i17_a_clean_submodule_is_not_listed() {
    let (sandbox, work, _) = with_submodule();
    assert!(sandbox.read(&work).expect("read").changed_files.is_empty());
}

#[test]
fn i17_each_kind_of_dirt_has_its_own_flag() {
    let (sandbox, work, submodule) = with_submodule();
    let flags = || {
        let file = only_file(&sandbox, &work);
        assert_eq!((file.path.as_str(), file.kind, file.is_binary()), ("lib", FileKind::Submodule, false));
        assert_eq!((file.additions, file.deletions), (0, 0));
        let state = file.submodule.expect("a state");
        assert_eq!(state.checkout, SubmoduleCheckout::Present);
        (state.commit_changed, state.modified, state.untracked)
    };
    write(&submodule, "new", "x\n");
    assert_eq!(flags(), (false, false, true));
    write(&submodule, "inner", "y\n");
    assert_eq!(flags(), (false, true, true));
    sandbox.commit_all(&submodule, "second");
    assert_eq!(flags(), (true, false, false));
    for ignore in ["all", "dirty"] {
        sandbox.git(&work, &["config", "submodule.lib.ignore", ignore]);
        sandbox.git(&work, &["config", "diff.ignoreSubmodules", ignore]);
        assert_eq!(flags(), (true, false, false), "settings do not hide it");
    }
}

#[test]
fn i17_a_submodule_that_is_not_checked_out_is_no_change_and_no_error() {
    let (sandbox, work, submodule) = with_submodule();
    sandbox.git(&work, &["submodule", "--quiet", "deinit", "-f", "lib"]);
    assert!(submodule.is_dir());
    assert!(sandbox.read(&work).expect("read").changed_files.is_empty());
}

#[test]
fn i17_a_submodule_at_a_missing_commit_is_listed_and_harms_nothing() {
    let (sandbox, work, submodule) = with_submodule();
    let missing = "1234567890123456789012345678901234567890";
    sandbox.git(&work, &["update-index", "--cacheinfo", &format!("160000,{missing},lib")]);
    let state = only_file(&sandbox, &work).submodule.expect("a state");
    assert_eq!((state.checkout, state.commit_changed), (SubmoduleCheckout::Present, true));
    sandbox.git(&work, &["submodule", "--quiet", "deinit", "-f", "lib"]);
    let state = only_file(&sandbox, &work).submodule.expect("a state");
    assert_eq!((state.checkout, state.commit_changed), (SubmoduleCheckout::NotInitialised, true));
    fs::write(submodule.join(".git"), "gitdir: /no/such/folder\n").expect("written");
    let state = only_file(&sandbox, &work).submodule.expect("a state");
    assert_eq!(state.checkout, SubmoduleCheckout::Unreadable);
}

#[test]
fn i17_the_configuration_of_a_submodule_runs_nothing() {
    let (sandbox, work, submodule) = with_submodule();
    let marker = sandbox.base.join("PWN");
    let script = sandbox.script("monitor", &format!("touch {}; cat", marker.display()));
    let script = script.to_str().expect("a path");
    sandbox.git(&submodule, &["config", "core.fsmonitor", script]);
    sandbox.git(&submodule, &["config", "filter.x.clean", script]);
    write(&submodule, ".gitattributes", "* filter=x\n");
    write(&submodule, "inner", "y\n");
    sandbox.try_git(&work, &["--no-optional-locks", "status"]);
    assert!(marker.exists(), "the control run did not spring the trap");
    fs::remove_file(&marker).expect("removed");
    write(&submodule, "inner", "z\n");
    assert!(only_file(&sandbox, &work).submodule.expect("a state").modified);
    assert!(!marker.exists());
}
