//! `loopover contract`: the contract of all tools as one thing that is checked, exported and accepted.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use contract_core::projection::{Projection, agent_index, anthropic, gemini, markdown, mcp, openai, typescript};
use contract_core::{Registry, ToolFilter, testing};

use super::evolution::{self, DiffArguments, LintArguments};
use super::tools::FilterArguments;
use super::{Failure, Output, complain};
use crate::contract::{self, reference};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Hold every tool to every convention and law, and the committed contract to the code
    Check,
    /// Write the tools in a form that somebody else reads
    Export {
        /// Which form
        #[arg(long, value_enum)]
        format: Format,
        #[command(flatten)]
        filter: FilterArguments,
        /// Where the agent index says the tools are called
        #[arg(long, default_value = "http://127.0.0.1:8787/mcp")]
        endpoint: String,
    },
    /// Say what changed between two lists of tools: 0 nothing breaks, 1 something does, 2 they could not be compared
    Diff(DiffArguments),
    /// Say what in a list of tools providers refuse or clients drop
    Lint(LintArguments),
    /// Write the reference pages
    Docs {
        /// The directory to write [default: docs/reference of the checkout around the working directory]
        #[arg(long)]
        directory: Option<PathBuf>,
    },
    /// Write the contract of this binary over the committed one
    Accept {
        /// The file to write [default: contract-tools/contract.json of the checkout around the working directory]
        #[arg(long)]
        file: Option<PathBuf>,
    },
}

/// A form of the tools. Those without a projection yet are named, so that the answer to them is a sentence.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// MCP's `tools/list`
    Mcp,
    /// Anthropic's Messages API
    Anthropic,
    /// The same, with `strict: true` where it can be
    AnthropicStrict,
    /// OpenAI's Chat Completions
    Openai,
    /// OpenAI's Responses
    OpenaiResponses,
    /// OpenAI's Chat Completions with `strict: true` where it can be
    OpenaiStrict,
    /// Gemini's `functionDeclarations`
    Gemini,
    /// The agent tools index
    AgentIndex,
    /// A reference page a tool
    Markdown,
    /// TypeScript declarations
    Typescript,
    /// Not there yet
    #[value(hide = true)]
    Openapi,
    /// Not there yet
    #[value(hide = true)]
    Bundle,
}

pub(crate) fn run(command: Command, registry: &Registry, output: &mut Output<impl Write>) -> Result<(), Failure> {
    match command {
        Command::Check => check(registry, output),
        Command::Export { format, filter, endpoint } => export(registry, format, &filter, &endpoint, output),
        Command::Diff(arguments) => evolution::diff(&arguments, registry, output),
        Command::Lint(arguments) => evolution::lint(&arguments, registry, output),
        Command::Docs { directory } => docs(registry, directory, output),
        Command::Accept { file } => accept(registry, file, output),
    }
}

fn check(registry: &Registry, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let mut lines: Vec<String> = testing::breaches(registry).iter().map(ToString::to_string).collect();
    if let Err(missing) = contract::require_roster(registry) {
        lines.push(missing.to_string());
    }
    if let Some(line) = contract::first_difference(contract::COMMITTED, &contract::current(registry)) {
        lines.push(format!("contract.json is stale from line {line} on; renew it with `{}`", contract::RENEW));
    }
    if lines.is_empty() {
        output
            .text(&format!("every convention and law is kept by {}, and contract.json is theirs", tools(registry)))?;
        return Ok(());
    }
    output.text(&lines.join("\n"))?;
    Err(Failure::Said)
}

fn export(
    registry: &Registry,
    format: Format,
    filter: &FilterArguments,
    endpoint: &str,
    output: &mut Output<impl Write>,
) -> Result<(), Failure> {
    let tools = registry.list_tool_definitions(&filter.to_filter(registry)?);
    let document = match format {
        Format::Mcp => mcp::tools_list(&tools),
        Format::Anthropic => anthropic::tools(&tools),
        Format::AnthropicStrict => without_losses(anthropic::strict_tools(&tools)),
        Format::Openai => openai::tools(&tools)?,
        Format::OpenaiResponses => openai::responses_tools(&tools)?,
        Format::OpenaiStrict => without_losses(openai::strict_tools(&tools)?),
        Format::Gemini => without_losses(gemini::function_declarations(&tools)),
        Format::AgentIndex => agent_index::agent_index(&tools, endpoint)?,
        Format::Markdown => return output.text(&markdown::document(&tools)).map_err(Failure::from),
        Format::Typescript => return output.text(&typescript::declarations(&tools)).map_err(Failure::from),
        Format::Openapi | Format::Bundle => {
            let message = "this form does not exist yet; there are mcp, anthropic, anthropic-strict, openai, openai-responses, \
                           openai-strict, gemini, agent-index, markdown and typescript";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    output.json(&document).map_err(Failure::from)
}

/// Tells people what the form had to give up; the document alone goes to stdout.
fn without_losses(projection: Projection) -> serde_json::Value {
    projection.losses.iter().for_each(|loss| complain(&loss.to_string()));
    projection.document
}

/// The file that makes a directory a checkout of this project.
const COMMITTED_FILE: &str = "contract-tools/contract.json";

/// A place in the checkout that this process stands in. The program may have been built in another one, or installed.
fn in_checkout(path: &str, option: &str) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::Failed(format!("the current directory cannot be read: {error}")))?;
    let checkout = here.ancestors().find(|directory| directory.join(COMMITTED_FILE).is_file());
    checkout.map(|directory| directory.join(path)).ok_or_else(|| {
        let message = format!(
            "no directory from {} upwards has {COMMITTED_FILE}; stand in a checkout of this project, or name a place with \
             {option}",
            here.display()
        );
        Failure::Failed(message)
    })
}

fn accept(registry: &Registry, file: Option<PathBuf>, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let file = file.map_or_else(|| in_checkout(COMMITTED_FILE, "--file"), Ok)?;
    let shown = file.display();
    let written = std::fs::write(&file, contract::current(registry));
    written
        .map_err(|error| Failure::Failed(format!("cannot write {shown}: {error}; name another place with --file")))?;
    output.text(&format!("{shown} holds {}", tools(registry))).map_err(Failure::from)
}

/// Writes the pages and takes away those of tools that are gone; what is no page of its own making stays.
fn docs(registry: &Registry, directory: Option<PathBuf>, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let directory = directory.map_or_else(|| in_checkout("docs/reference", "--directory"), Ok)?;
    let shown = directory.display();
    let failed = |error: std::io::Error| {
        Failure::Failed(format!("cannot write {shown}: {error}; name another place with --directory"))
    };
    std::fs::create_dir_all(&directory).map_err(failed)?;
    let pages = reference::pages(&registry.list_tool_definitions(&ToolFilter::new()));
    for entry in std::fs::read_dir(&directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_stale = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| !pages.contains_key(name));
        let is_ours = std::fs::read_to_string(&path).is_ok_and(|text| text.contains(reference::MARK));
        if is_stale && is_ours {
            std::fs::remove_file(&path).map_err(failed)?;
        }
    }
    for (name, page) in &pages {
        std::fs::write(directory.join(name), page).map_err(failed)?;
    }
    output.text(&format!("{shown} holds {} pages", pages.len())).map_err(Failure::from)
}

/// How many tools there are, in words.
fn tools(registry: &Registry) -> String {
    match registry.len() {
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    }
}
