//! `loopover miner`: the miner's tools for an MCP client, answers about them in plain language, and a small invented state
//! to try them on.

use std::ffi::OsString;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Subcommand;
use contract_core::{Clock, Registry};

use super::{CLIENT_ENDS, Failure, Output, SERVER_ENDS};
use crate::chat::claude::supervise;
use crate::chat::conversation::Patience;
use crate::chat::http::{self, ChatSettings};
use crate::contract;
use crate::miner::{MinerHome, demo};
use crate::serve;
use crate::serve::stdio::Ending;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the miner's read-only tools to an MCP client on stdin and stdout
    #[command(after_help = CLIENT_ENDS)]
    Mcp {
        /// Where relative paths start from; by default here
        #[arg(long)]
        directory: Option<PathBuf>,
    },
    /// Answer questions about the miner on this machine: POST /api/chat, and a page that says how things stand
    #[command(after_help = SERVER_ENDS)]
    Serve {
        /// Where to listen; an address of this machine's loopback, port 0 for any free one
        #[arg(long, value_name = "ADDRESS:PORT", default_value_t = ChatSettings::default().address)]
        bind: SocketAddr,
        /// How many chats are held at once; each is a process of its own
        #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=64),
            default_value_t = ChatSettings::default().most_chats)]
        most_chats: u8,
        /// How many seconds a chat may take
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "120")]
        chat_time: Duration,
        /// How many seconds a chat may be silent
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "45")]
        idle_time: Duration,
        /// How many seconds pass before a silent stream says that it is alive
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "15")]
        keep_alive: Duration,
    },
    /// Run a program, and leave nothing of it or of what it started
    #[command(hide = true)]
    Supervise {
        /// The number of the process that starts this one, whose end is also the program's
        #[arg(long, value_name = "NUMBER")]
        server: Option<u32>,
        /// The program and its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
    /// Make a state directory with a few invented entries, to try the tools on
    Init {
        /// Say that the entries are to be invented: real ones are the miner's own to make
        #[arg(long, required = true)]
        demo: bool,
        /// Where
        #[arg(default_value = "loopover-miner-demo")]
        directory: PathBuf,
    },
}

pub(crate) fn run(command: Command, clock: Clock, output: &mut Output<impl Write>) -> Result<(), Failure> {
    match command {
        Command::Mcp { directory } => {
            if let Some(directory) = directory {
                let shown = directory.display();
                std::env::set_current_dir(&directory)
                    .map_err(|error| Failure::Failed(format!("{shown} cannot be entered: {error}")))?;
            }
            match serve::miner::serve(Registry::collect()?, clock).map_err(Failure::Failed)? {
                Ending::Done => Ok(()),
                Ending::Signalled(code) => Err(Failure::Signalled(code)),
            }
        }
        Command::Serve { bind, most_chats, chat_time, idle_time, keep_alive } => {
            let patience = Patience { whole: chat_time, idle: idle_time };
            let settings = ChatSettings { address: bind, most_chats, patience, keep_alive };
            let registry = Registry::collect()?;
            contract::require_roster(&registry)?;
            let code = http::serve(&registry, clock, settings, |link| {
                output.text(&format!("Open this link once; it lets your browser in:\n\n  {link}\n"))
            });
            Err(Failure::Signalled(code.map_err(Failure::Failed)?))
        }
        Command::Supervise { server, command } => {
            let mut words = command.into_iter();
            let mut program = std::process::Command::new(words.next().unwrap_or_default());
            program.args(words);
            let code = supervise(program, server)
                .map_err(|error| Failure::Failed(format!("it cannot be started: {error}")))?;
            if code == 0 { Ok(()) } else { Err(Failure::Signalled(code)) }
        }
        Command::Init { demo: _, directory } => {
            let directory = MinerHome::of_process().absolute(&directory);
            let shown = directory.display();
            demo::write(&directory).map_err(|error| Failure::Failed(format!("{shown} cannot be filled: {error}")))?;
            let program = std::env::current_exe().map_or_else(|_| "loopover".to_owned(), |path| quoted(&path));
            let text = format!(
                "{shown} holds an invented miner's state. Ask it something:\n\n  \
                 LOOPOVER_MINER_CONFIG_DIR={} {program} tools call loopover_miner_list_claims\n",
                quoted(&directory)
            );
            output.text(&text).map_err(Failure::from)
        }
    }
}

/// A path as a shell reads it as one word.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let seconds = seconds.filter(|seconds| !seconds.is_zero() && *seconds <= Duration::from_hours(24));
    seconds.ok_or_else(|| "write a number of seconds above 0, at most a day of them".to_owned())
}
