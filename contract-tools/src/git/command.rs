//! The one place that starts git: a scrubbed environment, and settings that leave nothing of the repository to run.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::child::{self, Ending, Until};
use super::error::{GitError, GitReason};
use super::read::Limits;
use super::records::Records;
use super::stop::StopWhen;
use super::surroundings::{CONFIGURATION, Surroundings};

/// Files above this size are not read line by line; git treats them as binary, which bounds its time and memory.
pub(super) const LARGEST_COUNTED_FILE: u64 = 12 * 1024 * 1024;

/// Settings that win over whatever the repository configures, on every command.
///
/// An empty `core.fsmonitor` is off in every version of git: newer ones read a boolean, older ones a program's path.
const OVERRIDES: [&str; 32] = [
    "core.fsmonitor=",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "core.askPass=",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.alternateRefsCommand=",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.untrackedCache=false",
    "core.quotePath=true",
    "core.bigFileThreshold=12m",
    "color.ui=false",
    "credential.helper=",
    "diff.external=",
    "diff.autoRefreshIndex=false",
    "diff.ignoreSubmodules=dirty",
    "diff.noprefix=false",
    "diff.relative=false",
    "diff.renameLimit=400",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "log.date=default",
    "log.showSignature=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "status.showUntrackedFiles=normal",
    "status.submoduleSummary=false",
    "submodule.recurse=false",
    "gc.auto=0",
];

/// The whole environment of git, besides the search path.
///
/// The graft file and the allowed protocols are spelled here as well as in settings, because older versions know only
/// one of the two ways to keep a partial clone from fetching behind our back.
const ENVIRONMENT: [(&str, &str); 14] = [
    ("LC_ALL", "C"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ADVICE", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", "false"),
];

const LONGEST_ANSWER: usize = 64 * 1024;

/// Git, ready to be asked questions about one repository.
#[derive(Debug, Clone)]
pub(super) struct Git {
    program: PathBuf,
    search_path: OsString,
    limits: Limits,
    whole_read_ends: Instant,
    stop: StopWhen,
    trusted_directories: Vec<OsString>,
    filter_overrides: Vec<OsString>,
    ceiling: Option<PathBuf>,
}

/// A short answer.
#[derive(Debug)]
pub(super) struct Answer {
    /// The exit code.
    pub(super) code: i32,
    /// Standard output, or its beginning.
    pub(super) bytes: Vec<u8>,
    /// The output was longer than what was kept.
    pub(super) cut: bool,
}

impl Git {
    /// Finds git and starts the clock of the read.
    pub(super) fn find(surroundings: &Surroundings, limits: Limits, stop: StopWhen) -> Result<Self, GitError> {
        let program = surroundings.find_git().ok_or_else(|| GitError::of(GitReason::GitNotFound))?;
        Ok(Self {
            program,
            search_path: surroundings.absolute_search_path(),
            limits,
            whole_read_ends: Instant::now() + limits.whole_read,
            stop,
            trusted_directories: Vec::new(),
            filter_overrides: Vec::new(),
            ceiling: None,
        })
    }

    /// The same git with the user's `safe.directory` values, in the order in which git reads them.
    pub(super) fn trusting(mut self, directories: &[OsString]) -> Self {
        self.trusted_directories = directories.iter().map(|value| concatenated("safe.directory=", value)).collect();
        self
    }

    /// The same git with further settings, those that switch off the repository's filters.
    pub(super) fn without_filters(mut self, overrides: Vec<OsString>) -> Self {
        self.filter_overrides = overrides;
        self
    }

    /// The same git for a submodule: it must not wander up into the repository around it.
    pub(super) fn for_submodule(&self, parent: &Path) -> Self {
        Self { filter_overrides: Vec::new(), ceiling: Some(parent.to_owned()), ..self.clone() }
    }

    /// Asks a small question: one that git answers without reading much, whatever the size of the repository.
    pub(super) fn ask<A: AsRef<OsStr>>(&self, directory: &Path, arguments: &[A]) -> Result<Answer, GitError> {
        let mut command = self.command(directory);
        command.args(arguments);
        self.collect(command, Instant::now() + self.limits.small_question)
    }

    /// Asks a question with a short answer that may take all the time that is left.
    pub(super) fn ask_patiently<A: AsRef<OsStr>>(&self, directory: &Path, arguments: &[A]) -> Result<Answer, GitError> {
        let mut command = self.command(directory);
        command.args(arguments);
        self.collect(command, self.whole_read_ends)
    }

