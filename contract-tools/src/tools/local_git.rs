//! Tools about the git working tree on the caller's machine. They read metadata, never source code, and write nothing.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::{Cancelled, Clock, State, ToolError, contract_type, loopover_tool};

use crate::config::{self, CliEnvironment};
use crate::git::{self, ReadRequest, StopWhen, Workspace};

/// The name of the package as its users know it.
const PACKAGE: &str = "@loopover/mcp";

/// Report the local setup and the working tree's branch, changed files, commits and linked issues, from metadata alone.
///
/// Use it before working on a branch or opening a pull request. A repository that cannot be read is told in `git.error`.
#[loopover_tool(
    category = "utility",
    auth = "public",
    locality = "local-git",
    availability = "both",
    open_world = false
)]
pub fn loopover_local_status_structured(
    #[inject] workspace: State<Workspace>,
    #[inject] environment: State<CliEnvironment>,
    #[inject] clock: Clock,
    #[inject] cancelled: Cancelled,
    /// Directory inside the working tree; by default the first folder that the client exposes, else the server's own.
    #[arg(max_length = 4096, example = ".")]
    cwd: Option<String>,
    /// Ref to compare with, such as `origin/main`; by default the default branch of `origin`.
    #[arg(max_length = git::LONGEST_REF, example = "HEAD")]
    base_ref: Option<String>,
    /// Repository as `owner/repo`; by default what the `origin` remote says.
    #[arg(min_length = 3, max_length = 1024, example = "acme/widgets")]
    repo_full_name: Option<String>,
) -> Result<LocalStatusStructuredOutput, ToolError> {
    let request = config::Request {
        environment: &environment.environment,
        home: environment.home.as_deref(),
        profile: None,
        now: clock.now(),
    };
    let cli = config::resolve(&request).map_err(|config::ConfigError::IllegalProfileName| {
        ToolError::not_configured(
            "LOOPOVER_PROFILE is no profile name: 1 to 64 of a-z 0-9 . _ -, a letter or digit first",
        )
    })?;
    let read = workspace.directory(cwd.as_deref()).and_then(|directory| {
        let stop = StopWhen::new(move || cancelled.is_cancelled());
        let request = ReadRequest { directory, base_ref, repo_full_name, stop, ..ReadRequest::default() };
        git::read(&request, &workspace.surroundings)
    });
    Ok(LocalStatusStructuredOutput {
        api_url: cli.api_url,
        package: PackageVersion { name: PACKAGE.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        has_token: cli.has_token,
        profile: profile(cli.profile),
        auth_login: cli.auth_login,
        session_expires_at: cli.session_expires_at,
        source_upload_default: false,
        source_upload_supported: false,
        git: match read {
            Ok(tree) => GitStatus::Read(Box::new(working_tree(tree))),
            Err(error) => GitStatus::Failed(GitFailure {
                error: GitProblem { reason: error.reason.as_str().to_owned(), message: error.message },
            }),
        },
    })
}

/// The local setup and the state of the working tree.
#[contract_type]
pub struct LocalStatusStructuredOutput {
    /// The API that the command line speaks to.
    pub api_url: String,
    /// The package that answers.
    pub package: PackageVersion,
    /// Whether there is a token for the API; the token itself is never shown.
    pub has_token: bool,
    /// The profile in use.
    pub profile: ProfileStatus,
    /// Who is signed in with the profile.
    pub auth_login: Option<String>,
    /// When that session ends, as it was stored.
    pub session_expires_at: Option<String>,
    /// Always false: no source code is uploaded unless asked for.
    pub source_upload_default: bool,
    /// Always false: nor could it be asked for.
    pub source_upload_supported: bool,
    /// The working tree, or why it cannot be read.
    pub git: GitStatus,
}

/// A package and its version.
#[contract_type]
pub struct PackageVersion {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The profile of the command line that is in use.
#[contract_type]
pub struct ProfileStatus {
    /// Its name.
    pub name: String,
    /// Whether it is the one that the configuration makes active.
    pub active: bool,
    /// Whether the configuration has it at all.
    pub configured: bool,
    /// Whether it holds a session that is still good.
    pub authenticated: bool,
    /// Who is signed in.
    pub login: Option<String>,
    /// When the session ends, as it was stored.
    pub expires_at: Option<String>,
    /// Where the token comes from: `environment`, `profile` or `none`.
    pub token_source: String,
    /// The API of this profile, when it names one.
    pub api_url: Option<String>,
}

/// The working tree, or why it cannot be read.
#[contract_type]
#[serde(untagged)]
pub enum GitStatus {
    /// It was read.
    Read(Box<GitWorkingTree>),
    /// It was not.
    Failed(GitFailure),
}

/// Why a working tree cannot be read.
#[contract_type]
pub struct GitFailure {
    /// What is wrong.
    pub error: GitProblem,
}

/// What is wrong with a working tree, or with the request for it.
#[contract_type]
pub struct GitProblem {
    /// The reason in one word, such as `not_a_repository`, `base_not_found` or `dubious_ownership`.
    pub reason: String,
    /// What to do about it.
    pub message: String,
}

/// The state of a working tree, from metadata alone.
#[contract_type]
pub struct GitWorkingTree {
    /// Always `local`.
    pub login: String,
    /// The repository as `owner/repo`.
    pub repo_full_name: String,
    /// The ref it is compared with.
    pub base_ref: String,
    /// Short name of the branch that HEAD is on; left out when detached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_ref: Option<String>,
    /// The current branch; left out when detached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_name: Option<String>,
    /// The commit of the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_sha: Option<String>,
    /// The commit of HEAD; left out on a branch without commits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<String>,
    /// The commit at which base and HEAD parted, when it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge_base_sha: Option<String>,
    /// Where the remote-tracking branch of the base stood at the last fetch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote_tracking_sha: Option<String>,
    /// Messages of the branch's own commits, newest first, at most 30.
    pub commit_messages: Vec<String>,
    /// Changed tracked files in path order: committed since the merge base, staged and unstaged.
    pub changed_files: Vec<GitChangedFile>,
    /// Issue numbers that branch, title and messages mention.
    pub linked_issues: Vec<u64>,
    /// A title for a pull request.
    pub title: String,
    /// Commits on HEAD that the base lacks; left out when a shallow clone hides them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_commit_count: Option<u64>,
    /// What the change may mean for continuous integration.
    pub ci_status_hints: Vec<String>,
    /// Whether HEAD is on no branch.
    pub detached: bool,
    /// Whether the history was cut off by a shallow clone.
    pub shallow: bool,
    /// What the changed files are a comparison with: `merge_base`, `empty_tree` or `head_only`.
    pub comparison: String,
    /// Sums over all changed files, also over those that are not listed.
    pub totals: GitChangeTotals,
    /// Whether more files changed than are listed.
    pub truncated: bool,
    /// What would give a fuller answer.
    pub hints: Vec<String>,
}

/// One changed file.
#[contract_type]
pub struct GitChangedFile {
    /// Path from the repository's root.
    pub path: String,
    /// The path before a rename.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_path: Option<String>,
    /// Lines added; 0 where there are no lines to count.
    pub additions: u64,
    /// Lines deleted; 0 where there are no lines to count.
    pub deletions: u64,
    /// How it changed: `added`, `modified`, `deleted`, `renamed`, `copied` or `unknown`.
    pub status: String,
    /// Whether it has no lines to count.
    pub binary: bool,
    /// What the path holds: `file`, `symlink` or `submodule`.
    pub kind: String,
    /// True when the path is not UTF-8 and is shown with replacement characters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lossy_path: bool,
    /// True when a merge left it in conflict.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub conflicted: bool,
    /// The state of the submodule, if the path is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submodule: Option<GitSubmodule>,
}

/// The state of a submodule compared with what the repository records.
#[contract_type]
pub struct GitSubmodule {
    /// Whether there is a checkout to look at: `present`, `not_initialised` or `unreadable`.
    pub checkout: String,
    /// Whether it is at another commit than the base records.
    pub commit_changed: bool,
    /// Whether tracked files in it are changed.
    pub modified: bool,
    /// Whether untracked files are in it.
    pub untracked: bool,
}

/// Sums over all changed files.
#[contract_type]
pub struct GitChangeTotals {
    /// Changed files.
    pub files: u64,
    /// Lines added.
    pub additions: u64,
    /// Lines deleted.
    pub deletions: u64,
    /// Files whose lines were not counted.
    pub uncounted_files: u64,
}

fn profile(profile: config::ProfileState) -> ProfileStatus {
    ProfileStatus {
        name: profile.name,
        active: profile.active,
        configured: profile.configured,
        authenticated: profile.authenticated,
        login: profile.login,
        expires_at: profile.expires_at,
        token_source: profile.token_source.as_str().to_owned(),
        api_url: profile.api_url,
    }
}

fn working_tree(tree: git::WorkingTree) -> GitWorkingTree {
    GitWorkingTree {
        login: "local".to_owned(),
        repo_full_name: tree.repo_full_name,
        base_ref: tree.base_ref,
        head_ref: tree.head_ref,
        branch_name: tree.branch_name,
        base_sha: tree.base_sha,
        head_sha: tree.head_sha,
        merge_base_sha: tree.merge_base_sha,
        remote_tracking_sha: tree.remote_tracking_sha,
        commit_messages: tree.commit_messages,
        changed_files: tree.changed_files.into_iter().map(changed_file).collect(),
        linked_issues: tree.linked_issues,
        title: tree.title,
        pending_commit_count: tree.pending_commit_count,
        ci_status_hints: tree.ci_status_hints.into_iter().map(|hint| hint.text).collect(),
        detached: tree.detached,
        shallow: tree.shallow,
        comparison: tree.comparison.as_str().to_owned(),
        totals: GitChangeTotals {
            files: tree.totals.files,
            additions: tree.totals.additions,
            deletions: tree.totals.deletions,
            uncounted_files: tree.totals.uncounted_files,
        },
        truncated: tree.truncated,
        hints: tree.hints,
    }
}

fn changed_file(file: git::ChangedFile) -> GitChangedFile {
    GitChangedFile {
        binary: file.is_binary(),
        path: file.path,
        previous_path: file.previous_path,
        additions: file.additions,
        deletions: file.deletions,
        status: file.status.as_str().to_owned(),
        kind: file.kind.as_str().to_owned(),
        lossy_path: file.lossy_path,
        conflicted: file.conflicted,
        submodule: file.submodule.map(|submodule| GitSubmodule {
            checkout: submodule.checkout.as_str().to_owned(),
            commit_changed: submodule.commit_changed,
            modified: submodule.modified,
            untracked: submodule.untracked,
        }),
    }
}
