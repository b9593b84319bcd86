//! What has nothing to do with a question takes no place of what has, however much of it there is; the same of titles without
//! a word of their own, and of a manifest that is too large.

use std::io::Write as _;
use std::process::Stdio;

use contract_tools::forge::{Change, ManifestFile, RepoName};
use serde_json::{Value, json};

use super::Deployment;
use crate::forge::import;
use crate::forge::records::{file, issue, pull};

const OLD: &str = "2026-02-01T00:00:00Z";
const NEW: &str = "2026-06-10T00:00:00Z";
const TITLE: &str = "Exporter crashes under heavy load";

/// More than any tool reads of what it is not asked about.
const MANY: u64 = 520;

fn imported(deployment: &Deployment, records: impl IntoIterator<Item = Value>) {
    let mut child = import(&deployment.store()).arg("-").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let lines: String = records.into_iter().map(|record| format!("{record}\n")).collect();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

fn published(deployment: &Deployment, path: &str, content: &str) {
    let file = ManifestFile { path: path.to_owned(), content: content.to_owned() };
    let change = Change::Manifest(RepoName::parse("acme/widgets").unwrap(), file);
    assert_eq!(deployment.writer().apply(&[change]).unwrap().changed, 1);
}

fn open_issue(number: u64, title: &str) -> Value {
    issue(number, OLD, json!({ "title": title, "labels": [], "body": "Told at length elsewhere" }))
}

fn open_pull(number: u64, title: &str, body: &str) -> Value {
    pull(number, OLD, json!({ "title": title, "body": body, "user": { "login": "rival" } }))
}

/// Newer than everything else, and every one about something else.
fn unrelated_issues(first: u64, state: &str) -> impl Iterator<Item = Value> {
    let rest = move |number| json!({ "title": format!("solo{number}"), "labels": [], "body": "", "state": state });
    (first..first + MANY).map(move |number| issue(number, NEW, rest(number)))
}

fn unrelated_pulls(first: u64, state: &str) -> impl Iterator<Item = Value> {
    let rest = move |number| json!({ "title": format!("alone{number}"), "body": "", "state": state });
    (first..first + MANY).map(move |number| pull(number, NEW, rest(number)))
}

fn codes(findings: &Value) -> Vec<String> {
    let findings = findings.as_array().unwrap_or_else(|| panic!("no list: {findings}"));
    findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

/// The numbers of each cluster.
fn groups(clusters: &Value) -> Vec<Vec<u64>> {
    let numbers = |cluster: &Value| {
        let items = cluster["items"].as_array().unwrap();
        items.iter().map(|item| item["number"].as_u64().unwrap()).collect()
    };
    clusters.as_array().unwrap().iter().map(numbers).collect()
}

/// What every tool says of the exporter, in as far as it is about risks.
fn said(deployment: &Deployment) -> Value {
    let gate = |more: Value| {
        let mut call = json!({ "login": "kim", "owner": "acme", "repo": "widgets", "changedPaths": ["src/export.rs"] });
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = deployment.at_the_prompt("loopover_predict_gate", &call).answer();
        json!([answer["conclusion"], codes(&answer["blockers"]), codes(&answer["warnings"])])
    };
    let plan = |title: &str, body: &str| {
        let call = json!({ "repoFullName": "acme/widgets", "title": title, "body": body });
        let answer = deployment.at_the_prompt("loopover_preflight_pr", &call).answer();
        json!([answer["status"], codes(&answer["findings"]), groups(&answer["collisions"])])
    };
    let call = json!({ "owner": "acme", "repo": "widgets", "number": 1003 });
    let review = deployment.at_the_prompt("loopover_get_pr_reviewability", &call).answer();
    json!({
        "rival": gate(json!({ "title": "Write in portions", "body": "Closes #1002" })),
        "plan of a rival": plan("Write in portions", "Closes #1002"),
        "twin": gate(json!({ "title": TITLE })),
        "plan of a twin": plan(TITLE, "chore"),
        "review": [review["report"]["action"], review["report"]["score"]],
    })
}

#[test]
fn unrelated_records_hide_nothing() {
    let deployment = Deployment::new();
    published(&deployment, ".loopover.yml", "gate: {duplicates: block}");
    imported(
        &deployment,
        [
            open_issue(1001, TITLE),
            open_issue(1002, "Memory grows while exporting"),
            open_pull(1003, TITLE, "No issue: found while testing"),
            open_pull(1004, "Stream rows", "Closes #1002"),
            file(1004, "src/export.rs", 4),
        ],
    );
    let before = said(&deployment);
    assert!(before["rival"][2].to_string().contains("duplicate_pr_risk"), "{before:#}");
    for plan in ["plan of a rival", "plan of a twin"] {
        assert!(before[plan][1].to_string().contains("possible_duplicate_work"), "{before:#}");
    }
    assert_eq!(before["review"][0], "likely_duplicate", "{before:#}");

    imported(&deployment, unrelated_issues(10_000, "closed").chain(unrelated_pulls(11_000, "closed")));
    assert_eq!(said(&deployment), before);
    imported(&deployment, unrelated_issues(20_000, "open"));
    assert_eq!(said(&deployment), before);
    imported(&deployment, unrelated_pulls(21_000, "open"));
    assert_eq!(said(&deployment), before);
}

#[test]
fn a_title_without_a_word_of_its_own_is_found() {
    let deployment = Deployment::new();
    let titles = ["Fix CI", "C++", "🔥🔥🔥", "Add UI"];
    imported(&deployment, (1_001..).zip(titles).map(|(number, title)| open_issue(number, title)));
    let plan = |title: &str| {
        let call = json!({ "repoFullName": "acme/widgets", "title": title, "body": "chore" });
        let answer = deployment.at_the_prompt("loopover_preflight_pr", &call).answer();
        (codes(&answer["findings"]).contains(&"possible_duplicate_work".to_owned()), groups(&answer["collisions"]))
    };
    for (number, title) in (1_001..).zip(titles) {
        for spelling in [title.to_owned(), format!("\u{200B}{title}"), title.to_lowercase()] {
            assert_eq!(plan(&spelling), (true, vec![vec![number]]), "{spelling:?}");
        }
    }
    for other in ["Fix CD", "C#", "🔥", "UI"] {
        assert_eq!(plan(other), (false, vec![]), "{other:?}");
    }
    let twins = (2_001..).zip(["fix: CI", "c++", "🔥🔥🔥\u{FE0F}", "Add U\u{200B}I"]);
    imported(&deployment, twins.map(|(number, title)| open_pull(number, title, "")));
    let context = json!({ "owner": "acme", "repo": "widgets" });
    let context = deployment.at_the_prompt("loopover_get_repo_context", &context).answer();
    let clusters = groups(&context["collisions"]["clusters"]);
    for number in 1_001..=1_004 {
        assert!(clusters.contains(&vec![number, number + 1_000]), "{clusters:?}");
    }
}

#[test]
fn a_manifest_that_is_too_large_hides_no_other() {
    let deployment = Deployment::new();
    published(&deployment, ".loopover.yml", &format!("gate: {{linkedIssue: advisory}}\n{}", "# more\n".repeat(20_000)));
    let predict = || {
        let call = json!({ "login": "kim", "owner": "acme", "repo": "widgets", "title": "Sort the list of exporters" });
        deployment.at_the_prompt("loopover_predict_gate", &call).answer()
    };
    let alone = predict();
    assert!(alone.to_string().contains("has more than 131072 bytes") && alone["blockers"] == json!([]), "{alone:#}");
    for path in [".github/loopover.yml", ".loopover.yaml"] {
        published(&deployment, path, "gate: {linkedIssue: block}");
        let answer = predict();
        assert_eq!(answer["conclusion"], "failure", "{answer:#}");
        assert!(answer.to_string().contains("has more than 131072 bytes"), "{answer:#}");
    }
}

#[test]
fn a_part_of_a_group_is_told_as_a_part() {
    let deployment = Deployment::new();
    let rivals = (2_001..2_301).map(|number| open_pull(number, &format!("try{number}"), "Closes #1001"));
    imported(&deployment, [open_issue(1001, TITLE)].into_iter().chain(rivals));
    let context = json!({ "owner": "acme", "repo": "widgets" });
    let context = deployment.at_the_prompt("loopover_get_repo_context", &context).answer();
    let reasons = context["collisions"]["clusters"].to_string();
    let told = "300 open pull requests reference issue #1001 (50 of 301 items are listed)";
    assert!(reasons.contains(told), "{reasons}");
}

#[test]
fn a_test_that_nobody_sees_is_no_test() {
    let deployment = Deployment::new();
    for (tests, is_missing) in
        [(json!(["\u{200b}"]), true), (json!([" ", "\u{2060}\u{ad}"]), true), (json!(["unit"]), false)]
    {
        let call =
            json!({ "repoFullName": "acme/widgets", "title": "Sort", "changedFiles": ["src/sort.rs"], "tests": tests });
        let answer = deployment.at_the_prompt("loopover_preflight_pr", &call).answer();
        assert_eq!(codes(&answer["findings"]).contains(&"missing_test_evidence".to_owned()), is_missing, "{answer:#}");
    }
}
