//! What the rules need to know about a repository, read from the store in one go.
//!
//! Everything is read at one moment, so that no two parts of an answer contradict each other. Each list is bounded, and what
//! has nothing to do with the question takes no place of what has: what is asked for by number comes along, and so does
//! whatever is open and near it, found by looking at every open record without its text.

use std::collections::HashSet;

use contract_core::ToolError;

use crate::engine::collision_report::Nearness;
use crate::engine::issue_quality::{IssueQualityEntry, IssueQualityInput, issue_quality};
use crate::engine::lane_advice::lane;
use crate::engine::manifest::{ParsedManifest, first_manifest};
use crate::engine::moment::Moment;
use crate::engine::queue_health::QueueCounts;
use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{
    Bounty, Calibration, CheckSummary, ContributorProfile, GithubTotals, Issue, PullRequest, PullRequestFile,
    RecentMergedPullRequest, Repository, RepositoryOutcome, Review, SyncSegment, SyncState,
};
use crate::engine::text::{KeptFirst, linked_references};
use crate::forge::{ForgeError, ForgeReader, RepoName, SharedForge, Which};

/// Open issues that a repository's context looks at.
const MOST_OPEN_ISSUES: usize = 400;

/// Open pull requests that it looks at.
const MOST_OPEN_PULL_REQUESTS: usize = 10_000;

/// Merged pull requests that any tool looks at.
const MOST_MERGED: usize = 200;

/// Open issues and pull requests that the other tools look at, and these and bounties in any state, of each, beside what the
/// question is about.
const MOST_RECORDS: usize = 500;

/// Counts and observations of the queue that a trend looks at: two a day for the longest span, and some.
const MOST_HISTORY: usize = 100;

/// What is known about a repository as a whole.
pub(super) struct RepositoryData {
    pub(super) repository: Repository,
    pub(super) issues: Vec<Issue>,
    pub(super) pull_requests: Vec<PullRequest>,
    pub(super) recent_merged: Vec<RecentMergedPullRequest>,
    pub(super) counts: QueueCounts,
    pub(super) totals: Vec<GithubTotals>,
    pub(super) observations: Vec<QueueObservation>,
    pub(super) sync_state: Option<SyncState>,
    pub(super) segments: Vec<SyncSegment>,
}

/// Reads a repository; none when the store has no such one.
pub(super) fn repository_data(forge: &SharedForge, name: &RepoName) -> Result<Option<RepositoryData>, ToolError> {
    Ok(forge.read(|reader| repository_at(reader, name))?)
}

fn repository_at(reader: &dyn ForgeReader, name: &RepoName) -> Result<Option<RepositoryData>, ForgeError> {
    let Some(repository) = reader.repository(name)? else { return Ok(None) };
    Ok(Some(RepositoryData {
        repository,
        issues: reader.issues(name, Which::Open, MOST_OPEN_ISSUES)?,
        pull_requests: reader.pull_requests(name, Which::Open, MOST_OPEN_PULL_REQUESTS)?,
        recent_merged: reader.recent_merged(name, MOST_MERGED)?,
        counts: reader.open_counts(name)?,
        totals: reader.totals(name, MOST_HISTORY)?,
        observations: reader.queue_observations(name, MOST_HISTORY)?,
        sync_state: reader.sync_state(name)?,
        segments: reader.sync_segments(name)?,
    }))
}

/// What is known about a pull request and its surroundings.
pub(super) struct PullRequestData {
    pub(super) repository: Repository,
    pub(super) pull_request: PullRequest,
    pub(super) issues: Vec<Issue>,
    pub(super) pull_requests: Vec<PullRequest>,
    pub(super) recent_merged: Vec<RecentMergedPullRequest>,
    pub(super) files: Vec<PullRequestFile>,
    pub(super) reviews: Vec<Review>,
    pub(super) checks: Vec<CheckSummary>,
    pub(super) profile: Option<ContributorProfile>,
    pub(super) outcomes: Vec<RepositoryOutcome>,
}

/// What of a pull request is not in the store.
pub(super) enum Missing {
    /// The repository.
    Repository,
    /// The pull request, in the repository of this name.
    PullRequest(String),
}

/// Reads a pull request.
pub(super) fn pull_request_data(
    forge: &SharedForge,
    name: &RepoName,
    number: u64,
) -> Result<Result<PullRequestData, Missing>, ToolError> {
    Ok(forge.read(|reader| pull_request_at(reader, name, number))?)
}

fn pull_request_at(
    reader: &dyn ForgeReader,
    name: &RepoName,
    number: u64,
) -> Result<Result<PullRequestData, Missing>, ForgeError> {
    let Some(repository) = reader.repository(name)? else { return Ok(Err(Missing::Repository)) };
    let Some(pull_request) = reader.pull_request(name, number)? else {
        return Ok(Err(Missing::PullRequest(repository.full_name)));
    };
    let PullRequest { title, labels, linked_issues, .. } = &pull_request;
    let near = Nearness::to(title, labels, pull_request.changed_files.as_deref(), linked_issues);
    let mut pull_requests = pull_requests_around(reader, name, &near, linked_issues)?;
    if pull_requests.iter().all(|row| row.number != number) {
        pull_requests.push(pull_request.clone());
    }
    let issues = issues_around(reader, name, &near, linked_issues)?;
    let author = pull_request.author_login.as_deref();
    Ok(Ok(PullRequestData {
        issues,
        pull_requests,
        recent_merged: reader.recent_merged(name, MOST_MERGED)?,
        files: reader.files(name, number)?,
        reviews: reader.reviews(name, number)?,
        checks: reader.checks(name, number)?,
        profile: author.map(|login| reader.contributor(login)).transpose()?.flatten().map(|known| known.profile),
        outcomes: author.map(|login| reader.outcomes(login)).transpose()?.unwrap_or_default(),
        repository,
        pull_request,
    }))
}

