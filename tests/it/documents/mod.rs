//! What the documents show is true: their commands run, their Rust compiles, the variables they name are read.

mod commands;
mod fences;
mod links;
mod machine;
mod tables;
mod variables;

use std::fs;
use std::path::PathBuf;

use contract_tests::workspace::{files, root};

/// The documents that people write, and their text. The reference is generated, and the changelog tells of what was.
fn documents() -> Vec<(String, String)> {
    let root = root();
    let mut paths: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].iter().map(|name| root.join(name)).collect();
    paths.extend(
        files(&root.join("docs"), ".md").into_iter().filter(|path| !path.starts_with(root.join("docs/reference"))),
    );
    let named = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        (name, fs::read_to_string(path).unwrap())
    };
    paths.into_iter().map(named).collect()
}
