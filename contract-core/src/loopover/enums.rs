//! The closed sets that several LoopOver tools share, each written once.

crate::vocabulary! {
    /// How far a maintainer lets the service act on a repository.
    pub enum AutonomyLevel: "autonomy level" {
        /// Look and report only.
        Observe = "observe",
        /// Act after a person approved.
        AutoWithApproval = "auto_with_approval",
        /// Act alone.
        Auto = "auto",
    }
}

crate::vocabulary! {
    /// What a maintainer action does to a pull request.
    pub enum MaintainActionClass: "maintain action class" {
        /// Review it.
        Review = "review",
        /// Ask for changes.
        RequestChanges = "request_changes",
        /// Approve it.
        Approve = "approve",
        /// Merge it.
        Merge = "merge",
        /// Close it.
        Close = "close",
        /// Label it.
        Label = "label",
    }
}

/// What may be proposed for approval: every [`MaintainActionClass`], and the label that shows the review's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposeActionClass {
    /// One of the maintainer's own actions.
    Maintain(MaintainActionClass),
    /// Set the label that shows the review's state.
    ReviewStateLabel,
}

impl ProposeActionClass {
    const REVIEW_STATE_LABEL: &'static str = "review_state_label";

    /// Every member, in declared order.
    pub fn all() -> impl Iterator<Item = Self> {
        MaintainActionClass::ALL.iter().copied().map(Self::Maintain).chain([Self::ReviewStateLabel])
    }

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Maintain(class) => class.as_str(),
            Self::ReviewStateLabel => Self::REVIEW_STATE_LABEL,
        }
    }

    /// The member that `word` spells.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::all().find(|class| class.as_str() == word)
    }
}

impl serde::Serialize for ProposeActionClass {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for ProposeActionClass {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&word).ok_or_else(|| serde::de::Error::custom("unknown propose action class"))
    }
}

impl schemars::JsonSchema for ProposeActionClass {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ProposeActionClass".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let words: Vec<&str> = Self::all().map(Self::as_str).collect();
        crate::__private::schema_of_words(&words)
    }
}

crate::vocabulary! {
    /// A test framework that the test generator knows.
    pub enum TestFramework: "test framework" {
        /// JavaScript: Vitest.
        Vitest = "vitest",
        /// JavaScript: Jest.
        Jest = "jest",
        /// Python: pytest.
        Pytest = "pytest",
        /// Go: `go test`.
        GoTest = "go-test",
        /// Ruby: RSpec.
        Rspec = "rspec",
        /// Rust: `cargo test`.
        CargoTest = "cargo-test",
    }
}

crate::vocabulary! {
    /// State of a miner's claim on an issue.
    pub enum ClaimStatus: "claim status" {
        /// Being worked on.
        Active = "active",
        /// Given back.
        Released = "released",
        /// Too old to count.
        Expired = "expired",
    }
}

crate::vocabulary! {
    /// State of a whole plan.
    pub enum PlanStatus: "plan status" {
        /// Nothing has started.
        Pending = "pending",
        /// Some step runs.
        Running = "running",
        /// Every step is completed or skipped.
        Completed = "completed",
        /// Some step failed.
        Failed = "failed",
    }
}

crate::vocabulary! {
    /// State of one step of a plan: every [`PlanStatus`], and skipped.
    pub enum PlanStepStatus: "plan step status" {
        /// Has not started.
        Pending = "pending",
        /// Runs.
        Running = "running",
        /// Is done.
        Completed = "completed",
        /// Failed.
        Failed = "failed",
        /// Was left out on purpose.
        Skipped = "skipped",
    }
}

crate::vocabulary! {
    /// State of an entry of the miner's portfolio queue.
    pub enum QueueStatus: "queue status" {
        /// Waits.
        Queued = "queued",
        /// Is leased by a worker.
        InProgress = "in_progress",
        /// Is done.
        Done = "done",
    }
}

crate::vocabulary! {
    /// What a miner is doing on a repository.
    pub enum RunState: "run state" {
        /// Nothing.
        Idle = "idle",
        /// Looking for work.
        Discovering = "discovering",
        /// Planning an attempt.
        Planning = "planning",
        /// Preparing an attempt.
        Preparing = "preparing",
    }
}

#[cfg(test)]
mod tests {
    use super::{MaintainActionClass, PlanStatus, PlanStepStatus, ProposeActionClass};

    #[test]
    fn propose_classes_are_the_maintain_classes_and_the_state_label() {
        let words: Vec<&str> = ProposeActionClass::all().map(ProposeActionClass::as_str).collect();
        assert_eq!(words.split_last(), Some((&"review_state_label", MaintainActionClass::WORDS)));
        for class in ProposeActionClass::all() {
            let json = serde_json::to_value(class).unwrap();
            assert_eq!(serde_json::from_value::<ProposeActionClass>(json).unwrap(), class);
        }
        assert!(serde_json::from_value::<ProposeActionClass>("rewrite".into()).is_err());
        let schema = schemars::schema_for!(ProposeActionClass).to_value();
        assert_eq!(schema["enum"].as_array().map(Vec::len), Some(7));
    }

    #[test]
    fn the_pinned_words_are_what_others_have() {
        assert_eq!(super::AutonomyLevel::WORDS, ["observe", "auto_with_approval", "auto"]);
        assert_eq!(super::TestFramework::WORDS, ["vitest", "jest", "pytest", "go-test", "rspec", "cargo-test"]);
        assert_eq!(super::ClaimStatus::WORDS, ["active", "released", "expired"]);
        assert_eq!(super::QueueStatus::WORDS, ["queued", "in_progress", "done"]);
        assert_eq!(super::RunState::WORDS, ["idle", "discovering", "planning", "preparing"]);
    }

    #[test]
    fn step_statuses_include_every_plan_status() {
        assert!(PlanStatus::WORDS.iter().all(|word| PlanStepStatus::parse(word).is_some()));
        assert!(PlanStepStatus::parse("in_progress").is_none());
    }
}
