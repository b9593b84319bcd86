//! Which record becomes what.

use super::*;
use crate::forge::CheckKind;

fn kinds(text: &str) -> Vec<RecordKind> {
    let reading = read(text, None);
    assert_eq!(reading.skipped, [], "{text}");
    reading.taken.into_iter().map(|(kind, _)| kind).collect()
}

fn only(text: &str) -> Change {
    let mut taken = read(text, None).taken;
    assert_eq!(taken.len(), 1, "{text}");
    taken.remove(0).1
}

fn skip(text: &str) -> Skip {
    let mut skipped = read(text, None).skipped;
    assert_eq!(skipped.len(), 1, "{text}");
    skipped.remove(0)
}

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

const ISSUE: &str = r#"{"url":"https://api.github.com/repos/Acme/widgets/issues/4","number":4,"title":"T","state":"open",
    "user":{"login":"ann"},"labels":[{"name":"bug"},"docs"],"body":"see PR #9 and https://github.com/acme/Widgets/pull/10, not
    https://github.com/a/b/pull/11","updated_at":"2026-03-01T00:00:00Z","created_at":"2026-02-01T00:00:00Z"}"#;

#[test]
fn an_issue_is_one_unless_it_says_that_it_is_a_pull_request() {
    // A line break in a text is no JSON.
    assert_eq!(skip(ISSUE), Skip::NotJson);
    let text = ISSUE.replace('\n', " ");
    let Change::Issue(issue) = only(&text) else { panic!() };
    assert_eq!((issue.repo_full_name.as_str(), issue.number, issue.state.as_str()), ("Acme/widgets", 4, "open"));
    assert_eq!((issue.labels, issue.linked_prs), (vec!["bug".to_owned(), "docs".to_owned()], vec![9, 10]));

    let stub = text.replace(
        r#""number":4"#,
        r#""number":4,"draft":true,"pull_request":{"url":"u","merged_at":"2026-03-01T00:00:00Z"}"#,
    );
    let Change::PullRequest(pull) = only(&stub) else { panic!() };
    assert_eq!(
        (pull.is_draft, pull.head_sha, pull.merged_at.as_deref()),
        (Some(true), None, Some("2026-03-01T00:00:00Z"))
    );
    // GraphQL and old records say null for an issue.
    let issue = text.replace(r#""number":4"#, r#""number":4,"pull_request":null"#);
    assert_eq!(kinds(&issue), [RecordKind::Issue]);
}

#[test]
fn a_pull_request_tells_its_head_and_what_it_closes() {
    let text = format!(
        r#"{{"number":7,"title":"T","state":"closed","user":null,"labels":[],"body":"Fixes #4, closes acme/widgets#5",
        "head":{{"sha":"{SHA}"}},"base":{{"repo":{{"full_name":"Acme/widgets"}}}},"merged_at":null,"draft":false,
        "updated_at":"2026-03-01T00:00:00Z"}}"#
    );
    let Change::PullRequest(pull) = only(&text) else { panic!() };
    assert_eq!((pull.linked_issues, pull.head_sha.as_deref(), pull.author_login), (vec![4, 5], Some(SHA), None));
    assert_eq!((pull.state.as_str(), pull.merged_at), ("closed", None));
}

