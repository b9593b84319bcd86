//! The records of the REST API, each made into one change.

use std::sync::LazyLock;

use base64::Engine as _;
use regex::Regex;
use reqwest::Url;

use super::address::{Address, is_commit, parameter};
use super::members::{Members, needed, number};
use super::{RecordKind, Skip, repository};
use crate::engine::manifest::MANIFEST_PATHS;
use crate::engine::records::{CheckSummary, Issue, PullRequest, PullRequestFile, Review};
use crate::engine::text::{KeptFirst, linked_references};
use crate::forge::{Change, CheckKind, Label, ManifestFile, NumberedCheck, NumberedReview, RepoName};

type Read = Result<(RecordKind, Change), Skip>;

/// Pull requests that an issue's text may name.
const MOST_NAMED: usize = 50;

/// The repository that the first of these addresses names, else the one that is known from elsewhere.
fn home(
    record: &Members<'_>,
    addresses: &[&str],
    otherwise: Option<&RepoName>,
    kind: RecordKind,
) -> Result<RepoName, Skip> {
    let named = addresses.iter().find_map(|name| Some(Address::of(&record.text(name)?)?.repo));
    named.or_else(|| otherwise.cloned()).ok_or(Skip::Homeless(kind))
}

pub(super) fn issue(record: &Members<'_>, known: Option<&RepoName>) -> Read {
    if record.object("pull_request").is_some() {
        return pull_request(record, known);
    }
    let kind = RecordKind::Issue;
    let repo = home(record, &["repository_url", "url", "html_url"], known, kind)?;
    let body = record.text("body");
    let issue = Issue {
        number: number(record, kind, "number")?,
        title: needed(record.text("title"), kind, "title")?,
        state: state(record, kind)?.to_owned(),
        labels: needed(record.names("labels"), kind, "labels")?,
        author_login: record.login("user"),
        author_association: record.text("author_association"),
        html_url: record.text("html_url"),
        linked_prs: body.as_deref().map_or_else(Vec::new, |body| named_pull_requests(body, &repo)),
        body,
        created_at: record.moment("created_at"),
        updated_at: Some(needed(record.moment("updated_at"), kind, "updated_at")?),
        repo_full_name: repo.as_str().to_owned(),
    };
    Ok((kind, Change::Issue(issue)))
}

fn state(record: &Members<'_>, kind: RecordKind) -> Result<&'static str, Skip> {
    match record.text("state").as_deref() {
        Some("open") => Ok("open"),
        Some("closed") => Ok("closed"),
        _ => Err(Skip::Member { kind, member: "state" }),
    }
}

/// A whole pull request, or what the list of issues tells of one.
pub(super) fn pull_request(record: &Members<'_>, known: Option<&RepoName>) -> Read {
    let kind = RecordKind::PullRequest;
    let base = record.object("base").and_then(|base| repository::name(&base.object("repo")?));
    let repo = match base {
        Some(repo) => repo,
        None => home(record, &["repository_url", "url", "html_url"], known, kind)?,
    };
    let merged = record.object("pull_request").and_then(|stub| stub.moment("merged_at"));
    let body = record.text("body");
    let updated_at = needed(record.moment("updated_at"), kind, "updated_at")?;
    let pull = PullRequest {
        number: number(record, kind, "number")?,
        title: needed(record.text("title"), kind, "title")?,
        state: state(record, kind)?.to_owned(),
        labels: record.names("labels").unwrap_or_default(),
        linked_issues: body
            .as_deref()
            .map_or_else(Vec::new, |body| linked_references(body, repo.as_str(), KeptFirst::InText).numbers),
        author_login: record.login("user"),
        author_association: record.text("author_association"),
        html_url: record.text("html_url"),
        body,
        is_draft: record.truth("draft"),
        slop_band: None,
        linked_issue_claimed_at: None,
        changed_files: None,
        head_sha: record.object("head").and_then(|head| head.text("sha")).filter(|sha| is_commit(sha)),
        created_at: record.moment("created_at"),
        updated_at: Some(updated_at),
        merged_at: record.moment("merged_at").or(merged),
        repo_full_name: repo.as_str().to_owned(),
    };
    Ok((kind, Change::PullRequest(pull)))
}

/// The pull requests of its own repository that an issue's text names.
fn named_pull_requests(body: &str, repo: &RepoName) -> Vec<u64> {
    static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\b(?:PR|pull request)\s{1,4}#(?<bare>[0-9]{1,15})\b|github\.com/(?<repo>[\w.-]+/[\w.-]+)/pull/(?<number>[0-9]{1,15})\b",
        )
        .ok()
    });
    let Some(named) = &*NAMED else { return Vec::new() };
    let mut numbers = Vec::new();
    for found in named.captures_iter(body) {
        let is_here = found.name("repo").is_none_or(|name| name.as_str().eq_ignore_ascii_case(repo.as_str()));
        let digits = found.name("bare").or_else(|| found.name("number"));
        let number = digits.filter(|_| is_here).and_then(|digits| digits.as_str().parse().ok());
        if let Some(number) = number.filter(|number| *number > 0 && !numbers.contains(number)) {
            numbers.push(number);
            if numbers.len() == MOST_NAMED {
                break;
            }
        }
    }
    numbers
}

