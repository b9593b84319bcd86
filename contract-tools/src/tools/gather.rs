//! What the rules need to know about a repository, read from the store in one go.
//!
//! Everything is read at one moment, so that no two parts of an answer contradict each other, and each list is bounded. What
//! is asked for by number comes along even where it is not among the newest.

use contract_core::ToolError;

use crate::engine::issue_quality::{IssueQualityEntry, IssueQualityInput, issue_quality};
use crate::engine::lane_advice::lane;
use crate::engine::manifest::{ParsedManifest, parse_manifest};
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

/// Issues, pull requests and bounties in any state that the other tools look at, of each.
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
    let mut pull_requests = reader.pull_requests(name, Which::Any, MOST_RECORDS)?;
    if pull_requests.iter().all(|row| row.number != number) {
        pull_requests.push(pull_request.clone());
    }
    let mut issues = reader.issues(name, Which::Any, MOST_RECORDS)?;
    add_issues(reader, name, &pull_request.linked_issues, &mut issues)?;
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
    pub(super) body: &'a str,
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
    data.issues = reader.issues(name, Which::Any, MOST_RECORDS)?;
    let named = linked_references(question.body, &repository.full_name, KeptFirst::InText).numbers;
    add_issues(reader, name, &[question.linked_issues, &named].concat(), &mut data.issues)?;
    data.pull_requests = reader.pull_requests(name, Which::Any, MOST_RECORDS)?;
    data.bounties = reader.bounties(name, MOST_RECORDS)?;
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
    // The first place that holds a file counts, whatever is in it.
    data.manifest = reader.manifests(name)?.first().map(|file| parse_manifest(&file.content)).unwrap_or_default();
    data.repository = Some(repository);
    Ok(data)
}

/// Adds the issues of these numbers that are not among `issues`.
fn add_issues(
    reader: &dyn ForgeReader,
    name: &RepoName,
    numbers: &[u64],
    issues: &mut Vec<Issue>,
) -> Result<(), ForgeError> {
    let mut missing: Vec<u64> =
        numbers.iter().copied().filter(|number| issues.iter().all(|issue| issue.number != *number)).collect();
    missing.sort_unstable();
    missing.dedup();
    missing.truncate(MOST_RECORDS);
    if !missing.is_empty() {
        issues.extend(reader.issues_by_number(name, &missing)?);
    }
    Ok(())
}
