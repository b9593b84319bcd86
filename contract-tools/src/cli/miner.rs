//! `loopover miner`: the miner's tools for an MCP client, and a small invented state to try them on.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use contract_core::{Clock, Registry};

use super::{Failure, Output};
use crate::miner::{MinerHome, demo};
use crate::serve;
use crate::serve::stdio::Ending;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the miner's read-only tools to an MCP client on stdin and stdout
    Mcp,
    /// Make a state directory
    Init {
        /// Fill it with a few invented entries; without this nothing is made, since the miner makes its own state
        #[arg(long, required = true)]
        demo: bool,
        /// Where; by default `loopover-miner-demo` here
        #[arg(default_value = "loopover-miner-demo")]
        directory: PathBuf,
    },
}

pub(crate) fn run(command: Command, clock: Clock, output: &mut Output<impl Write>) -> Result<(), Failure> {
    match command {
        Command::Mcp => match serve::miner::serve(Registry::collect()?, clock).map_err(Failure::Failed)? {
            Ending::Done => Ok(()),
            Ending::Signalled(code) => Err(Failure::Signalled(code)),
        },
        Command::Init { demo: _, directory } => {
            let directory = MinerHome::of_process().absolute(&directory);
            let shown = directory.display();
            demo::write(&directory).map_err(|error| Failure::Failed(format!("{shown} cannot be filled: {error}")))?;
            let text = format!(
                "{shown} holds an invented miner's state. Ask it something:\n\n  \
                 LOOPOVER_MINER_CONFIG_DIR='{shown}' loopover tools call loopover_miner_list_claims\n"
            );
            output.text(&text).map_err(Failure::from)
        }
    }
}
