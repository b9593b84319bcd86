//! What a failed call says: a code from a closed set, what to do about it, and every violation with its place.

mod code;

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

pub use self::code::ErrorCode;
use crate::vocabulary::Vocabulary;

/// The failure of a tool, as its caller will read it.
///
/// The message is written for the caller: it says what to do and holds no row contents, store paths, tokens or another
/// library's text. What only the operator may read goes into the [`cause`](ToolError::caused_by), which never leaves the
/// process.
///
/// ```
/// use contract_core::{ErrorCode, ToolError};
///
/// let error = ToolError::not_found("no plan `p1`; list the plans to see their identifiers");
/// assert_eq!(error.code(), ErrorCode::NotFound);
/// assert_eq!(
///     error.to_envelope().to_string(),
///     r#"{"error":{"code":"not_found","message":"no plan `p1`; list the plans to see their identifiers"}}"#,
/// );
/// ```
pub struct ToolError(Box<Inner>);

struct Inner {
    code: ErrorCode,
    message: Cow<'static, str>,
    reason: Option<Cow<'static, str>>,
    issues: Vec<Issue>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// One violation of a contract: where it is and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// JSON pointer (RFC 6901) into the arguments; the whole of them is `""`.
    pub pointer: String,
    /// Which rule is broken, in JSON Schema's own word where it has one: `type`, `required`, `minimum`, …
    pub rule: Cow<'static, str>,
    /// What is wrong and what would be accepted. Never quotes a value the caller sent.
    pub message: String,
}

macro_rules! constructors {
    ($($(#[$meta:meta])* $name:ident => $code:ident,)+) => {
        $(
            $(#[$meta])*
            pub fn $name(message: impl Into<Cow<'static, str>>) -> Self {
                Self::new(ErrorCode::$code, message)
            }
        )+
    };
}

impl ToolError {
    /// A failure of kind `code`; `message` tells the caller what to do.
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { code, message: message.into(), reason: None, issues: Vec::new(), cause: None }))
    }

    constructors! {
        /// The arguments cannot be used as they are.
        invalid_input => InvalidInput,
        /// The call needs a credential.
        unauthorized => Unauthorized,
        /// The credential does not reach this far.
        forbidden => Forbidden,
        /// What was asked for is not there.
        not_found => NotFound,
        /// The deployment lacks a setting that this needs.
        not_configured => NotConfigured,
        /// Too many calls; the message says how long to wait.
        rate_limited => RateLimited,
        /// Another service failed.
        upstream_error => UpstreamError,
        /// It took too long.
        timeout => Timeout,
        /// The person declined what the tool asked of them.
        elicitation_declined => ElicitationDeclined,
        /// A store is busy, broken or of the wrong version; the reason says which.
        store_unavailable => StoreUnavailable,
        /// Something went wrong that the caller cannot mend.
        unknown => UnknownError,
    }

    /// Arguments that break their contract, with every violation.
    pub fn invalid_arguments(issues: Vec<Issue>) -> Self {
        let mut message = String::from("the arguments do not fit this tool");
        for (number, issue) in issues.iter().enumerate() {
            message.push_str(if number == 0 { ": " } else { "; " });
            message.push_str(&issue.to_string());
        }
        let mut error = Self::invalid_input(message);
        error.0.issues = issues;
        error
    }

    /// The error that an envelope tells of; none if it is no envelope of ours.
    pub fn from_envelope(envelope: &Value) -> Option<Self> {
        let error = envelope.get("error")?;
        let text = |name: &str| error.get(name).and_then(Value::as_str).map(str::to_owned);
        let code = ErrorCode::ALL.iter().copied().find(|code| Some(code.as_str()) == error["code"].as_str())?;
        let mut read = Self::new(code, text("message")?);
        read.0.reason = text("reason").map(Cow::Owned);
        let issues = error.get("issues").and_then(Value::as_array);
        read.0.issues = issues.into_iter().flatten().filter_map(Issue::from_json).collect();
        Some(read)
    }

    /// Says which member of a closed family of reasons this failure is.
    #[must_use]
    pub fn with_reason<R: Vocabulary>(mut self, reason: R) -> Self {
        self.0.reason = Some(Cow::Borrowed(reason.as_str()));
        self
    }

    /// Keeps what went wrong underneath, for the operator's log alone: it is in no envelope and no `Display`.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// Which kind of failure this is.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// What the caller reads.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The reason within the code's family, when there is one.
    pub fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// Every violation of the tool's input contract.
    pub fn issues(&self) -> &[Issue] {
        &self.0.issues
    }

    /// `{"error":{"code","message","reason"?,"issues"?}}`, as it stands on the wire.
    pub fn to_envelope(&self) -> Value {
        let mut error = Map::new();
        error.insert("code".to_owned(), self.code().as_str().into());
        error.insert("message".to_owned(), self.message().into());
        if let Some(reason) = self.reason() {
            error.insert("reason".to_owned(), reason.into());
        }
        if !self.issues().is_empty() {
            let issues = self.issues().iter().map(Issue::to_json).collect();
            error.insert("issues".to_owned(), Value::Array(issues));
        }
        Value::Object(Map::from_iter([("error".to_owned(), Value::Object(error))]))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code(), self.message())
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("code", &self.code())
            .field("message", &self.message())
            .field("reason", &self.reason())
            .field("issues", &self.issues())
            .field("cause", &self.0.cause.as_ref().map(ToString::to_string))
            .finish()
    }
}

