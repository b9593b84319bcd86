//! What is wrong with a frame, and the reply that says so.

use std::borrow::Cow;
use std::fmt;

use super::Id;

/// The codes of JSON-RPC that a frame can earn before anybody acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultCode {
    /// It is not JSON.
    ParseError,
    /// It is JSON and no message.
    InvalidRequest,
    /// It is a request whose `params` cannot be read.
    InvalidParams,
}

impl FaultCode {
    /// As JSON-RPC numbers it.
    pub const fn number(self) -> i32 {
        match self {
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::InvalidParams => -32602,
        }
    }
}

/// What is wrong with a frame. The text names keys and limits, and never quotes a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    code: FaultCode,
    message: Cow<'static, str>,
}

impl Fault {
    pub(super) fn parse_error(message: impl Into<Cow<'static, str>>) -> Self {
        Self { code: FaultCode::ParseError, message: message.into() }
    }

    pub(super) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self { code: FaultCode::InvalidRequest, message: message.into() }
    }

    pub(super) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self { code: FaultCode::InvalidParams, message: message.into() }
    }

    /// Its kind.
    pub fn code(&self) -> FaultCode {
        self.code
    }

    /// What is wrong, for the sender to read.
    pub fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn reply(&self, id: Option<&Id<'_>>) -> ReadyReply {
        ReadyReply::error(id, self.code.number(), &self.message)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// One JSON-RPC error reply as it goes over the wire: one line, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyReply(String);

impl ReadyReply {
    /// The reply to the request `id`; without one its id is `null`.
    pub fn error(id: Option<&Id<'_>>, code: i32, message: &str) -> Self {
        let id = id.map_or("null", Id::raw);
        let message = serde_json::Value::from(message);
        Self(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its text, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::ReadyReply;

    #[test]
    fn a_reply_is_one_line_whatever_its_message_holds() {
        let reply = ReadyReply::error(None, -32600, "a\n\"b\"\r\u{2028}");
        assert!(!reply.as_str().contains(['\n', '\r']));
        let value: serde_json::Value = serde_json::from_str(reply.as_str()).unwrap();
        assert_eq!(value["error"]["message"], "a\n\"b\"\r\u{2028}");
    }
}
