//! What of the world a call is about, as its arguments say: a repository, a login, both.

use contract_core::{Auth, Locality, ToolDefinition};
use serde_json::{Map, Value};

/// Which arguments of a tool name what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    repository: Option<Repository>,
    /// There is a `login`.
    login: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repository {
    OwnerAndRepo,
    FullName,
}

impl Scope {
    /// That of `tool`. Only what a call must send counts: what it may leave out protects nothing.
    pub fn of(tool: &ToolDefinition) -> Self {
        let required = tool.input_schema().get("required").and_then(Value::as_array);
        let has = |name: &str| required.is_some_and(|required| required.iter().any(|it| it == name));
        let repository = match (has("owner") && has("repo"), has("repoFullName")) {
            (true, _) => Some(Repository::OwnerAndRepo),
            (false, true) => Some(Repository::FullName),
            (false, false) => None,
        };
        Self { repository, login: has("login") }
    }

    /// Whether a call says what it is about.
    pub fn is_named(self) -> bool {
        self.repository.is_some() || self.login
    }

    /// Whether `tool` has to say so: every tool on shared data does, above `public`. The two levels that belong to one
    /// credential alone are judged by it.
    pub fn is_owed_by(tool: &ToolDefinition) -> bool {
        tool.locality() == Locality::Remote && !matches!(tool.auth(), Auth::Public | Auth::McpAdmin | Auth::Internal)
    }

    /// The repository that these arguments name.
    pub(super) fn repository(self, arguments: &Map<String, Value>) -> Option<String> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        match self.repository? {
            Repository::OwnerAndRepo => Some(format!("{}/{}", text("owner")?, text("repo")?)),
            Repository::FullName => text("repoFullName").map(str::to_owned),
        }
    }

    /// The login that these arguments name.
    pub(super) fn login(self, arguments: &Map<String, Value>) -> Option<&str> {
        arguments.get("login").and_then(Value::as_str).filter(|_| self.login)
    }
}
