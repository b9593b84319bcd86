//! A server that is killed under load and comes back: every failed call is a clear error at its client, and nothing that was
//! committed is lost.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use contract_tests::http_client::{Ask, HttpServer, eventually};
use contract_tests::stdio_client::StdioClient;
use serde_json::{Value, json};

use super::{World, arguments, credential, outcome, path_text};

const TOKEN: &str = "the-api-token";

const TOOL: &str = "loopover_get_repo_context";

/// How many clients call at once, and how often the server is killed.
const CLIENTS: usize = 3;
const KILLS: usize = 3;

/// What the clients were answered: successes, and errors by their words.
#[derive(Default)]
struct Heard {
    good: usize,
    errors: Vec<(String, String)>,
}

fn client(world: &World, address: SocketAddr) -> StdioClient {
    let url = format!("http://{address}");
    let mut command = world.program(&[("LOOPOVER_API_URL", url.as_str()), ("LOOPOVER_TOKEN", TOKEN)]);
    command.arg("stdio");
    let mut client = StdioClient::start_command(command);
    client.initialize();
    client
}

fn hear(heard: &Mutex<Heard>, answer: &Value) {
    let mut heard = heard.lock().unwrap();
    match outcome(&json!({ "result": answer })).as_str() {
        "ok" => heard.good += 1,
        code => {
            let text = answer["content"][0]["text"].as_str().unwrap().to_owned();
            heard.errors.push((code.to_owned(), text));
        }
    }
}

fn start(world: &World, address: SocketAddr) -> HttpServer {
    world.serve_at(address, &[("LOOPOVER_API_TOKEN", TOKEN)], &["--rate-limits", "off"])
}

#[test]
fn clients_are_told_clearly_and_what_was_committed_is_there() {
    let world = Arc::new(World::new());
    let mut server = start(&world, ([127, 0, 0, 1], 0).into());
    let address = server.address;
    let is_over = Arc::new(AtomicBool::new(false));
    let heard: Arc<Mutex<Heard>> = Arc::default();
    let committed: Arc<Mutex<Vec<String>>> = Arc::default();
    let calling: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (world, heard, is_over) = (Arc::clone(&world), Arc::clone(&heard), Arc::clone(&is_over));
            thread::spawn(move || {
                let mut client = client(&world, address);
                while !is_over.load(Ordering::Relaxed) {
                    hear(&heard, &client.call(TOOL, &arguments(TOOL, "kim")));
                }
                // The same client, after all of it.
                client.call(TOOL, &arguments(TOOL, "kim"))
            })
        })
        .collect();
    // Meanwhile somebody writes to the store that the server reads.
    let writing = thread::spawn({
        let (world, committed, is_over) = (Arc::clone(&world), Arc::clone(&committed), Arc::clone(&is_over));
        move || {
            while !is_over.load(Ordering::Relaxed) {
                let mut command = world.program(&[]);
                let output = command.args(["session", "create", "dana", "--store", path_text(&world.store())]).output();
                let output = output.unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                committed.lock().unwrap().push(String::from_utf8(output.stdout).unwrap().trim().to_owned());
            }
        }
    });
    let good = |heard: &Mutex<Heard>| heard.lock().unwrap().good;
    for _ in 0..KILLS {
        let before = good(&heard);
        assert!(eventually(|| good(&heard) > before + CLIENTS), "calls are answered");
        let errors = heard.lock().unwrap().errors.len();
        server.end("-KILL");
        assert!(eventually(|| heard.lock().unwrap().errors.len() > errors), "somebody met the dead server");
        server = start(&world, address);
    }
    let before = good(&heard);
    assert!(eventually(|| good(&heard) > before + CLIENTS), "calls are answered again");
    is_over.store(true, Ordering::Relaxed);
    writing.join().unwrap();
    for client in calling {
        assert_eq!(outcome(&json!({ "result": client.join().unwrap() })), "ok");
    }
    for (code, text) in &heard.lock().unwrap().errors {
        assert_eq!(code, "upstream_error", "{text}");
        assert!(text.contains("cannot be reached") || text.contains("ended the connection"), "{text}");
        assert!(!text.contains(TOKEN), "{text}");
    }
    let committed = committed.lock().unwrap();
    assert!(!committed.is_empty());
    for token in committed.iter() {
        let ask = credential(Ask::call(&server, TOOL, &arguments(TOOL, "dana")), Some(token));
        assert_eq!(outcome(&ask.answer(&server).json()), "ok", "a committed session is lost");
    }
    assert_eq!(server.end("-TERM"), Some(143));
}

#[test]
fn a_server_that_is_gone_does_not_hold_its_clients_up() {
    let world = World::new();
    let mut server = start(&world, ([127, 0, 0, 1], 0).into());
    let mut client = client(&world, server.address);
    assert_eq!(outcome(&json!({ "result": client.call(TOOL, &arguments(TOOL, "kim")) })), "ok");
    server.end("-KILL");
    let started = Instant::now();
    assert_eq!(outcome(&json!({ "result": client.call(TOOL, &arguments(TOOL, "kim")) })), "upstream_error");
    assert!(started.elapsed() < Duration::from_secs(20));
    // The tools of this machine are not touched by it.
    let status = client.call("loopover_local_status_structured", &json!({ "cwd": "/" }));
    assert_eq!(outcome(&json!({ "result": status })), "ok");
}
