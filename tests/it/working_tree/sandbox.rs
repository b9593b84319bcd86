//! A scratch folder with its own home, and git as a test wants it: the same on every machine.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use contract_tools::git::{ChangedFile, GitError, GitReason, ReadRequest, Surroundings, WorkingTree, read};

/// A scratch folder that goes away with the value.
pub(crate) struct Sandbox {
    _scratch: tempfile::TempDir,
    /// The folder, with symbolic links resolved.
    pub(crate) base: PathBuf,
}

impl Sandbox {
    /// An empty folder with a home in it.
    pub(crate) fn new() -> Self {
        let scratch = tempfile::tempdir().expect("a folder");
        let base = fs::canonicalize(scratch.path()).expect("a folder");
        fs::create_dir(base.join("home")).expect("a home");
        Self { _scratch: scratch, base }
    }

    /// A folder with a repository on branch `main`, whose first commit holds `file` with the line `one`.
    pub(crate) fn with_commit() -> (Self, PathBuf) {
        let sandbox = Self::new();
        let work = sandbox.repository("work");
        write(&work, "file", "one\n");
        sandbox.commit_all(&work, "first");
        (sandbox, work)
    }

    /// An empty repository on branch `main`.
    pub(crate) fn repository(&self, name: &str) -> PathBuf {
        let folder = self.base.join(name);
        fs::create_dir_all(&folder).expect("a folder");
        self.git(&folder, &["init", "-q", "-b", "main"]);
        folder
    }

    /// Git in a clean environment, not yet started.
    pub(crate) fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new("git");
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").expect("a search path"))
            .env("HOME", self.base.join("home"))
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("LC_ALL", "C")])
            .envs([("GIT_AUTHOR_NAME", "T"), ("GIT_AUTHOR_EMAIL", "t@example.com")])
            .envs([("GIT_COMMITTER_NAME", "T"), ("GIT_COMMITTER_EMAIL", "t@example.com")])
            .env("GIT_ALLOW_PROTOCOL", "file")
            .current_dir(folder);
        command
    }

    /// Runs git, whatever comes of it.
    pub(crate) fn try_git<A: AsRef<OsStr>>(&self, folder: &Path, arguments: &[A]) -> Output {
        self.command(folder).args(arguments).output().expect("git runs")
    }

    /// Runs git, which must succeed, and gives its answer without white space around it.
    #[track_caller]
    pub(crate) fn git<A: AsRef<OsStr>>(&self, folder: &Path, arguments: &[A]) -> String {
        let output = self.try_git(folder, arguments);
        assert!(output.status.success(), "git failed: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Commits everything.
    #[track_caller]
    pub(crate) fn commit_all(&self, folder: &Path, message: &str) -> String {
        self.git(folder, &["add", "-A"]);
        self.git(folder, &["commit", "-q", "--allow-empty", "-m", message]);
        self.git(folder, &["rev-parse", "HEAD"])
    }

    /// What the reader may know: the search path, and this sandbox's home as the user's.
    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings {
            search_path: std::env::var_os("PATH").expect("a search path"),
            configuration: vec![("HOME", self.base.join("home").into()), ("GIT_CONFIG_NOSYSTEM", "1".into())],
            upload_source: None,
        }
    }

    /// Reads a folder as `acme/widgets`, with the default base.
    pub(crate) fn read(&self, folder: &Path) -> Result<WorkingTree, GitError> {
        read(&request(folder), &self.surroundings())
    }

    /// Reads a folder with a base.
    pub(crate) fn read_from(&self, folder: &Path, base: &str) -> Result<WorkingTree, GitError> {
        read(&ReadRequest { base_ref: Some(base.to_owned()), ..request(folder) }, &self.surroundings())
    }

    /// The reason why a folder cannot be read.
    #[track_caller]
    pub(crate) fn refusal(&self, folder: &Path) -> GitReason {
        self.read(folder).expect_err("a refusal").reason
    }

    /// Writes an executable script.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.base.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path
    }
}

/// A request for a folder, as `acme/widgets`.
pub(crate) fn request(folder: &Path) -> ReadRequest {
    ReadRequest {
        directory: folder.to_owned(),
        repo_full_name: Some("acme/widgets".to_owned()),
        ..ReadRequest::default()
    }
}

/// Writes a file and the folders around it.
pub(crate) fn write(folder: &Path, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, contents).expect("written");
}

/// Each changed file as `status path +additions -deletions`.
pub(crate) fn summary(tree: &WorkingTree) -> Vec<String> {
    let line =
        |file: &ChangedFile| format!("{} {} +{} -{}", file.status.as_str(), file.path, file.additions, file.deletions);
    tree.changed_files.iter().map(line).collect()
}
