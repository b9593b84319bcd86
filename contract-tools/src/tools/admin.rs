//! The deployment's own configuration, for those who run it.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::loopover::REF_LIMITS;
use contract_core::{Issue, State, ToolError, contract_type, loopover_tool};

use crate::config::{PrivateAnswer, PrivateConfig};

/// Read the deployment's private configuration: what holds for a repository, or one of the files that it is made of.
///
/// Values that look like secrets are taken out of what is shown. A deployment without such a configuration says
/// `configured: false`, and a file that is not there `found: false`.
#[loopover_tool(
    category = "admin",
    auth = "mcp-admin",
    locality = "remote",
    availability = "selfhost",
    open_world = false
)]
pub fn loopover_admin_get_config(
    #[inject] private: State<PrivateConfig>,
    /// What to read: what is `effective` for a repository, the file for all (`global`), or the one of a `repo`.
    #[arg(example = "global")]
    scope: ConfigScope,
    /// The repository as `owner/name`; needed for `effective` and `repo`.
    #[arg(min_length = 3, max_length = REF_LIMITS.repo_full_name, example = "acme/widgets")]
    repo_full_name: Option<String>,
) -> Result<AdminGetConfigOutput, ToolError> {
    if !private.is_configured() {
        return Ok(AdminGetConfigOutput::default());
    }
    let answer = match (scope, &repo_full_name) {
        (ConfigScope::Global, _) => private.global(),
        (ConfigScope::Effective, Some(name)) => private.effective(name),
        (ConfigScope::Repo, Some(name)) => private.repo(name),
        (ConfigScope::Effective | ConfigScope::Repo, None) => {
            let message = format!("is needed for the scope `{scope}`: name the repository as `owner/name`");
            return Err(ToolError::invalid_arguments(vec![Issue::new("/repoFullName", "required", message)]));
        }
    };
    Ok(answer.map(AdminGetConfigOutput::from).unwrap_or_default())
}

contract_core::vocabulary! {
    /// Which part of the configuration is meant.
    pub enum ConfigScope: "scope" {
        /// What holds for one repository, all layers together.
        Effective = "effective",
        /// The file that holds for every repository.
        Global = "global",
        /// The file of one repository.
        Repo = "repo",
    }
}

/// A part of the deployment's configuration.
#[contract_type]
#[derive(Clone, Debug, Default)]
pub struct AdminGetConfigOutput {
    /// Whether the deployment has a private configuration; without one nothing else is told.
    pub configured: bool,
    /// Whether there is what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<bool>,
    /// The file, relative to the configuration's folder; null for what several files say together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Option<String>>,
    /// The text without its secrets; null when there is none, or none that can be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Option<String>>,
    /// What could not be used, in sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<String>>,
    /// How many values were taken out because they look like secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redactions: Option<u64>,
}

impl From<PrivateAnswer> for AdminGetConfigOutput {
    fn from(answer: PrivateAnswer) -> Self {
        Self {
            configured: true,
            found: Some(answer.found),
            path: Some(answer.path),
            content: Some(answer.content),
            warnings: Some(answer.warnings),
            redactions: Some(answer.redactions as u64),
        }
    }
}
