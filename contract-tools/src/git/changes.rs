//! Lists what changed between a commit and the working tree, staged or not, without git's own comfort functions.
//!
//! `git diff` and `git status` refresh the index as they go; the first takes the lock for it even when told not to.
//! So this asks `git diff-index`, which only reads, and settles what that leaves open: a stale time stamp is no change.

use std::ffi::OsString;

use super::command::{LARGEST_COUNTED_FILE, os_string};
use super::diff_output::{DiffOutput, Difference, Lines, Mode, Overflow};
use super::error::{GitError, GitReason};
use super::model::{
    ChangeStatus, ChangeTotals, ChangedFile, FileContents, FileKind, SubmoduleCheckout, SubmoduleState,
};
use super::narrative::NotablePaths;
use super::read::Limits;
use super::repository::Repository;
use super::submodules::{self, IndexFacts};
use super::unread_files::{self, UnreadFiles};

/// What changed.
pub(super) struct Changes {
    /// The files to list.
    pub(super) files: Vec<ChangedFile>,
    /// Sums over all.
    pub(super) totals: ChangeTotals,
    /// More files changed than are listed.
    pub(super) truncated: bool,
    /// What matters to continuous integration.
    pub(super) notable: NotablePaths,
}

const LONGEST_PATH: usize = 16 * 1024;
const FILES_HASHED_AT_ONCE: usize = 100;

/// Compares the tree of a commit with the working tree.
pub(super) fn collect(repository: &Repository, tree: &str, limits: Limits) -> Result<Changes, GitError> {
    let output = differences(repository, tree)?;
    let index = submodules::index_facts(repository)?;
    let mut sums = Sums::of(&output);
    // Beyond the list only submodules are kept: one that is here already is not listed a second time for being dirty.
    let mut files: Vec<Listed> = Vec::new();
    for difference in output.differences {
        let next = listed(difference, &index);
        if files.len() < limits.listed_files || next.file.kind == FileKind::Submodule {
            files.push(next);
        } else {
            sums.add(&next);
        }
    }
    add_submodules(repository, &index, &mut files)?;
    for listed in &files {
        sums.add(listed);
    }
    files.truncate(limits.listed_files);
    let Sums { totals, notable } = sums;
    let truncated = totals.files > files.len() as u64;
    let files: Vec<ChangedFile> =
        files.into_iter().map(|Listed { file, path, previous_path: _ }| sized(repository, file, &path)).collect();
    Ok(Changes { files, totals, truncated, notable })
}

/// What is known of all files, listed or not.
struct Sums {
    totals: ChangeTotals,
    notable: NotablePaths,
}

impl Sums {
    /// Of those that were not kept.
    fn of(output: &DiffOutput) -> Self {
        let Overflow { files, additions, deletions, uncounted_files, notable } = output.overflow;
        Self { totals: ChangeTotals { files, additions, deletions, uncounted_files }, notable }
    }

    fn add(&mut self, Listed { file, path, previous_path }: &Listed) {
        self.notable.note(path);
        if let Some(path) = previous_path {
            self.notable.note(path);
        }
        self.totals.files += 1;
        self.totals.additions += file.additions;
        self.totals.deletions += file.deletions;
        self.totals.uncounted_files += u64::from(file.contents != FileContents::Text);
    }
}

/// A file with its path in bytes, which the answer itself cannot carry.
struct Listed {
    file: ChangedFile,
    path: Box<[u8]>,
    previous_path: Option<Box<[u8]>>,
}

/// What differs, with line counts if this clone has the contents to count them in.
fn differences(repository: &Repository, tree: &str) -> Result<DiffOutput, GitError> {
    let broken = || GitError::of(GitReason::BrokenRepository);
    let mut unread = UnreadFiles::default();
    let mut names = DiffOutput::default();
    let code = records(repository, tree, &["--no-renames"], &[], &mut |record| {
        names.take(record);
        if let Some(difference) = names.hand_over() {
            unread.look_at(repository, difference);
        }
    })?;
    if code != 0 {
        return Err(broken());
    }
    if unread.are_too_many() {
        let output = diff_index(repository, tree, &["--no-renames"], &[])?.ok_or_else(broken)?;
        return Ok(output.without_lines(Lines::Unreadable));
    }
    let left_out = unread.left_out();
    let counted = diff_index(repository, tree, &["--numstat", "--find-renames", "-l400"], &left_out)?;
    let mut output = match counted {
        Some(output) => output,
        None if !repository.partial_clone => return Err(broken()),
        None => diff_index(repository, tree, &["--no-renames"], &left_out)?
            .ok_or_else(broken)?
            .without_lines(Lines::Unavailable),
    };
    settle_uncounted_files(repository, &mut output.differences)?;
    output.drop_unchanged();
    if !unread.is_empty() {
        output.differences.extend(unread.settled(repository)?);
        output.differences.sort_by(|left, right| left.path.cmp(&right.path));
    }
    Ok(output)
}

/// Runs the comparison and keeps what it says; none if git could not read everything it needed.
fn diff_index(
    repository: &Repository,
    tree: &str,
    detail: &[&str],
    left_out: &[OsString],
) -> Result<Option<DiffOutput>, GitError> {
    let mut output = DiffOutput::default();
    let code = records(repository, tree, detail, left_out, &mut |record| output.take(record))?;
    Ok((code == 0).then_some(output))
}

