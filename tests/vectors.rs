//! Golden facts of the original program, held against this one. `vectors/deviations.toml` lists what differs on purpose.
//!
//! `LOOPOVER_VECTORS` names another directory of `.jsonl` files, `LOOPOVER_FIXTURES` another one of what they speak of.

mod vectors_runner;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use contract_tests::vectors::Suite;

use vectors_runner::{EFFECTS, RUNNERS, World};

fn main() -> io::Result<ExitCode> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = here.join("vectors");
    let directory = named_by("LOOPOVER_VECTORS").unwrap_or_else(|| committed.clone());
    let deviations = fs::read_to_string(committed.join("deviations.toml"))?;
    let world = World::new(named_by("LOOPOVER_FIXTURES").unwrap_or_else(|| here.join("fixtures")));
    let suite = Suite {
        is_committed: fs::canonicalize(&directory).ok() == fs::canonicalize(&committed).ok(),
        directory: &directory,
        deviations: &deviations,
        world: &world,
        runners: RUNNERS,
        effects: &EFFECTS,
    };
    suite.run(std::env::args().skip(1), &mut io::stdout())
}

/// The directory that a variable names. Cargo starts tests in their package; a relative path is meant from where cargo
/// was started, which is most often the workspace.
fn named_by(variable: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)?;
    let from_workspace = contract_tests::workspace::root().join(&named);
    Some(if named.exists() || !from_workspace.exists() { named } else { from_workspace })
}
