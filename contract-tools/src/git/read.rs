//! The read itself: one question after another, each answered or refused before the next is asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::base::{self, Base};
use super::changes;
use super::command::Git;
use super::error::{GitError, GitReason};
use super::history;
use super::linked_issues::linked_issue_numbers;
use super::model::{ChangedFile, Comparison, FileContents, WorkingTree};
use super::narrative;
use super::remote::{is_repository_name, repository_name_from_remote};
use super::repository::{self, Head, Repository};
use super::stop::StopWhen;
use super::surroundings::Surroundings;

/// What to read.
#[derive(Debug, Clone, Default)]
pub struct ReadRequest {
    /// Any directory of the working tree; [`super::choose_directory`] makes one out of what a client sends.
    pub directory: PathBuf,
    /// The base to compare with; empty is as good as absent.
    pub base_ref: Option<String>,
    /// `owner/repo`, when it is not to be read from the `origin` remote.
    pub repo_full_name: Option<String>,
    /// How long and how much.
    pub limits: Limits,
    /// What takes the request back.
    pub stop: StopWhen,
}

/// How long a read may take and how much it may list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time for a question that takes the same time in every repository; others may take what is left of the whole.
    pub small_question: Duration,
    /// Time for the whole read.
    pub whole_read: Duration,
    /// Changed files to list; all are counted.
    pub listed_files: usize,
}

impl Default for Limits {
    /// 5 seconds for a small question, 9 for the whole, 3,000 listed files.
    fn default() -> Self {
        Self { small_question: Duration::from_secs(5), whole_read: Duration::from_secs(9), listed_files: 3_000 }
    }
}

const REFUSED_SETTING: &str = "git refuses a setting in the configuration of this repository, so nothing was read; \
                               `git diff` in its folder names the setting: correct or remove it";

/// How often a repository that looks damaged is looked at.
const ATTEMPTS: usize = 3;

/// Reads a working tree. Nothing is written, nothing of the repository runs, nothing goes to the network.
///
/// This blocks while git works, at most for [`Limits::whole_read`] and until [`ReadRequest::stop`] says so.
///
/// # Errors
/// Each [`GitReason`] but `outside_roots`, which [`super::choose_directory`] gives.
pub fn read(request: &ReadRequest, surroundings: &Surroundings) -> Result<WorkingTree, GitError> {
    check(request, surroundings)?;
    let directory = openable(&request.directory)?;
    let git = Git::find(surroundings, request.limits, request.stop.clone())?;
    // Somebody may commit, or rewrite a file, between two questions or in the midst of one; damage is there the next time too.
    let mut result = read_directory(git.clone(), &directory, request, surroundings);
    for _ in 1..ATTEMPTS {
        if result.as_ref().is_err_and(|error| *error == GitError::of(GitReason::BrokenRepository)) {
            result = read_directory(git.clone(), &directory, request, surroundings);
        }
    }
    match result {
        // A repository about which nothing better is known may be in order but for a setting.
        Err(error) if error == GitError::of(GitReason::BrokenRepository) => {
            let refused = git.refuses_configuration(&directory)?;
            Err(if refused { GitError::with_message(GitReason::UnsafeConfiguration, REFUSED_SETTING) } else { error })
        }
        result => result,
    }
}

fn read_directory(
    git: Git,
    directory: &Path,
    request: &ReadRequest,
    surroundings: &Surroundings,
) -> Result<WorkingTree, GitError> {
    let repository = repository::open(git, directory, surroundings)?;
    let head = repository.head()?;
    let repo_full_name = repository_name(request, &repository)?;
    let base = base::find(&repository, &head, request.base_ref.as_deref())?;
    let point = comparison(&repository, &head, &base)?;
    let changes = changes::collect(&repository, &point.tree, request.limits)?;
    let commit_messages = match &head.commit {
        Some(commit) => history::messages(&repository, point.base_of_own_commits.as_deref(), commit)?,
        None => Vec::new(),
    };
    let title = narrative::title(head.branch.as_deref(), &commit_messages);
    Ok(WorkingTree {
        repo_full_name,
        head_ref: head.branch.clone(),
        remote_tracking_sha: base::remote_tracking(&repository, &base.name)?,
        base_ref: base.name.clone(),
        base_sha: base.commit,
        detached: head.branch.is_none(),
        shallow: repository.shallow,
        comparison: point.comparison,
        linked_issues: linked_issues(head.branch.as_deref(), &title, &commit_messages),
        ci_status_hints: narrative::ci_status_hints(changes.notable, point.pending_commit_count, &base.name),
        hints: hints(&point, &base.name, &changes.files),
        branch_name: head.branch,
        head_sha: head.commit,
        merge_base_sha: point.merge_base,
        pending_commit_count: point.pending_commit_count,
        commit_messages,
        title,
        changed_files: changes.files,
        totals: changes.totals,
        truncated: changes.truncated,
    })
}

