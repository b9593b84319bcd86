//! What a repository wants of its gate: a mode for each rule, and the thresholds.

use crate::engine::manifest::Manifest;

/// How much a rule of the gate means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GateMode {
    /// Nothing.
    Off,
    /// It is told, and decides nothing.
    Advisory,
    /// It stands in the way.
    Block,
}

impl GateMode {
    /// The mode that a word means. A word that means none blocks, so that a slip of the pen opens no gate.
    pub fn of_word(word: &str) -> Self {
        match word {
            "off" => Self::Off,
            "advisory" => Self::Advisory,
            _ => Self::Block,
        }
    }
}

/// What becomes of an AI reviewer's finding that is not sure enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LowConfidence {
    /// It blocks like a sure one.
    #[default]
    Blocks,
    /// It is told, and decides nothing.
    AdvisoryOnly,
}

/// What a repository wants of its gate. An absent mode means what the rule says for it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GatePolicy {
    /// That an issue is linked.
    pub linked_issue: Option<GateMode>,
    /// That nobody else has a pull request on the same issue.
    pub duplicates: Option<GateMode>,
    /// That the author did not open the linked issue.
    pub self_authored_linked_issue: Option<GateMode>,
    /// One mode in place of those for linked issues, duplicates and slop, unless it is off.
    pub merge_readiness: Option<GateMode>,
    /// That the manifest's own demands are met.
    pub manifest_policy: Option<GateMode>,
    /// That the contributor licence agreement is accepted.
    pub cla: Option<GateMode>,
    /// That the work does not look careless.
    pub slop: Option<GateMode>,
    /// The risk from which work looks careless, from 0 to 100.
    pub slop_min_score: Option<f64>,
    /// That the readiness score is high enough. Never blocks, and unset is as good as on.
    pub quality: Option<GateMode>,
    /// The lowest readiness score that is high enough.
    pub quality_min_score: Option<f64>,
    /// That the change is small enough to go through without a maintainer.
    pub size: Option<GateMode>,
    /// The number of files from which it is not.
    pub size_max_files: Option<f64>,
    /// The number of lines from which it is not.
    pub size_max_lines: Option<f64>,
    /// That AI reviewers find nothing.
    pub ai_review: Option<GateMode>,
    /// The confidence from which an AI reviewer's finding is sure.
    pub ai_review_close_confidence: Option<f64>,
    /// What becomes of one below it.
    pub ai_review_low_confidence: LowConfidence,
    /// That the change does what the linked issue asks for.
    pub linked_issue_satisfaction: Option<GateMode>,
    /// That the promised content is there.
    pub content_lane_deliverable: Option<GateMode>,
    /// That lock files fit their manifests.
    pub lockfile_integrity: Option<GateMode>,
    /// That no backtest got worse.
    pub backtest_regression: Option<GateMode>,
}

impl GatePolicy {
    /// The policy of a public manifest, in either spelling of its keys. What only a live gate knows stays unset.
    pub fn of_manifest(manifest: &Manifest) -> Self {
        let gate = &manifest.gate;
        Self {
            linked_issue: manifest.linked_issue_mode(),
            duplicates: manifest.duplicates_mode(),
            self_authored_linked_issue: manifest.self_authored_linked_issue_mode(),
            merge_readiness: gate.merge_readiness,
            manifest_policy: gate.manifest_policy,
            cla: gate.cla_mode,
            quality: manifest.readiness_mode(),
            quality_min_score: manifest.readiness_min_score(),
            size: gate.size_mode,
            size_max_files: gate.size_max_files,
            size_max_lines: gate.size_max_lines,
            ai_review: gate.ai_review_mode,
            ai_review_close_confidence: gate.ai_review_close_confidence,
            ..Self::default()
        }
    }

    /// The mode of a rule that merge readiness speaks for when it is on.
    fn under_merge_readiness(&self, own: Option<GateMode>) -> Option<GateMode> {
        self.merge_readiness.filter(|mode| *mode != GateMode::Off).or(own)
    }

    /// The mode that counts for linked issues.
    pub(super) fn effective_linked_issue(&self) -> Option<GateMode> {
        self.under_merge_readiness(self.linked_issue)
    }

    /// The mode that counts for duplicates.
    pub(super) fn effective_duplicates(&self) -> Option<GateMode> {
        self.under_merge_readiness(self.duplicates)
    }

    /// The mode that counts for careless work.
    pub(super) fn effective_slop(&self) -> Option<GateMode> {
        self.under_merge_readiness(self.slop)
    }
}
