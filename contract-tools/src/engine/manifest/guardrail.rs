//! Paths that only a maintainer may let through, and their patterns: `*` stays within a directory, `**` does not.

use regex::Regex;

use crate::engine::gate::GuardedPath;
use crate::engine::text::normalized_path;

use super::model::Manifest;

/// From this many paths on, a change is held without looking at them.
const TOO_MANY_PATHS: usize = 1000;

/// What is guarded unless a manifest says that its own list stands alone: what decides about the gate, what runs in CI,
/// and the places of the program that this list was written for.
pub const BUILT_IN_GUARDRAILS: [&str; 36] = [
    ".loopover.yml",
    ".loopover.yaml",
    ".loopover.json",
    ".github/loopover.yml",
    ".github/loopover.yaml",
    ".github/loopover.json",
    "**/codecov.yml",
    "**/codecov.yaml",
    "**/.codecov.yml",
    ".github/workflows/**",
    "scripts/**",
    "wrangler.jsonc",
    "src/selfhost/**",
    "src/rules/**",
    "src/services/**",
    "src/settings/agent-actions.ts",
    "src/settings/agent-execution.ts",
    "src/settings/agent-sweep.ts",
    "src/settings/autonomy.ts",
    "packages/loopover-engine/src/settings/autonomy.ts",
    "src/queue/**",
    "src/github/pr-actions.ts",
    "src/github/app.ts",
    "src/github/backfill.ts",
    "src/github/e2e-test-commit.ts",
    "src/scoring/**",
    "src/auth/**",
    "src/review/safety.ts",
    "src/review/guardrail-config.ts",
    "packages/loopover-engine/src/review/guardrail-config.ts",
    "src/review/cutover-gate.ts",
    "src/review/linked-issue-hard-rules.ts",
    "src/review/outcomes-wire.ts",
    "packages/loopover-engine/src/signals/change-guardrail.ts",
    "packages/loopover-engine/src/advisory/gate-advisory.ts",
    "packages/loopover-engine/src/predicted-gate.ts",
];

/// The patterns that hold for a repository: its own alone, or the built-in ones and its own.
pub fn guardrail_globs(manifest: &Manifest) -> Vec<String> {
    let own = manifest.hard_guardrail_globs.as_deref().unwrap_or_default();
    if manifest.hard_guardrail_globs_stand_alone == Some(true) {
        return own.to_vec();
    }
    let mut globs: Vec<String> = BUILT_IN_GUARDRAILS.iter().map(|glob| (*glob).to_owned()).collect();
    for glob in own {
        if !globs.contains(glob) {
            globs.push(glob.clone());
        }
    }
    globs
}

/// Patterns, read once.
#[derive(Debug, Clone)]
pub struct Guardrails(Vec<(String, Option<Regex>)>);

impl Guardrails {
    /// Reads patterns; every text is one.
    pub fn new(globs: &[String]) -> Self {
        Self(globs.iter().map(|glob| (glob.clone(), Regex::new(&expression(&normalized_path(glob))).ok())).collect())
    }

    /// The guarded ones among `paths`, path by path and then in the order of the patterns; nothing when the change may
    /// pass. A change that is unknown or too large to look at may not: then the list can be empty.
    pub fn guarded(&self, paths: &[String]) -> Option<Vec<GuardedPath>> {
        if self.0.is_empty() {
            return None;
        }
        let mut guarded = Vec::new();
        for path in paths.iter().filter(|path| !path.is_empty()) {
            let normalized = normalized_path(path);
            for (pattern, expression) in &self.0 {
                // A pattern that cannot be compiled guards everything rather than nothing.
                if expression.as_ref().is_none_or(|expression| expression.is_match(&normalized)) {
                    guarded.push(GuardedPath { path: path.clone(), pattern: pattern.clone() });
                }
            }
        }
        let is_unknown = paths.is_empty() || paths.len() >= TOO_MANY_PATHS;
        (is_unknown || !guarded.is_empty()).then_some(guarded)
    }
}

