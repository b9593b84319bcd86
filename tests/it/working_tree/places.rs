//! Which directories are read, and which are refused with which reason (cases I11, I14, I15 and I16).

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;

use contract_tools::git::{GitReason, ReadRequest, Surroundings, read};

use super::sandbox::{Sandbox, request, summary, write};

#[test]
fn i11_a_repository_of_another_user_is_refused_with_its_own_reason_and_a_hint() {
    let (sandbox, work) = Sandbox::with_commit();
    if !give_away(&work) {
        return;
    }
    let control = sandbox.try_git(&work, &["rev-parse", "HEAD"]);
    assert_eq!(control.status.code(), Some(128), "the control run proves that git refuses");
    let error = sandbox.read(&work).expect_err("refused");
    assert_eq!(error.reason, GitReason::DubiousOwnership);
    assert!(error.message.contains("safe.directory"));
    write(&work, "sub/file", "x");
    assert_eq!(sandbox.refusal(&work.join("sub")), GitReason::DubiousOwnership);
    assert!(!sandbox.base.join("home/.gitconfig").exists(), "nothing is added to the user's configuration");
}

#[test]
fn i11_the_users_own_safe_directory_is_honoured() {
    let (sandbox, work) = Sandbox::with_commit();
    if !give_away(&work) {
        return;
    }
    write(&work, "file", "two\n");
    let home = sandbox.base.join("home");
    let trust = |value: &str| fs::write(home.join(".gitconfig"), format!("[safe]\n{value}\n")).expect("written");
    trust(&format!("directory = {}", work.display()));
    assert_eq!(summary(&sandbox.read(&work).expect("trusted")), ["modified file +1 -1"]);
    trust("directory = *");
    assert!(sandbox.read(&work).is_ok());
    trust("directory = *\ndirectory =");
    assert_eq!(sandbox.refusal(&work), GitReason::DubiousOwnership);
    trust("directory = /elsewhere");
    assert_eq!(sandbox.refusal(&work), GitReason::DubiousOwnership);
    sandbox.try_git(&work, &["config", "--file", ".git/config", "safe.directory", "*"]);
    assert_eq!(sandbox.refusal(&work), GitReason::DubiousOwnership, "a repository cannot vouch for itself");
}

#[test]
fn i14_a_linked_worktree_is_read_from_anywhere_and_a_broken_one_is_an_error() {
    let (sandbox, work) = Sandbox::with_commit();
    for number in 0..6 {
        write(&work, format!("f{number}"), "x\n");
    }
    sandbox.commit_all(&work, "files");
    sandbox.git(&work, &["worktree", "add", "-q", "-b", "feat", "../wt"]);
    let linked = sandbox.base.join("wt");
    for number in 0..6 {
        write(&linked, format!("f{number}"), "y\n");
    }
    fs::create_dir(linked.join("sub")).expect("a folder");
    for folder in [linked.clone(), linked.join("sub")] {
        let tree = sandbox.read(&folder).expect("read");
        assert_eq!((tree.changed_files.len(), tree.branch_name.as_deref()), (6, Some("feat")));
    }
    fs::remove_dir_all(work.join(".git")).expect("removed");
    assert_eq!(sandbox.refusal(&linked), GitReason::BrokenRepository);
    assert_eq!(sandbox.refusal(&linked.join("sub")), GitReason::BrokenRepository);
}

#[test]
fn i15_the_whole_repository_is_read_from_any_folder_of_it() {
    let (sandbox, work) = Sandbox::with_commit();
    write(&work, "root", "x\n");
    sandbox.git(&work, &["add", "root"]);
    fs::create_dir_all(work.join("a/b")).expect("folders");
    symlink(work.join("a"), sandbox.base.join("link")).expect("a link");
    sandbox.git(&work, &["config", "diff.relative", "true"]);
    for folder in [work.clone(), work.join("a"), work.join("a/b"), sandbox.base.join("link")] {
        assert_eq!(summary(&sandbox.read(&folder).expect("read")), ["added root +1 -0"]);
    }
}

#[test]
fn i16_a_bare_repository_is_neither_clean_nor_dirty() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&sandbox.base, &["clone", "-q", "--bare", "work", "bare.git"]);
    assert_eq!(sandbox.refusal(&sandbox.base.join("bare.git")), GitReason::BareRepository);
    assert_eq!(sandbox.refusal(&sandbox.base.join("bare.git/refs")), GitReason::BareRepository);
    sandbox.git(&work, &["config", "core.bare", "true"]);
    assert_eq!(sandbox.refusal(&work), GitReason::BareRepository);
}

