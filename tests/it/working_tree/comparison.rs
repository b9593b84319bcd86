//! Where `HEAD` is, and what the working tree is compared with (cases I01 to I04, defects 14, 15, 20, 21 and 30).

use std::fs;

use contract_tools::git::{Comparison, GitReason, ReadRequest, read};

use super::sandbox::{Sandbox, request, summary, write};

#[test]
fn i01_an_unborn_branch_lists_staged_files_as_added() {
    let sandbox = Sandbox::new();
    let work = sandbox.repository("work");
    write(&work, "f", "x\n");
    sandbox.git(&work, &["add", "f"]);
    write(&work, "untracked", "y\n");
    for base in ["", "HEAD"] {
        let tree = sandbox.read_from(&work, base).expect("read");
        assert_eq!(tree.branch_name.as_deref(), Some("main"));
        assert_eq!((tree.head_sha, tree.detached, tree.comparison), (None, false, Comparison::EmptyTree));
        assert_eq!(tree.changed_files.len(), 1);
        assert_eq!(tree.changed_files[0].path, "f");
        assert_eq!((tree.changed_files[0].additions, tree.changed_files[0].status.as_str()), (1, "added"));
    }
    assert_eq!(sandbox.read_from(&work, "nope").expect_err("no base").reason, GitReason::BaseNotFound);
}

#[test]
fn i01_an_unborn_branch_of_a_sha256_repository_works_too() {
    let sandbox = Sandbox::new();
    let work = sandbox.base.join("work");
    fs::create_dir(&work).expect("a folder");
    sandbox.git(&work, &["init", "-q", "--object-format=sha256"]);
    write(&work, "f", "x\n");
    sandbox.git(&work, &["add", "f"]);
    assert_eq!(summary(&sandbox.read(&work).expect("read")), ["added f +1 -0"]);
    let commit = sandbox.commit_all(&work, "first");
    write(&work, "f", "y\n");
    let tree = sandbox.read(&work).expect("read");
    assert_eq!((commit.len(), &tree.head_sha), (64, &Some(commit)));
    assert_eq!(summary(&tree), ["modified f +1 -1"]);
}

#[test]
fn i02_a_detached_head_has_no_branch() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["checkout", "-q", "--detach"]);
    let tree = sandbox.read(&work).expect("read");
    assert!(tree.detached);
    assert_eq!((tree.branch_name, tree.head_ref), (None, None));
    assert_eq!((tree.base_ref.as_str(), tree.title.as_str()), ("HEAD", "first"));
}

#[test]
fn i02_a_tag_named_like_the_branch_does_not_get_in_the_way() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["tag", "main"]);
    let second = sandbox.commit_all(&work, "second");
    let control = sandbox.git(&work, &["rev-parse", "--abbrev-ref", "HEAD"]);
    assert_eq!(control, "heads/main", "the control run shows what git makes of it");
    let tree = sandbox.read_from(&work, "main").expect("read");
    assert_eq!(tree.head_ref.as_deref(), Some("main"));
    assert_eq!(tree.base_sha, Some(second), "a branch goes before a tag of the same name");
}

