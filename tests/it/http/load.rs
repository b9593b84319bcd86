//! Many clients at once: no error, flat memory; and how long a call takes, beside a server of rmcp's own macros.
//!
//! 64 clients, each in a session of its own, ask each server for `LOAD_SECONDS`, ten unless told; the other ways of asking get a
//! short run each. The figures are printed; at 64 clients they are those of a machine that has no time left, so a call's own
//! time is the one at one client. What is judged is that nothing fails, that memory stays what it was, and that one client in a
//! session, which should wait less than a millisecond, does not wait ten times that: then somebody waits for a timer.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use contract_tests::http_client::{Ask, Connection, HttpServer, initialize, resident_kibibytes};
use serde_json::json;

use super::door_server;

const CLIENTS: usize = 64;

/// So much may a server that is warm grow while it serves more of the same.
const SLACK_KIBIBYTES: u64 = 16 * 1024;

fn seconds() -> Duration {
    let told = std::env::var("LOAD_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(told.unwrap_or(10))
}

/// A server of one tool, `add`, written with rmcp's macros over rmcp's HTTP.
fn macro_server() -> HttpServer {
    HttpServer::start(Command::new(env!("CARGO_BIN_EXE_macro-server")), 1)
}

/// What is sent again and again, over one connection.
#[derive(Clone)]
enum Calls {
    /// Requests of 2026-07-28.
    Alone(Ask),
    /// Requests in a session of 2025-11-25.
    InSession { initialize: Ask, call: Ask },
}

impl Calls {
    fn alone(server: &HttpServer, tool: &str, arguments: &serde_json::Value) -> Self {
        Self::Alone(Ask::call(server, tool, arguments))
    }

    fn in_session(server: &HttpServer, tool: &str, arguments: &serde_json::Value) -> Self {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        Self::InSession {
            initialize: Ask::post(server, initialize("2025-11-25")),
            call: Ask::post(server, call.to_string()).with("MCP-Protocol-Version", "2025-11-25"),
        }
    }

    /// A connection that is ready, and the bytes of one call on it.
    fn begin(&self, server: std::net::SocketAddr) -> (Connection, Vec<u8>) {
        let mut connection = Connection::to(server);
        match self {
            Self::Alone(call) => (connection, call.bytes()),
            Self::InSession { initialize, call } => {
                let opened = connection.ask(initialize);
                let id = opened.header("mcp-session-id").expect("a session").to_owned();
                let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
                let call = call.clone().with("Mcp-Session-Id", &id);
                assert_eq!(connection.ask(&call.clone().body(ready)).status, 202);
                (connection, call.bytes())
            }
        }
    }
}

/// The times of all calls that so many clients make in that time, in order; every answer has to have `expected` in it.
fn times(server: &HttpServer, calls: &Calls, clients: usize, time: Duration, expected: &'static str) -> Vec<Duration> {
    let over = Arc::new(AtomicBool::new(false));
    let workers: Vec<_> = (0..clients)
        .map(|_| {
            let (over, calls, address) = (Arc::clone(&over), calls.clone(), server.address);
            thread::spawn(move || {
                let (mut connection, bytes) = calls.begin(address);
                let mut times = Vec::new();
                while !over.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    connection.send(&bytes);
                    let answer = connection.answer();
                    times.push(begun.elapsed());
                    assert!(answer.status == 200 && answer.text().contains(expected), "{answer:?}");
                }
                times
            })
        })
        .collect();
    thread::sleep(time);
    over.store(true, Ordering::Relaxed);
    let mut times: Vec<Duration> =
        workers.into_iter().flat_map(|worker| worker.join().expect("no call fails")).collect();
    times.sort_unstable();
    times
}

/// The middle and the slow end of some times, in milliseconds.
fn percentiles(times: &[Duration]) -> (f64, f64) {
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
    (at(50), at(99))
}

fn print(what: &str, times: &[Duration], time: Duration) {
    let (half, most) = percentiles(times);
    let rate = f64::from(u32::try_from(times.len()).unwrap_or(u32::MAX)) / time.as_secs_f64();
    let (calls, seconds) = (times.len(), time.as_secs_f64());
    contract_tests::print_line(&format!(
        "{what}: {calls} calls in {seconds:.1} s, none failed, {rate:.0} calls/s, p50 {half:.2} ms, p99 {most:.2} ms"
    ));
}

#[test]
fn many_clients_at_once_are_all_answered_and_cost_no_memory() {
    let (ours, theirs) = (door_server(&[]), macro_server());
    let long = seconds();
    let short = long / 20;
    let add = json!({ "a": 1, "b": 2 });
    let sum = "\"sum\":3";
    let ways = [
        ("one client, standing alone", false, 1, short),
        ("one client, in a session", true, 1, short),
        ("64 clients, standing alone", false, CLIENTS, short),
        ("64 clients, in sessions", true, CLIENTS, long),
    ];
    for (way, in_session, clients, time) in ways {
        for (server, name, tool) in [(&ours, "this transport", "wire_add"), (&theirs, "rmcp's macros", "add")] {
            let calls =
                if in_session { Calls::in_session(server, tool, &add) } else { Calls::alone(server, tool, &add) };
            // What is allocated once is allocated now.
            times(server, &calls, clients, (time / 2).min(Duration::from_secs(1)), sum);
            let before = resident_kibibytes(server.id());
            let measured = times(server, &calls, clients, time, sum);
            let after = resident_kibibytes(server.id());
            print(&format!("{way}, {name}"), &measured, time);
            if name != "this transport" {
                continue;
            }
            contract_tests::print_line(&format!("{way}, {name}: {before} KiB before, {after} KiB after"));
            assert!(after < before + SLACK_KIBIBYTES, "{way}: {before} KiB, then {after} KiB");
            if in_session && clients == 1 {
                let (half, _) = percentiles(&measured);
                assert!(half < 10.0, "one client waits {half} ms for a call in its session");
            }
        }
    }
}
