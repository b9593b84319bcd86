//! Bounds on arguments that more than one LoopOver surface states; string lengths are Unicode code points.

/// Bounds of a planned pull request's metadata (`loopover_preflight_pr`).
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each field is the bound of the argument it is named after")]
pub struct PreflightLimits {
    pub repo_full_name: (u64, u64),
    pub contributor_login: u64,
    pub title: u64,
    pub body: u64,
    pub labels: u64,
    pub label: u64,
    pub changed_files: u64,
    pub changed_file: u64,
    pub linked_issues: u64,
    pub tests: u64,
    pub test: u64,
    pub author_association: u64,
}

/// Bounds of a planned pull request's metadata.
pub const PREFLIGHT_LIMITS: PreflightLimits = PreflightLimits {
    repo_full_name: (3, 200),
    contributor_login: 100,
    title: 300,
    body: 20_000,
    labels: 50,
    label: 100,
    changed_files: 200,
    changed_file: 300,
    linked_issues: 100,
    tests: 50,
    test: 300,
    author_association: 100,
};

/// Bounds of a gate prediction (`loopover_predict_gate`), where the wider of two historic bounds holds.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each field is the bound of the argument it is named after")]
pub struct GateLimits {
    pub changed_paths: u64,
    pub changed_path: u64,
}

/// Bounds of a gate prediction.
pub const GATE_LIMITS: GateLimits = GateLimits { changed_paths: 500, changed_path: 400 };

/// Bounds of repository and branch names.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each field is the bound of the argument it is named after")]
pub struct RefLimits {
    pub repo_full_name: u64,
    pub branch: u64,
}

/// Bounds of repository and branch names.
pub const REF_LIMITS: RefLimits = RefLimits { repo_full_name: 200, branch: 200 };
