//! One field of one output is changed in one place. Its handler does not compile until it is mended (`ui/drill`); when it
//! is, every surface tells of the change: the contract, the documents, the server, and the server's older clients.

use std::process::Command;

use contract_tests::http_client::{Ask, HttpServer};
use contract_tests::stdio_client::StdioClient;
use contract_tools::contract::first_difference;
use serde_json::{Value, json};

/// The program with and without the change.
const DRILL: &str = env!("CARGO_BIN_EXE_drill");

/// The field that was changed.
const FIELD: &str = "readinessScore";

fn shown(which: &str, what: &str) -> String {
    let output = Command::new(DRILL).args([which, what]).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn served(which: &str) -> HttpServer {
    let mut command = Command::new(DRILL);
    command.args([which, "serve"]);
    HttpServer::start(command, 1)
}

/// What a client built of one contract hears from a server built of another.
fn asked(client: &str, server: &HttpServer) -> Value {
    let mut command = Command::new(DRILL);
    command.args([client, "forward"]).env_clear();
    command.env("LOOPOVER_API_URL", format!("http://{}", server.address)).env("LOOPOVER_TOKEN", "any");
    let mut client = StdioClient::start_command(command);
    client.initialize();
    client.call("drill_predict", &json!({ "title": "Fix the parser" }))
}

/// The part of `after` that `before` has not, from three lines before it on.
fn changed<'text>(before: &str, after: &'text str) -> Vec<&'text str> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let start = first_difference(before, after).expect("they differ") - 1;
    let same_at_end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(one, other)| one == other);
    let end = new.len() - same_at_end.count();
    new[start.saturating_sub(3)..end].to_vec()
}

#[test]
fn the_contract_and_the_documents_tell_of_the_field_and_of_nothing_else() {
    for what in ["contract", "markdown", "typescript"] {
        let (before, after) = (shown("before", what), shown("after", what));
        let told = changed(&before, &after);
        assert!(told.iter().any(|line| line.contains(FIELD)) && told.len() <= 6, "{what}: {told:#?}");
    }
}

#[test]
fn a_client_of_the_old_contract_is_told_the_field_by_its_own_program() {
    let before = served("before");
    let answer = asked("before", &before);
    assert_eq!(answer["structuredContent"], json!({ "conclusion": "pass", FIELD: 21 }));
    assert_eq!(asked("after", &served("after"))["structuredContent"], json!({ "conclusion": "pass", FIELD: "21" }));
    for (client, server, expected) in [("before", served("after"), "integer"), ("after", before, "string")] {
        let answer = asked(client, &server);
        let text = answer["content"][0]["text"].as_str().unwrap();
        let error: Value = serde_json::from_str(text).unwrap();
        assert_eq!(error["error"]["code"], "upstream_error");
        let message = error["error"]["message"].as_str().unwrap();
        assert!(
            message.contains(&format!("/{FIELD}: must be an {expected}"))
                || message.contains(&format!("/{FIELD}: must be a {expected}")),
            "{message}"
        );
    }
}

#[test]
fn the_server_advertises_what_it_answers_now() {
    let server = served("after");
    let listed = Ask::alone(&server, "tools/list", json!({})).answer(&server).json();
    let schema = &listed["result"]["tools"][0]["outputSchema"];
    assert_eq!(schema["properties"][FIELD]["type"], "string", "{listed}");
}
