//! Whether a pull request can be reviewed, and what a repository's gate would say to one that is only planned.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::loopover::GATE_LIMITS;
use contract_core::{Clock, State, ToolError, contract_type, loopover_tool};

use super::gather::{self, Missing, PlanQuestion};
use super::remote_shared::{repository_name, same_words, unknown_repository};
use crate::engine::finding;
use crate::engine::gate::{self, GateInput, GateRequest, predict_gate};
use crate::engine::manifest;
use crate::engine::moment::Moment;
use crate::engine::reviewability::{self, ReviewabilityInput, reviewability};
use crate::forge::{RepoName, SharedForge};

/// Report how ready an open pull request is for review: a score, what to do with it next, and what speaks against a review.
///
/// It is computed from stored metadata, never from the diff. What is not in the store is `not_found`.
#[loopover_tool(
    category = "review",
    auth = "maintainer",
    locality = "remote",
    availability = "both",
    open_world = false
)]
pub fn loopover_get_pr_reviewability(
    #[inject] forge: State<SharedForge>,
    #[inject] clock: Clock,
    /// Login of the account that owns the repository.
    #[arg(min_length = 1, example = "acme")]
    owner: String,
    /// Name of the repository without its owner.
    #[arg(min_length = 1, example = "widgets")]
    repo: String,
    /// Number of the pull request.
    #[arg(minimum = 1, example = 7)]
    number: u64,
) -> Result<GetPrReviewabilityOutput, ToolError> {
    let name = repository_name(&owner, &repo)?;
    let data = match gather::pull_request_data(&forge, &name, number)? {
        Ok(data) => data,
        Err(Missing::Repository) => return Err(unknown_repository(name.as_str())),
        Err(Missing::PullRequest(full_name)) => {
            return Err(ToolError::not_found(format!(
                "pull request #{number} of `{full_name}` is not in this server's store; check `number`, or ask the operator \
                 to synchronise the repository"
            )));
        }
    };
    let report = reviewability(
        &ReviewabilityInput {
            repo_full_name: &data.repository.full_name,
            repository: &data.repository,
            pull_request: &data.pull_request,
            issues: &data.issues,
            pull_requests: &data.pull_requests,
            recent_merged: &data.recent_merged,
            files: &data.files,
            reviews: &data.reviews,
            checks: &data.checks,
            profile: data.profile.as_ref(),
            outcomes: &data.outcomes,
        },
        Moment::from(clock.now()),
    );
    Ok(GetPrReviewabilityOutput {
        status: ReportStatus::Ready,
        source: ReportSource::Computed,
        repo_full_name: report.repo_full_name.clone(),
        generated_at: report.generated_at.clone(),
        report: report.into(),
    })
}

/// How ready a pull request is for review.
#[contract_type]
#[derive(Clone, Debug)]
pub struct GetPrReviewabilityOutput {
    /// Always `ready`: what cannot be answered is an error with a code.
    pub status: ReportStatus,
    /// Where the report comes from: always `computed`, from the stored data of this moment.
    pub source: ReportSource,
    /// The repository as `owner/name`, in the spelling of the store.
    pub repo_full_name: String,
    /// When the report was made.
    pub generated_at: String,
    /// The report.
    pub report: ReviewabilityReport,
}

contract_core::vocabulary! {
    /// Whether there is a report.
    pub enum ReportStatus: "report status" {
        /// There is.
        Ready = "ready",
    }
}

contract_core::vocabulary! {
    /// Where a report comes from.
    pub enum ReportSource: "report source" {
        /// It was made for this call.
        Computed = "computed",
    }
}

/// The report on a pull request.
#[contract_type]
#[derive(Clone, Debug)]
pub struct ReviewabilityReport {
    /// The repository as `owner/name`.
    pub repo_full_name: String,
    /// Number of the pull request.
    pub pull_number: u64,
    /// When this was found.
    pub generated_at: String,
    /// How ready it is, from 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub score: u64,
    /// What should happen to it next, in a word such as `review_now`, `needs_author` or `likely_duplicate`.
    pub action: ReviewAction,
    /// What speaks against a review, in sentences; empty when nothing does.
    pub noise_sources: Vec<String>,
    /// Why the action helps.
    pub why_this_helps: Vec<String>,
    /// What a maintainer does about it.
    pub maintainer_next_steps: Vec<String>,
    /// The report in a sentence, for those who maintain.
    pub private_summary: String,
}

