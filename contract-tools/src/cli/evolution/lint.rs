//! `loopover contract lint`: what in a list of tools a provider refuses or a client drops.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use contract_core::Registry;
use contract_core::lint::{Finding, Severity, Surface};
use serde_json::{Value, json};

use super::super::output::{painted, wants_color};
use super::source::{self, Source};
use super::{Failure, Output, escape};

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
    let (document, source) = match &arguments.list {
        Some(source) => (source.document(token.as_deref())?, source.to_string()),
        None => (source::document_of_registry(registry), "this program".to_owned()),
    };
    let findings = contract_core::lint::findings(&document, &Surface { prefix: arguments.prefix.clone() })
        .map_err(|why| source::unreadable(&source, why))?;
    match arguments.format {
        LintFormat::Text => output.text(&text(&findings, wants_color()))?,
        LintFormat::Json => {
            let document = json!({ "findings": findings.iter().map(shown).collect::<Vec<Value>>() });
            output.text(&escape::json(&document))?;
        }
    }
    let fails = |finding: &Finding| arguments.strict || finding.rule.severity() == Severity::Error;
    if findings.iter().any(fails) { Err(Failure::Said) } else { Ok(()) }
}

/// Each thing to mend once, the worst first, with every place of it.
fn text(findings: &[Finding], color: bool) -> String {
    if findings.is_empty() {
        return "nothing found".to_owned();
    }
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut known = HashMap::new();
    for finding in findings {
        let group = *known.entry((finding.rule, &finding.message, &finding.fix)).or_insert(groups.len());
        groups.resize(groups.len().max(group + 1), Vec::new());
        groups[group].push(finding);
    }
    groups.sort_by_key(|group| group.first().map(|finding| Reverse(finding.rule.severity())));
    let mut lines = Vec::new();
    for group in groups {
        let Some(Finding { rule, message, fix, .. }) = group.first() else { continue };
        let paint = match rule.severity() {
            Severity::Error => "31",
            Severity::Warning => "33",
            Severity::Note => "36",
        };
        let severity = painted(rule.severity().as_str(), paint, color);
        lines.push(format!("{severity}: {}", escape::line(&format!("{message} [{rule}]"))));
        lines.push(format!("  fix: {}", escape::line(fix)));
        lines.extend(group.into_iter().map(|finding| format!("  at: {}", place(finding))));
    }
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let count = findings.iter().filter(|finding| finding.rule.severity() == severity).count();
        format!("{count} {severity}{}", if count == 1 { "" } else { "s" })
    });
    lines.push(counts.join(", "));
    lines.join("\n")
}

/// The tool and the place in it for people, the place in the document for programs.
fn place(finding: &Finding) -> String {
    let tool = if finding.tool.is_empty() { String::new() } else { format!("{} ", escape::heading(&finding.tool)) };
    let names = if finding.place.is_empty() { String::new() } else { format!("`{}` ", finding.place) };
    let pointer = if finding.pointer.is_empty() { "the whole document" } else { &finding.pointer };
    tool + &escape::line(&format!("{names}({pointer})"))
}

fn shown(finding: &Finding) -> Value {
    json!({
        "tool": finding.tool,
        "place": finding.place,
        "pointer": finding.pointer,
        "rule": finding.rule.as_str(),
        "severity": finding.rule.severity().as_str(),
        "message": finding.message,
        "fix": finding.fix,
    })
}