/// `**/` is any number of whole directories where a directory may begin, and two stars with a slash elsewhere.
fn expression(pattern: &str) -> String {
    const ANYWHERE: &str = r"[^\n\r\x{2028}\x{2029}]*";
    const WITHIN: &str = "[^/]*";
    let mut expression = r"\A".to_owned();
    let mut rest = pattern;
    let mut begins_directory = true;
    while let Some(character) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("**/").filter(|_| begins_directory) {
            // Directories after directories are directories.
            let directories = format!("(?:{ANYWHERE}/)?");
            if !expression.ends_with(&directories) {
                expression.push_str(&directories);
            }
            rest = after;
            continue;
        }
        let (text, piece) = match rest.strip_prefix("**") {
            Some(_) => ("**", ANYWHERE.to_owned()),
            None if character == '*' => ("*", WITHIN.to_owned()),
            None => {
                let text = &rest[..character.len_utf8()];
                (text, regex::escape(text))
            }
        };
        expression.push_str(&piece);
        begins_directory = character == '/';
        rest = &rest[text.len()..];
    }
    expression.push_str(r"\z");
    expression
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(glob: &str, yes: &[&str], no: &[&str]) {
        let guardrails = Guardrails::new(&[glob.to_owned()]);
        for path in yes {
            assert!(guardrails.guarded(&[(*path).to_owned()]).is_some(), "{path} against {glob}");
        }
        for path in no {
            assert!(guardrails.guarded(&[(*path).to_owned()]).is_none(), "{path} against {glob}");
        }
    }

    #[test]
    fn a_star_stays_within_a_directory() {
        check("scripts/*", &["scripts/x", "SCRIPTS\\x"], &["scripts/x/y", "scripts"]);
        check("scripts/**", &["scripts/", "scripts/x/y"], &["xscripts/x", "scripts"]);
        check("scripts", &["scripts", "./scripts"], &["scripts/x"]);
        check("a?[b]", &["a?[b]"], &["axb"]);
    }

    #[test]
    fn two_stars_and_a_slash_are_whole_directories() {
        check("**/codecov.yml", &["codecov.yml", "a/b/codecov.yml"], &["mycodecov.yml", "a/mycodecov.yml"]);
        check("src/**/f", &["src/f", "src/x/f"], &["src/xf", "srcf"]);
        check("src**/f", &["src/f", "src1/f", "src/x/f"], &["srcf"]);
        check("**/**/f", &["f", "a/f", "a/b/f"], &["af"]);
    }

    #[test]
    fn three_wildcards_match_what_they_say() {
        check("src/**/*.test.*", &["src/a.test.ts", "src/x/a.test.ts"], &["zzz", "src/a.ts"]);
        check("*/*/*", &["a/b/c"], &["zzz", "a/b"]);
        check("***", &["zzz", "a/b"], &[]);
    }

    #[test]
    fn an_unknown_or_huge_change_is_held() {
        let guardrails = Guardrails::new(&["zzz".to_owned()]);
        assert_eq!(guardrails.guarded(&[]), Some(Vec::new()));
        assert_eq!(guardrails.guarded(&vec!["p".to_owned(); 999]), None);
        assert_eq!(guardrails.guarded(&vec!["p".to_owned(); 1000]), Some(Vec::new()));
        assert_eq!(Guardrails::new(&[]).guarded(&[]), None);
    }

    #[test]
    fn a_manifest_adds_to_the_built_in_list_or_replaces_it() {
        let own = vec!["scripts/**".to_owned(), "infra/**".to_owned()];
        let added = Manifest { hard_guardrail_globs: Some(own.clone()), ..Manifest::default() };
        assert_eq!(guardrail_globs(&added).len(), BUILT_IN_GUARDRAILS.len() + 1);
        let alone = Manifest { hard_guardrail_globs_stand_alone: Some(true), ..added };
        assert_eq!(guardrail_globs(&alone), own);
        let nothing = Manifest { hard_guardrail_globs_stand_alone: Some(true), ..Manifest::default() };
        assert!(guardrail_globs(&nothing).is_empty());
    }

    #[test]
    fn adversarial_patterns_stay_linear() {
        let globs: Vec<String> = (0..20).map(|number| format!("{}b{number}", "*a".repeat(140))).collect();
        let paths = vec!["a".repeat(400); 50];
        assert_eq!(Guardrails::new(&globs).guarded(&paths), None);
    }
}