/// A file names the commit at the head in its addresses and no pull request.
pub(super) fn file(record: &Members<'_>, known: Option<&RepoName>) -> Read {
    let kind = RecordKind::File;
    let contents = needed(record.text("contents_url"), kind, "contents_url")?;
    let repo = home(record, &["contents_url", "blob_url"], known, kind)?;
    let head_sha = parameter(&contents, "ref").filter(|sha| is_commit(sha));
    let file = PullRequestFile {
        path: needed(record.text("filename").filter(|path| !path.is_empty()), kind, "filename")?,
        additions: needed(record.number("additions"), kind, "additions")?,
        deletions: needed(record.number("deletions"), kind, "deletions")?,
    };
    let head_sha = needed(head_sha, kind, "contents_url")?.to_owned();
    Ok((kind, Change::Files { repo, head_sha, files: vec![file] }))
}

/// A review; a payload tells the pull request beside it.
pub(super) fn review(record: &Members<'_>, known: Option<&RepoName>, pull_number: Option<u64>) -> Read {
    let kind = RecordKind::Review;
    let repo = home(record, &["pull_request_url", "html_url"], known, kind)?;
    let address = record.text("pull_request_url").unwrap_or_default();
    let told = Address::of(&address).and_then(|address| address.behind("pulls")?.parse().ok());
    let submitted_at = record.moment("submitted_at");
    let review = Review {
        state: needed(record.text("state"), kind, "state")?.to_ascii_uppercase(),
        reviewer_login: record.login("user"),
        submitted_at,
    };
    if review.state == "PENDING" {
        return Err(Skip::Undated("a review that is not handed in"));
    }
    let review = NumberedReview {
        id: number(record, kind, "id")?,
        pull_number: needed(told.or(pull_number), kind, "pull_request_url")?,
        review,
        updated_at: record.moment("updated_at"),
    };
    Ok((kind, Change::Review(repo, review)))
}

pub(super) fn check_run(record: &Members<'_>, known: Option<&RepoName>) -> Read {
    let kind = RecordKind::CheckRun;
    let repo = home(record, &["url", "html_url"], known, kind)?;
    let head_sha = needed(record.text("head_sha").filter(|sha| is_commit(sha)), kind, "head_sha")?;
    let check = CheckSummary {
        name: needed(record.text("name"), kind, "name")?,
        status: needed(record.text("status"), kind, "status")?,
        conclusion: record.text("conclusion"),
        head_sha: None,
        started_at: record.moment("started_at"),
        completed_at: record.moment("completed_at"),
    };
    let check = NumberedCheck { kind: CheckKind::Run, id: number(record, kind, "id")?, head_sha, check };
    Ok((kind, Change::Check(repo, check)))
}

/// The status of a commit, which its address names; a payload tells it beside it.
pub(super) fn status(record: &Members<'_>, known: Option<&RepoName>, sha: Option<String>) -> Read {
    let kind = RecordKind::Status;
    let repo = match known.filter(|_| sha.is_some()) {
        Some(repo) => repo.clone(),
        None => home(record, &["url"], known, kind)?,
    };
    let address = record.text("url").unwrap_or_default();
    let told = || Address::of(&address).and_then(|address| address.behind("statuses").map(str::to_owned));
    let head_sha = needed(sha.or_else(told).filter(|sha| is_commit(sha)), kind, "url")?;
    let state = needed(record.text("state"), kind, "state")?;
    let is_done = state != "pending";
    let updated_at = needed(record.moment("updated_at"), kind, "updated_at")?;
    let check = CheckSummary {
        name: needed(record.text("context"), kind, "context")?,
        status: if is_done { "completed" } else { "pending" }.to_owned(),
        conclusion: is_done.then_some(state),
        head_sha: None,
        started_at: record.moment("created_at"),
        completed_at: is_done.then_some(updated_at),
    };
    let check = NumberedCheck { kind: CheckKind::Status, id: number(record, kind, "id")?, head_sha, check };
    Ok((kind, Change::Check(repo, check)))
}

pub(super) fn label(record: &Members<'_>, known: Option<&RepoName>) -> Read {
    let kind = RecordKind::Label;
    let repo = home(record, &["url"], known, kind)?;
    let label = Label {
        name: needed(record.text("name").filter(|name| !name.is_empty()), kind, "name")?,
        color: record.text("color"),
        description: record.text("description"),
    };
    Ok((kind, Change::Label(repo, label)))
}

pub(super) fn contents(record: &Members<'_>, known: Option<&RepoName>) -> Read {
    let kind = RecordKind::Manifest;
    let path = needed(record.text("path"), kind, "path")?;
    if !MANIFEST_PATHS.contains(&path.as_str()) {
        return Err(Skip::NoManifest);
    }
    let Some(content) = record.text("content") else { return Err(Skip::Listing) };
    let repo = home(record, &["url", "html_url"], known, kind)?;
    if record.text("encoding").as_deref() != Some("base64") {
        return Err(Skip::NotBase64);
    }
    // GitHub breaks its lines.
    let encoded: String = content.split_ascii_whitespace().collect();
    let decoded = base64::engine::general_purpose::STANDARD.decode(encoded).ok();
    let content = String::from_utf8(needed(decoded, kind, "content")?).map_err(|_| Skip::NotText)?;
    Ok((kind, Change::Manifest(repo, ManifestFile { path, content })))
}

/// The branch, tag or commit that a file's addresses name; GitHub names the default branch too.
pub(super) fn branch(record: &Members<'_>) -> Option<String> {
    ["url", "git_url"].into_iter().find_map(|member| {
        let address = Url::parse(&record.text(member)?).ok()?;
        let (_, named) = address.query_pairs().find(|(name, _)| name == "ref")?;
        Some(named.strip_prefix("refs/heads/").unwrap_or(&named).to_owned())
    })
}
