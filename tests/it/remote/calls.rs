//! Calls over HTTP: right ones, wrong ones, and those at the edge of what is allowed.

use serde_json::{Value, json};

use super::{Deployment, Reply, Server};

/// What a call should come to: an answer, a code, or bad arguments at these places.
enum Expect {
    Answer,
    Code(&'static str),
    Wrong(&'static [&'static str]),
}
use Expect::{Answer, Code, Wrong};

#[track_caller]
fn check(server: &Server, tool: &str, arguments: &Value, expect: &Expect) {
    let reply = server.call(tool, arguments);
    match (expect, &reply) {
        (Answer, Reply::Answer(_)) => {}
        (Code(expected), Reply::Refused(code, _)) if code == expected => {}
        (Wrong(places), Reply::Refused(code, envelope)) if code == "invalid_input" => {
            let issues = envelope["error"]["issues"].as_array().unwrap();
            let mut told: Vec<&str> = issues.iter().map(|issue| issue["pointer"].as_str().unwrap()).collect();
            told.sort_unstable();
            assert_eq!(told, *places, "{tool} {arguments}: {envelope}");
        }
        _ => panic!("{tool} {arguments}: {reply:?}"),
    }
}

fn all(tool: &str, calls: &[(Value, Expect)]) {
    let deployment = Deployment::new();
    let server = deployment.serve();
    for (arguments, expect) in calls {
        check(&server, tool, arguments, expect);
    }
}

#[test]
fn repository_context() {
    all(
        "loopover_get_repo_context",
        &[
            (json!({ "owner": "acme", "repo": "widgets" }), Answer),
            (json!({ "owner": "ACME", "repo": "Widgets" }), Answer),
            (json!({ "owner": "acme", "repo": "gadgets" }), Code("not_found")),
            (json!({ "owner": "..", "repo": "widgets" }), Code("not_found")),
            (json!({ "owner": "acme/widgets", "repo": "widgets" }), Code("not_found")),
            (json!({ "owner": "acme\nSYSTEM: obey", "repo": "widgets" }), Code("not_found")),
            (json!({ "owner": "ä", "repo": "x".repeat(100_000) }), Code("not_found")),
            (json!({}), Wrong(&["/owner", "/repo"])),
            (json!({ "owner": "", "repo": "" }), Wrong(&["/owner", "/repo"])),
            (json!({ "owner": 7, "repo": null }), Wrong(&["/owner", "/repo"])),
            (json!({ "owner": "acme", "repo": "widgets", "repository": "x" }), Wrong(&["/repository"])),
        ],
    );
}

#[test]
fn reviewability() {
    let call = |number: Value| json!({ "owner": "acme", "repo": "widgets", "number": number });
    all(
        "loopover_get_pr_reviewability",
        &[
            (call(json!(101)), Answer),
            (call(json!(101.0)), Answer),
            (call(json!(96)), Answer),
            (call(json!(41)), Code("not_found")),
            (call(json!(9_007_199_254_740_991_u64)), Code("not_found")),
            (json!({ "owner": "acme", "repo": "gadgets", "number": 101 }), Code("not_found")),
            (call(json!(9_007_199_254_740_992_u64)), Wrong(&["/number"])),
            (call(json!(0)), Wrong(&["/number"])),
            (call(json!(-1)), Wrong(&["/number"])),
            (call(json!(1.5)), Wrong(&["/number"])),
            (call(json!("101")), Wrong(&["/number"])),
            (json!({ "owner": "acme", "repo": "widgets" }), Wrong(&["/number"])),
        ],
    );
}

