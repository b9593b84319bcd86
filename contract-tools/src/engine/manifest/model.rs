//! What a manifest can say, with everything unset that it does not say.

use crate::engine::gate::GateMode;

/// A manifest and what had to be left out of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParsedManifest {
    /// What the file says.
    pub manifest: Manifest,
    /// What it says that cannot be used, one sentence each.
    pub warnings: Vec<String>,
}

/// What a repository says about its gate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifest {
    /// Whether a pull request needs an issue.
    pub linked_issue_policy: LinkedIssuePolicy,
    /// What is expected of tests, in the repository's words.
    pub test_expectations: Vec<String>,
    /// `gate`: the rules' modes and thresholds.
    pub gate: GateSettings,
    /// `settings`: the older spelling of some of them.
    pub settings: LiveSettings,
    /// `settings.hardGuardrailGlobs`: paths that only a maintainer may let through. Empty is something said.
    pub hard_guardrail_globs: Option<Vec<String>>,
    /// `settings.hardGuardrailGlobsOverridesInvariants`: whether they stand alone, without the built-in ones.
    pub hard_guardrail_globs_stand_alone: Option<bool>,
    /// `review.pre_merge_checks`: what must be true of the text of a pull request.
    pub pre_merge_checks: Vec<PreMergeCheck>,
}

/// Whether a pull request needs an issue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LinkedIssuePolicy {
    /// It does.
    Required,
    /// It would be better.
    Preferred,
    /// It does not.
    #[default]
    Optional,
}

/// For whom the gate speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Pack {
    /// A repository whose contributors are registered.
    #[default]
    Gittensor,
    /// Any repository.
    OssAntiSlop,
}

/// The modes and thresholds under `gate`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GateSettings {
    /// `pack`.
    pub pack: Option<Pack>,
    /// `linkedIssue`.
    pub linked_issue: Option<GateMode>,
    /// `duplicates`.
    pub duplicates: Option<GateMode>,
    /// `readiness.mode`; never [`GateMode::Block`].
    pub readiness_mode: Option<GateMode>,
    /// `readiness.minScore`, a whole number from 0 to 100.
    pub readiness_min_score: Option<f64>,
    /// `size.mode`.
    pub size_mode: Option<GateMode>,
    /// `size.maxFiles`, a whole number above 0.
    pub size_max_files: Option<f64>,
    /// `size.maxLines`, a whole number above 0.
    pub size_max_lines: Option<f64>,
    /// `aiReview.mode`.
    pub ai_review_mode: Option<GateMode>,
    /// `aiReview.closeConfidence`, from 0 to 1.
    pub ai_review_close_confidence: Option<f64>,
    /// `mergeReadiness`.
    pub merge_readiness: Option<GateMode>,
    /// `manifestPolicy`.
    pub manifest_policy: Option<GateMode>,
    /// `selfAuthoredLinkedIssue`.
    pub self_authored_linked_issue: Option<GateMode>,
    /// `claMode`.
    pub cla_mode: Option<GateMode>,
    /// `cla`: how consent is told.
    pub cla: ClaConsent,
}

/// How a contributor's consent to the licence agreement is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaConsent {
    /// `consentPhrase`: words in the body that consent.
    pub phrase: Option<String>,
    /// `checkRunName`: the check that knows.
    pub check_run: Option<String>,
}

/// The same rules as the live gate spells them, under `settings`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LiveSettings {
    /// `linkedIssueGateMode`.
    pub linked_issue: Option<GateMode>,
    /// `duplicatePrGateMode`.
    pub duplicates: Option<GateMode>,
    /// `selfAuthoredLinkedIssueGateMode`.
    pub self_authored_linked_issue: Option<GateMode>,
    /// `qualityGateMode`; never [`GateMode::Block`].
    pub quality_mode: Option<GateMode>,
    /// `qualityGateMinScore`, a whole number from 0 to 100.
    pub quality_min_score: Option<f64>,
    /// `requireLinkedIssue`.
    pub requires_linked_issue: Option<bool>,
}

/// One thing that must be true of the text of a pull request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreMergeCheck {
    /// What it is called.
    pub name: String,
    /// The paths to which it applies; all when empty.
    pub when_paths: Vec<String>,
    /// Words in the title.
    pub title_contains: Option<String>,
    /// Words in the body.
    pub description_contains: Option<String>,
    /// A label.
    pub require_label: Option<String>,
    /// Whether it blocks.
    pub is_enforced: bool,
}

impl Manifest {
    /// Whether a linked issue is asked for, and how strictly: `gate` before `settings`. A bare `requireLinkedIssue` asks
    /// without blocking.
    pub fn linked_issue_mode(&self) -> Option<GateMode> {
        let required = self.settings.requires_linked_issue.filter(|required| *required).map(|_| GateMode::Advisory);
        self.gate.linked_issue.or(self.settings.linked_issue).or(required)
    }

    /// What duplicates mean, in either spelling.
    pub fn duplicates_mode(&self) -> Option<GateMode> {
        self.gate.duplicates.or(self.settings.duplicates)
    }

    /// What an issue by the same author means, in either spelling.
    pub fn self_authored_linked_issue_mode(&self) -> Option<GateMode> {
        self.gate.self_authored_linked_issue.or(self.settings.self_authored_linked_issue)
    }

    /// Whether the readiness score is told about, in either spelling.
    pub fn readiness_mode(&self) -> Option<GateMode> {
        self.gate.readiness_mode.or(self.settings.quality_mode)
    }

    /// The lowest good readiness score, in either spelling.
    pub fn readiness_min_score(&self) -> Option<f64> {
        self.gate.readiness_min_score.or(self.settings.quality_min_score)
    }
}