contract_core::vocabulary! {
    /// What should happen to a pull request next.
    pub enum ReviewAction: "review action" {
        /// Review it.
        ReviewNow = "review_now",
        /// Ask its author.
        NeedsAuthor = "needs_author",
        /// Compare it with what it may repeat.
        LikelyDuplicate = "likely_duplicate",
        /// Close it, or send it elsewhere.
        CloseOrRedirect = "close_or_redirect",
        /// Leave it to those who maintain.
        MaintainerLane = "maintainer_lane",
        /// Wait.
        Watch = "watch",
    }
}
same_words!(
    ReviewAction from reviewability::ReviewAction:
    ReviewNow, NeedsAuthor, LikelyDuplicate, CloseOrRedirect, MaintainerLane, Watch
);

impl From<reviewability::Reviewability> for ReviewabilityReport {
    fn from(report: reviewability::Reviewability) -> Self {
        Self {
            repo_full_name: report.repo_full_name,
            pull_number: report.pull_number,
            generated_at: report.generated_at,
            score: report.score,
            action: report.action.into(),
            noise_sources: report.noise_sources.iter().map(ToString::to_string).collect(),
            why_this_helps: report.why_this_helps,
            maintainer_next_steps: report.maintainer_next_steps,
            private_summary: report.private_summary,
        }
    }
}

/// Predict what a repository's gate would say to a pull request before it exists, from its metadata and the repository's
/// public configuration.
///
/// It never takes a diff and writes nothing. Give the changed paths to have path rules, guardrails and the size considered.
#[loopover_tool(category = "review", auth = "token", locality = "remote", availability = "both", open_world = false)]
pub fn loopover_predict_gate(
    #[inject] forge: State<SharedForge>,
    #[inject] clock: Clock,
    #[input] input: PredictGateInput,
) -> Result<PredictGateOutput, ToolError> {
    let now = Moment::from(clock.now());
    let name = RepoName::of(&input.owner, &input.repo);
    let mut request = GateRequest {
        login: input.login,
        owner: input.owner,
        repo: input.repo,
        title: input.title,
        body: input.body,
        labels: input.labels.unwrap_or_default(),
        linked_issues: input.linked_issues.unwrap_or_default(),
        changed_paths: input.changed_paths.unwrap_or_default(),
    };
    let data = gather::plan_data(
        &forge,
        &PlanQuestion {
            name: name.as_ref(),
            login: Some(&request.login),
            title: &request.title,
            body: request.body.as_deref().unwrap_or_default(),
            labels: &request.labels,
            changed_files: &request.changed_paths,
            linked_issues: &request.linked_issues,
            now,
        },
    )?;
    if let Some(repository) = &data.repository {
        // Records carry the store's spelling.
        request.owner.clone_from(&repository.owner);
        request.repo.clone_from(&repository.name);
    }
    let prediction = predict_gate(&GateInput {
        request: &request,
        manifest: &data.manifest,
        repository: data.repository.as_ref(),
        issues: &data.issues,
        pull_requests: &data.pull_requests,
        bounties: &data.bounties,
        issue_quality: &data.issue_quality,
        confirmed_contributor: Some(data.is_official),
        calibration: data.calibration,
        now,
    });
    Ok(prediction.into())
}

/// A pull request that somebody plans.
#[contract_type]
pub struct PredictGateInput {
    /// Login of who would open it.
    #[schemars(length(min = 1), example = &"octocat")]
    pub login: String,
    /// Login of the account that owns the repository.
    #[schemars(length(min = 1), example = &"acme")]
    pub owner: String,
    /// Name of the repository without its owner.
    #[schemars(length(min = 1), example = &"widgets")]
    pub repo: String,
    /// Its title.
    #[schemars(length(min = 1), example = &"Fix the crash on an empty list")]
    pub title: String,
    /// Its text, as it would be written: the issues that it closes are read from it.
    #[schemars(example = &"Closes #7. Tested with cargo test.")]
    pub body: Option<String>,
    /// Names of its labels.
    #[schemars(example = ["bug"])]
    pub labels: Option<Vec<String>>,
    /// Numbers of the issues that it would close, beside those that the text names.
    #[schemars(inner(range(min = 1)), example = [7])]
    pub linked_issues: Option<Vec<u64>>,
    /// Paths of the files that it would change, from the repository's root.
    #[schemars(
        length(max = GATE_LIMITS.changed_paths),
        inner(length(min = 1, max = GATE_LIMITS.changed_path)),
        example = ["src/list.rs"]
    )]
    pub changed_paths: Option<Vec<String>>,
}

