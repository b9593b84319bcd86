//! `loopover import`: files into the forge store, with a line about each for the person who asked.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use contract_core::Clock;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::store::Store;
use super::{Failure, Output, complain};
use crate::forge::RepoName;
use crate::forge::import::{Committed, FileReport, ImportError, Importer};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files with GitHub's JSON as `gh api --paginate` prints it, webhook payloads, or registry, bounties and contributors
    /// documents; `-` reads stdin
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    store: Store,
    /// The repository of records that name none, such as `acme/widgets`
    #[arg(long, value_name = "OWNER/NAME")]
    repo: Option<String>,
    /// How to show how far it is
    #[arg(long, value_enum, default_value_t = Shown::Auto)]
    progress: Shown,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shown {
    /// A bar on a terminal, else nothing
    Auto,
    /// A line on stderr for each commit: what it counts is safe
    Lines,
    /// Nothing
    None,
}

pub(crate) fn run(arguments: Arguments, clock: Clock, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let Arguments { files, store, repo, progress } = arguments;
    let home = match repo {
        None => None,
        Some(name) => {
            let wrong = || Failure::Usage("`--repo` must be `owner/name`, such as `acme/widgets`".to_owned());
            Some(RepoName::parse(&name).ok_or_else(wrong)?)
        }
    };
    let store = store.open()?;
    let importer = Importer::new(&*store, home, clock);
    let mut is_whole = true;
    for file in &files {
        let shown = if file == Path::new("-") { "stdin".to_owned() } else { file.display().to_string() };
        match take(&importer, file, &shown, progress) {
            Ok(report) => {
                output.text(&format!("{shown}: {report}"))?;
                is_whole &= report.is_whole();
            }
            // The next file would meet the same store.
            Err(ImportError::Forge(error)) => return Err(Failure::Failed(format!("{shown}: {error}"))),
            Err(error @ ImportError::Read(_)) => {
                complain(&format!("{shown}: {error}"));
                is_whole = false;
            }
        }
    }
    if is_whole { Ok(()) } else { Err(Failure::Said) }
}

fn take(importer: &Importer<'_>, file: &Path, shown: &str, progress: Shown) -> Result<FileReport, ImportError> {
    let (reader, length): (Box<dyn Read>, Option<u64>) = if file == Path::new("-") {
        (Box::new(io::stdin().lock()), None)
    } else {
        let opened = File::open(file).map_err(|error| ImportError::Read(error.kind()))?;
        let length = opened.metadata().ok().filter(std::fs::Metadata::is_file).map(|found| found.len());
        (Box::new(opened), length)
    };
    match progress {
        Shown::Lines => importer.take(reader, &mut |Committed { records, bytes }| {
            complain(&format!("{shown}: committed {records} records, {bytes} bytes"));
        }),
        Shown::Auto if io::stderr().is_terminal() => {
            let bar = bar(length);
            let report = importer.take(reader, &mut |Committed { records, bytes }| {
                bar.set_message(format!("{records} records of {shown}"));
                bar.set_position(bytes);
            });
            bar.finish_and_clear();
            report
        }
        Shown::Auto | Shown::None => importer.take(reader, &mut |_| ()),
    }
}

fn bar(length: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    let template = match length {
        Some(_) => "{bar:30} {bytes}/{total_bytes} {msg}",
        None => "{spinner} {bytes} {msg}",
    };
    // A template of our own is well formed; without it there is the plain bar.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
