//! Paths that only a maintainer may let through, and their patterns: `*` stays within a directory, `**` does not.

use std::collections::HashSet;

use crate::engine::gate::{Guarded, GuardedPath, Unseen};
use crate::engine::text::{Effort, Parts, Reach, Wildcards, normalized_path};

use super::model::Manifest;

/// From this many paths on, a change is held without looking at them.
const TOO_MANY_PATHS: usize = 1000;

/// How many guarded paths are listed before they are only counted.
const LISTED_PATHS: usize = 1000;

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
    let mut seen: HashSet<&str> = HashSet::new();
    let all = BUILT_IN_GUARDRAILS.into_iter().chain(own.iter().map(String::as_str));
    all.filter(|glob| seen.insert(glob)).map(str::to_owned).collect()
}

/// Patterns, read once.
#[derive(Debug, Clone)]
pub struct Guardrails(Vec<(String, Wildcards)>);

impl Guardrails {
    /// Reads patterns; every text is one.
    pub fn new(globs: &[String]) -> Self {
        let read = |glob: &String| (glob.clone(), Wildcards::new(&parts(&normalized_path(glob))));
        Self(globs.iter().map(read).collect())
    }

    /// The guarded ones among `paths`, path by path and then in the order of the patterns; nothing when the change may
    /// pass. A change that is unknown, or too large for all of it to be looked at, may not: then the list can be empty.
    pub fn guarded(&self, paths: &[String], effort: &mut Effort) -> Option<Guarded> {
        if self.0.is_empty() {
            return None;
        }
        let mut guarded = Guarded::default();
        if paths.is_empty() {
            guarded.unseen = Some(Unseen::Unknown);
        } else if paths.len() >= TOO_MANY_PATHS {
            guarded.unseen = Some(Unseen::ManyPaths);
        }
        if self.collect(paths, effort, &mut guarded).is_none() {
            guarded.unseen = Some(Unseen::MuchWork);
        }
        (guarded.unseen.is_some() || !guarded.paths.is_empty()).then_some(guarded)
    }

    /// Tries every pattern on every path while there is effort left for it.
    fn collect(&self, paths: &[String], effort: &mut Effort, guarded: &mut Guarded) -> Option<()> {
        for path in paths.iter().filter(|path| !path.is_empty()) {
            let normalized = normalized_path(path);
            for (glob, pattern) in &self.0 {
                if !pattern.matches(&normalized, effort)? {
                    continue;
                }
                if guarded.paths.len() < LISTED_PATHS {
                    guarded.paths.push(GuardedPath { path: path.clone(), pattern: glob.clone() });
                } else {
                    guarded.more += 1;
                }
            }
        }
        Some(())
    }
}

/// `**/` is any number of whole directories where a directory may begin, and two stars with a slash elsewhere.
fn parts(pattern: &str) -> Parts {
    let mut parts = Parts::default();
    let mut rest = pattern;
    let mut begins_directory = true;
    while let Some(character) = rest.chars().next() {
        let text = if let Some(after) = rest.strip_prefix("**/").filter(|_| begins_directory) {
            parts.directories(Reach::Line);
            rest = after;
            continue;
        } else if rest.starts_with("**") {
            parts.run(Reach::Line);
            "**"
        } else if character == '*' {
            parts.run(Reach::Directory);
            "*"
        } else {
            let text = &rest[..character.len_utf8()];
            parts.text(text);
            text
        };
        begins_directory = text == "/";
        rest = &rest[text.len()..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::hostile;

    #[track_caller]
    fn check(glob: &str, yes: &[&str], no: &[&str]) {
        let guardrails = Guardrails::new(&[glob.to_owned()]);
        for path in yes {
            assert!(
                guardrails.guarded(&[(*path).to_owned()], &mut Effort::default()).is_some(),
                "{path} against {glob}"
            );
        }
        for path in no {
            assert!(
                guardrails.guarded(&[(*path).to_owned()], &mut Effort::default()).is_none(),
                "{path} against {glob}"
            );
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
        let of = |globs: &[String], paths: &[String]| Guardrails::new(globs).guarded(paths, &mut Effort::default());
        let unseen = |count| {
            let guarded = of(&["zzz".to_owned()], &vec!["p".to_owned(); count])?;
            assert!(guarded.paths.is_empty());
            guarded.unseen
        };
        assert_eq!(unseen(0), Some(Unseen::Unknown));
        assert_eq!(unseen(999), None);
        assert_eq!(unseen(1000), Some(Unseen::ManyPaths));
        assert_eq!(of(&[], &[]), None);
    }

    #[test]
    fn a_long_list_of_guarded_paths_is_cut_and_counted() {
        let globs: Vec<String> = (1..=200).map(|stars| format!("**{}", "/**".repeat(stars))).collect();
        let paths = vec!["a/".repeat(200); 500];
        let guarded = Guardrails::new(&globs).guarded(&paths, &mut Effort::default()).unwrap();
        assert_eq!(guarded.paths.len(), LISTED_PATHS);
        assert!(guarded.more > 0);
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

    /// As many patterns and paths as there can be, of the costliest kinds, take no more steps than these; what is not tried
    /// holds the change and is told.
    #[test]
    fn hostile_patterns_take_a_bounded_number_of_steps() {
        for piece in ["*a", "**/", "a*/", "**a", "a**/"] {
            let guardrails = Guardrails::new(&hostile::patterns(piece, 200));
            for letters in ["a", "a/"] {
                let mut effort = Effort::of(150_000);
                let guarded = guardrails.guarded(&hostile::paths(letters, 500), &mut effort);
                let is_held = guarded.is_some_and(|guarded| guarded.unseen == Some(Unseen::MuchWork));
                assert_eq!(is_held, effort.left() == 0, "{piece} on {letters}");
                assert!(is_held || piece != "*a", "{piece} on {letters}");
                // Each pair takes at most a step for every letter and every 128 parts, however the pattern is nested.
                let mut effort = Effort::of(10 * 10 * (1 + 400 * 3));
                let few = Guardrails::new(&hostile::patterns(piece, 10));
                assert_eq!(few.guarded(&hostile::paths(letters, 10), &mut effort), None, "{piece} on {letters}");
            }
        }
    }

    /// The largest list that a manifest can hold, of patterns as people write them, on the largest change: all of it is
    /// tried, with steps to spare.
    #[test]
    fn a_real_repository_is_looked_at_whole() {
        let glob = |number: usize| match number % 4 {
            0 => format!("**/part{number}/**"),
            1 => format!("packages/part{number}/src/**/*.ts"),
            2 => format!("**/*part{number}*.ts"),
            _ => format!("packages/*/src/part{number}.ts"),
        };
        let own = Some((1000..1200).map(glob).collect());
        let globs = guardrail_globs(&Manifest { hard_guardrail_globs: own, ..Manifest::default() });
        let path = |number: usize| format!("packages/part{number}/src/components/settings/panel{number}.ts");
        let paths: Vec<String> = (0..500).map(path).collect();
        let mut effort = Effort::default();
        assert_eq!(Guardrails::new(&globs).guarded(&paths, &mut effort), None);
        assert!(effort.left() > Effort::MOST / 2, "{} of {} steps are left", effort.left(), Effort::MOST);
    }
}
