//! `loopover contract diff` and `lint`: what changed between two lists of tools, and what a list asks of providers.

mod allowed;
mod lint;
mod render;
mod source;

use std::io::Write;
use std::path::PathBuf;

use contract_core::Registry;
use contract_core::evolution::{Verdict, compare};

use super::{Failure, Output, complain, escape};
use crate::contract::LoopoverMetadata;

use self::allowed::Allowed;
pub(crate) use self::lint::{LintArguments, lint};
use self::source::Source;

/// Two lists, and what to say about them.
#[derive(clap::Args)]
pub(crate) struct DiffArguments {
    /// The old list: a file, `-` for stdin, `git:REV:PATH`, or the URL of a server
    old: Source,
    /// The new list, likewise [default: the tools of this program]
    new: Option<Source>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    format: DiffFormat,
    /// Fail on what is dangerous or undecided, too
    #[arg(long)]
    strict: bool,
    /// A file of changes that are meant, each with its reason
    #[arg(long, value_name = "FILE")]
    allow: Option<PathBuf>,
    /// A file with the credential for a server
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DiffFormat {
    /// Grouped by tool, for people
    Text,
    /// One document
    Json,
    /// Annotations of a GitHub Actions run
    Github,
    /// A table, as for a pull request
    Markdown,
}

pub(crate) fn diff(
    arguments: &DiffArguments,
    registry: &Registry,
    output: &mut Output<impl Write>,
) -> Result<(), Failure> {
    if arguments.old == Source::Stdin && arguments.new == Some(Source::Stdin) {
        let message =
            "`-` is stdin, which can be read once; name a file, git:REVISION:PATH or a URL for one of the lists";
        return Err(Failure::Usage(message.to_owned()));
    }
    let allowed = match &arguments.allow {
        Some(file) => Allowed::read(file)?,
        None => Allowed::default(),
    };
    let token = source::token(arguments.token_file.as_deref())?;
    let old = arguments.old.read(token.as_deref())?;
    let new = match &arguments.new {
        Some(source) => source.read(token.as_deref())?,
        None => source::of_registry(registry)?,
    };
    let report = compare(&old, &new, &LoopoverMetadata);
    allowed.unused(&report).for_each(|entry| {
        complain(&format!("--allow names a change that is not there: {}", escape::line(&entry)));
    });
    match arguments.format {
        DiffFormat::Text => output.text(&render::text(&report, &allowed, super::output::wants_color()))?,
        DiffFormat::Json => output.text(&escape::json(&render::json(&report, &allowed)))?,
        DiffFormat::Github => output.text(&render::github(&report, &allowed))?,
        DiffFormat::Markdown => output.text(&render::markdown(&report, &allowed))?,
    }
    let fails = |verdict| match verdict {
        Verdict::Breaking => true,
        Verdict::Dangerous | Verdict::Undecided => arguments.strict,
        Verdict::Compatible => false,
    };
    let is_failure = report.changes.iter().any(|change| fails(change.verdict) && allowed.reason(change).is_none());
    if is_failure { Err(Failure::Said) } else { Ok(()) }
}
