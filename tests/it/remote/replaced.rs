//! A store that is put there, replaced or taken away while the server runs: the next call sees it, and so does `/readyz`.

use std::fs;

use contract_tests::http_client::Ask;
use serde_json::{Value, json};

use super::{Deployment, Reply, Server};
use crate::forge::import;
use crate::forge::records::repository;

fn readiness(server: &Server) -> (u16, String) {
    let answer = Ask::new(&server.0, "GET", "/readyz").answer(&server.0);
    (answer.status, answer.text())
}

fn context(server: &Server, repo: &str) -> Reply {
    server.call("loopover_get_repo_context", &json!({ "owner": "acme", "repo": repo }))
}

#[track_caller]
fn check_refused(server: &Server, reason: &str) {
    let Reply::Refused(code, envelope) = context(server, "widgets") else { panic!("an answer of no store") };
    assert_eq!((code.as_str(), &envelope["error"]["reason"]), ("store_unavailable", &Value::from(reason)));
    assert_eq!(readiness(server), (503, format!("the store cannot be used: {reason}\n")));
}

#[track_caller]
fn check_knows(server: &Server, repo: &str) {
    let answer = context(server, repo).answer();
    assert_eq!(answer["repoFullName"], json!(format!("acme/{repo}")), "{answer}");
    assert_eq!(readiness(server), (200, "ready\n".to_owned()));
}

#[test]
fn a_store_that_goes_and_comes_back_is_noticed_by_the_next_call() {
    let deployment = Deployment::new();
    let server = deployment.serve();
    check_knows(&server, "widgets");
    let copy = deployment.directory.path().join("copy");
    fs::copy(deployment.store(), &copy).unwrap();

    fs::remove_file(deployment.store()).unwrap();
    check_refused(&server, "missing");
    // Restored, as another file.
    fs::rename(&copy, deployment.store()).unwrap();
    check_knows(&server, "widgets");

    // Another store takes its place in one step.
    let other = deployment.directory.path().join("other");
    let file = deployment.directory.path().join("gadgets.json");
    fs::write(&file, repository("acme/gadgets", "2026-02-01T00:00:00Z", json!({})).to_string()).unwrap();
    assert!(import(&other).arg(&file).output().unwrap().status.success());
    fs::rename(&other, deployment.store()).unwrap();
    check_knows(&server, "gadgets");
    assert!(matches!(context(&server, "widgets"), Reply::Refused(code, _) if code == "not_found"));

    // And what is no store at all.
    fs::write(&file, "no database, though long enough to be looked at as one".repeat(20)).unwrap();
    fs::rename(&file, deployment.store()).unwrap();
    check_refused(&server, "not_a_database");
    fs::remove_file(deployment.store()).unwrap();
    fs::create_dir(deployment.store()).unwrap();
    check_refused(&server, "not_a_file");
}

#[test]
fn a_server_that_starts_before_its_store_says_so_and_finds_it_later() {
    let deployment = Deployment::new();
    let aside = deployment.directory.path().join("aside");
    fs::rename(deployment.store(), &aside).unwrap();
    let server = deployment.serve();
    check_refused(&server, "missing");
    server.0.until_it_says("the store cannot be used yet");
    fs::rename(&aside, deployment.store()).unwrap();
    check_knows(&server, "widgets");
}

#[test]
fn whoever_has_a_session_is_told_why_the_store_cannot_be_asked_and_so_is_the_operator() {
    let deployment = Deployment::new();
    let created = deployment.program().args(["session", "create", "acme"]).output().unwrap();
    let token = String::from_utf8(created.stdout).unwrap();
    let server = deployment.serve();
    let arguments = json!({ "owner": "acme", "repo": "widgets" });
    let ask = Ask::call(&server.0, "loopover_get_repo_context", &arguments)
        .with("Authorization", &format!("Bearer {}", token.trim()));
    assert_eq!(ask.answer(&server.0).status, 200);
    for (reason, store) in
        [("missing", None), ("not_a_database", Some("no database at all, of that length".repeat(40)))]
    {
        fs::remove_file(deployment.store()).unwrap();
        if let Some(store) = store {
            fs::write(deployment.store(), store).unwrap();
        }
        let answer = ask.answer(&server.0);
        let error = &answer.json()["error"];
        assert_eq!((answer.status, &error["data"]["reason"]), (503, &json!(reason)), "{error}");
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
        server.0.until_it_says(&format!(r#""message":"who asks cannot be found out","reason":"{reason}""#));
        // The same for a call that was let in.
        check_refused(&server, reason);
        server.0.until_it_says(&format!(r#""code":"store_unavailable","reason":"{reason}""#));
        if reason == "missing" {
            fs::write(deployment.store(), "").unwrap();
        }
    }
    assert!(!server.0.complaints().contains(token.trim()));
}
