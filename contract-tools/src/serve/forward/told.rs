//! What the server says about a failure, as far as it is passed on: in bounds, on one line, and without what looks like a secret.
//! Whoever answers at the configured address may be anybody.

use contract_core::{ErrorCode, ToolError};
use serde_json::{Map, Value, json};

use super::address::Address;
use crate::config::Token;
use crate::engine::text::plain;
use crate::privacy::MARK;

/// As long may a sentence be that is passed on, in units.
const SENTENCE: usize = 2_000;

/// The same for a word or a place.
const WORD: usize = 300;

/// As many violations are passed on.
const MOST_ISSUES: usize = 64;

/// A secret of fewer characters could be part of any word.
const SHORTEST_SECRET: usize = 8;

/// The error that an envelope tells of; none if it is no envelope.
pub(super) fn error(envelope: &Value, address: &Address) -> Option<ToolError> {
    let error = envelope.get("error")?;
    let code = error["code"].as_str().filter(|code| is_word(code))?;
    let message = error["message"].as_str()?;
    if !ErrorCode::ALL.iter().any(|known| known.as_str() == code) {
        return Some(ToolError::upstream_error(format!(
            "{} answers with the error `{code}`, which this program does not know; bring both to the same version",
            address.shown
        )));
    }
    let cleaned = |text: &str, most| sentence(text, most, address);
    let mut told = json!({ "code": code, "message": cleaned(message, SENTENCE) });
    if let Some(reason) = error["reason"].as_str().filter(|reason| is_word(reason)) {
        told["reason"] = reason.into();
    }
    let issues = error["issues"].as_array().into_iter().flatten().take(MOST_ISSUES);
    let issues = issues.filter_map(|issue| {
        let mut members = Map::new();
        for (member, most) in [("pointer", WORD), ("rule", WORD), ("message", SENTENCE)] {
            members.insert(member.to_owned(), cleaned(issue.get(member)?.as_str()?, most).into());
        }
        Some(Value::Object(members))
    });
    told["issues"] = issues.collect();
    ToolError::from_envelope(&json!({ "error": told }))
}

/// A text of the server's as a person or a model may read it.
pub(super) fn sentence(text: &str, most: usize, address: &Address) -> String {
    let secret = address.token.as_ref().map(Token::expose).filter(|token| token.len() >= SHORTEST_SECRET);
    let shown = match secret.filter(|secret| text.contains(secret)) {
        Some(secret) => plain(&text.replace(secret, MARK), most),
        None => plain(text, most),
    };
    if shown.encode_utf16().count() < most { shown } else { format!("{shown}…") }
}

fn is_word(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;
    use crate::config::CliEnvironment;

    fn told(error: &Value) -> Option<String> {
        let environment = [("LOOPOVER_API_URL", "https://there"), ("LOOPOVER_TOKEN", "a-token-of-ours")];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
        let address = Address::find(&CliEnvironment { environment, home: None }, UNIX_EPOCH).unwrap();
        super::error(&json!({ "error": error }), &address).map(|error| error.to_envelope()["error"].to_string())
    }

    #[test]
    fn what_is_well_formed_is_passed_on_as_it_is() {
        let issue = json!({ "pointer": "/a", "rule": "type", "message": "must be a string" });
        for error in [
            json!({ "code": "store_unavailable", "message": "busy; try again", "reason": "busy" }),
            json!({ "code": "invalid_input", "message": "does not fit", "issues": [issue] }),
        ] {
            assert_eq!(told(&error), Some(error.to_string()));
        }
    }

    #[test]
    fn what_a_stranger_may_have_written_is_cut_and_cleaned() {
        let message = format!(
            "line\u{1b}[31m\none a-token-of-ours ghp_0123456789abcdefghijABCDEFGHIJ012345 {}",
            "x".repeat(9_000)
        );
        let issue = json!({ "pointer": "/".repeat(9_000), "rule": "r\u{202e}", "message": message });
        let issues = vec![issue; 500];
        let error = json!({ "code": "not_found", "message": message, "reason": "not a word", "issues": issues });
        let said = told(&error).unwrap();
        assert!(
            said.starts_with(r#"{"code":"not_found","message":"line [31m one [redacted] [redacted] xxx"#),
            "{said}"
        );
        assert!(said.len() < 64 * (2_000 + 600) + 4_000, "{}", said.len());
        assert!(!said.contains("a-token-of-ours") && !said.contains("ghp_") && !said.contains("reason"), "{said}");
    }

    #[test]
    fn a_code_that_is_not_known_is_named() {
        let said = told(&json!({ "code": "too_new_for_us", "message": "hush" })).unwrap();
        assert!(
            said.contains("upstream_error") && said.contains("`too_new_for_us`") && !said.contains("hush"),
            "{said}"
        );
        for other in [json!({ "code": "no word", "message": "x" }), json!({ "code": 7, "message": "x" }), json!({})] {
            assert_eq!(told(&other), None);
        }
    }
}
