//! The prediction, put together: findings, evaluation, readiness, and what is told.

use super::calibration::calibrated;
use super::evaluate::{Conclusion, Evaluation, Measured, evaluate};
use super::findings;
use super::pack::Funnel;
use super::policy::GatePolicy;
use super::readiness::{PlannedState, Readiness, ReadinessFacts, RelatedWork, readiness, says_that_tests_are_missing};
use super::request::GateRequest;
use super::telling::{KnownPaths, note, title_and_summary};
use crate::engine::finding::Finding;
use crate::engine::issue_quality::IssueQualityEntry;
use crate::engine::manifest::{Guardrails, Manifest, Pack, ParsedManifest, guardrail_globs};
use crate::engine::moment::Moment;
use crate::engine::preflight::{PreflightInput, PreflightReport, preflight};
use crate::engine::records::{Bounty, Calibration, Issue, PullRequest, Repository};
use crate::engine::text::{
    Effort, KeptFirst, has_no_issue_rationale, has_validation_note, plain_whole, redacted, redacted_line,
};

/// What the rules need to know.
#[derive(Debug, Clone, Copy)]
pub struct GateInput<'a> {
    /// What is asked about.
    pub request: &'a GateRequest,
    /// The repository's public manifest; the empty one when there is none.
    pub manifest: &'a ParsedManifest,
    /// The repository, where it is known.
    pub repository: Option<&'a Repository>,
    /// Its issues.
    pub issues: &'a [Issue],
    /// Its pull requests.
    pub pull_requests: &'a [PullRequest],
    /// Its bounties.
    pub bounties: &'a [Bounty],
    /// What is said about its issues; every entry, not only those that a report shows.
    pub issue_quality: &'a [IssueQualityEntry],
    /// Whether the contributor is registered, where that was looked up.
    pub confirmed_contributor: Option<bool>,
    /// How often earlier predictions about the contributor came true.
    pub calibration: Option<Calibration>,
    /// The present moment.
    pub now: Moment,
}

/// What a gate would say.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The conventions that the repository follows.
    pub pack: Pack,
    /// What it would say.
    pub conclusion: Conclusion,
    /// The same for a reader, in a few words.
    pub title: String,
    /// The same in a sentence or two.
    pub summary: String,
    /// How ready the plan is, from 0 to 100; with a fraction after calibration.
    pub readiness_score: f64,
    /// Whether the contributor is registered, where the pack asks.
    pub confirmed_contributor: Option<bool>,
    /// What would block.
    pub blockers: Vec<Finding>,
    /// What would be told beside.
    pub warnings: Vec<Finding>,
    /// A word to who is not registered yet.
    pub funnel: Option<Funnel>,
    /// What a reader has to know about every prediction.
    pub note: String,
    /// What in the manifest was not understood, so that a rule which its author relies on does not vanish unseen.
    pub manifest_warnings: Vec<String>,
    /// What the readiness score was made from.
    pub readiness: Readiness,
    /// What preflight said of the same plan.
    pub preflight: PreflightReport,
    /// Open pull requests in the repository.
    pub open_pull_requests: usize,
}

/// Predicts what the gate would say.
pub fn predict_gate(input: &GateInput<'_>) -> Prediction {
    let (request, text) = input.request.within_bounds();
    let request = request.as_ref();
    let manifest = &input.manifest.manifest;
    let policy = GatePolicy::of_manifest(manifest);
    let pack = manifest.gate.pack.unwrap_or_default();
    let paths = request.paths();
    let known_paths = if paths.is_empty() { KnownPaths::Missing } else { KnownPaths::Supplied };

    let preflight = preflight(&PreflightInput {
        planned: &request.as_plan(),
        repository: input.repository,
        issues: input.issues,
        pull_requests: input.pull_requests,
        bounties: input.bounties,
        issue_quality: input.issue_quality,
        kept_first: KeptFirst::ByForm,
        now: input.now,
    });
    let open_pull_requests = input.pull_requests.iter().filter(|row| row.is_open()).count();
    let readiness = readiness(&readiness_facts(request, &preflight, open_pull_requests));
    let baseline = f64::from(readiness.total());

    let findings = findings::findings(input, request, manifest, &policy, &paths, &preflight);
    let evaluation = evaluate(findings, &policy, &measured(manifest, &paths, baseline));
    let conclusion = evaluation.conclusion();
    let (title, summary) = title_and_summary(&evaluation);
    let Evaluation { blockers, warnings, .. } = evaluation;
    Prediction {
        pack,
        conclusion,
        title: redacted_line(&title),
        summary: redacted_line(&summary),
        readiness_score: calibrated(baseline, input.calibration),
        confirmed_contributor: pack.confirmed_contributor(input.confirmed_contributor),
        blockers: blockers.into_iter().map(public).collect(),
        warnings: warnings.into_iter().map(public).collect(),
        funnel: pack.funnel(),
        note: note(known_paths, text),
        manifest_warnings: input.manifest.warnings.clone(),
        readiness,
        preflight,
        open_pull_requests,
    }
}

/// The plan is modelled as an open pull request that is no draft.
fn readiness_facts(request: &GateRequest, preflight: &PreflightReport, open_pull_requests: usize) -> ReadinessFacts {
    let has_rationale = || has_no_issue_rationale(&request.title, request.body.as_deref());
    ReadinessFacts {
        is_traceable: !preflight.linked_issues.is_empty() || has_rationale(),
        related_work: if preflight.collisions.is_empty() { RelatedWork::None } else { RelatedWork::Overlaps },
        burden: preflight.review_burden,
        preflight: preflight.status,
        lacks_tests: preflight.findings.iter().any(|finding| says_that_tests_are_missing(&finding.code)),
        has_validation_note: has_validation_note(request.body()),
        state: PlannedState::Open,
        open_pull_requests,
    }
}

/// What can be measured on paths alone: how many lines change is not known, and without paths nothing is guarded.
fn measured(manifest: &Manifest, paths: &[String], readiness: f64) -> Measured {
    let guardrails = || Guardrails::new(&guardrail_globs(manifest));
    Measured {
        readiness: Some(readiness),
        slop_risk: None,
        changed_files: Some(paths.len() as u64),
        changed_lines: None,
        guarded: if paths.is_empty() { None } else { guardrails().guarded(paths, &mut Effort::default()) },
    }
}

/// A finding as anybody may read it: names of checks and paths are strangers' text.
fn public(finding: Finding) -> Finding {
    let told = |text: &str| redacted(&plain_whole(text)).into_owned();
    Finding {
        title: told(&finding.title),
        detail: told(&finding.detail),
        action: finding.action.map(|action| told(&action)),
        ..finding
    }
}