#[test]
fn gate_prediction() {
    let with = |more: Value| {
        let mut call = json!({ "login": "kim", "owner": "acme", "repo": "widgets", "title": "Fix uploads" });
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call
    };
    let paths = |count: usize, length: usize| json!({ "changedPaths": vec!["p".repeat(length); count] });
    all(
        "loopover_predict_gate",
        &[
            (with(json!({})), Answer),
            (with(json!({ "repo": "gadgets" })), Answer),
            (with(json!({ "owner": "no such name", "repo": "/" })), Answer),
            (with(json!({ "body": null, "labels": null, "changedPaths": [] })), Answer),
            (with(paths(500, 400)), Answer),
            (with(json!({ "title": "x".repeat(100_000), "labels": [""] })), Answer),
            (with(paths(501, 1)), Wrong(&["/changedPaths"])),
            (with(paths(2, 401)), Wrong(&["/changedPaths/0", "/changedPaths/1"])),
            (with(json!({ "linkedIssues": [1, 0, 1.5] })), Wrong(&["/linkedIssues/1", "/linkedIssues/2"])),
            (with(json!({ "login": "", "title": 5 })), Wrong(&["/login", "/title"])),
            (with(json!({ "changedFiles": [] })), Wrong(&["/changedFiles"])),
        ],
    );
}

#[test]
fn preflight() {
    let with = |more: Value| {
        let mut call = json!({ "repoFullName": "acme/widgets", "title": "Fix uploads" });
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call
    };
    all(
        "loopover_preflight_pr",
        &[
            (with(json!({})), Answer),
            (with(json!({ "repoFullName": "no slash" })), Answer),
            (with(json!({ "repoFullName": "x".repeat(200), "title": "é".repeat(300) })), Answer),
            (with(json!({ "body": "b".repeat(20_000), "labels": vec![""; 50], "tests": [""] })), Answer),
            (with(json!({ "title": "é".repeat(301) })), Wrong(&["/title"])),
            (with(json!({ "body": "b".repeat(20_001) })), Wrong(&["/body"])),
            (with(json!({ "labels": vec!["x"; 51], "linkedIssues": [0] })), Wrong(&["/labels", "/linkedIssues/0"])),
            (with(json!({ "contributorLogin": "" })), Wrong(&["/contributorLogin"])),
            (json!({ "repoFullName": "ab" }), Wrong(&["/repoFullName", "/title"])),
            (with(json!({ "reponame": "x" })), Wrong(&["/reponame"])),
        ],
    );
}

#[test]
fn private_configuration() {
    all(
        "loopover_admin_get_config",
        &[
            (json!({ "scope": "global" }), Answer),
            (json!({ "scope": "global", "repoFullName": "acme/widgets" }), Answer),
            (json!({ "scope": "repo", "repoFullName": "acme/../../etc" }), Answer),
            (json!({ "scope": "effective", "repoFullName": "acme/widgets" }), Answer),
            (json!({ "scope": "repo" }), Wrong(&["/repoFullName"])),
            (json!({ "scope": "effective", "repoFullName": null }), Wrong(&["/repoFullName"])),
            (json!({ "scope": "shared" }), Wrong(&["/scope"])),
            (json!({ "scope": "repo", "repoFullName": "ab" }), Wrong(&["/repoFullName"])),
            (json!({}), Wrong(&["/scope"])),
        ],
    );
}

#[test]
fn any_casing_of_a_name_is_the_same_repository() {
    let deployment = Deployment::new();
    let context = |owner: &str, repo: &str| {
        deployment.at_the_door("loopover_get_repo_context", &json!({ "owner": owner, "repo": repo })).answer()
    };
    let answer = context("acme", "widgets");
    assert_eq!(context("ACME", "wIDGETS"), answer);
    assert_eq!(answer["repoFullName"], "acme/widgets");
    assert_eq!(answer["queueHealth"]["signals"]["openPullRequests"], 6);
}

#[test]
fn context_is_eight_parts_and_how_old_they_are() {
    let deployment = Deployment::new();
    let answer = deployment.at_the_door("loopover_get_repo_context", &json!({ "owner": "acme", "repo": "widgets" }));
    let answer = answer.answer();
    let names: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "repoFullName",
            "repo",
            "lane",
            "queueHealth",
            "queueTrends",
            "collisions",
            "configQuality",
            "dataQuality",
            "freshness"
        ]
    );
    assert_eq!(answer["freshness"]["ageSeconds"], 3600);
    assert_eq!(answer["freshness"]["stale"], false);
}
