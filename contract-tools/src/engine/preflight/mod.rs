//! Checks a planned pull request before it exists.

/// How preflight ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PreflightStatus {
    /// Nothing is in the way.
    Ready,
    /// Something should be better first.
    NeedsWork,
    /// The repository takes no such work now.
    Hold,
}

impl PreflightStatus {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::NeedsWork => "needs_work",
            Self::Hold => "hold",
        }
    }
}

/// How much work a review would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReviewBurden {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl ReviewBurden {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
