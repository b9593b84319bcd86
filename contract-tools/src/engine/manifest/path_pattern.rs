//! The pattern of paths in a manifest: `*` is any text, slashes too; without one, a path and everything below it.

use crate::engine::text::{Effort, Parts, Reach, Wildcards, normalized_path};

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
    Stars(Box<Wildcards>),
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
        Self(Kind::Stars(Box::new(Wildcards::new(&parts(&pattern)))))
    }

    /// Whether a path in its [normalized](normalized_path) spelling fits; nothing when the effort is used up.
    pub fn matches(&self, path: &str, effort: &mut Effort) -> Option<bool> {
        match &self.0 {
            _ if path.is_empty() => Some(false),
            Kind::Nothing => Some(false),
            Kind::Path(own) => {
                effort.take(1)?;
                let below = path.strip_prefix(own.as_str());
                Some(below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || own.ends_with('/')))
            }
            Kind::Stars(pattern) => pattern.matches(path, effort),
        }
    }
}

/// `**/` is found from left to right anywhere, also at the end of `***/` and after letters.
fn parts(pattern: &str) -> Parts {
    let mut parts = Parts::default();
    let mut rest = pattern;
    let mut optional = 0;
    while let Some((before, after)) = rest.split_once("**/") {
        push_single(&mut parts, before);
        if optional < MOST_OPTIONAL {
            parts.directories(Reach::Text);
        } else {
            parts.run(Reach::Text);
            parts.text("/");
        }
        optional += 1;
        rest = after;
    }
    push_single(&mut parts, rest);
    parts
}

fn push_single(parts: &mut Parts, text: &str) {
    for (index, piece) in text.split('*').enumerate() {
        if index > 0 {
            parts.run(Reach::Text);
        }
        parts.text(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, yes: &[&str], no: &[&str]) {
        let read = PathPattern::new(pattern);
        for (path, expected) in yes.iter().map(|path| (path, true)).chain(no.iter().map(|path| (path, false))) {
            let fits = read.matches(&normalized_path(path), &mut Effort::default());
            assert_eq!(fits, Some(expected), "{path} against {pattern}");
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