/// What the working tree is compared with, and what that says about commits.
struct Point {
    comparison: Comparison,
    tree: String,
    merge_base: Option<String>,
    base_of_own_commits: Option<String>,
    pending_commit_count: Option<u64>,
}

fn check(request: &ReadRequest, surroundings: &Surroundings) -> Result<(), GitError> {
    if surroundings.wants_source_upload() {
        return Err(GitError::of(GitReason::SourceUploadRefused));
    }
    if request.repo_full_name.as_deref().is_some_and(|name| !is_repository_name(name.trim())) {
        return Err(GitError::of(GitReason::InvalidRepositoryName));
    }
    match request.base_ref.as_deref() {
        None | Some("") => Ok(()),
        Some(name) => base::check_ref(name),
    }
}

/// The directory with symbolic links resolved, if it can be opened.
fn openable(directory: &Path) -> Result<PathBuf, GitError> {
    let not_found = |_| GitError::of(GitReason::DirectoryNotFound);
    let resolved = fs::canonicalize(directory).map_err(not_found)?;
    fs::read_dir(&resolved).map_err(not_found)?;
    Ok(resolved)
}

fn repository_name(request: &ReadRequest, repository: &Repository) -> Result<String, GitError> {
    let given = request.repo_full_name.as_deref().map(|name| name.trim().to_owned());
    let read = || repository.remote_url.as_deref().and_then(repository_name_from_remote);
    given.or_else(read).ok_or_else(|| GitError::of(GitReason::NoRemote))
}

fn comparison(repository: &Repository, head: &Head, base: &Base) -> Result<Point, GitError> {
    let Some(commit) = &head.commit else {
        let tree = repository.ask(&["hash-object", "-t", "tree", "--stdin"])?.object_id();
        return Ok(Point {
            comparison: Comparison::EmptyTree,
            tree: tree.ok_or_else(|| GitError::of(GitReason::BrokenRepository))?,
            merge_base: None,
            base_of_own_commits: None,
            pending_commit_count: Some(0),
        });
    };
    let Some(base_commit) = &base.commit else { return Err(GitError::of(GitReason::BaseNotFound)) };
    match history::merge_base(repository, base_commit, commit)? {
        Some(merge_base) => Ok(Point {
            comparison: Comparison::MergeBase,
            tree: merge_base.clone(),
            merge_base: Some(merge_base),
            base_of_own_commits: Some(base_commit.clone()),
            pending_commit_count: Some(history::pending_commit_count(repository, base_commit, commit)?),
        }),
        // A comparison with the tip of the base would show everybody else's changes as this branch's own.
        None if repository.shallow => Ok(Point {
            comparison: Comparison::HeadOnly,
            tree: commit.clone(),
            merge_base: None,
            base_of_own_commits: None,
            pending_commit_count: None,
        }),
        None => Err(GitError::of(GitReason::NoCommonAncestor)),
    }
}

fn hints(point: &Point, base_name: &str, files: &[ChangedFile]) -> Vec<String> {
    let mut hints = Vec::new();
    if point.comparison == Comparison::HeadOnly {
        hints.push(format!(
            "This shallow clone does not reach the commit where {base_name} and HEAD parted, so only uncommitted \
             changes are listed. Run `git fetch --unshallow` (or `git fetch --deepen=100`) and ask again."
        ));
    }
    if files.iter().any(|file| file.contents == FileContents::Unavailable) {
        hints.push(format!(
            "This partial clone lacks old contents, so lines are not counted and renames are not recognised. Run \
             `git diff --stat {base_name}` once, which fetches them, and ask again."
        ));
    }
    if files.iter().any(|file| file.contents == FileContents::Unreadable) {
        hints.push(
            "Some changed paths may not be read, or hold something else than a file, so not all lines are counted. \
             `git status` shows what they are."
                .to_owned(),
        );
    }
    hints
}

fn linked_issues(branch: Option<&str>, title: &str, messages: &[String]) -> Vec<u64> {
    let texts = branch.into_iter().chain([title]).chain(messages.iter().map(String::as_str));
    let mut numbers: Vec<u64> = texts.flat_map(linked_issue_numbers).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
