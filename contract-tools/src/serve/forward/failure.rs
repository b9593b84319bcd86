//! Why a call was not answered by the server it was carried to, in this program's words: no library's and no stranger's.

use contract_core::ToolError;
use reqwest::StatusCode;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::address::Address;

/// What went wrong on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// There is nothing to say who is calling.
    NoToken,
    /// The token cannot stand in a header.
    UnusableToken,
    /// There is no TLS on this machine to talk with.
    NoTls,
    /// Nobody answers there.
    Unreachable,
    /// The connection ended before the answer.
    Broken,
    /// The time ran out.
    Slow,
    /// The server does not know the credential.
    Unauthorized,
    /// The server refuses whoever is calling, before it looks at the call.
    Forbidden,
    /// The server points elsewhere.
    Redirected,
    /// The server answers with an error of HTTP.
    Status(u16),
    /// Whoever answers does not speak MCP.
    NotMcp,
    /// The answer is larger than any should be.
    TooLarge,
    /// The server does not take the call as one.
    Refused(i32),
    /// The server answers with something that is no tool's answer.
    NoAnswer,
}

impl Failure {
    /// What its caller should know about it.
    pub(super) fn tell(self, address: &Address) -> ToolError {
        let Address { shown, credential, timeout, .. } = address;
        match self {
            Self::NoToken => ToolError::unauthorized(format!(
                "this tool is answered by {shown} and needs a credential, but {credential}: set LOOPOVER_TOKEN to a session's \
                 token, which `loopover session create` makes on the server"
            )),
            Self::UnusableToken => ToolError::unauthorized(format!(
                "{credential} holds characters that cannot be sent; copy the token again"
            )),
            Self::Unauthorized => ToolError::unauthorized(format!(
                "{shown} does not know {credential}: it may have ended or be another server's; make a new one with \
                 `loopover session create` on the server"
            )),
            Self::Forbidden => {
                ToolError::forbidden(format!("{shown} refuses {credential}; ask its operator for access"))
            }
            Self::NoTls => ToolError::upstream_error(
                "this machine has no certificates to check the server's by; install them and start again",
            ),
            Self::Unreachable => ToolError::upstream_error(format!(
                "{shown} cannot be reached; check that the server runs and that LOOPOVER_API_URL is its address"
            )),
            Self::Broken => {
                ToolError::upstream_error(format!("{shown} ended the connection before it answered; try again"))
            }
            Self::Slow => ToolError::timeout(format!(
                "{shown} did not answer within {} ms; try again, or set LOOPOVER_API_TIMEOUT_MS higher",
                timeout.as_millis()
            )),
            Self::Redirected => ToolError::upstream_error(format!(
                "{shown} redirects to another address, which is not followed, since the credential is meant for the \
                 configured one; set LOOPOVER_API_URL to where the server is"
            )),
            Self::Status(429) => {
                ToolError::rate_limited(format!("{shown} takes no more requests from here now; wait a minute"))
            }
            Self::Status(status) => {
                ToolError::upstream_error(format!("{shown} answers with HTTP status {status}; tell its operator"))
            }
            Self::NotMcp => ToolError::upstream_error(format!(
                "what answers at {shown} is no MCP server; set LOOPOVER_API_URL to a LoopOver server's address"
            )),
            Self::TooLarge => {
                ToolError::upstream_error(format!("{shown} answers with more than is taken; ask for less"))
            }
            Self::Refused(code) => ToolError::upstream_error(format!(
                "{shown} does not take this call (JSON-RPC error {code}): it may be of another version, or not offer this \
                 tool"
            )),
            Self::NoAnswer => ToolError::upstream_error(format!(
                "{shown} answers with something that is no answer of this tool; bring both to the same version"
            )),
        }
    }

    /// What an error of the transport comes to.
    pub(super) fn of(error: &StreamableHttpError<reqwest::Error>) -> Self {
        match error {
            StreamableHttpError::Client(error) => Self::of_client(error),
            StreamableHttpError::AuthRequired(_) => Self::Unauthorized,
            StreamableHttpError::InsufficientScope(_) => Self::Forbidden,
            StreamableHttpError::HttpStatus(error) => Self::of_status(error.status),
            StreamableHttpError::ResponseBodyTooLarge { .. } => Self::TooLarge,
            // The only place at which rmcp keeps the status of an answer that is none.
            StreamableHttpError::UnexpectedServerResponse(text) => {
                status_in(text).map_or(Self::NotMcp, Self::of_status)
            }
            StreamableHttpError::UnexpectedContentType(_) | StreamableHttpError::Deserialize(_) => Self::NotMcp,
            _ => Self::Broken,
        }
    }

    /// What an error in the middle of a stream of events comes to.
    pub(super) fn of_stream(error: &dyn std::error::Error) -> Self {
        // Its types are rmcp's own, so only the words tell an event without end and what is no event from a connection that broke.
        let text = error.to_string();
        if text.contains("exceeded the maximum size") {
            Self::TooLarge
        } else if text.starts_with("body error") {
            Self::Broken
        } else {
            Self::NoAnswer
        }
    }

    fn of_client(error: &reqwest::Error) -> Self {
        if error.is_builder() {
            return Self::UnusableToken;
        }
        if error.is_connect() {
            return Self::Unreachable;
        }
        if error.is_timeout() {
            return Self::Slow;
        }
        error.status().map_or(Self::Broken, |status| Self::of_status(status.as_u16()))
    }

    fn of_status(status: u16) -> Self {
        match StatusCode::from_u16(status) {
            Ok(StatusCode::UNAUTHORIZED) => Self::Unauthorized,
            Ok(StatusCode::FORBIDDEN) => Self::Forbidden,
            Ok(StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) => Self::NotMcp,
            Ok(status) if status.is_redirection() => Self::Redirected,
            _ => Self::Status(status),
        }
    }
}

fn status_in(text: &str) -> Option<u16> {
    text.strip_prefix("HTTP ")?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
