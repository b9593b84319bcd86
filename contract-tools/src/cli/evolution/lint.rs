//! `loopover contract lint`: what in a list of tools a provider refuses or a client drops.

use std::io::Write;
use std::path::PathBuf;

use contract_core::Registry;
use contract_core::lint::{Finding, Severity, Surface};
use serde_json::{Value, json};

use super::source::{self, Source};
use super::{Failure, Output};

/// A list, and where it will be shown.
#[derive(clap::Args)]
pub(crate) struct LintArguments {
    /// The list: a file, `-` for stdin, `git:REV:PATH`, or the URL of a server [default: the tools of this program]
    list: Option<Source>,
    /// What a client puts before each name, such as `mcp__loopover__`
    #[arg(long, default_value = "")]
    prefix: String,
    /// How to print it
    #[arg(long, value_enum, default_value_t = LintFormat::Text)]
    format: LintFormat,
    /// Fail on warnings and notes, too
    #[arg(long)]
    strict: bool,
    /// A file with the credential for a server
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum LintFormat {
    /// For people
    Text,
    /// One document
    Json,
}

pub(crate) fn lint(
    arguments: &LintArguments,
    registry: &Registry,
    output: &mut Output<impl Write>,
) -> Result<(), Failure> {
    let token = source::token(arguments.token_file.as_deref())?;
    let list = match &arguments.list {
        Some(source) => source.read(token.as_deref())?,
        None => source::of_registry(registry)?,
    };
    let findings = contract_core::lint::findings(&list, &Surface { prefix: arguments.prefix.clone() });
    match arguments.format {
        LintFormat::Text => output.text(&text(&findings))?,
        LintFormat::Json => output.json(&json!({ "findings": findings.iter().map(shown).collect::<Vec<Value>>() }))?,
    }
    let fails = |finding: &Finding| arguments.strict || finding.rule.severity() == Severity::Error;
    if findings.iter().any(fails) { Err(Failure::Said) } else { Ok(()) }
}

fn text(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "nothing found".to_owned();
    }
    let lines = findings.iter().map(|finding| {
        let place = if finding.place.is_empty() { String::new() } else { format!(" `{}`", finding.place) };
        let (rule, severity) = (finding.rule, finding.rule.severity());
        format!("{severity} {}{place}: {} [{rule}]\n  fix: {}", finding.tool, finding.message, finding.fix)
    });
    let mut lines: Vec<String> = lines.collect();
    let count = |severity| findings.iter().filter(|finding| finding.rule.severity() == severity).count();
    lines.push(format!(
        "{} errors, {} warnings, {} notes",
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Note)
    ));
    lines.join("\n")
}

fn shown(finding: &Finding) -> Value {
    json!({
        "tool": finding.tool,
        "place": finding.place,
        "rule": finding.rule.as_str(),
        "severity": finding.rule.severity().as_str(),
        "message": finding.message,
        "fix": finding.fix,
    })
}