/// What is known about the repository of a planned pull request; a repository that is not in the store has none of it.
#[derive(Default)]
pub(super) struct PlanData {
    pub(super) repository: Option<Repository>,
    pub(super) issues: Vec<Issue>,
    pub(super) pull_requests: Vec<PullRequest>,
    pub(super) bounties: Vec<Bounty>,
    pub(super) issue_quality: Vec<IssueQualityEntry>,
    /// Of nobody, when no login was given.
    pub(super) is_official: bool,
    pub(super) calibration: Option<Calibration>,
    pub(super) manifest: ParsedManifest,
}

/// What a plan says about itself, as far as reading needs it.
pub(super) struct PlanQuestion<'a> {
    /// The repository; none for a text that is no name.
    pub(super) name: Option<&'a RepoName>,
    /// Who would open it, when that is to be looked up.
    pub(super) login: Option<&'a str>,
    pub(super) title: &'a str,
    pub(super) body: &'a str,
    pub(super) labels: &'a [String],
    pub(super) changed_files: &'a [String],
    pub(super) linked_issues: &'a [u64],
    pub(super) now: Moment,
}

/// Reads what a plan is held against.
pub(super) fn plan_data(forge: &SharedForge, question: &PlanQuestion<'_>) -> Result<PlanData, ToolError> {
    Ok(forge.read(|reader| plan_at(reader, question))?)
}

fn plan_at(reader: &dyn ForgeReader, question: &PlanQuestion<'_>) -> Result<PlanData, ForgeError> {
    let mut data = PlanData::default();
    if let Some(login) = question.login {
        data.is_official = reader.contributor(login)?.is_some_and(|known| known.is_official);
        data.calibration = reader.calibration(login)?;
    }
    let Some(name) = question.name else { return Ok(data) };
    let Some(repository) = reader.repository(name)? else { return Ok(data) };
    let named = linked_references(question.body, &repository.full_name, KeptFirst::InText).numbers;
    let linked = [question.linked_issues, &named].concat();
    let near = Nearness::to(question.title, question.labels, Some(question.changed_files), &linked);
    data.issues = issues_around(reader, name, &near, &linked)?;
    data.pull_requests = pull_requests_around(reader, name, &near, &linked)?;
    data.bounties = reader.bounties(name, MOST_RECORDS)?;
    let known: HashSet<u64> = data.bounties.iter().map(|bounty| bounty.issue_number).collect();
    data.bounties.extend(reader.bounties_on(name, &missing(&linked, &known))?);
    let recent_merged = reader.recent_merged(name, MOST_MERGED)?;
    data.issue_quality = issue_quality(&IssueQualityInput {
        repo_full_name: &repository.full_name,
        lane: lane(Some(&repository)),
        issues: &data.issues,
        pull_requests: &data.pull_requests,
        recent_merged: &recent_merged,
        bounties: &data.bounties,
        now: question.now,
    });
    let files = reader.manifests(name)?;
    data.manifest = first_manifest(files.iter().map(|file| (file.path.as_str(), file.content.as_str())));
    data.repository = Some(repository);
    Ok(data)
}

/// The issues that a question is held against: the open ones that changed last, what the question links, whatever else is
/// open and near, and the last changed of those that are not.
fn issues_around(
    reader: &dyn ForgeReader,
    name: &RepoName,
    near: &Nearness,
    linked: &[u64],
) -> Result<Vec<Issue>, ForgeError> {
    let mut issues = reader.issues(name, Which::Open, MOST_RECORDS)?;
    let mut known: HashSet<u64> = issues.iter().map(|issue| issue.number).collect();
    let by_number = reader.issues_by_number(name, &missing(linked, &known))?;
    let further = reader.open_issues_that(name, &mut |issue| near.has_issue(issue))?;
    let newest = reader.issues(name, Which::Any, MOST_RECORDS)?;
    issues.extend(by_number.into_iter().chain(further).chain(newest).filter(|issue| known.insert(issue.number)));
    Ok(issues)
}

/// The same of pull requests.
fn pull_requests_around(
    reader: &dyn ForgeReader,
    name: &RepoName,
    near: &Nearness,
    linked: &[u64],
) -> Result<Vec<PullRequest>, ForgeError> {
    let mut rows = reader.pull_requests(name, Which::Open, MOST_RECORDS)?;
    let mut known: HashSet<u64> = rows.iter().map(|row| row.number).collect();
    let further = reader.open_pull_requests_that(name, &mut |row| near.has_pull_request(row))?;
    let on_issues = reader.pull_requests_on(name, &missing(linked, &HashSet::new()), MOST_RECORDS)?;
    let newest = reader.pull_requests(name, Which::Any, MOST_RECORDS)?;
    rows.extend(further.into_iter().chain(on_issues).chain(newest).filter(|row| known.insert(row.number)));
    Ok(rows)
}

/// The numbers that are not known, each once; of very many the first.
fn missing(numbers: &[u64], known: &HashSet<u64>) -> Vec<u64> {
    let mut missing: Vec<u64> = numbers.iter().copied().filter(|number| !known.contains(number)).collect();
    missing.sort_unstable();
    missing.dedup();
    missing.truncate(MOST_RECORDS);
    missing
}
