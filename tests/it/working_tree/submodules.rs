//! Submodules are listed once, with flags and no lines, and git never enters them by itself (case I17).

use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};

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
fn only_file(sandbox: &Sandbox, work: &Path) -> ChangedFile {
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

/// One way to make the submodule at a path unreadable.
type Damage = fn(&Sandbox, &Path, &Path);

#[test]
fn a_submodule_that_cannot_be_read_is_never_shown_as_clean() {
    let damages: [(&str, Damage); 5] = [
        ("no repository", |_, work, _| fs::remove_dir_all(work.join(".git/modules/lib")).expect("removed")),
        ("no HEAD", |_, work, _| write(work, ".git/modules/lib/HEAD", "garbage")),
        ("no index", |_, work, _| write(work, ".git/modules/lib/index", "garbage")),
        ("a hostile filter", |_, work, _| {
            let config = work.join(".git/modules/lib/config");
            let text = fs::read_to_string(&config).expect("a configuration");
            fs::write(config, text + "[filter \"x=y\"]\n\tclean = false\n").expect("written");
        }),
        ("another owner", |_, work, submodule| {
            if rustix::process::geteuid().is_root() {
                for path in [&work.join(".git/modules/lib"), submodule, &submodule.join(".git")] {
                    chown(path, Some(4711), None).expect("given away");
                }
            } else {
                fs::remove_dir_all(work.join(".git/modules/lib")).expect("removed");
            }
        }),
    ];
    for (name, damage) in damages {
        let (sandbox, work, submodule) = with_submodule();
        damage(&sandbox, &work, &submodule);
        let file = only_file(&sandbox, &work);
        assert_eq!((file.path.as_str(), file.kind), ("lib", FileKind::Submodule), "{name}");
        assert_eq!(file.submodule.expect("a state").checkout, SubmoduleCheckout::Unreadable, "{name}");
    }
}

/// A repository with a submodule in each submodule, and the folders of all, from the outside in.
fn nested(levels: usize) -> (Sandbox, Vec<PathBuf>) {
    let sandbox = Sandbox::new();
    for level in (0..=levels).rev() {
        let name = format!("level{level}");
        let repository = sandbox.repository(&name);
        write(&repository, "file", "x\n");
        if level < levels {
            let inner = format!("../level{}", level + 1);
            let allowed = ["-c", "protocol.file.allow=always"];
            sandbox.git(&repository, &[&allowed, ["submodule", "--quiet", "add", &inner, "in"].as_slice()].concat());
        }
        sandbox.commit_all(&repository, &name);
    }
    let work = sandbox.base.join("level0");
    let update = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive"];
    sandbox.git(&work, &update);
    let folders = std::iter::successors(Some(work), |folder| Some(folder.join("in"))).take(levels + 1).collect();
    (sandbox, folders)
}

#[test]
fn dirt_in_a_submodule_of_a_submodule_is_not_hidden() {
    let (sandbox, folders) = nested(2);
    assert!(sandbox.read(&folders[0]).expect("read").changed_files.is_empty());
    let state = || only_file(&sandbox, &folders[0]).submodule.expect("a state");
    write(&folders[2], "new", "x\n");
    assert_eq!((state().checkout, state().modified, state().untracked), (SubmoduleCheckout::Present, false, true));
    write(&folders[2], "file", "y\n");
    assert_eq!((state().checkout, state().modified, state().untracked), (SubmoduleCheckout::Present, true, true));
    fs::write(folders[2].join(".git"), "gitdir: /no/such/folder\n").expect("written");
    assert_eq!(state().checkout, SubmoduleCheckout::Unreadable);
}

#[test]
fn what_is_nested_too_deeply_is_not_called_clean() {
    let (sandbox, folders) = nested(6);
    let state = only_file(&sandbox, &folders[0]).submodule.expect("a state");
    assert_eq!(state.checkout, SubmoduleCheckout::Unreadable);
    let (sandbox, folders) = nested(5);
    assert!(sandbox.read(&folders[0]).expect("read").changed_files.is_empty());
}
