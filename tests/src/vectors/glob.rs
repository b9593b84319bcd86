//! Patterns over names: `*` stands for any text, every other character for itself, since cases are named after anything.

use serde::Deserialize;

/// One pattern or several; a name fits when it fits one of them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Globs {
    /// One pattern.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Globs {
    /// Whether `name` fits.
    pub fn fits(&self, name: &str) -> bool {
        self.patterns().iter().any(|pattern| fits(pattern, name))
    }

    /// The patterns.
    pub fn patterns(&self) -> &[String] {
        match self {
            Self::One(pattern) => std::slice::from_ref(pattern),
            Self::Several(patterns) => patterns,
        }
    }
}

fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        let Some(found) = name.find(part) else { return false };
        name = &name[found + part.len()..];
    }
    name.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text_and_the_rest_is_itself() {
        for (pattern, name) in [
            ("a", "a"),
            ("*", ""),
            ("*", "anything {at} all?"),
            ("fault-*", "fault-"),
            ("*-end", "the-end"),
            ("a*b*c", "a-b-b-c"),
            ("main/*/side*", "main/x/side-effects"),
            ("path {\"A\":*}", "path {\"A\":\"/p\"}"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("a", "ab"), ("", "a"), ("a*", "ba"), ("*a", "ab"), ("ab*ba", "aba"), ("a*b*c", "a-c-b"), ("?", "a")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