/// What a repository's gate would say.
#[contract_type]
#[derive(Clone, Debug)]
pub struct PredictGateOutput {
    /// Always true: nothing was decided.
    pub predicted: bool,
    /// What the prediction rests on: always `public_config`.
    pub basis: PredictionBasis,
    /// The conventions that the repository follows: `gittensor` or `oss-anti-slop`.
    pub pack: GatePack,
    /// What the gate would say: `success`, `failure` or `neutral`.
    pub conclusion: GateConclusion,
    /// The same for a reader, in a few words.
    pub title: String,
    /// The same in a sentence or two.
    pub summary: String,
    /// How ready the plan is, from 0 to 100; with a fraction after calibration.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub readiness_score: f64,
    /// Whether the programme knows the contributor; left out where the pack does not ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_contributor: Option<bool>,
    /// What would block.
    pub blockers: Vec<GateFinding>,
    /// What would be told beside.
    pub warnings: Vec<GateFinding>,
    /// A word to who is not registered yet; null where the pack has none.
    pub funnel: Option<GateFunnel>,
    /// What a reader has to know about every prediction.
    pub note: String,
    /// What in the repository's manifest was not understood, in sentences.
    pub manifest_warnings: Vec<String>,
}

contract_core::vocabulary! {
    /// What a prediction rests on.
    pub enum PredictionBasis: "basis" {
        /// What the repository publishes about its gate.
        PublicConfig = "public_config",
    }
}

contract_core::vocabulary! {
    /// The conventions that a repository follows.
    pub enum GatePack: "pack" {
        /// Those of the programme.
        Gittensor = "gittensor",
        /// Those of any open-source repository.
        OssAntiSlop = "oss-anti-slop",
    }
}
same_words!(GatePack from manifest::Pack: Gittensor, OssAntiSlop);

contract_core::vocabulary! {
    /// What a gate says.
    pub enum GateConclusion: "conclusion" {
        /// Nothing stands in the way.
        Success = "success",
        /// Something blocks.
        Failure = "failure",
        /// A maintainer has to look, or data is missing.
        Neutral = "neutral",
    }
}
same_words!(GateConclusion from gate::Conclusion: Success, Failure, Neutral);

/// One thing that a gate says.
#[contract_type]
#[derive(Clone, Debug)]
pub struct GateFinding {
    /// What was found, in a word that programs can branch on.
    pub code: String,
    /// The same for a reader, in a few words.
    pub title: String,
    /// The facts, with their numbers.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
}

/// A word to who is not registered yet.
#[contract_type]
#[derive(Clone, Debug)]
pub struct GateFunnel {
    /// The word.
    pub message: String,
    /// Where to register.
    pub register_url: String,
}

impl From<finding::Finding> for GateFinding {
    fn from(finding: finding::Finding) -> Self {
        Self { code: finding.code, title: finding.title, detail: finding.detail, action: finding.action }
    }
}

impl From<gate::Prediction> for PredictGateOutput {
    fn from(prediction: gate::Prediction) -> Self {
        let told = |findings: Vec<finding::Finding>| findings.into_iter().map(GateFinding::from).collect();
        Self {
            predicted: true,
            basis: PredictionBasis::PublicConfig,
            pack: prediction.pack.into(),
            conclusion: prediction.conclusion.into(),
            title: prediction.title,
            summary: prediction.summary,
            readiness_score: prediction.readiness_score,
            confirmed_contributor: prediction.confirmed_contributor,
            blockers: told(prediction.blockers),
            warnings: told(prediction.warnings),
            funnel: prediction.funnel.map(|funnel| GateFunnel {
                message: funnel.message.to_owned(),
                register_url: funnel.register_url.to_owned(),
            }),
            note: prediction.note,
            manifest_warnings: prediction.manifest_warnings,
        }
    }
}
