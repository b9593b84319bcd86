//! Records in the shapes that GitHub's API sends, as far as anything is read from them.

use serde_json::{Value, json};

pub(super) const API: &str = "https://api.github.com/repos/acme/widgets";

/// A commit's name made of a number.
pub(crate) fn sha(number: u64) -> String {
    format!("{number:040x}")
}

pub(crate) fn issue(number: u64, updated_at: &str, rest: Value) -> Value {
    let record = json!({
        "url": format!("{API}/issues/{number}"), "repository_url": API, "number": number,
        "html_url": format!("https://github.com/acme/widgets/issues/{number}"), "title": format!("issue {number}"),
        "state": "open", "user": {"login": "ann"}, "author_association": "NONE", "labels": [{"name": "bug"}],
        "body": "what happened, and what should have", "created_at": "2026-01-01T00:00:00Z", "updated_at": updated_at
    });
    with(record, rest)
}

pub(crate) fn pull(number: u64, updated_at: &str, rest: Value) -> Value {
    let record = json!({
        "url": format!("{API}/pulls/{number}"), "number": number, "title": format!("pull {number}"), "state": "open",
        "html_url": format!("https://github.com/acme/widgets/pull/{number}"), "draft": false, "user": {"login": "bob"},
        "author_association": "CONTRIBUTOR", "labels": [], "body": "fixes #1", "created_at": "2026-01-01T00:00:00Z",
        "updated_at": updated_at, "merged_at": null, "head": {"sha": sha(number)},
        "base": {"repo": {"full_name": "acme/widgets"}}
    });
    with(record, rest)
}

/// What the list of issues tells of a pull request.
pub(crate) fn stub(number: u64, updated_at: &str, merged_at: Option<&str>) -> Value {
    let state = if merged_at.is_some() { "closed" } else { "open" };
    let url = format!("https://github.com/acme/widgets/pull/{number}");
    let pull_request = json!({"url": format!("{API}/pulls/{number}"), "merged_at": merged_at});
    let rest = json!({
        "pull_request": pull_request, "title": format!("pull {number}"), "html_url": url, "user": {"login": "bob"},
        "author_association": "CONTRIBUTOR", "labels": [], "body": "fixes #1", "state": state
    });
    issue(number, updated_at, rest)
}

pub(crate) fn file(head: u64, path: &str, additions: u64) -> Value {
    let url = format!("{API}/contents/{path}?ref={}", sha(head));
    json!({"filename": path, "additions": additions, "deletions": 1, "status": "modified", "contents_url": url})
}

pub(crate) fn review(id: u64, number: u64, state: &str, submitted_at: &str) -> Value {
    json!({
        "id": id, "state": state, "user": {"login": "cy"}, "submitted_at": submitted_at,
        "pull_request_url": format!("{API}/pulls/{number}")
    })
}

pub(crate) fn check_run(id: u64, head: u64, conclusion: Option<&str>, started_at: &str) -> Value {
    let status = if conclusion.is_some() { "completed" } else { "in_progress" };
    json!({
        "id": id, "name": "tests", "head_sha": sha(head), "status": status, "conclusion": conclusion,
        "started_at": started_at, "completed_at": conclusion.map(|_| started_at), "url": format!("{API}/check-runs/{id}")
    })
}

pub(crate) fn status(id: u64, head: u64, state: &str, at: &str) -> Value {
    json!({
        "id": id, "context": "cla", "state": state, "created_at": at, "updated_at": at,
        "url": format!("{API}/statuses/{}", sha(head))
    })
}

pub(crate) fn repository(full_name: &str, updated_at: &str, rest: Value) -> Value {
    let record = json!({
        "full_name": full_name, "owner": {"login": "acme"}, "private": false, "default_branch": "main",
        "html_url": format!("https://github.com/{full_name}"), "updated_at": updated_at
    });
    with(record, rest)
}

pub(crate) fn with(mut record: Value, rest: Value) -> Value {
    if let (Some(record), Value::Object(rest)) = (record.as_object_mut(), rest) {
        record.extend(rest);
    }
    record
}