#[test]
fn i02_the_default_base_falls_back_by_the_documented_rule() {
    let (sandbox, work) = Sandbox::with_commit();
    let base = || sandbox.read(&work).expect("read").base_ref;
    assert_eq!(base(), "HEAD");
    sandbox.git(&work, &["update-ref", "refs/remotes/origin/master", "HEAD"]);
    assert_eq!(base(), "origin/master");
    sandbox.git(&work, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    assert_eq!(base(), "origin/main");
    sandbox.git(&work, &["update-ref", "refs/remotes/origin/trunk", "HEAD"]);
    sandbox.git(&work, &["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]);
    assert_eq!(base(), "origin/trunk");
    sandbox.git(&work, &["update-ref", "-d", "refs/remotes/origin/trunk"]);
    assert_eq!(base(), "origin/main", "a pointer to nothing is passed over");
}

#[test]
fn i03_a_shallow_clone_without_a_merge_base_says_so() {
    let (sandbox, origin) = Sandbox::with_commit();
    let url = format!("file://{}", origin.display());
    sandbox.git(&sandbox.base, &["clone", "-q", "--depth=1", &url, "clone"]);
    let clone = sandbox.base.join("clone");
    sandbox.git(&clone, &["checkout", "-q", "-b", "feature"]);
    write(&clone, "own", "x\n");
    sandbox.commit_all(&clone, "own fixes #4");
    for step in ["second #5", "third #6"] {
        write(&origin, step, "theirs\n");
        sandbox.commit_all(&origin, step);
    }
    sandbox.git(&clone, &["fetch", "-q", "--depth=1", "origin", "main"]);
    sandbox.git(&clone, &["update-ref", "refs/remotes/origin/main", "FETCH_HEAD"]);
    write(&clone, "own", "x\ny\n");
    let tree = sandbox.read_from(&clone, "origin/main").expect("read");
    assert!(tree.shallow);
    assert_eq!((tree.merge_base_sha.clone(), tree.comparison), (None, Comparison::HeadOnly));
    assert_eq!(summary(&tree), ["modified own +1 -0"], "only what is known to be this branch's own");
    assert_eq!((tree.pending_commit_count, tree.linked_issues), (None, vec![4]));
    assert!(tree.hints[0].contains("git fetch --unshallow"));
}

#[test]
fn i03_a_shallow_clone_with_a_merge_base_is_an_ordinary_read() {
    let (sandbox, origin) = Sandbox::with_commit();
    sandbox.commit_all(&origin, "second");
    let url = format!("file://{}", origin.display());
    sandbox.git(&sandbox.base, &["clone", "-q", "--depth=1", &url, "clone"]);
    let clone = sandbox.base.join("clone");
    write(&clone, "own", "x\n");
    sandbox.commit_all(&clone, "own");
    let tree = sandbox.read(&clone).expect("read");
    assert!(tree.shallow && tree.hints.is_empty());
    assert_eq!((tree.comparison, tree.pending_commit_count), (Comparison::MergeBase, Some(1)));
    assert_eq!(summary(&tree), ["added own +1 -0"]);
}

#[test]
fn i04_four_kinds_of_wrong_or_equal_base_are_four_answers() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["branch", "gone"]);
    sandbox.git(&work, &["branch", "-D", "-q", "gone"]);
    for (name, object) in [("tree", "HEAD^{tree}"), ("blob", "HEAD:file")] {
        sandbox.git(&work, &["tag", name, object]);
        sandbox.git(&work, &["tag", "-a", "-m", "x", &format!("annotated-{name}"), object]);
    }
    sandbox.git(&work, &["checkout", "-q", "--orphan", "x"]);
    sandbox.commit_all(&work, "unrelated");
    let reason = |base: &str| sandbox.read_from(&work, base).expect_err(base).reason;
    assert_eq!(reason("main"), GitReason::NoCommonAncestor);
    for base in ["gone", "no-such-ref", "origin/main", "4444444444444444444444444444444444444444", "main~5"] {
        assert_eq!(reason(base), GitReason::BaseNotFound, "{base}");
    }
    for base in ["tree", "blob", "annotated-tree", "annotated-blob", "HEAD^{tree}", "HEAD:file"] {
        assert_eq!(reason(base), GitReason::BaseNotCommit, "{base}");
    }
    let tree = sandbox.read_from(&work, "x").expect("the branch itself");
    assert_eq!((tree.changed_files.len(), tree.pending_commit_count), (0, Some(0)));
    assert_eq!(tree.merge_base_sha, tree.head_sha);
}

#[test]
fn i04_a_tag_of_a_commit_is_a_base() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["tag", "-a", "-m", "x", "v1"]);
    write(&work, "file", "two\n");
    let second = sandbox.commit_all(&work, "second");
    let tree = sandbox.read_from(&work, "v1").expect("read");
    assert_eq!((tree.pending_commit_count, &tree.head_sha), (Some(1), &Some(second)));
    assert_ne!(tree.base_sha, tree.head_sha);
}

#[test]
fn i09_refs_that_git_could_misread_are_refused_and_write_nothing() {
    let (sandbox, work) = Sandbox::with_commit();
    let pwned = sandbox.base.join("pwned");
    let output = format!("--output={}", pwned.display());
    sandbox.git(&work, &["diff", &output, "HEAD"]);
    assert!(pwned.exists(), "the control run proves that git takes it for an option");
    fs::remove_file(&pwned).expect("removed");
    let upload = format!("--upload-pack=touch {}", pwned.display());
    for base in [output.as_str(), "-x", upload.as_str(), "main..evil", "@{-1}", "HEAD\0", "main\nx", "^main", "--"] {
        assert_eq!(sandbox.read_from(&work, base).expect_err(base).reason, GitReason::InvalidRef, "{base:?}");
    }
    assert!(!pwned.exists());
}

