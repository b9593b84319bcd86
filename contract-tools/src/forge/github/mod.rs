//! GitHub's own JSON to changes: one record of the REST API or one webhook payload at a time. What it is is told by its
//! shape, and where it belongs by the addresses in it, so that nobody has to say either.

mod address;
mod members;
mod records;
mod repository;
mod webhook;

use std::fmt;

use self::members::Members;
use super::{Change, RepoName};

contract_core::vocabulary! {
    /// What a record is.
    pub enum RecordKind: "kind of record" {
        /// A repository.
        Repository = "repository",
        /// An installation of the app.
        Installation = "installation",
        /// A label.
        Label = "label",
        /// An issue.
        Issue = "issue",
        /// A pull request, whole or as the list of issues has it.
        PullRequest = "pull request",
        /// A file that a pull request changes.
        File = "file",
        /// A review.
        Review = "review",
        /// A check run.
        CheckRun = "check run",
        /// The status of a commit.
        Status = "status",
        /// A file that may be the manifest.
        Manifest = "manifest",
        /// The list of registered repositories.
        Registry = "registry",
        /// A bounty.
        Bounty = "bounty",
        /// Somebody whom the programme knows.
        Contributor = "contributor",
        /// A prediction whose outcome is known.
        Calibration = "calibration",
    }
}

/// Why a record is not taken. It quotes nothing that stands in the record but the names of members.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// It is a text, a number or nothing.
    NotAnObject,
    /// It is no JSON.
    NotJson,
    /// It is longer than any record is.
    TooLong,
    /// It is something that is not kept here, or nothing that GitHub sends.
    Unknown,
    /// It is GitHub's word that something failed.
    Failure,
    /// A member is missing or is something else than it should be.
    Member {
        /// What the record seems to be.
        kind: RecordKind,
        /// The member.
        member: &'static str,
    },
    /// Nothing in it says which repository it belongs to.
    Homeless(RecordKind),
    /// A file that is no candidate for the manifest.
    NoManifest,
    /// An entry of a directory, without what is in the file.
    Listing,
    /// What it tells has no moment, so it cannot be put in order with what is known: only a copy by `sync` can take it.
    Undated(&'static str),
    /// A document of ours that does not fit its schema; each sentence says where and what would.
    Misfit(Vec<String>),
}

/// What came of one record.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// What it says.
    pub taken: Vec<(RecordKind, Change)>,
    /// What of it is not taken.
    pub skipped: Vec<Skip>,
}

impl Reading {
    fn take(&mut self, kind: RecordKind, change: Change) {
        self.taken.push((kind, change));
    }

    pub(super) fn of(read: Result<(RecordKind, Change), Skip>) -> Self {
        let mut reading = Self::default();
        reading.add(read);
        reading
    }

    fn add(&mut self, read: Result<(RecordKind, Change), Skip>) {
        match read {
            Ok((kind, change)) => self.take(kind, change),
            Err(skip) => self.skipped.push(skip),
        }
    }

    fn extend(&mut self, other: Self) {
        self.taken.extend(other.taken);
        self.skipped.extend(other.skipped);
    }
}

/// Reads one record. `home` is the repository that it belongs to when it does not say so itself.
pub fn read(text: &str, home: Option<&RepoName>) -> Reading {
    match Members::of(text) {
        Ok(record) => read_record(&record, home),
        Err(skip) => Reading { taken: Vec::new(), skipped: vec![skip] },
    }
}

/// Members that hold several records beside their number.
const WRAPPERS: [&str; 4] = ["items", "check_runs", "repositories", "statuses"];

fn read_record(record: &Members<'_>, home: Option<&RepoName>) -> Reading {
    let has = |name| record.has(name);
    if has("sender") && (has("repository") || has("installation")) {
        return webhook::read(record);
    }
    if let Some(wrapped) = WRAPPERS.into_iter().find(|name| has(name) && (has("total_count") || has("sha"))) {
        return read_wrapped(record, wrapped, home);
    }
    if has("filename") && has("additions") {
        return Reading::of(records::file(record, home));
    }
    if has("number") && has("title") && has("head") && has("base") {
        return Reading::of(records::pull_request(record, home));
    }
    // A milestone has a number and a title as well; a discussion has a category.
    if has("number") && has("title") && has("user") && has("labels") && !has("category") {
        return Reading::of(records::issue(record, home));
    }
    if has("pull_request_url") && has("state") && has("submitted_at") {
        return Reading::of(records::review(record, home, None));
    }
    // A run of a workflow looks like a check run, but for its workflow.
    if has("head_sha") && has("status") && has("conclusion") && has("name") && !has("workflow_id") {
        return Reading::of(records::check_run(record, home));
    }
    if has("context") && has("state") && has("id") {
        return Reading::of(records::status(record, home, None));
    }
    if has("full_name") && has("owner") && has("private") {
        return Reading::of(repository::facts(record));
    }
    if has("account") && has("app_id") && has("repository_selection") {
        return Reading::of(repository::installation(record, false));
    }
    if has("path") && has("sha") && has("git_url") && has("type") {
        return Reading::of(records::contents(record, home));
    }
    if has("name") && has("color") && has("default") {
        return Reading::of(records::label(record, home));
    }
    let skip = if has("message") && has("documentation_url") { Skip::Failure } else { Skip::Unknown };
    Reading { taken: Vec::new(), skipped: vec![skip] }
}

fn read_wrapped(record: &Members<'_>, wrapped: &'static str, home: Option<&RepoName>) -> Reading {
    let mut reading = Reading::default();
    match record.each(wrapped) {
        Some(records) => {
            for record in records {
                reading.extend(record.map_or_else(
                    |skip| Reading { taken: Vec::new(), skipped: vec![skip] },
                    |record| read_record(&record, home),
                ));
            }
        }
        None => reading.skipped.push(Skip::Unknown),
    }
    reading
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("no object, so no record"),
            Self::NotJson => f.write_str("no valid JSON"),
            Self::TooLong => f.write_str("longer than any record is"),
            Self::Unknown => f.write_str("nothing that is kept here"),
            Self::Failure => f.write_str("an error that GitHub answered with"),
            Self::Member { kind, member } => write!(f, "{kind}: `{member}` is missing or of another type"),
            Self::Homeless(kind) => write!(f, "{kind}: it names no repository; say which with `--repo owner/name`"),
            Self::NoManifest => f.write_str("a file that is no candidate for the manifest"),
            Self::Listing => f.write_str("an entry of a directory, without what is in the file"),
            Self::Undated(what) => write!(f, "{what}, which is not dated; `loopover sync` takes it"),
            Self::Misfit(issues) => write!(f, "a document that does not fit its schema: {}", issues.join("; ")),
        }
    }
}

#[cfg(test)]
mod tests;
