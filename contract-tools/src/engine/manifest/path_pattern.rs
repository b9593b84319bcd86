//! The pattern of paths in a manifest: `*` is any text, slashes too; without one, a path and everything below it.

use regex::Regex;

use crate::engine::text::normalized_path;

/// How many `**/` of one pattern may also be nothing. Each doubles what a pattern means, and there it ends.
const MOST_OPTIONAL: usize = 7;

/// A pattern, read once.
#[derive(Debug, Clone)]
pub struct PathPattern(Kind);

#[derive(Debug, Clone)]
enum Kind {
    /// Matches nothing.
    Nothing,
    /// A path, and what lies below it.
    Path(String),
    /// Something with a star.
    Stars(Regex),
}

impl PathPattern {
    /// Reads a pattern; every text is one.
    pub fn new(pattern: &str) -> Self {
        let pattern = normalized_path(pattern);
        if pattern.is_empty() {
            return Self(Kind::Nothing);
        }
        if !pattern.contains('*') {
            return Self(Kind::Path(pattern));
        }
        // A text too large to be compiled is no pattern that anybody meant.
        Self(Regex::new(&expression(&pattern)).map_or(Kind::Nothing, Kind::Stars))
    }

    /// Whether `path` fits.
    pub fn matches(&self, path: &str) -> bool {
        let path = normalized_path(path);
        if path.is_empty() {
            return false;
        }
        match &self.0 {
            Kind::Nothing => false,
            Kind::Path(own) => path
                .strip_prefix(own.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || own.ends_with('/')),
            Kind::Stars(expression) => expression.is_match(&path),
        }
    }
}

/// `**/` is found from left to right anywhere, also at the end of `***/` and after letters.
fn expression(pattern: &str) -> String {
    let mut expression = r"\A".to_owned();
    let mut rest = pattern;
    let mut optional = 0;
    while let Some((before, after)) = rest.split_once("**/") {
        push_single(&mut expression, before);
        expression.push_str(if optional < MOST_OPTIONAL { "(?:(?s:.*)/)?" } else { "(?s:.*)/" });
        optional += 1;
        rest = after;
    }
    push_single(&mut expression, rest);
    expression.push_str(r"\z");
    expression
}

fn push_single(expression: &mut String, text: &str) {
    for (index, piece) in text.split('*').enumerate() {
        // A run of stars is one.
        if index > 0 && !expression.ends_with("(?s:.*)") {
            expression.push_str("(?s:.*)");
        }
        expression.push_str(&regex::escape(piece));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, yes: &[&str], no: &[&str]) {
        let compiled = PathPattern::new(pattern);
        for path in yes {
            assert!(compiled.matches(path), "{path} against {pattern}");
        }
        for path in no {
            assert!(!compiled.matches(path), "{path} against {pattern}");
        }
    }

    #[test]
    fn without_a_star_a_pattern_is_a_path_and_what_lies_below() {
        check("src", &["src", "SRC/a", "./src/a", "//src/a", "src\\a"], &["srcx/a", "a/src", ""]);
        check("src/", &["src/a", "src/"], &["src"]);
        check("a[1]?.ts", &["a[1]?.ts"], &["a1x.ts"]);
        check("./", &[], &["a", ""]);
        check("././x", &["././x/a", "././x"], &["x", "./x"]);
    }

    #[test]
    fn a_star_crosses_slashes() {
        check("*.ts", &["a.ts", "x/y/a.ts"], &["a.tsx"]);
        check("src/*", &["src/", "src/a/b"], &["src"]);
        check("ab*ba", &["abba", "abxba"], &["aba"]);
        check("a*b", &["a\nb"], &["axbx"]);
    }

    #[test]
    fn two_stars_and_a_slash_may_be_nothing() {
        check("**/a.ts", &["a.ts", "x/a.ts", "x/y/a.ts"], &["xa.ts"]);
        check("src/**/f", &["src/f", "src/x/f"], &["src/xf"]);
        check("src**/f", &["srcf", "src1/f", "src/f"], &["srcx"]);
        check("a/***/x", &["a/x", "a/b/x", "a/bx"], &["ax"]);
        check("**/**/**/**/**/**/**/**/b", &["a/b"], &["b"]);
    }

    #[test]
    fn adversarial_patterns_stay_linear() {
        let path = "a".repeat(100_000);
        check(&format!("{}b", "*a".repeat(150)), &[], &[&path]);
        check(&format!("{}b", "**/".repeat(100)), &[], &[&path]);
    }
}
