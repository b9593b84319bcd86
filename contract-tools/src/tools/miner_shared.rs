//! What several of the miner's tools have in common: names of repositories, pages, numbers as JSON prints them.

use contract_core::{Issue, ToolError};
use serde::Serializer;

use crate::miner::read::PageRequest;
use crate::miner::rules::{blank_to_none, repo_name::repo_name};

/// The repository that is asked for, without white space around it.
///
/// # Errors
/// When it is no `owner/repo`.
pub(super) fn repository(name: Option<&str>) -> Result<Option<&str>, ToolError> {
    name.map(|name| {
        repo_name(name).ok_or_else(|| {
            wrong(
                "/repoFullName",
                "must be `owner/repo`, each of letters, digits, `.`, `_` and `-`, and neither `.` nor `..`",
            )
        })
    })
    .transpose()
}

/// A text that may not be blank, without white space around it.
///
/// # Errors
/// When nothing else is in it.
pub(super) fn not_blank<'a>(text: &'a str, pointer: &str) -> Result<&'a str, ToolError> {
    blank_to_none(text).ok_or_else(|| wrong(pointer, "must be more than white space"))
}

fn wrong(pointer: &str, message: &str) -> ToolError {
    ToolError::invalid_arguments(vec![Issue::new(pointer, "pattern", message)])
}

/// The page that is asked for.
pub(super) fn page(since: Option<i64>, limit: u32) -> PageRequest {
    PageRequest { since, limit }
}

/// A number that is whole is printed without a fraction.
#[expect(clippy::ref_option, reason = "serde passes a reference to the member")]
pub(super) fn plain_number<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        None => serializer.serialize_none(),
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 fits")]
        Some(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 => {
            serializer.serialize_i64(*number as i64)
        }
        Some(number) => serializer.serialize_f64(*number),
    }
}
