//! LoopOver's categories, in the order in which its documents list them.

/// The category words a tool may use without a `categories` list of its own.
pub const CATEGORIES: &[&str] =
    &["maintainer", "review", "branch", "discovery", "agent", "utility", "admin", "ops", "fleet", "tenant"];