/// Runs the comparison, record by record, and says with which code it ended.
fn records(
    repository: &Repository,
    tree: &str,
    detail: &[&str],
    left_out: &[OsString],
    each: &mut dyn FnMut(&[u8]),
) -> Result<i32, GitError> {
    let settings = ["diff-index", "-z", "--raw", "--no-abbrev", "-O/dev/null", "--ignore-submodules=dirty"];
    let safety = ["--no-ext-diff", "--no-textconv", "--no-color", tree, "--"];
    let mut arguments: Vec<OsString> =
        settings.iter().chain(detail).chain(&safety).map(|argument| OsString::from(*argument)).collect();
    if !left_out.is_empty() {
        arguments.push(OsString::from(":/"));
        arguments.extend_from_slice(left_out);
    }
    repository.git.records(&repository.root, &arguments, LONGEST_PATH, each)
}

/// Compares the files that git listed for a stale time stamp alone, where it did not do that itself by counting lines.
///
/// A file that cannot be hashed stays listed: saying "changed" of an unchanged file is the smaller mistake.
fn settle_uncounted_files(repository: &Repository, differences: &mut [Difference]) -> Result<(), GitError> {
    let mut open: Vec<&mut Difference> = differences
        .iter_mut()
        .filter(|difference| difference.unverified)
        .filter(|difference| matches!(difference.lines, Lines::Uncounted | Lines::Unavailable))
        .filter(|difference| matches!(difference.new_mode, Mode::File | Mode::Executable))
        .collect();
    for batch in open.chunks_mut(FILES_HASHED_AT_ONCE) {
        let mut arguments = ["hash-object", "--"].map(|argument| os_string(argument.as_bytes())).to_vec();
        arguments.extend(batch.iter().map(|difference| os_string(&difference.path)));
        let answer = repository.git.ask_patiently(&repository.root, &arguments)?;
        if answer.code != 0 || answer.cut {
            continue;
        }
        for (difference, id) in batch.iter_mut().zip(answer.bytes.split(|byte| *byte == b'\n')) {
            if *id == *difference.old_id {
                difference.lines = Lines::Absent;
            }
        }
    }
    Ok(())
}

fn listed(difference: Difference, index: &IndexFacts) -> Listed {
    let Difference { path, previous_path, letter, old_mode, new_mode, lines, old_id: _, unverified: _, unhashed: _ } =
        difference;
    let mode = if new_mode == Mode::Nothing { old_mode } else { new_mode };
    let kind = match mode {
        Mode::SymbolicLink => FileKind::SymbolicLink,
        Mode::Submodule => FileKind::Submodule,
        Mode::Nothing | Mode::File | Mode::Executable | Mode::Other => FileKind::File,
    };
    let (additions, deletions, contents) = match lines {
        // The "lines" of a submodule are git's way of writing down two commits.
        _ if kind == FileKind::Submodule => (0, 0, FileContents::Text),
        Lines::Counted { added, deleted } => (added, deleted, FileContents::Text),
        Lines::Absent => (0, 0, FileContents::Text),
        Lines::Uncounted => (0, 0, FileContents::Binary),
        Lines::Unavailable => (0, 0, FileContents::Unavailable),
        Lines::Unreadable => (0, 0, FileContents::Unreadable),
    };
    let shown = text_of(&path);
    let shown_previous = previous_path.as_deref().map(text_of);
    let file = ChangedFile {
        lossy_path: shown.1 || shown_previous.as_ref().is_some_and(|(_, lossy)| *lossy),
        path: shown.0,
        previous_path: shown_previous.map(|(text, _)| text),
        kind,
        status: status_of(letter),
        additions,
        deletions,
        contents,
        conflicted: letter == b'U' || index.conflicted.contains(&path),
        submodule: None,
    };
    Listed { file, path, previous_path }
}

/// Looks into each submodule, and lists those that are dirty or cannot be read besides those at another commit.
fn add_submodules(repository: &Repository, index: &IndexFacts, files: &mut Vec<Listed>) -> Result<(), GitError> {
    let mut added = false;
    for path in &index.submodules {
        let state = submodules::inspect(repository, path)?;
        let known = files.iter_mut().find(|listed| listed.path == *path);
        if let Some(listed) = known {
            listed.file.submodule = Some(SubmoduleState { commit_changed: true, ..state });
        } else if state.modified || state.untracked || state.checkout == SubmoduleCheckout::Unreadable {
            // Nobody can say that a submodule is clean without having read it.
            files.push(submodule_at_its_commit(path, state));
            added = true;
        }
    }
    if added {
        files.sort_by(|left, right| left.path.cmp(&right.path));
    }
    Ok(())
}

fn submodule_at_its_commit(path: &[u8], state: SubmoduleState) -> Listed {
    let (text, lossy_path) = text_of(path);
    let file = ChangedFile {
        path: text,
        previous_path: None,
        lossy_path,
        kind: FileKind::Submodule,
        status: ChangeStatus::Modified,
        additions: 0,
        deletions: 0,
        contents: FileContents::Text,
        conflicted: false,
        submodule: Some(state),
    };
    Listed { file, path: path.into(), previous_path: None }
}

/// Tells a file that is too large to count from one that is binary.
fn sized(repository: &Repository, file: ChangedFile, path: &[u8]) -> ChangedFile {
    let too_large =
        file.contents == FileContents::Binary && unread_files::size(repository, path) > LARGEST_COUNTED_FILE;
    ChangedFile { contents: if too_large { FileContents::TooLarge } else { file.contents }, ..file }
}

const fn status_of(letter: u8) -> ChangeStatus {
    match letter {
        b'A' => ChangeStatus::Added,
        b'M' => ChangeStatus::Modified,
        b'D' => ChangeStatus::Deleted,
        b'R' => ChangeStatus::Renamed,
        b'C' => ChangeStatus::Copied,
        _ => ChangeStatus::Unknown,
    }
}

/// The path as text, and whether characters were lost.
fn text_of(path: &[u8]) -> (String, bool) {
    (String::from_utf8_lossy(path).into_owned(), std::str::from_utf8(path).is_err())
}
