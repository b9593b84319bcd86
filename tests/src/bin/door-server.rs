//! A server over the tools of the door's tests, for what no tool of the product does: wait, panic, print, report. Over stdio;
//! with `forward` it carries its calls to the configured server instead. Over HTTP when its arguments start with `http`; then
//! `NAME=NUMBER` sets a limit.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use contract_core::rmcp::ServerIdentity;
use contract_core::{
    BoxFuture, Caller, Cancelled, Clock, Locality, Progress, Provided, Registry, ToolFilter, TrustProcessOwner,
    contract_type, loopover_tool,
};
use contract_tools::config::CliEnvironment;
use contract_tools::serve::forward::Forwarder;
use contract_tools::serve::http::mcp::{Identify, Unidentified};
use contract_tools::serve::remote::{Listening, Site, serve_site};
use contract_tools::serve::stdio::{self, Ending};

#[path = "../../it/door/tools.rs"]
mod tools;

/// What was said.
#[contract_type]
struct Said {
    /// The text.
    text: String,
}

/// Print to stdout, where only the protocol belongs, and answer.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
#[expect(clippy::print_stdout, reason = "that it goes nowhere near the protocol is what the test shows")]
fn wire_prints() -> Said {
    println!("a stray line");
    Said { text: "printed".to_owned() }
}

/// Answer after a while, from a thread that blocks.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
#[expect(clippy::print_stderr, reason = "the test waits for it")]
fn wire_sleeps(
    /// How long.
    #[arg(maximum = 60_000, example = 1)]
    milliseconds: u64,
    #[inject] cancelled: Cancelled,
) -> Said {
    let end = std::time::Instant::now() + Duration::from_millis(milliseconds);
    while std::time::Instant::now() < end && !cancelled.is_cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
    if cancelled.is_cancelled() {
        eprintln!("wire_sleeps was cancelled");
    }
    Said { text: "awake".to_owned() }
}

/// Answer a text of any length.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn wire_talks(
    /// How many bytes.
    #[arg(maximum = 10_000_000, example = 1)]
    bytes: usize,
) -> Said {
    Said { text: "x".repeat(bytes) }
}

/// Report progress step by step and answer.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
async fn wire_reports(
    /// How many steps.
    #[arg(maximum = 100_000, example = 3)]
    steps: u32,
    #[inject] progress: Progress,
) -> Said {
    std::future::ready(()).await;
    for step in 1..=steps {
        progress.report(f64::from(step), Some(f64::from(steps)), format!("step {step}"));
    }
    Said { text: "done".to_owned() }
}

/// Answer whom the server let in.
#[loopover_tool(category = "utility", auth = "token", locality = "remote", availability = "both")]
fn wire_guarded(
    /// Something optional.
    #[arg(example = 1.5)]
    share: Option<f64>,
) -> Said {
    Said { text: format!("{share:?}") }
}

fn main() -> ExitCode {
    let registry = Registry::collect().expect("the tools make a registry");
    let identity = ServerIdentity { name: "door".to_owned(), version: "0".to_owned(), instructions: None };
    let provided = Provided::new().with(tools::Store { name: "shelf" });
    // The tools of the product are linked too; they have states of their own.
    let everything = ToolFilter::new().locality(Locality::Remote);
    let slice = everything.clone().category("utility");
    let clock = Clock::new(SystemTime::now);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let served = match arguments.split_first() {
        Some((first, limits)) if first == "http" => {
            let site = Site {
                registry,
                slice,
                identity,
                provided,
                policy: Arc::new(TrustProcessOwner),
                identify: Arc::new(KnowsThree::default()),
                readiness: Arc::new(|| Ok(())),
                clock,
            };
            let announce = |address| {
                contract_tests::print_line(&format!("http://{address}/mcp"));
                Ok(())
            };
            serve_site(site, listening(limits), announce)
        }
        Some((first, _)) if first == "forward" => {
            let environment = CliEnvironment::with_secret_files().expect("the secrets can be read");
            let forwarder = Forwarder::new(environment, clock.clone());
            stdio::serve_forwarding(registry, everything, identity, Provided::new(), forwarder, clock)
        }
        _ => stdio::serve_slice(registry, slice, identity, provided, clock),
    };
    match served {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Signalled(code)) => ExitCode::from(code),
        Err(_) => ExitCode::FAILURE,
    }
}

/// The limits that the arguments set, milliseconds where they are times.
fn listening(limits: &[String]) -> Listening {
    let mut listening = Listening::at(([127, 0, 0, 1], 0).into());
    for limit in limits {
        let (name, value) = limit.split_once('=').expect("NAME=NUMBER");
        let number: usize = value.parse().expect("a number");
        let time = Duration::from_millis(number as u64);
        match name {
            "connections" => listening.limits.connections = number,
            "head" => listening.limits.head = time,
            "half-closed" => listening.limits.half_closed = time,
            "stall" => listening.limits.stall = time,
            "drain" => listening.limits.drain = time,
            "sessions" => listening.sessions.sessions = number,
            "unused" => listening.sessions.unused = time,
            "keep-alive" => listening.sessions.keep_alive = time,
            "calls" => listening.calls = time,
            "answers" => listening.sessions.answers = time,
            _ => panic!("there is no limit {name}"),
        }
    }
    listening
}

/// Knows the bearers of `one` and of `two`, and that of `passing` until somebody says `forget-passing`.
#[derive(Default)]
struct KnowsThree {
    has_forgotten: AtomicBool,
}

impl Identify for KnowsThree {
    fn identify(&self, authorization: Option<&str>) -> BoxFuture<Result<Caller, Unidentified>> {
        Box::pin(std::future::ready(match authorization {
            None => Ok(Caller::anonymous()),
            Some("Bearer one" | "bearer one") => Ok(Caller::authenticated("one".to_owned())),
            Some("Bearer two") => Ok(Caller::authenticated("two".to_owned())),
            Some("Bearer passing") if !self.has_forgotten.load(Ordering::Relaxed) => {
                Ok(Caller::authenticated("passing".to_owned()))
            }
            Some("Bearer forget-passing") => {
                self.has_forgotten.store(true, Ordering::Relaxed);
                Err(Unidentified::WrongCredential)
            }
            Some("Bearer nobody-knows") => Err(Unidentified::Unavailable("busy")),
            Some(_) => Err(Unidentified::WrongCredential),
        }))
    }
}

/// Say who is calling, as the server knows them.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn wire_who(#[inject] caller: Caller) -> Said {
    Said { text: caller.identity::<String>().cloned().unwrap_or_default() }
}

/// What two numbers make together.
#[contract_type]
struct Sum {
    /// The sum.
    sum: i64,
}

/// Add two numbers and answer their sum.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn wire_add(
    /// The one.
    #[arg(minimum = -1_000_000, maximum = 1_000_000, example = 1)]
    a: i64,
    /// The other.
    #[arg(minimum = -1_000_000, maximum = 1_000_000, example = 2)]
    b: i64,
) -> Sum {
    Sum { sum: a + b }
}
