//! The name of a repository: `owner/repo`, in the case in which it is written.

use super::blank_to_none;

/// The name without white space around it, if it is one.
pub fn repo_name(text: &str) -> Option<&str> {
    let name = blank_to_none(text)?;
    let (owner, repo) = name.split_once('/')?;
    (is_segment(owner) && is_segment(repo)).then_some(name)
}

fn is_segment(segment: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !matches!(segment, "" | "." | "..") && segment.bytes().all(is_allowed)
}
