//! What a path is by its name: a test, code, a lockfile, something generated.
//!
//! Components are separated by `/`. Letters are compared without regard to case except where a rule says otherwise.

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathCategory {
    /// The exact versions of dependencies.
    Lockfile,
    /// A test, or what a test compares with.
    Test,
    /// Somebody else's work, kept here.
    Vendored,
    /// Code made small for browsers.
    Minified,
    /// What a program wrote.
    Generated,
    /// Text for people.
    Docs,
    /// How the project is built.
    Config,
    /// What people wrote for computers.
    Source,
    /// Anything else.
    Other,
}

impl PathCategory {
    /// The category's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lockfile => "lockfile",
            Self::Test => "test",
            Self::Vendored => "vendored",
            Self::Minified => "minified",
            Self::Generated => "generated",
            Self::Docs => "docs",
            Self::Config => "config",
            Self::Source => "source",
            Self::Other => "other",
        }
    }
}

const TEST_DIRECTORIES: [&str; 5] = ["test", "tests", "spec", "__tests__", "__snapshots__"];
const BUILT_DIRECTORIES: [&str; 4] = ["dist", "build", "out", "coverage"];
const VENDORED_DIRECTORIES: [&str; 7] =
    ["vendor", "vendored", "third_party", "third-party", "node_modules", "bower_components", "jspm_packages"];
const GENERATED_DIRECTORIES: [&str; 2] = ["generated", "__generated__"];

const UNDERSCORE_TEST: [&str; 4] = ["go", "py", "rb", "dart"];
const DOTTED_TEST: [&str; 11] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "py", "rb", "rs"];
const BROWSER_TEST: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];
const CLASS_TEST: [&str; 8] = ["java", "kt", "kts", "scala", "cs", "swift", "groovy", "php"];
const CODE: [&str; 31] = [
    "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "py", "rb", "rs", "kt", "kts", "scala", "java", "cs",
    "swift", "groovy", "go", "sql", "php", "cpp", "cc", "c", "h", "hpp", "m", "vue", "svelte", "astro", "dart",
];
const NOT_CODE: [&str; 3] = [".g.dart", ".freezed.dart", ".gr.dart"];
const PROSE: [&str; 7] = ["md", "mdx", "markdown", "rst", "adoc", "asciidoc", "txt"];
const INCIDENTAL: [&str; 4] = [".min.js", ".min.css", ".map", ".snap"];
const GENERATED: [&str; 8] =
    [".map", ".g.dart", ".freezed.dart", ".gr.dart", ".pb.go", "_pb2.py", "_generated.go", ".designer.cs"];
const BUILD_FILES: [&str; 2] = ["makefile", "dockerfile"];
const LOCKFILES: [&str; 31] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "poetry.lock",
    "pipfile.lock",
    "composer.lock",
    "gemfile.lock",
    "go.sum",
    "go.work.sum",
    "uv.lock",
    "packages.lock.json",
    "flake.lock",
    "deno.lock",
    "pubspec.lock",
    "podfile.lock",
    "mix.lock",
    "package.resolved",
    "gradle.lockfile",
    "pdm.lock",
    "conan.lock",
    "pixi.lock",
    "cartfile.resolved",
    "gopkg.lock",
    "shard.lock",
    "rebar.lock",
    "renv.lock",
    "chart.lock",
];

/// Whether a path is a test.
pub fn is_test_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = file_name(&lower);
    let stem = |suffixes: &[&str]| ending(name).filter(|(_, ending)| suffixes.contains(ending)).map(|(stem, _)| stem);
    let is_longer = |stem: &str, end: &str| stem.len() > end.len() && stem.ends_with(end);
    has_directory(&lower, &TEST_DIRECTORIES)
        || stem(&UNDERSCORE_TEST).is_some_and(|stem| is_longer(stem, "_test"))
        || stem(&["py"]).is_some_and(|stem| stem.starts_with("test_"))
        || stem(&["rb"]).is_some_and(|stem| is_longer(stem, "_spec"))
        || stem(&DOTTED_TEST).and_then(ending).is_some_and(|(_, kind)| matches!(kind, "test" | "spec"))
        || stem(&BROWSER_TEST)
            .and_then(ending)
            .is_some_and(|(subject, kind)| !subject.is_empty() && matches!(kind, "cy" | "e2e"))
        || is_test_class(file_name(path))
}

