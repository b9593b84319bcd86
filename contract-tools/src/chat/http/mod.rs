//! `loopover miner serve`: the chat and a page about it, on this machine alone and for the person who started it.

mod chat;
pub mod gate;
mod page;
mod reply;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::routing::{get, post};
use axum::{Router, middleware};
use contract_core::{Clock, Registry};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use self::gate::Gate;
use super::claude::ClaudeQuery;
use super::conversation::{Conversations, Patience};
use super::telemetry::LogTelemetry;
use crate::miner::MinerHome;
use crate::serve::http::body::Room;
use crate::serve::http::listener::{self, Limits};
use crate::serve::miner::slice;
use crate::serve::remote::log;
use crate::serve::signals::Signals;

/// What the bodies of questions may hold together: several of the longest.
const ROOM: usize = 16 * 1024 * 1024;

/// What the person who starts the server decides.
#[derive(Clone, Copy, Debug)]
pub struct ChatSettings {
    /// Where to listen; an address of the loopback.
    pub address: SocketAddr,
    /// Chats at once.
    pub most_chats: u8,
    /// How long one may take.
    pub patience: Patience,
    /// How often a silent stream says that it is alive.
    pub keep_alive: Duration,
}

impl Default for ChatSettings {
    fn default() -> Self {
        Self {
            address: (Ipv4Addr::LOCALHOST, 4177).into(),
            most_chats: 4,
            patience: Patience::default(),
            keep_alive: Duration::from_secs(15),
        }
    }
}

/// What the routes share.
#[derive(Clone)]
pub struct ChatServer {
    /// Whose miner.
    pub home: Arc<MinerHome>,
    /// What time it is.
    pub clock: Clock,
    /// The tools that a chat has: name, and what it is for.
    pub tools: Arc<Vec<(String, String)>>,
    /// Who holds chats.
    pub conversations: Conversations,
    /// How many more may be held.
    pub seats: Arc<Semaphore>,
    /// What the bodies of questions may hold.
    pub room: Room,
    /// How often a silent stream says that it is alive.
    pub keep_alive: Duration,
}

impl ChatServer {
    /// The routes behind their gate. Whatever route is added here is behind it too, which answers for what is not there.
    pub fn router(self, gate: Arc<Gate>) -> Router {
        Router::new()
            .route("/", get(page::show))
            .route(gate::BOOTSTRAP, get(gate::bootstrap))
            .route(gate::CHAT, post(chat::chat))
            .with_state((self, Arc::clone(&gate)))
            .layer(middleware::from_fn_with_state(gate, gate::layer))
    }
}

/// The tools of the miner's slice, by name.
fn tools(registry: &Registry) -> Vec<(String, String)> {
    let tools = registry.list_tool_definitions(&slice());
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    tools.iter().map(|tool| (tool.name().to_owned(), first(tool.description()))).collect()
}

/// Serves until a signal says so. `listening` is told the link that lets its reader in, once.
///
/// # Errors
/// When a variable names a secret's file that cannot be read, the address is none of the loopback or taken, the program
/// cannot find itself, the link cannot be told, or the runtime cannot start.
pub fn serve(
    registry: &Registry,
    clock: Clock,
    settings: ChatSettings,
    listening: impl FnOnce(&str) -> io::Result<()>,
) -> Result<u8, String> {
    if !settings.address.ip().is_loopback() {
        return Err(format!("{} is not on the loopback; the chat is for this machine alone", settings.address));
    }
    log::start();
    let mut home = MinerHome::of_process();
    home.resolve_secret_files()?;
    let home = Arc::new(home);
    let program = std::env::current_exe().map_err(|error| format!("this program cannot find itself: {error}"))?;
    let tools = tools(registry);
    let names = tools.iter().map(|(name, _)| name.clone()).collect();
    let query = Arc::new(ClaudeQuery::new(Arc::clone(&home), program, names));
    query.nursery().take_orphans_in().map_err(|error| format!("the system hands no orphans over: {error}"))?;
    let cleared = ClaudeQuery::clear_left_over();
    if cleared > 0 {
        tracing::info!(target: log::TARGET, cleared, "directories of sessions whose server was killed");
    }
    let ending = CancellationToken::new();
    let server = ChatServer {
        home,
        clock,
        tools: Arc::new(tools),
        conversations: Conversations {
            query: Arc::clone(&query) as Arc<_>,
            telemetry: Arc::new(LogTelemetry),
            patience: settings.patience,
            ending: ending.clone(),
        },
        seats: Arc::new(Semaphore::new(settings.most_chats.into())),
        room: Room::new(ROOM),
        keep_alive: settings.keep_alive,
    };
    let runtime = crate::serve::runtime().map_err(|error| error.to_string())?;
    let ended = runtime.block_on(async {
        let mut signals = Signals::listen().map_err(|error| error.to_string())?;
        let listener = TcpListener::bind(settings.address).await;
        let listener = listener.map_err(|error| format!("{} cannot be listened on: {error}", settings.address))?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let gate = Arc::new(Gate::new(address)?);
        // Nobody could come in.
        listening(&gate.link()).map_err(|error| format!("the link cannot be told: {error}"))?;
        let serving = listener::serve(listener, server.router(gate), Limits::default(), ending.clone());
        let signalled = async {
            let code = signals.any().await;
            ending.cancel();
            code
        };
        let ((), code) = tokio::join!(serving, signalled);
        Ok(code)
    });
    query.nursery().end();
    runtime.shutdown_background();
    ended
}
