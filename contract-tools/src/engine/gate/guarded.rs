//! What a change touches of what only a maintainer may let through.

/// A changed path that only a maintainer may let through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedPath {
    /// The path.
    pub path: String,
    /// The pattern that it fits.
    pub pattern: String,
}

/// What a change touches of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guarded {
    /// Guarded paths, each as often as it fits a pattern. A long list is cut.
    pub paths: Vec<GuardedPath>,
    /// How many more there are.
    pub more: usize,
    /// Why not everything was looked at, so that nobody knows what else is touched.
    pub unseen: Option<Unseen>,
}

/// Why not everything was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// No path is known.
    Unknown,
    /// There are too many paths.
    ManyPaths,
    /// Trying every pattern on every path is too much work.
    MuchWork,
}

impl Unseen {
    /// The reason in words.
    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Unknown => "its paths are not known",
            Self::ManyPaths => "it has more paths than are looked at",
            Self::MuchWork => "its paths and the guarded patterns are too many and too long for all to be tried",
        }
    }
}