#[test]
fn a_folder_without_a_repository_is_refused_whatever_the_name() {
    let sandbox = Sandbox::new();
    let empty = sandbox.base.join("empty");
    fs::create_dir(&empty).expect("a folder");
    write(&sandbox.base, "file", "x");
    assert_eq!(sandbox.refusal(&empty), GitReason::NotARepository);
    assert_eq!(sandbox.refusal(&sandbox.base.join("none")), GitReason::DirectoryNotFound);
    assert_eq!(sandbox.refusal(&sandbox.base.join("file")), GitReason::DirectoryNotFound);
    let work = sandbox.repository("work");
    let inside = sandbox.refusal(&work.join(".git"));
    assert!(matches!(inside, GitReason::NotARepository | GitReason::BareRepository), "{inside}");
}

#[test]
fn damage_is_told_from_an_empty_branch() {
    let (sandbox, work) = Sandbox::with_commit();
    let head = sandbox.git(&work, &["rev-parse", "HEAD"]);
    let object = work.join(".git/objects").join(&head[..2]).join(&head[2..]);
    let bytes = fs::read(&object).expect("an object");
    fs::remove_file(&object).expect("removed");
    assert_eq!(sandbox.refusal(&work), GitReason::BrokenRepository, "the commit is gone");
    fs::write(&object, bytes).expect("written");
    assert!(sandbox.read(&work).is_ok());
    let tree = sandbox.git(&work, &["rev-parse", "HEAD^{tree}"]);
    let tree = work.join(".git/objects").join(&tree[..2]).join(&tree[2..]);
    let kept = fs::read(&tree).expect("an object");
    fs::remove_file(&tree).expect("removed");
    assert_eq!(sandbox.refusal(&work), GitReason::BrokenRepository, "the tree is gone");
    fs::write(&tree, kept).expect("written");
    fs::write(work.join(".git/refs/heads/main"), "nonsense\n").expect("written");
    assert_eq!(sandbox.refusal(&work), GitReason::BrokenRepository, "the branch is garbage");
    fs::remove_file(work.join(".git/HEAD")).expect("removed");
    assert_eq!(sandbox.refusal(&work), GitReason::BrokenRepository, "HEAD is gone");
}

#[test]
fn a_missing_git_and_a_git_in_the_inspected_folder_are_no_git() {
    let (sandbox, work) = Sandbox::with_commit();
    let marker = sandbox.base.join("ran");
    sandbox.script("work/git", &format!("touch {}", marker.display()));
    for search_path in ["", ".", ":", "./", "/no/such/folder"] {
        let surroundings = Surroundings { search_path: search_path.into(), ..sandbox.surroundings() };
        let error = read(&request(&work), &surroundings).expect_err("no git");
        assert_eq!(error.reason, GitReason::GitNotFound, "{search_path}");
    }
    let real = std::env::var("PATH").expect("a search path");
    let surroundings = Surroundings { search_path: format!(".:{real}").into(), ..sandbox.surroundings() };
    assert!(read(&request(&work), &surroundings).is_ok());
    assert!(!marker.exists());
}

#[test]
fn a_wish_for_source_upload_is_refused_before_anything_is_read() {
    let sandbox = Sandbox::new();
    let surroundings = Surroundings { upload_source: Some("yes".into()), ..sandbox.surroundings() };
    let request = ReadRequest { directory: "/no/such/folder".into(), ..ReadRequest::default() };
    assert_eq!(read(&request, &surroundings).expect_err("refused").reason, GitReason::SourceUploadRefused);
}

/// Gives a folder to another user; false where the test may not do that.
fn give_away(folder: &Path) -> bool {
    if !rustix::process::geteuid().is_root() {
        contract_tests::print_line("not tried: only the superuser can give a repository away");
        return false;
    }
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            give_away(&path);
        }
        chown(&path, Some(12_345), Some(12_345)).expect("given away");
    }
    chown(folder, Some(12_345), Some(12_345)).expect("given away");
    true
}

#[test]
fn a_setting_that_git_refuses_is_not_called_damage() {
    let (sandbox, work) = Sandbox::with_commit();
    for (name, value) in [("core.autocrlf", "maybe"), ("push.default", "x"), ("core.abbrev", "x"), ("core.bare", "x")] {
        let config = fs::read_to_string(work.join(".git/config")).expect("a configuration");
        sandbox.git(&work, &["config", name, value]);
        let error = sandbox.read(&work).expect_err(name);
        assert_eq!(error.reason, GitReason::UnsafeConfiguration, "{name}");
        assert!(error.message.contains("refuses a setting"), "{error}");
        fs::write(work.join(".git/config"), config).expect("written");
    }
    write(&work, ".git/index", "garbage");
    assert_eq!(sandbox.refusal(&work), GitReason::BrokenRepository);
}
