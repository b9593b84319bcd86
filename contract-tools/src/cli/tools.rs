//! `loopover tools`: the registry at a prompt.

use std::collections::BTreeSet;
use std::io::{Read, Write};

use clap::Subcommand;
use contract_core::projection::{markdown, mcp};
use contract_core::{
    Arguments, Availability, CallRequest, Caller, Categories, Clock, ErrorCode, Locality, ProtocolFault, Registry,
    ToolError, ToolFilter, TrustProcessOwner,
};
use serde_json::Value;

use super::store::Store;
use super::{Failure, Output, complain};
use crate::config::CliEnvironment;
use crate::git;
use crate::serve::demo::Demo;
use crate::serve::signals::Signals;
use crate::serve::{self, admin};

/// Arguments longer than this are refused rather than read: no tool takes as much.
const LONGEST_INPUT: u64 = 16 << 20;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the tools
    List {
        #[command(flatten)]
        filter: FilterArguments,
        /// How to print them
        #[arg(long, value_enum, default_value_t = ListFormat::Text)]
        format: ListFormat,
    },
    /// Show one tool's contract
    Show {
        /// Its name
        name: String,
        /// How to print it
        #[arg(long, value_enum, default_value_t = ShowFormat::Markdown)]
        format: ShowFormat,
    },
    /// Call one tool as the person who is logged in
    Call {
        /// Its name
        name: String,
        /// The arguments as a JSON object; `-` reads them from stdin
        #[arg(default_value = "{}")]
        arguments: String,
        #[command(flatten)]
        data: Data,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum ListFormat {
    /// A line each, for people
    Text,
    /// MCP's `tools/list` document
    Json,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum ShowFormat {
    /// A page, for people
    Markdown,
    /// The tool as MCP's `tools/list` has it
    Json,
}

/// What tools on shared data are asked about; the others are not touched by it.
#[derive(clap::Args)]
pub(crate) struct Data {
    #[command(flatten)]
    store: Store,
    /// Ask about an invented repository, out of a store that is gone afterwards
    #[arg(long, conflicts_with = "place")]
    demo: bool,
}

/// Which tools are meant; what is left out is not filtered.
#[derive(clap::Args)]
pub(crate) struct FilterArguments {
    /// Only tools whose data lives here: remote, local-git, miner
    #[arg(long)]
    locality: Option<Locality>,
    /// Only tools that this kind of deployment offers: cloud, selfhost, both
    #[arg(long)]
    availability: Option<Availability>,
    /// Only tools of this category
    #[arg(long)]
    category: Option<String>,
}

impl FilterArguments {
    /// The filter over `registry`; a category that neither a list nor a tool has is a slip.
    pub(crate) fn to_filter(&self, registry: &Registry) -> Result<ToolFilter, Failure> {
        let mut filter = ToolFilter::new();
        if let Some(locality) = self.locality {
            filter = filter.locality(locality);
        }
        if let Some(availability) = self.availability {
            filter = filter.availability(availability);
        }
        if let Some(category) = &self.category {
            let all = registry.list_tool_definitions(&ToolFilter::new());
            let categories: BTreeSet<&str> =
                Categories::DEFAULT.words().chain(all.iter().map(|tool| tool.category())).collect();
            if !categories.contains(category.as_str()) {
                let categories: Vec<&str> = categories.into_iter().collect();
                let message = format!("--category: there is no `{category}`; there are: {}", categories.join(", "));
                return Err(Failure::Usage(message));
            }
            filter = filter.category(category);
        }
        Ok(filter)
    }
}

pub(crate) fn run(
    command: Command,
    registry: &Registry,
    clock: &Clock,
    output: &mut Output<impl Write>,
) -> Result<(), Failure> {
    match command {
        Command::List { filter, format } => {
            let environment = CliEnvironment::of_process().environment;
            list(registry, &filter.to_filter(registry)?, admin::is_enabled(&environment), format, output)
        }
        Command::Show { name, format } => show(registry, &name, format, output),
        Command::Call { name, arguments, data } => call(registry, &name, arguments, &data, clock, output),
    }
}

/// What a tool does, on one line: the first sentence of its description, however that is broken into lines.
fn first_sentence(description: &str) -> String {
    let paragraph = description.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let end = words.iter().position(|word| word.ends_with(['.', '!', '?'])).map_or(words.len(), |last| last + 1);
    words.iter().take(end).copied().collect::<Vec<_>>().join(" ")
}

fn list(
    registry: &Registry,
    filter: &ToolFilter,
    with_admin: bool,
    format: ListFormat,
    output: &mut Output<impl Write>,
) -> Result<(), Failure> {
    let slice = admin::slice(filter.clone(), with_admin);
    let tools = registry.list_tool_definitions(&slice);
    match format {
        ListFormat::Json => output.json(&mcp::tools_list(&tools))?,
        ListFormat::Text => {
            let width = tools.iter().map(|tool| tool.name().len()).max().unwrap_or(0);
            let line = |tool: &&contract_core::ToolDefinition| {
                let first = first_sentence(tool.description());
                format!("{:width$}  {first}\n", tool.name())
            };
            output.text(&tools.iter().map(line).collect::<String>())?;
            for left_out in registry.list_tool_definitions(filter).into_iter().filter(|tool| !slice.matches(tool)) {
                complain(&format!("not listed: {}", admin::explanation(left_out)));
            }
        }
    }
    Ok(())
}

fn show(registry: &Registry, name: &str, format: ShowFormat, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let tool = registry.get(name).ok_or_else(|| unknown_tool(registry, name))?;
    match format {
        ShowFormat::Markdown => output.text(&markdown::page(tool))?,
        ShowFormat::Json => output.json(&Value::Object(mcp::tool(tool)))?,
    }
    Ok(())
}

fn call(
    registry: &Registry,
    name: &str,
    arguments: String,
    data: &Data,
    clock: &Clock,
    output: &mut Output<impl Write>,
) -> Result<(), Failure> {
    let environment = CliEnvironment::of_process().environment;
    let slice = admin::slice(ToolFilter::new(), admin::is_enabled(&environment));
    let mut provided = serve::of_process();
    let tool = registry.get(name);
    if let Some(left_out) = tool.filter(|tool| !slice.matches(tool)) {
        return Err(Failure::Usage(format!("{}; set it to call it here", admin::explanation(left_out))));
    }
    // It lives as long as the call.
    let demo = if data.demo { Some(Demo::new(clock.now()).map_err(Failure::Failed)?) } else { None };
    let mut is_storeless = false;
    if let Some(tool) = tool.filter(|tool| tool.locality() == Locality::Remote) {
        let forge = match &demo {
            Some(demo) => Some(demo.forge()),
            None => data.store.to_be_asked()?,
        };
        is_storeless = forge.is_none() && !admin::is_administrative(tool);
        provided = serve::on_shared_data(provided, forge, &environment);
    }
    let arguments = if arguments == "-" { read_stdin()? } else { arguments };
    let request = CallRequest {
        tool: name.to_owned(),
        arguments: Arguments::Text(arguments),
        caller: Caller::anonymous(),
        policy: std::sync::Arc::new(TrustProcessOwner),
    };
    let runtime = serve::runtime()?;
    let reply = runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let context = serve::context(clock, &std::sync::Arc::new(provided), serve::CALL_DEADLINE);
        tokio::select! {
            reply = registry.call(&slice, request, context) => Ok(reply),
            code = signals.any() => Err(Failure::Signalled(code)),
        }
    });
    // As in a server: neither threads that still work nor their git outlive the command.
    git::stop_all();
    runtime.shutdown_background();
    let reply = reply?.map_err(|fault| match fault {
        ProtocolFault::UnknownTool { nearest: None, .. } => unknown_tool(registry, name),
        fault => Failure::Usage(fault.to_string()),
    })?;
    match reply.result() {
        Ok(value) => output.json(value).map_err(Failure::from),
        // Only now, since what is wrong with the arguments goes before what is missing here.
        Err(error) if is_storeless && error.code() == ErrorCode::NotConfigured => {
            let message = "there is no forge store here; name one with `--store` or `LOOPOVER_STORE`, fill one with \
                           `loopover import`, or ask an invented one with `--demo`";
            refuse(&ToolError::not_configured(message), output)
        }
        Err(error) => refuse(error, output),
    }
}

/// The envelope of an error, as a server would send it.
fn refuse(error: &ToolError, output: &mut Output<impl Write>) -> Result<(), Failure> {
    output.json(&error.to_envelope())?;
    Err(Failure::Said)
}

fn read_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin().take(LONGEST_INPUT + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST_INPUT {
        return Err(Failure::Usage(format!("the arguments on stdin are longer than {LONGEST_INPUT} bytes")));
    }
    Ok(text)
}

fn unknown_tool(registry: &Registry, name: &str) -> Failure {
    let names: Vec<&str> = registry.list_tool_definitions(&ToolFilter::new()).iter().map(|tool| tool.name()).collect();
    Failure::Usage(format!("unknown tool `{name}`; there are: {}", names.join(", ")))
}
