//! Compile-time promises: what must not compile, in which words, and what must; `ui/README.md` says how to renew the words.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const TOPICS: [&str; 5] = ["args", "signature", "docs", "types", "drill"];

/// The compiler that the `.stderr` files quote, as `rust-toolchain.toml` pins it.
const PINNED: &str = "1.95.0";

/// Set for the child process that compiles copies without goldens.
const COPIES: &str = "CONTRACT_UI_COPIES";

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    if let Some(copies) = env::var_os(COPIES) {
        cases.compile_fail(Path::new(&copies).join("*.rs"));
        return;
    }
    for topic in TOPICS.iter().filter(|topic| Path::new("ui").join(topic).join("pass").exists()) {
        cases.pass(format!("ui/{topic}/pass/*.rs"));
    }
    if is_pinned() {
        for topic in TOPICS {
            cases.compile_fail(format!("ui/{topic}/fail/*.rs"));
        }
    } else {
        fails_in_any_words();
    }
}

fn is_pinned() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("cargo has a rustc to ask");
    String::from_utf8_lossy(&version.stdout).starts_with(&format!("rustc {PINNED} "))
}

/// Under a compiler with other words: each fail file still fails, and for a reason that its golden gives.
fn fails_in_any_words() {
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    let _ = fs::remove_dir_all(&copies);
    fs::create_dir_all(&copies).expect("the target directory is writable");
    let mut goldens = Vec::new();
    for file in TOPICS.iter().flat_map(|topic| files(Path::new("ui").join(topic).join("fail"))) {
        let copy = copies.join(file.file_name().expect("a listed file has a name"));
        assert!(!copy.exists(), "two rules are called {}", copy.display());
        fs::copy(&file, &copy).expect("a listed file can be copied");
        goldens.push((file.with_extension("stderr"), copy.with_extension("stderr")));
    }
    // Without goldens trybuild only asks that compilation fails; "overwrite" makes it write down what was said.
    let myself = env::current_exe().expect("a test knows where it is");
    let status =
        Command::new(myself).args(["--exact", "ui"]).env(COPIES, &copies).env("TRYBUILD", "overwrite").status();
    assert!(status.expect("a test can run itself").success(), "a file compiles that should not");
    for (golden, said) in goldens {
        let expected = fs::read_to_string(&golden).expect("each fail file has a golden");
        let said = fs::read_to_string(&said).expect("trybuild wrote one file for each");
        let survives = headlines(&expected).any(|headline| said.contains(headline));
        assert!(survives, "none of the messages of {} is in:\n{said}", golden.display());
    }
}

fn files(directory: PathBuf) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(directory).expect("each topic has a fail directory");
    entries
        .map(|entry| entry.expect("a directory can be read").path())
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
}

/// The messages themselves, without the code and the place.
fn headlines(stderr: &str) -> impl Iterator<Item = &str> {
    stderr.lines().filter(|line| line.starts_with("error")).filter_map(|line| Some(line.split_once(": ")?.1))
}
