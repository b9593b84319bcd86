//! What the gate finds about the repository itself.

use crate::engine::finding::{Finding, Severity};
use crate::engine::records::Repository;

/// What is missing before the rules of a repository can be applied. What is only good to know about a registered one never
/// reaches a reader of the prediction, so it is not made.
pub(super) fn finding(repository: Option<&Repository>) -> Option<Finding> {
    let Some(repository) = repository else {
        let detail = "The repository has not been synced yet, so its rules cannot be applied";
        let finding = Finding::new("repo_not_cached", Severity::Warning, "The repository is not known yet", detail);
        return Some(finding.with_action("Wait for the sync to end, or deliver the installation event again"));
    };
    if !repository.is_registered {
        let detail = format!("{} is known to the app, but the newest registry does not list it", repository.full_name);
        let finding = Finding::new("repo_unregistered", Severity::Warning, "The repository is not registered", detail);
        return Some(finding.with_action("Verify first that the repository is registered"));
    }
    let detail =
        format!("{} is registered, but what the registry says about it could not be read", repository.full_name);
    repository.registry_config.is_none().then(|| {
        Finding::new("repo_config_missing", Severity::Warning, "The repository's registration is unreadable", detail)
    })
}
