//! GitHub's own JSON to changes: one record of the REST API or one webhook payload at a time. What it is is told by its
//! shape, and where it belongs by the addresses in it, so that nobody has to say either.

mod address;
mod members;
mod records;
mod repository;
mod surrogates;
mod webhook;

use std::fmt;

use chrono::TimeDelta;

use self::members::Members;
pub use self::surrogates::mended;
use super::{Change, RepoName};
use crate::engine::moment::{self, Moment};

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

/// How far the clock of whoever made a record may be ahead of ours.
const AHEAD: TimeDelta = TimeDelta::hours(1);

/// Why a record is not taken. It quotes nothing that stands in the record but the names of members.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// It is a text, a number or nothing.
    NotAnObject,
    /// It is no JSON.
    NotJson,
    /// Its bytes are no UTF-8.
    NotUtf8,
    /// It is longer than any record is.
    TooLong,
    /// It is something that is not kept here, or nothing that GitHub sends.
    Unknown,
    /// It is GitHub's word that something failed.
    Failure,
    /// It is a page for people, such as one that says that a server is in trouble.
    Page,
    /// A member is missing or is something else than it should be.
    Member {
        /// What the record seems to be.
        kind: RecordKind,
        /// The member.
        member: &'static str,
    },
    /// A moment in it is still to come, by more than two clocks may differ.
    Ahead {
        /// What the record is.
        kind: RecordKind,
        /// The member with that moment.
        member: &'static str,
    },
    /// Nothing in it says which repository it belongs to.
    Homeless(RecordKind),
    /// A file that is no candidate for the manifest.
    NoManifest,
    /// An entry of a directory, without what is in the file.
    Listing,
    /// A manifest whose text is not in base64.
    NotBase64,
    /// A manifest in which there is no text in UTF-8.
    NotText,
    /// A manifest of another branch than the default one.
    OtherBranch,
    /// What it tells has no moment, so it cannot be put in order with what is known: only a copy by `sync` can take it.
    Undated(&'static str),
    /// A document of ours that does not fit its schema; each sentence says where and what would.
    Misfit(Vec<String>),
    /// The same of one entry of a document; the others of it are taken.
    MisfitEntry(Vec<String>),
}

/// What came of one record.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// What it says.
    pub taken: Vec<(RecordKind, Change)>,
    /// What of it is not taken.
    pub skipped: Vec<Skip>,
    /// The branch that a manifest in it is of, where the record says so.
    pub branch: Option<String>,
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

    /// Nothing was taken, for this reason.
    pub fn skip(skip: Skip) -> Self {
        Self { skipped: vec![skip], ..Self::default() }
    }

    fn add(&mut self, read: Result<(RecordKind, Change), Skip>) {
        match read {
            Ok((kind, change)) => self.take(kind, change),
            Err(skip) => self.skipped.push(skip),
        }
    }

    /// Without what claims to be of a moment that has not come: it would count as newer than everything that is said until
    /// then.
    pub fn as_of(mut self, now: Moment) -> Self {
        let latest = now + AHEAD;
        let is_ahead = |moment: &str| moment::parse(moment).is_some_and(|moment| moment > latest);
        let taken = std::mem::take(&mut self.taken);
        for (kind, change) in taken {
            match change.moments().into_iter().find(|(_, moment)| is_ahead(moment)) {
                Some((member, _)) => self.skipped.push(Skip::Ahead { kind, member }),
                None => self.taken.push((kind, change)),
            }
        }
        self
    }

    fn extend(&mut self, other: Self) {
        self.taken.extend(other.taken);
        self.skipped.extend(other.skipped);
        self.branch = self.branch.take().or(other.branch);
    }
}

/// Reads one record. `home` is the repository that it belongs to when it does not say so itself.
pub fn read(text: &str, home: Option<&RepoName>) -> Reading {
    match Members::of(text) {
        Ok(record) => read_record(&record, home),
        Err(skip) => Reading::skip(skip),
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
        return Reading { branch: records::branch(record), ..Reading::of(records::contents(record, home)) };
    }
    if has("name") && has("color") && has("default") {
        return Reading::of(records::label(record, home));
    }
    Reading::skip(if is_failure(record) { Skip::Failure } else { Skip::Unknown })
}

