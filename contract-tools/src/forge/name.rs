//! The name of a repository. Any casing means the same one, so a name is compared and looked up by its [`key`](RepoName::key)
//! and printed as it is spelled.

use std::fmt;

/// `owner/name` of a repository.
#[derive(Clone, Debug)]
pub struct RepoName {
    full: String,
    key: String,
    slash: usize,
}

/// Longer names are nobody's: GitHub allows 39 characters for the owner and 100 for the rest.
const LONGEST: usize = 200;

impl RepoName {
    /// The name that `text` spells: two parts of letters, digits, `.`, `_` and `-`, neither of them `.` or `..`.
    pub fn parse(text: &str) -> Option<Self> {
        let (owner, name) = text.split_once('/')?;
        let is_one = text.len() <= LONGEST && is_segment(owner) && is_segment(name);
        is_one.then(|| Self { full: text.to_owned(), key: text.to_ascii_lowercase(), slash: owner.len() })
    }

    /// The same of its two parts.
    pub fn of(owner: &str, name: &str) -> Option<Self> {
        Self::parse(&format!("{owner}/{name}"))
    }

    /// `owner/name`, as it was spelled here.
    pub fn as_str(&self) -> &str {
        &self.full
    }

    /// What all spellings of it have in common.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Login of the account that owns it.
    pub fn owner(&self) -> &str {
        &self.full[..self.slash]
    }

    /// The part behind the owner.
    pub fn name(&self) -> &str {
        &self.full[self.slash + 1..]
    }
}

impl PartialEq for RepoName {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for RepoName {}

impl PartialOrd for RepoName {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RepoName {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl fmt::Display for RepoName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full)
    }
}

fn is_segment(segment: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !matches!(segment, "" | "." | "..") && segment.bytes().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_parts_are_a_name_in_any_casing() {
        let name = RepoName::parse("Acme/Widgets.rs").unwrap();
        assert_eq!((name.owner(), name.name(), name.key()), ("Acme", "Widgets.rs", "acme/widgets.rs"));
        assert_eq!(name, RepoName::of("aCME", "widgets.RS").unwrap());
        let long = format!("a/{}", "b".repeat(LONGEST));
        for no_name in ["", "/", "a/", "/b", "a", "a/b/c", "a/..", "./b", "a b/c", "a/b\n", "ä/b", &long] {
            assert!(RepoName::parse(no_name).is_none(), "{no_name}");
        }
    }
}
