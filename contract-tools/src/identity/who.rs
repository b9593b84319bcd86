//! What a checked credential stands for.

use std::fmt;

/// Who is calling, as far as a credential says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The holder of one of the deployment's own tokens.
    Static(StaticActor),
    /// A person who signed in.
    Session(SessionIdentity),
}

/// One of the deployment's own tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StaticActor {
    /// The deployment's API.
    Api,
    /// The administrative token; it opens its own tools and nothing else.
    McpAdmin,
    /// The token that MCP clients share.
    Mcp,
    /// The deployment's own jobs.
    Internal,
}

impl StaticActor {
    /// In the order in which a token is held against them: equal secrets are the first of these.
    pub const ALL: [Self; 4] = [Self::Api, Self::McpAdmin, Self::Mcp, Self::Internal];

    /// The variable that holds its secret.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Api => "LOOPOVER_API_TOKEN",
            Self::McpAdmin => "LOOPOVER_MCP_ADMIN_TOKEN",
            Self::Mcp => "LOOPOVER_MCP_TOKEN",
            Self::Internal => "INTERNAL_JOB_TOKEN",
        }
    }

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::McpAdmin => "mcp-admin",
            Self::Mcp => "mcp",
            Self::Internal => "internal",
        }
    }
}

/// A person who signed in, with the standing they had when their request came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionIdentity {
    /// Which session it is.
    pub id: String,
    /// Who signed in.
    pub login: String,
    /// The number of their account, which no rename changes.
    pub user_id: Option<i64>,
    /// They run the deployment.
    pub is_operator: bool,
    /// They maintain some repository that is known here.
    pub is_maintainer: bool,
}

impl fmt::Display for Identity {
    /// What kind of credential it is, for a message to its holder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static(actor) => write!(f, "the `{}` token", actor.as_str()),
            Self::Session(_) => f.write_str("this session"),
        }
    }
}