#[test]
fn what_belongs_to_a_pull_request_is_known_by_its_addresses() {
    let api = "https://ghe.example.org/api/v3/repos/acme/widgets";
    let file = format!(
        r#"{{"filename":"src/a.rs","additions":3,"deletions":1,"contents_url":"{api}/contents/src%2Fa.rs?ref={SHA}"}}"#
    );
    let Change::Files { repo, head_sha, files } = only(&file) else { panic!() };
    assert_eq!((repo.as_str(), head_sha.as_str(), files[0].path.as_str()), ("acme/widgets", SHA, "src/a.rs"));

    let review = format!(
        r#"{{"id":1,"state":"APPROVED","user":{{"login":"cy"}},"submitted_at":"2026-03-01T00:00:00Z","pull_request_url":"{api}/pulls/7"}}"#
    );
    let Change::Review(_, review) = only(&review) else { panic!() };
    assert_eq!((review.pull_number, review.review.state.as_str()), (7, "APPROVED"));

    let run = format!(
        r#"{{"id":2,"name":"ci","head_sha":"{SHA}","status":"completed","conclusion":"failure","started_at":null,"url":"{api}/check-runs/2"}}"#
    );
    let wrapped = format!(r#"{{"total_count":1,"check_runs":[{run}]}}"#);
    assert_eq!((kinds(&run), kinds(&wrapped)), (vec![RecordKind::CheckRun], vec![RecordKind::CheckRun]));

    let status = |state: &str| {
        format!(
            r#"{{"id":3,"context":"cla","state":"{state}","url":"{api}/statuses/{SHA}","created_at":"2026-03-01T00:00:00Z","updated_at":"2026-03-02T00:00:00Z"}}"#
        )
    };
    let Change::Check(_, check) = only(&status("error")) else { panic!() };
    assert_eq!((check.kind, check.check.conclusion.as_deref()), (CheckKind::Status, Some("error")));
    let Change::Check(_, check) = only(&status("pending")) else { panic!() };
    assert_eq!((check.check.status.as_str(), check.check.conclusion), ("pending", None));
}

#[test]
fn only_candidates_are_manifests() {
    let file = |path: &str, content: &str| {
        format!(
            r#"{{"path":"{path}","type":"file","sha":"x","git_url":"u","url":"https://api.github.com/repos/a/b/contents/{path}?ref=main"{content}}}"#
        )
    };
    let content = r#","encoding":"base64","content":"YTog\nMQ==\n""#;
    let Change::Manifest(_, manifest) = only(&file(".loopover.yml", content)) else { panic!() };
    assert_eq!(manifest.content, "a: 1");
    assert_eq!(skip(&file("README.md", content)), Skip::NoManifest);
    assert_eq!(skip(&file(".loopover.yml", "")), Skip::Listing);
    let text = content.replace("base64", "none");
    assert_eq!(skip(&file(".loopover.yml", &text)), Skip::NotBase64);
    let text = content.replace("YTog", "////");
    assert_eq!(skip(&file(".loopover.yml", &text)), Skip::NotText);
    let text = content.replace("YTog", "YT");
    assert_eq!(skip(&file(".loopover.yml", &text)), Skip::Member { kind: RecordKind::Manifest, member: "content" });
    let of = |branch: &str| read(&file(".loopover.yml", content).replace("?ref=main", branch), None).branch;
    assert_eq!(of("?ref=refs%2Fheads%2Fa%2Fb").as_deref(), Some("a/b"));
    assert_eq!(of(""), None);
}

#[test]
fn what_is_not_taken_says_why() {
    let issue = ISSUE.replace('\n', " ");
    let member = |member| Skip::Member { kind: RecordKind::Issue, member };
    assert_eq!(skip(&issue.replace(r#""number":4"#, r#""number":"4""#)), member("number"));
    assert_eq!(skip(&issue.replace(r#""number":4"#, r#""number":0"#)), member("number"));
    assert_eq!(skip(&issue.replace(r#""state":"open""#, r#""state":"ajar""#)), member("state"));
    assert_eq!(skip(&issue.replace("2026-03-01", "last week")), member("updated_at"));
    let homeless = issue.replace("https://api.github.com/repos/Acme/widgets/issues/4", "");
    assert_eq!(skip(&homeless), Skip::Homeless(RecordKind::Issue));
    let home = RepoName::parse("acme/widgets").unwrap();
    assert_eq!(read(&homeless, Some(&home)).taken.len(), 1);
    for failure in [
        r#"{"message":"Not Found","documentation_url":"u","status":"404"}"#,
        r#"{"message":"Server Error"}"#,
        r#"{"data":null,"errors":[{"type":"RATE_LIMITED"}]}"#,
    ] {
        assert_eq!(skip(failure), Skip::Failure);
    }
    assert_eq!(skip(r#"{"message":"a commit","sha":"x"}"#), Skip::Unknown);
    assert_eq!(skip(r#"{"a":1}"#), Skip::Unknown);
    assert_eq!((skip("null"), skip("{\"a\":}")), (Skip::NotAnObject, Skip::NotJson));
}

#[test]
fn payloads_hold_what_their_event_is_about() {
    let repository = r#""repository":{"full_name":"acme/widgets","owner":{"login":"acme"},"private":false,"default_branch":"main","updated_at":"2026-03-01T00:00:00Z"},"sender":{"login":"ann"}"#;
    let issue = ISSUE.replace('\n', " ");
    let event = |action: &str, rest: &str| format!(r#"{{"action":"{action}","issue":{issue},{rest}{repository}}}"#);
    assert_eq!(kinds(&event("opened", "")), [RecordKind::Repository, RecordKind::Issue]);
    let gone = |text: &str| read(text, None).taken.iter().any(|(_, change)| matches!(change, Change::IssueGone(..)));
    assert!(gone(&event("deleted", "")));
    assert!(!gone(&event("deleted", r#""comment":{"id":1},"#)), "only the comment is gone");

    let label = |action: &str| {
        format!(
            r#"{{"action":"{action}","label":{{"url":"https://api.github.com/repos/acme/widgets/labels/x","name":"x","color":"fff","default":false}},{repository}}}"#
        )
    };
    assert_eq!(kinds(&label("created")), [RecordKind::Repository, RecordKind::Label]);
    assert_eq!(read(&label("deleted"), None).skipped, [Skip::Undated("the end of a label")]);

    let installation = |action: &str| {
        format!(
            r#"{{"action":"{action}","installation":{{"id":5,"account":{{"login":"acme"}},"updated_at":1557933591}},"repositories":[{{"full_name":"acme/widgets"}}],"sender":{{"login":"ann"}}}}"#
        )
    };
    for (action, covers) in [("created", true), ("deleted", false)] {
        let reading = read(&installation(action), None);
        let told = reading.taken.iter().find_map(|(_, change)| match change {
            Change::Covered { is_covered, at, .. } => {
                Some((*is_covered, at.as_deref() == Some("2019-05-15T15:19:51.000Z")))
            }
            _ => None,
        });
        assert_eq!(told, Some((covers, true)), "{action}");
    }
}