#[test]
fn defect_14_the_remote_tracking_ref_is_read_by_its_full_name_and_locally() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["remote", "add", "origin", "https://github.com/acme/widgets.git"]);
    let first = sandbox.git(&work, &["rev-parse", "HEAD"]);
    sandbox.git(&work, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let second = sandbox.commit_all(&work, "second");
    sandbox.git(&work, &["update-ref", "refs/remotes/origin/feature/main", &second]);
    for base in ["origin/main", "refs/remotes/origin/main"] {
        let tree = sandbox.read_from(&work, base).expect("read");
        assert_eq!((tree.remote_tracking_sha, tree.base_ref.as_str()), (Some(first.clone()), base));
    }
    assert_eq!(sandbox.read_from(&work, "main").expect("read").remote_tracking_sha, None);
}

#[test]
fn defect_15_what_the_base_gained_meanwhile_is_not_shown_as_deleted() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["checkout", "-q", "-b", "feature"]);
    write(&work, "own", "committed\n");
    sandbox.commit_all(&work, "own");
    write(&work, "staged", "x\n");
    sandbox.git(&work, &["add", "staged"]);
    write(&work, "file", "one\nunstaged\n");
    write(&work, "untracked", "x\n");
    sandbox.git(&work, &["stash", "-q"]);
    sandbox.git(&work, &["checkout", "-q", "main"]);
    write(&work, "theirs", "x\n");
    sandbox.git(&work, &["add", "theirs"]);
    sandbox.git(&work, &["commit", "-q", "-m", "theirs"]);
    sandbox.git(&work, &["checkout", "-q", "feature"]);
    sandbox.git(&work, &["stash", "pop", "-q", "--index"]);
    let tree = sandbox.read_from(&work, "main").expect("read");
    assert_eq!(summary(&tree), ["modified file +1 -0", "added own +1 -0", "added staged +1 -0"]);
    assert_eq!((tree.totals.files, tree.totals.additions, tree.totals.deletions), (3, 3, 0));
}

#[test]
fn defect_21_commit_messages_keep_their_shape_and_are_at_most_thirty() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["checkout", "-q", "-b", "feature"]);
    let message = "Subject\n\n    code  \n\nCloses #3";
    sandbox.git(&work, &["commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message]);
    let tree = sandbox.read_from(&work, "main").expect("read");
    assert_eq!(tree.commit_messages, ["Subject\n\n    code\n\nCloses #3"]);
    assert_eq!(tree.linked_issues, [3]);
    for number in 0..31 {
        sandbox.git(&work, &["commit", "-q", "--allow-empty", "-m", &format!("number {number}")]);
    }
    let tree = sandbox.read_from(&work, "main").expect("read");
    assert_eq!((tree.commit_messages.len(), tree.pending_commit_count), (30, Some(32)));
    assert_eq!(tree.commit_messages[0], "number 30");
}

#[test]
fn the_repository_is_named_by_argument_or_remote_and_by_nothing_else() {
    let (sandbox, work) = Sandbox::with_commit();
    let named = |name: Option<&str>| {
        let request = ReadRequest { repo_full_name: name.map(str::to_owned), ..request(&work) };
        read(&request, &sandbox.surroundings()).map(|tree| tree.repo_full_name).map_err(|error| error.reason)
    };
    assert_eq!(named(None), Err(GitReason::NoRemote));
    assert_eq!(named(Some("abc")), Err(GitReason::InvalidRepositoryName));
    sandbox.git(&work, &["remote", "add", "origin", "git@github.com:acme/gadgets.git"]);
    sandbox.git(&work, &["config", "url.https://example.com/.insteadOf", "git@github.com:"]);
    assert_eq!(named(None).as_deref(), Ok("acme/gadgets"));
    assert_eq!(named(Some("someone/else")).as_deref(), Ok("someone/else"));
}

#[test]
fn a_conflict_is_listed_once_and_marked() {
    let (sandbox, work) = Sandbox::with_commit();
    sandbox.git(&work, &["checkout", "-q", "-b", "other"]);
    write(&work, "file", "theirs\n");
    sandbox.commit_all(&work, "theirs");
    sandbox.git(&work, &["checkout", "-q", "main"]);
    write(&work, "file", "ours\n");
    sandbox.commit_all(&work, "ours");
    assert!(!sandbox.try_git(&work, &["merge", "other"]).status.success());
    let tree = sandbox.read(&work).expect("read");
    assert_eq!((tree.changed_files.len(), tree.changed_files[0].conflicted), (1, true));
}

#[test]
fn a_base_may_have_as_long_a_name_as_the_contract_says() {
    let (sandbox, work) = Sandbox::with_commit();
    let branch = ["a", "b", "c"].map(|letter| letter.repeat(200)).join("/");
    sandbox.git(&work, &["branch", &branch]);
    assert_eq!(sandbox.read_from(&work, &branch).expect("read").base_ref, branch);
}
