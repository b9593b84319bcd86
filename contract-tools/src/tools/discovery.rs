//! Finding out before the work begins whether it is wanted.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::loopover::PREFLIGHT_LIMITS;
use contract_core::{Clock, State, ToolError, contract_type, loopover_tool};

use super::gather::{self, PlanQuestion};
use super::remote_shared::{CollisionCluster, Finding, LaneAdvice, findings, same_words, spelled};
use crate::engine::moment::Moment;
use crate::engine::preflight::{self, PlannedPullRequest, PreflightInput, preflight};
use crate::engine::text::KeptFirst;
use crate::forge::{RepoName, SharedForge};

/// Check a planned pull request before it is opened: the repository's lane, work that is already being done, linked issues,
/// test evidence, and how much a review would be.
///
/// It takes metadata and never source code, and writes nothing. The texts of others are not part of its answer.
#[loopover_tool(category = "discovery", auth = "token", locality = "remote", availability = "both", open_world = false)]
pub fn loopover_preflight_pr(
    #[inject] forge: State<SharedForge>,
    #[inject] clock: Clock,
    #[input] input: PreflightPrInput,
) -> Result<PreflightPrOutput, ToolError> {
    let now = Moment::from(clock.now());
    let name = RepoName::parse(&input.repo_full_name);
    let linked_issues = input.linked_issues.unwrap_or_default();
    let labels = input.labels.unwrap_or_default();
    let changed_files = input.changed_files.unwrap_or_default();
    let data = gather::plan_data(
        &forge,
        &PlanQuestion {
            name: name.as_ref(),
            login: None,
            title: &input.title,
            body: input.body.as_deref().unwrap_or_default(),
            labels: &labels,
            changed_files: &changed_files,
            linked_issues: &linked_issues,
            now,
        },
    )?;
    let planned = PlannedPullRequest {
        repo_full_name: spelled(data.repository.as_ref(), &input.repo_full_name).to_owned(),
        contributor_login: input.contributor_login,
        author_association: input.author_association,
        title: input.title,
        body: input.body,
        labels,
        changed_files,
        linked_issues,
        tests: input.tests.unwrap_or_default(),
    };
    let report = preflight(&PreflightInput {
        planned: &planned,
        repository: data.repository.as_ref(),
        issues: &data.issues,
        pull_requests: &data.pull_requests,
        bounties: &data.bounties,
        issue_quality: &data.issue_quality,
        kept_first: KeptFirst::InText,
        now,
    });
    Ok(report.into())
}

/// A pull request that somebody plans.
#[contract_type]
pub struct PreflightPrInput {
    /// The repository as `owner/name`.
    #[schemars(
        length(min = PREFLIGHT_LIMITS.repo_full_name.0, max = PREFLIGHT_LIMITS.repo_full_name.1),
        example = &"acme/widgets"
    )]
    pub repo_full_name: String,
    /// Login of who would open it; their own open pull requests are no competition.
    #[schemars(length(min = 1, max = PREFLIGHT_LIMITS.contributor_login), example = &"octocat")]
    pub contributor_login: Option<String>,
    /// Its title.
    #[schemars(length(min = 1, max = PREFLIGHT_LIMITS.title), example = &"Fix the crash on an empty list")]
    pub title: String,
    /// Its text, as it would be written: the issues that it closes are read from it.
    #[schemars(length(max = PREFLIGHT_LIMITS.body), example = &"Closes #7.")]
    pub body: Option<String>,
    /// Names of its labels.
    #[schemars(
        length(max = PREFLIGHT_LIMITS.labels),
        inner(length(max = PREFLIGHT_LIMITS.label)),
        example = ["bug"]
    )]
    pub labels: Option<Vec<String>>,
    /// Paths of the files that it would change, from the repository's root.
    #[schemars(
        length(max = PREFLIGHT_LIMITS.changed_files),
        inner(length(max = PREFLIGHT_LIMITS.changed_file)),
        example = ["src/list.rs"]
    )]
    pub changed_files: Option<Vec<String>>,
    /// Numbers of the issues that it would close, beside those that the text names.
    #[schemars(length(max = PREFLIGHT_LIMITS.linked_issues), inner(range(min = 1)), example = [7])]
    pub linked_issues: Option<Vec<u64>>,
    /// What was run to test it; blank entries are no evidence.
    #[schemars(
        length(max = PREFLIGHT_LIMITS.tests),
        inner(length(max = PREFLIGHT_LIMITS.test)),
        example = ["cargo test"]
    )]
    pub tests: Option<Vec<String>>,
    /// What they are to the repository, in GitHub's words such as `CONTRIBUTOR`, by their own account.
    #[schemars(length(max = PREFLIGHT_LIMITS.author_association), example = &"CONTRIBUTOR")]
    pub author_association: Option<String>,
}

/// What is to be known before the pull request is opened.
#[contract_type]
#[derive(Clone, Debug)]
pub struct PreflightPrOutput {
    /// The repository as `owner/name`, in the spelling of the store where it is known there.
    pub repo_full_name: String,
    /// When this was found.
    pub generated_at: String,
    /// How it ended: `ready`, `needs_work` or `hold`.
    pub status: PreflightStatus,
    /// What the repository takes.
    pub lane: LaneAdvice,
    /// How much work a review would be: `low`, `medium` or `high`.
    pub review_burden: ReviewBurden,
    /// Numbers of the issues that the plan links, ascending.
    pub linked_issues: Vec<u64>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What is already being done about the same.
    pub collisions: Vec<CollisionCluster>,
}

contract_core::vocabulary! {
    /// How preflight ended.
    pub enum PreflightStatus: "preflight status" {
        /// Nothing is in the way.
        Ready = "ready",
        /// Something should be better first.
        NeedsWork = "needs_work",
        /// The repository takes no such work now.
        Hold = "hold",
    }
}
same_words!(PreflightStatus from preflight::PreflightStatus: Ready, NeedsWork, Hold);

contract_core::vocabulary! {
    /// How much work a review would be.
    pub enum ReviewBurden: "review burden" {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}
same_words!(ReviewBurden from preflight::ReviewBurden: Low, Medium, High);

impl From<preflight::PreflightReport> for PreflightPrOutput {
    fn from(report: preflight::PreflightReport) -> Self {
        Self {
            repo_full_name: report.repo_full_name,
            generated_at: report.generated_at,
            status: report.status.into(),
            lane: report.lane.into(),
            review_burden: report.review_burden.into(),
            linked_issues: report.linked_issues,
            findings: findings(report.findings),
            collisions: report.collisions.into_iter().map(CollisionCluster::from).collect(),
        }
    }
}