/// Whether GitHub says that something failed. Of its servers in trouble it is no more than a message, of GraphQL a list of
/// errors.
fn is_failure(record: &Members<'_>) -> bool {
    let has = |name| record.has(name);
    let is_bare = || record.holds_only(&["message", "status", "errors", "code", "block"]);
    (has("message") && (has("documentation_url") || is_bare())) || (has("errors") && has("data"))
}

fn read_wrapped(record: &Members<'_>, wrapped: &'static str, home: Option<&RepoName>) -> Reading {
    let mut reading = Reading::default();
    match record.each(wrapped) {
        Some(records) => {
            for record in records {
                reading.extend(record.map_or_else(Reading::skip, |record| read_record(&record, home)));
            }
        }
        None => reading.skipped.push(Skip::Unknown),
    }
    reading
}

/// What a member that a record needs is.
fn expected(member: &str) -> &'static str {
    match member {
        "number" | "id" => "a whole number from 1 to 2^53 - 1",
        "additions" | "deletions" => "a whole number from 0",
        "updated_at" => "a moment, such as 2026-01-31T12:00:00Z",
        "state" => "a text; of issues and pull requests `open` or `closed`",
        "labels" => "a list of names, or of objects with a `name`",
        "private" => "true or false",
        "full_name" => "a repository's `owner/name`",
        "head_sha" => "a commit's 40 hexadecimal digits",
        "contents_url" => "an address with `?ref=` and the commit at the head",
        "pull_request_url" => "the address of a pull request",
        "url" => "the address of a commit's status",
        "content" => "a text in base64",
        "account" => "an object with a `login`",
        _ => "a text that is not empty",
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("no object; a record is one, alone or in a list"),
            Self::NotJson => f.write_str("no valid JSON; a record is an object in UTF-8, as `gh api` prints it"),
            Self::TooLong => f.write_str("longer than any record is, which is 16 MB at most"),
            Self::Unknown => f.write_str("nothing that is kept here"),
            Self::Failure => {
                f.write_str("an error that GitHub answered with; ask it again, with a token that may see it")
            }
            Self::Page => f.write_str(
                "a page for people where JSON should stand, as servers in trouble and logins answer; ask again with `gh api`",
            ),
            Self::NotUtf8 => f.write_str("its bytes are no UTF-8; convert it, as with `iconv -t UTF-8`"),
            Self::Member { kind, member } => write!(f, "{kind}: `{member}` must be {}", expected(member)),
            Self::Ahead { kind, member } => write!(
                f,
                "{kind}: `{member}` is still to come, by more than an hour; check it, and the clock of this machine"
            ),
            Self::Homeless(kind) => write!(f, "{kind}: it names no repository; say which with `--repo owner/name`"),
            Self::NoManifest => f.write_str("a file that is no candidate for the manifest"),
            Self::Listing => f.write_str("an entry of a directory, without what is in the file"),
            Self::NotBase64 => f.write_str(
                "manifest: `encoding` must be `base64`; GitHub says `none` of a file of more than 1 MB, which no manifest needs",
            ),
            Self::NotText => f.write_str("manifest: what is in the file is no UTF-8; save it as UTF-8 in the repository"),
            Self::OtherBranch => f.write_str(
                "manifest: its `url` says `?ref=` and another branch than the default one, whose manifest alone counts",
            ),
            Self::Undated(what) => write!(f, "{what}, which is not dated; `loopover sync` takes it"),
            Self::Misfit(issues) => write!(f, "a document that does not fit its schema: {}", issues.join("; ")),
            Self::MisfitEntry(issues) => write!(f, "an entry that does not fit: {}", issues.join("; ")),
        }
    }
}

#[cfg(test)]
mod tests;
