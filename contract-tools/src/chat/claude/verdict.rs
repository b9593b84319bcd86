//! What the end of a session means. Its own texts name hosts, paths and accounts, so only its marks are read.

use super::message::{Finished, Tokens};
use crate::chat::failure::Failure;
use crate::chat::query::Usage;

/// How the session failed, if it did. `error` is the mark of the last message that was one.
pub(super) fn failure(finished: &Finished, error: Option<&str>) -> Option<Failure> {
    // An error of the API is told as a success that is an error.
    if finished.subtype == "success" && !finished.is_error {
        return None;
    }
    Some(match (finished.subtype.as_str(), finished.terminal_reason.as_deref(), finished.api_error_status, error) {
        ("error_max_turns", ..) => Failure::TooManyTurns,
        (_, Some("prompt_too_long"), ..) | (_, _, Some(413), _) => Failure::TooLong,
        (_, _, Some(401 | 403), _)
        | (.., Some("authentication_failed" | "oauth_org_not_allowed" | "billing_error")) => Failure::Login,
        (_, _, Some(429), _) | (.., Some("rate_limit")) => Failure::RateLimited,
        (_, _, Some(404), _) | (.., Some("model_not_found")) => Failure::NoSuchModel,
        (_, _, Some(500..), _) | (.., Some("server_error" | "overloaded")) => Failure::Overloaded,
        (.., Some("max_output_tokens")) => Failure::AnswerTooLong,
        _ if finished.stop_reason.as_deref() == Some("refusal") => Failure::Refused,
        _ => Failure::Other,
    })
}

/// What it used.
pub(super) fn usage(finished: &Finished) -> Usage {
    let Tokens { input, input_to_cache, input_from_cache, output } = finished.usage;
    Usage {
        input_tokens: input.saturating_add(input_to_cache).saturating_add(input_from_cache),
        output_tokens: output,
        cost: finished.total_cost_usd,
        turns: finished.num_turns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_of_failure_is_told_by_its_marks() {
        let read = |line: &str| serde_json::from_str::<Finished>(line).unwrap();
        for (line, error, expect) in [
            (r#"{"subtype":"success"}"#, None, None),
            (r#"{"subtype":"success","is_error":true}"#, None, Some(Failure::Other)),
            (r#"{"subtype":"error_max_turns","is_error":true}"#, None, Some(Failure::TooManyTurns)),
            (r#"{"subtype":"error_during_execution"}"#, None, Some(Failure::Other)),
            (
                r#"{"subtype":"success","is_error":true,"terminal_reason":"prompt_too_long","api_error_status":400}"#,
                Some("invalid_request"),
                Some(Failure::TooLong),
            ),
            (r#"{"subtype":"success","is_error":true,"api_error_status":413}"#, None, Some(Failure::TooLong)),
            (r#"{"subtype":"success","is_error":true,"api_error_status":403}"#, None, Some(Failure::Login)),
            (r#"{"subtype":"success","is_error":true}"#, Some("authentication_failed"), Some(Failure::Login)),
            (r#"{"subtype":"success","is_error":true,"api_error_status":429}"#, None, Some(Failure::RateLimited)),
            (r#"{"subtype":"success","is_error":true}"#, Some("rate_limit"), Some(Failure::RateLimited)),
            (r#"{"subtype":"success","is_error":true,"api_error_status":404}"#, None, Some(Failure::NoSuchModel)),
            (
                r#"{"subtype":"success","is_error":true,"api_error_status":529}"#,
                Some("unknown"),
                Some(Failure::Overloaded),
            ),
            (r#"{"subtype":"success","is_error":true}"#, Some("server_error"), Some(Failure::Overloaded)),
            (r#"{"subtype":"success","is_error":true}"#, Some("max_output_tokens"), Some(Failure::AnswerTooLong)),
            (
                r#"{"subtype":"success","is_error":true,"stop_reason":"refusal"}"#,
                Some("invalid_request"),
                Some(Failure::Refused),
            ),
            (r#"{"subtype":"success","is_error":true,"api_error_status":400}"#, Some("unknown"), Some(Failure::Other)),
        ] {
            assert_eq!(failure(&read(line), error), expect, "{line} {error:?}");
        }
    }
}
