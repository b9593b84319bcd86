//! What a read of a working tree answers: plain data, with nothing in it that a projection could not print.

/// The state of a working tree, compared with the base that its branch was started from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkingTree {
    /// `owner/repo`, as the caller gave it or as the `origin` remote says.
    pub repo_full_name: String,
    /// The base as the caller wrote it, or the short name of the default.
    pub base_ref: String,
    /// The short name of the branch that `HEAD` is on; absent when detached.
    pub head_ref: Option<String>,
    /// The current branch; absent when detached.
    pub branch_name: Option<String>,
    /// The commit of the base; absent only where nothing has been committed.
    pub base_sha: Option<String>,
    /// The commit of `HEAD`; absent on a branch without commits.
    pub head_sha: Option<String>,
    /// The commit at which base and `HEAD` parted; absent when it is not known, see `comparison`.
    pub merge_base_sha: Option<String>,
    /// Where the remote-tracking ref of an `origin/…` base stands, as of the last fetch.
    pub remote_tracking_sha: Option<String>,
    /// `HEAD` is on no branch.
    pub detached: bool,
    /// The history was cut off by a shallow clone.
    pub shallow: bool,
    /// What `changed_files` is a comparison with.
    pub comparison: Comparison,
    /// Messages of the branch's own commits, newest first, at most 30; the last commit's when there are none.
    pub commit_messages: Vec<String>,
    /// Changed tracked files, in path order, up to the limit on listed files.
    pub changed_files: Vec<ChangedFile>,
    /// Sums over all changed files, also those not listed.
    pub totals: ChangeTotals,
    /// More files changed than are listed.
    pub truncated: bool,
    /// Issue numbers that branch, title and messages mention: distinct, ascending.
    pub linked_issues: Vec<u64>,
    /// A title for a pull request.
    pub title: String,
    /// Commits on `HEAD` that the base lacks; absent when a shallow clone hides them.
    pub pending_commit_count: Option<u64>,
    /// What the change may mean for continuous integration.
    pub ci_status_hints: Vec<CiStatusHint>,
    /// What the caller can do to get a fuller answer.
    pub hints: Vec<String>,
}

/// What the working tree was compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// The commit at which base and `HEAD` parted.
    MergeBase,
    /// The empty tree: nothing has been committed on this branch.
    EmptyTree,
    /// `HEAD`: a shallow clone hides where base and `HEAD` parted, so only uncommitted changes are known.
    HeadOnly,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Path from the root of the repository.
    pub path: String,
    /// The path before a rename.
    pub previous_path: Option<String>,
    /// A path is not UTF-8 and is shown with replacement characters.
    pub lossy_path: bool,
    /// What the path holds.
    pub kind: FileKind,
    /// How it changed.
    pub status: ChangeStatus,
    /// Lines added; 0 unless the contents are text.
    pub additions: u64,
    /// Lines deleted; 0 unless the contents are text.
    pub deletions: u64,
    /// Whether lines could be counted.
    pub contents: FileContents,
    /// A merge left the file in conflict.
    pub conflicted: bool,
    /// The state of the submodule, if the path is one.
    pub submodule: Option<SubmoduleState>,
}

/// What a path holds, after the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A symbolic link.
    SymbolicLink,
    /// The commit of another repository.
    Submodule,
}

/// How a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeStatus {
    /// It is new.
    Added,
    /// Its contents or its mode changed.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another path.
    Renamed,
    /// It was copied from another path.
    Copied,
    /// It became another kind of thing, or is in conflict.
    Unknown,
}

/// Whether a file's lines could be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileContents {
    /// Text: the counts hold.
    Text,
    /// Binary: there are no lines.
    Binary,
    /// Too large to count: treated as binary.
    TooLarge,
    /// The old contents are not in this partial clone, so there was nothing to count with.
    Unavailable,
    /// The path may not be read, or holds a pipe, a socket or a device: nobody looked.
    Unreadable,
}

/// The state of a submodule compared with what the repository records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubmoduleState {
    /// Whether there is a checkout to look at.
    pub checkout: SubmoduleCheckout,
    /// It is at another commit than the base records.
    pub commit_changed: bool,
    /// Tracked files in it, or in its own submodules, are changed.
    pub modified: bool,
    /// Untracked files are in it, or in its own submodules.
    pub untracked: bool,
}

/// Whether a submodule's own working tree could be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmoduleCheckout {
    /// It is checked out, and was looked at.
    Present,
    /// It is not checked out.
    NotInitialised,
    /// It is there, but it or a submodule in it could not be read.
    Unreadable,
}

/// Sums over all changed files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangeTotals {
    /// Changed files.
    pub files: u64,
    /// Lines added.
    pub additions: u64,
    /// Lines deleted.
    pub deletions: u64,
    /// Files whose lines were not counted.
    pub uncounted_files: u64,
}

/// One thing the change may mean for continuous integration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CiStatusHint {
    /// Which hint it is.
    pub kind: CiStatusHintKind,
    /// The hint in words.
    pub text: String,
}

/// Which hint it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiStatusHintKind {
    /// A workflow changed.
    Workflow,
    /// A build manifest changed.
    Manifest,
    /// Commits are ahead of the base.
    Ahead,
}

impl Comparison {
    /// The comparison in the spelling of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MergeBase => "merge_base",
            Self::EmptyTree => "empty_tree",
            Self::HeadOnly => "head_only",
        }
    }
}

impl FileKind {
    /// The kind in the spelling of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::SymbolicLink => "symlink",
            Self::Submodule => "submodule",
        }
    }
}

impl ChangeStatus {
    /// The status in the spelling of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
            Self::Renamed => "renamed",
            Self::Copied => "copied",
            Self::Unknown => "unknown",
        }
    }
}

impl SubmoduleCheckout {
    /// The state in the spelling of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::NotInitialised => "not_initialised",
            Self::Unreadable => "unreadable",
        }
    }
}

impl CiStatusHintKind {
    /// The kind in one word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Workflow => "workflow",
            Self::Manifest => "manifest",
            Self::Ahead => "ahead",
        }
    }
}

impl ChangedFile {
    /// Whether the file has no lines to count: it is binary, or too large or too odd to tell.
    pub fn is_binary(&self) -> bool {
        matches!(self.contents, FileContents::Binary | FileContents::TooLarge | FileContents::Unreadable)
    }
}