    /// Asks a question with a long answer, which is handed over record by record and may take all the time that is left.
    pub(super) fn records(
        &self,
        directory: &Path,
        arguments: &[impl AsRef<OsStr>],
        longest_record: usize,
        each: &mut dyn FnMut(&[u8]),
    ) -> Result<i32, GitError> {
        let mut records = Records::new(longest_record);
        let mut command = self.command(directory);
        command.args(arguments);
        let code = self.run(command, self.whole_read_ends, &mut |bytes| records.take(bytes, each))?;
        records.finish(each);
        Ok(code)
    }

    /// Whether git refuses the configuration of a directory, as opposed to what the repository holds.
    ///
    /// This comparison reads nothing but the configuration, so only that can make it fail.
    pub(super) fn refuses_configuration(&self, directory: &Path) -> Result<bool, GitError> {
        let arguments = ["diff", "--no-index", "--no-ext-diff", "--no-textconv", "--", "/dev/null", "/dev/null"];
        Ok(self.ask(directory, &arguments)?.code != 0)
    }

    /// Reads the `safe.directory` values of the user's and the machine's configuration, which is otherwise left out
    /// of account.
    ///
    /// This runs in the root folder with a repository that cannot be one, so that no repository has a say.
    pub(super) fn user_trusts(&self, surroundings: &Surroundings) -> Result<Vec<OsString>, GitError> {
        let mut command = Command::new(&self.program);
        self.scrub(&mut command, Path::new("/"));
        for name in CONFIGURATION {
            command.env_remove(name);
        }
        command.env("GIT_DIR", "/dev/null").envs(surroundings.configuration.iter().map(|(name, value)| (name, value)));
        command.args(["config", "--type=path", "-z", "--get-all", "safe.directory"]);
        let answer = self.collect(command, Instant::now() + self.limits.small_question)?;
        if answer.code != 0 || answer.cut {
            return Ok(Vec::new());
        }
        let mut values = Vec::new();
        let mut records = Records::new(LONGEST_ANSWER);
        records.take(&answer.bytes, &mut |value| values.push(os_string(value)));
        Ok(values)
    }

    fn collect(&self, command: Command, deadline: Instant) -> Result<Answer, GitError> {
        let mut answer = Answer { code: 0, bytes: Vec::new(), cut: false };
        answer.code = self.run(command, deadline, &mut |bytes| {
            let room = LONGEST_ANSWER - answer.bytes.len();
            answer.cut |= bytes.len() > room;
            answer.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        })?;
        Ok(answer)
    }

    fn run(&self, command: Command, deadline: Instant, sink: &mut dyn FnMut(&[u8])) -> Result<i32, GitError> {
        let until = Until { deadline: deadline.min(self.whole_read_ends), stop: &self.stop };
        match child::run(command, until, sink) {
            Ok(Ending::Exited(code)) => Ok(code),
            Ok(Ending::Stopped) => Err(GitError::of(GitReason::Stopped)),
            Ok(Ending::TimedOut) => Err(GitError::of(GitReason::Timeout)),
            Err(_) => Err(GitError::with_message(
                GitReason::GitNotFound,
                "the `git` program was found but could not be started; check that it runs on this machine",
            )),
        }
    }

    fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(&self.program);
        self.scrub(&mut command, directory);
        command.args(["--no-pager", "--no-optional-locks"]);
        for setting in OVERRIDES {
            command.args(["-c", setting]);
        }
        for setting in self.trusted_directories.iter().chain(&self.filter_overrides) {
            command.arg("-c").arg(setting);
        }
        command
    }

    fn scrub(&self, command: &mut Command, directory: &Path) {
        command.env_clear().envs(ENVIRONMENT).env("PATH", &self.search_path).current_dir(directory);
        if let Some(ceiling) = &self.ceiling {
            command.env("GIT_CEILING_DIRECTORIES", ceiling);
        }
    }
}

impl Answer {
    /// The answer as one line of text, if git succeeded.
    pub(super) fn line(&self) -> Option<String> {
        if self.code != 0 || self.cut {
            return None;
        }
        let text = String::from_utf8_lossy(&self.bytes);
        Some(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// The answer as an object id, if git succeeded and answered with one.
    pub(super) fn object_id(&self) -> Option<String> {
        self.line().filter(|line| is_object_id(line))
    }
}

/// Whether the text is a whole object id, of SHA-1 or SHA-256.
pub(super) fn is_object_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Bytes of git's output as an argument or a path.
pub(super) fn os_string(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes.to_vec())
}

/// A setting's name and its value.
pub(super) fn concatenated(name: &str, value: &OsStr) -> OsString {
    let mut setting = OsString::from(name);
    setting.push(value);
    setting
}
