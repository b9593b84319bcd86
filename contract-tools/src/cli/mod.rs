//! The command line: what was typed, what it means, what it prints.
//!
//! Results go to stdout through `output::Output` and nothing else does; what people should know goes to stderr. Exit codes:
//! 0 done, 1 the work failed, 2 the command line was wrong, 129, 130 and 143 a signal said to stop.

mod client_config;
mod contract;
mod doctor;
mod escape;
mod evolution;
mod import;
mod miner;
mod output;
mod serve;
mod session;
mod store;
mod sync;
mod tools;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use contract_core::{Clock, Registry};

use self::output::Output;
pub(crate) use self::output::complain;
use crate::serve::stdio::{self, Ending};

/// Contract-first tools for LLM agents.
#[derive(Parser)]
#[command(name = "loopover", version, about, arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// How a server over HTTP ends.
pub(crate) const SERVER_ENDS: &str = "\
Ends in good order by a signal, with the exit code that shells give it: 143 for SIGTERM, 130 for SIGINT, 129 for SIGHUP. \
1 is a server that cannot serve";
/// How a server on stdin and stdout ends.
pub(crate) const CLIENT_ENDS: &str = "\
Ends with its client, exit code 0, or in good order by a signal, with the exit code that shells give it: 143 for SIGTERM, \
130 for SIGINT, 129 for SIGHUP. 1 is a server that cannot serve";

#[derive(Subcommand)]
enum Command {
    /// Serve the tools on shared data over HTTP
    #[command(after_help = SERVER_ENDS)]
    Serve(serve::Command),
    /// Serve the local tools to an MCP client on stdin and stdout
    #[command(after_help = CLIENT_ENDS)]
    Stdio,
    /// The miner on this machine
    #[command(subcommand)]
    Miner(miner::Command),
    /// Copy repositories from GitHub into the store
    Sync(sync::Options),
    /// List, show and call tools
    #[command(subcommand)]
    Tools(tools::Command),
    /// Check, export, compare and accept the contract of all tools
    #[command(subcommand)]
    Contract(contract::Command),
    /// Make, list and end the sessions of those who may ask the server
    #[command(subcommand)]
    Session(session::Command),
    /// Print what to paste into an MCP client to have it start this program
    ClientConfig {
        /// Which client
        #[arg(value_enum)]
        client: client_config::McpClient,
    },
    /// Take repository data from files into the forge store
    Import(import::Arguments),
    /// Say what is in order on this machine and what is not
    Doctor {
        /// How to print it
        #[arg(long, value_enum, default_value_t = doctor::Format::Text)]
        format: doctor::Format,
    },
    /// Print a shell's completion script
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// Why a command ended without doing its work.
pub(crate) enum Failure {
    /// The work failed; everything to say has been said on stdout.
    Said,
    /// The work failed, and this is why.
    Failed(String),
    /// The command line was wrong, and this is what would be right.
    Usage(String),
    /// A signal ended the work, or a program that was run for its caller did; the exit code is the one that shells give it.
    Signalled(u8),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}

pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>, clock: Clock) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers, not errors; clap knows which is which. A closed pipe loses nothing.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    // Without it a limit on files only speaks less clearly.
    let _ = crate::serve::signals::outlive_file_limits();
    match dispatch(arguments.command, clock) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Said) => ExitCode::from(1),
        Err(Failure::Failed(message)) => {
            complain(&message);
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            complain(&message);
            ExitCode::from(2)
        }
        Err(Failure::Signalled(code)) => ExitCode::from(code),
    }
}

fn dispatch(command: Command, clock: Clock) -> Result<(), Failure> {
    let mut output = Output::stdout();
    match command {
        Command::Stdio => match stdio::serve(Registry::collect()?, clock).map_err(Failure::Failed)? {
            Ending::Done => Ok(()),
            Ending::Signalled(code) => Err(Failure::Signalled(code)),
        },
        Command::Serve(command) => serve::run(command, clock, &mut output),
        Command::Miner(command) => miner::run(command, clock, &mut output),
        Command::Sync(options) => sync::run(&options, clock, &mut output),
        Command::Tools(command) => tools::run(command, &Registry::collect()?, &clock, &mut output),
        Command::Contract(command) => contract::run(command, &Registry::collect()?, &mut output),
        Command::Session(command) => session::run(command, &clock, &mut output),
        Command::ClientConfig { client } => client_config::run(client, &mut output),
        Command::Import(arguments) => import::run(arguments, clock, &mut output),
        Command::Doctor { format } => doctor::run(format, &clock, &mut output),
        Command::Completions { shell } => completions(shell, &mut output),
    }
}

fn completions(shell: clap_complete::Shell, output: &mut Output<impl std::io::Write>) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "loopover", &mut script);
    output.text(&String::from_utf8_lossy(&script)).map_err(Failure::from)
}