/// A class is named in its own case: `LatestTest.java` is a test, `latest.java` is none.
fn is_test_class(name: &str) -> bool {
    ending(name).is_some_and(|(stem, ending)| {
        CLASS_TEST.contains(&ending)
            && ["Test", "Tests", "Spec"].iter().any(|end| stem.ends_with(end))
            && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Whether a path is code and no test.
pub fn is_code_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ending(file_name(&lower)).is_some_and(|(_, ending)| CODE.contains(&ending))
        && !NOT_CODE.iter().any(|end| lower.ends_with(end))
        && !is_test_path(path)
}

/// How late a reviewer needs to see a file: 4 when hardly ever, 2 for prose, 1 for tests, 0 for the rest.
pub fn file_priority(path: &str) -> u8 {
    let lower = path.to_ascii_lowercase();
    if is_lockfile(&lower)
        || INCIDENTAL.iter().any(|end| lower.ends_with(end))
        || has_directory(&lower, &BUILT_DIRECTORIES)
        || has_directory(&lower, &VENDORED_DIRECTORIES)
    {
        4
    } else if ending(file_name(&lower)).is_some_and(|(_, ending)| PROSE.contains(&ending)) {
        2
    } else {
        u8::from(is_test_path(path))
    }
}

/// Whether two changes that share this file may be the same work.
pub fn is_meaningful(path: &str) -> bool {
    file_priority(path) < 4
}

/// What a file is for.
pub fn category(path: &str) -> PathCategory {
    let lower = path.to_ascii_lowercase();
    let name = file_name(&lower);
    let ends_in = |ends: &[&str]| ends.iter().any(|end| lower.ends_with(end));
    if is_lockfile(&lower) {
        PathCategory::Lockfile
    } else if is_test_path(path) {
        PathCategory::Test
    } else if has_directory(&lower, &VENDORED_DIRECTORIES) {
        PathCategory::Vendored
    } else if ends_in(&[".min.js", ".min.css"]) {
        PathCategory::Minified
    } else if ends_in(&GENERATED) || name.contains(".generated.") || has_directory(&lower, &GENERATED_DIRECTORIES) {
        PathCategory::Generated
    } else if ending(name).is_some_and(|(_, ending)| PROSE.contains(&ending) && ending != "txt") {
        PathCategory::Docs
    } else if BUILD_FILES.contains(&name) {
        PathCategory::Config
    } else if is_code_path(path) {
        PathCategory::Source
    } else {
        PathCategory::Other
    }
}

/// Whether a change of this file should come with tests: code that somebody wrote here, not what was built, generated or
/// taken over.
pub fn asks_for_tests(path: &str) -> bool {
    is_code_path(path) && is_meaningful(path) && category(path) == PathCategory::Source
}

/// Only here is `\` a separator too: lockfiles are listed by tools of every system.
fn is_lockfile(lower: &str) -> bool {
    let name = lower.rsplit(['/', '\\']).next().unwrap_or(lower);
    LOCKFILES.contains(&name)
}

fn has_directory(lower: &str, names: &[&str]) -> bool {
    lower.rsplit('/').skip(1).any(|directory| names.contains(&directory))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A file's name without its ending, and the ending.
fn ending(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: fn(&str) -> bool, yes: &[&str], no: &[&str]) {
        for path in yes {
            assert!(rule(path), "{path}");
        }
        for path in no {
            assert!(!rule(path), "{path}");
        }
    }

    #[test]
    fn tests_are_told_by_their_place_or_name() {
        check(
            is_test_path,
            &[
                "pkg/Tests/A.cs",
                "tests/",
                "a_test.go",
                "test_.py",
                "a_spec.rb",
                ".test.ts",
                "a.cy.ts",
                "__snapshots__/a",
            ],
            &["test", "testdata/a.ts", "_test.go", "_spec.rb", "a_test.rs", "xtest_a.py", ".cy.ts", "a.e2e.py"],
        );
    }

    #[test]
    fn a_test_class_keeps_its_case() {
        check(
            is_test_path,
            &["ATest.java", "x/Tests.kt", "A_1Spec.php"],
            &["latest.java", "A-Test.java", "A.BTest.java", "ATest.JAVA", "ÄTest.java", "FooTest.rs"],
        );
    }

    #[test]
    fn code_is_told_by_its_ending() {
        check(
            is_code_path,
            &["SRC/APP.TS", ".rs", "a.d.ts", "dist/a.js"],
            &["a.g.dart", "a.rs.bak", "a.test.ts", "a.mm"],
        );
    }

    #[test]
    fn a_file_that_nobody_reads_is_not_meaningful() {
        check(
            is_meaningful,
            &["src/a.rs", "distribution/a.js", "other.lock", "README.md"],
            &["win\\dir\\yarn.lock", "DIST/a.js", "a.js.map", "vendor/README.md"],
        );
    }

    #[test]
    fn generated_and_vendored_files_ask_for_no_tests() {
        check(
            asks_for_tests,
            &["src/a.ts", "a.d.ts"],
            &["vendor/a.go", "node_modules/a/b.js", "a.min.js", "x.pb.go", "src/generated/a.ts", "dist/a.js", "a.md"],
        );
    }
}
