//! Calls are counted by caller and tool, at the one door; listing is free, and so is everything where counting is off.

use contract_tests::http_client::{Ask, HttpServer};
use serde_json::{Value, json};

use super::{World, arguments, credential, outcome};

const TOOL: &str = "loopover_predict_gate";

/// How many calls of [`TOOL`] a caller has in five minutes.
const CALLS: usize = 20;

const TOKEN: [(&str, &str); 1] = [("LOOPOVER_API_TOKEN", "the-api-token")];

fn call(server: &HttpServer, token: &str, arguments: &Value) -> Value {
    credential(Ask::call(server, TOOL, arguments), Some(token)).answer(server).json()
}

#[test]
fn a_caller_that_calls_too_often_is_told_how_long_to_wait() {
    let world = World::new();
    let server = world.serve(&TOKEN, &[]);
    let token = &world.sessions["maintainer"];
    let valid = arguments(TOOL, "dana");
    for number in 0..CALLS {
        // Listing is not counted; a call that is refused for its arguments is.
        credential(Ask::alone(&server, "tools/list", json!({})), Some(token)).answer(&server);
        let arguments = if number % 2 == 0 { valid.clone() } else { json!({}) };
        let expected = if number % 2 == 0 { "ok" } else { "invalid_input" };
        assert_eq!(outcome(&call(&server, token, &arguments)), expected);
    }
    let refused = call(&server, token, &valid);
    assert_eq!(outcome(&refused), "rate_limited");
    let message = refused["result"]["content"][0]["text"].as_str().unwrap();
    let wait: u64 = message.split("wait ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap();
    assert!((1..=300).contains(&wait), "{message}");
    // Another caller and another tool have their own.
    assert_eq!(outcome(&call(&server, "the-api-token", &valid)), "ok");
    let other = Ask::call(&server, "loopover_get_repo_context", &arguments("loopover_get_repo_context", "dana"));
    assert_eq!(outcome(&credential(other, Some(token)).answer(&server).json()), "ok");
    // Who may not call is refused for that, however often.
    assert_eq!(outcome(&call(&server, &world.sessions["stranger"], &valid)), "forbidden");
}

#[test]
fn where_counting_is_off_everybody_calls_as_often_as_they_want() {
    let world = World::new();
    let server = world.serve(&TOKEN, &["--rate-limits", "off"]);
    for _ in 0..CALLS + 5 {
        assert_eq!(outcome(&call(&server, "the-api-token", &arguments(TOOL, "dana"))), "ok");
    }
}

#[test]
fn the_demonstration_does_not_count() {
    let world = World::new();
    let mut command = world.program(&[]);
    command.args(["serve", "--demo", "--bind", "127.0.0.1:0"]);
    let server = HttpServer::start(command, 2);
    for _ in 0..CALLS + 5 {
        assert_eq!(outcome(&call(&server, &server.said[1], &arguments(TOOL, "demo"))), "ok");
    }
}
