//! One tool of which a field was changed in one place, before and after the change, as every surface shows it: `drill
//! before|after` and what to show.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use contract_core::projection::{contract, markdown, typescript};
use contract_core::rmcp::ServerIdentity;
use contract_core::{BoxFuture, Caller, Clock, ContractTool as _, Provided, Registry, ToolFilter, TrustProcessOwner};
use contract_tests::print_line;
use contract_tools::config::CliEnvironment;
use contract_tools::serve::forward::Forwarder;
use contract_tools::serve::http::mcp::{Identify, Unidentified};
use contract_tools::serve::remote::{Listening, Site, serve_site};
use contract_tools::serve::stdio;

include!("../../drill/pilot.rs");

mod before {
    pilot!(u32, |measured: u32| measured);
}

mod after {
    pilot!(String, |measured: u32| measured.to_string());
}

/// Takes any credential: who is calling is not what is tested.
struct Anybody;

impl Identify for Anybody {
    fn identify(&self, _: Option<&str>) -> BoxFuture<Result<Caller, Unidentified>> {
        Box::pin(std::future::ready(Ok(Caller::anonymous())))
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let entry = match arguments.first().map(String::as_str) {
        Some("before") => before::DrillPredict::entry(),
        _ => after::DrillPredict::entry(),
    };
    let registry = Registry::from_entries([entry]).expect("the tool keeps the conventions");
    let tools = || registry.list_tool_definitions(&ToolFilter::new());
    let clock = Clock::new(SystemTime::now);
    let identity = ServerIdentity { name: "drill".to_owned(), version: "0".to_owned(), instructions: None };
    let ended = match arguments.get(1).map(String::as_str) {
        Some("contract") => {
            print_line(contract::canonical(&tools()).trim_end());
            return ExitCode::SUCCESS;
        }
        Some("markdown") => {
            print_line(markdown::document(&tools()).trim_end());
            return ExitCode::SUCCESS;
        }
        Some("typescript") => {
            print_line(typescript::declarations(&tools()).trim_end());
            return ExitCode::SUCCESS;
        }
        Some("forward") => {
            let environment = CliEnvironment::of_process();
            let forwarder = Forwarder::new(environment, clock.clone());
            stdio::serve_forwarding(registry.clone(), ToolFilter::new(), identity, Provided::new(), forwarder, clock)
        }
        _ => {
            let site = Site {
                registry: registry.clone(),
                slice: ToolFilter::new(),
                identity,
                provided: Provided::new(),
                policy: Arc::new(TrustProcessOwner),
                identify: Arc::new(Anybody),
                readiness: Arc::new(|| Ok(())),
                clock,
            };
            let listening = Listening::at(([127, 0, 0, 1], 0).into());
            serve_site(site, listening, |address| {
                print_line(&format!("http://{address}"));
                Ok(())
            })
        }
    };
    if ended.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