impl std::error::Error for ToolError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_deref().map(|cause| cause as _)
    }
}

/// A function that cannot fail may still be written with a `Result`.
impl From<std::convert::Infallible> for ToolError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl Issue {
    /// A violation of `rule` at `pointer`.
    pub fn new(pointer: impl Into<String>, rule: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), rule: rule.into(), message: message.into() }
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        Some(Self::new(text("pointer")?, text("rule")?, text("message")?))
    }

    fn to_json(&self) -> Value {
        Value::Object(Map::from_iter([
            ("pointer".to_owned(), self.pointer.as_str().into()),
            ("rule".to_owned(), self.rule.as_ref().into()),
            ("message".to_owned(), self.message.as_str().into()),
        ]))
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.pointer, self.message)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::{ErrorCode, Issue, ToolError};

    crate::vocabulary! {
        enum StoreReason: "store reason" { Busy = "busy", }
    }

    #[test]
    fn the_envelope_has_what_there_is_and_nothing_else() {
        let error = ToolError::store_unavailable("try again").with_reason(StoreReason::Busy);
        assert_eq!(
            error.to_envelope().to_string(),
            r#"{"error":{"code":"store_unavailable","message":"try again","reason":"busy"}}"#
        );
    }

    #[test]
    fn an_envelope_is_read_back() {
        let mut error = ToolError::invalid_arguments(vec![Issue::new("/a", "type", "must be a string")]);
        error = error.with_reason(StoreReason::Busy);
        let read = ToolError::from_envelope(&error.to_envelope()).unwrap();
        assert_eq!(read.to_envelope(), error.to_envelope());
        for other in [
            "{}",
            "[]",
            r#"{"error":7}"#,
            r#"{"error":{"code":"new","message":"x"}}"#,
            r#"{"error":{"code":"timeout"}}"#,
        ] {
            assert!(ToolError::from_envelope(&serde_json::from_str(other).unwrap()).is_none(), "{other}");
        }
    }

    #[test]
    fn each_constructor_has_its_code() {
        let made = [
            ToolError::invalid_input("x"),
            ToolError::unauthorized("x"),
            ToolError::forbidden("x"),
            ToolError::not_found("x"),
            ToolError::not_configured("x"),
            ToolError::rate_limited("x"),
            ToolError::upstream_error("x"),
            ToolError::timeout("x"),
            ToolError::elicitation_declined("x"),
            ToolError::store_unavailable("x"),
            ToolError::unknown("x"),
        ];
        let codes: Vec<ErrorCode> = made.iter().map(ToolError::code).collect();
        assert_eq!(codes, ErrorCode::ALL);
        assert!(made.iter().all(|error| error.source().is_none() && error.reason().is_none()));
        let shown = format!("{:?}", ToolError::timeout("later").with_reason(StoreReason::Busy));
        assert!(shown.contains("later") && shown.contains("busy"), "{shown}");
    }

    #[test]
    fn a_cause_stays_inside() {
        let error = ToolError::unknown("something went wrong").caused_by("/secret/path: row 7");
        assert!(!error.to_string().contains("secret") && !error.to_envelope().to_string().contains("secret"));
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("/secret/path: row 7"));
    }

    #[test]
    fn the_message_of_bad_arguments_names_each_place() {
        let error = ToolError::invalid_arguments(vec![
            Issue::new("/a", "type", "must be a string"),
            Issue::new("", "required", "`b` is required"),
        ]);
        assert_eq!(error.code(), ErrorCode::InvalidInput);
        assert_eq!(error.message(), "the arguments do not fit this tool: /a: must be a string; `b` is required");
        assert_eq!(error.issues().len(), 2);
    }
}
