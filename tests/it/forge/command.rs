//! What `loopover import` tells the person who asked.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use contract_tests::store_digest::store_digest;
use expect_test::expect;
use serde_json::json;

use super::records::{self, issue, pull};
use super::{import, stderr, stdout};
use crate::wire::BINARY;

#[test]
fn each_file_is_told_with_what_was_taken_and_why_not() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(directory.path().join(name), text).unwrap();
    let day = "2026-02-01T00:00:00Z";
    let records =
        json!([issue(1, day, json!({})), pull(7, day, json!({})), issue(2, "yesterday", json!({})), {"a": 1}, 5]);
    write("some.json", records.to_string());
    write("broken.json", format!("{{\"number\":1,\n{}\n<p>{}", issue(4, day, json!({})), issue(5, day, json!({}))));
    write("cut.json", format!("[{},{{\"numb", issue(6, day, json!({}))));
    write("registry.json", json!({"generatedAt": day, "repositories": [{"repo": "no name"}]}).to_string());
    write("empty.json", String::new());
    let names = ["some.json", "broken.json", "cut.json", "registry.json", "empty.json", "missing.json"];
    let output = import(&directory.path().join("forge")).current_dir(directory.path()).args(names).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    expect![[r"
        some.json: 2 taken (issue 1, pull request 1), 2 new, 3 skipped
          skipped 1: no object; a record is one, alone or in a list; first record 5, byte 1275
          skipped 1: nothing that is kept here; first record 4, byte 1267
          skipped 1: issue: `updated_at` must be a moment, such as 2026-01-31T12:00:00Z; first record 3, byte 864
        broken.json: 2 taken (issue 2), 2 new, 2 skipped
          skipped 1: no valid JSON; a record is an object in UTF-8, as `gh api` prints it; first record 1, byte 0
          skipped 1: a page for people where JSON should stand, as servers in trouble and logins answer; ask again with `gh api`; first record 3, byte 427
          it holds an error where records should stand: what was asked for there is missing
        cut.json: 1 taken (issue 1), 1 new, 0 skipped
          it ends in the middle: what was cut off is missing
        registry.json: 0 taken, 0 new, 1 skipped
          skipped 1: an entry that does not fit: /repositories/0/repo must match the pattern ^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$; first record 1, byte 0
        empty.json: 0 taken, 0 new, 0 skipped
    "]].assert_eq(&stdout(&output));
    expect![[r"
        loopover: missing.json: there is no such file; check its path
    "]]
    .assert_eq(&stderr(&output));
}

#[test]
fn a_repository_that_a_payload_holds_in_brief_keeps_what_is_said_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("forge");
    let take = |record: serde_json::Value| {
        let file = directory.path().join("one.json");
        fs::write(&file, record.to_string()).unwrap();
        let output = import(&store).arg(file).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        stdout(&output)
    };
    let told = |repo: &str| -> serde_json::Value {
        let mut command = Command::new(BINARY);
        command.args(["tools", "call", "loopover_get_repo_context", &repo_argument(repo), "--store"]).arg(&store);
        let output = command.output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        answer["repo"].clone()
    };
    let said = take(json!({
        "action": "created", "sender": {"login": "me"}, "installation": {"id": 5, "account": {"login": "me"}},
        "repositories": [
            {"id": 77, "name": "sec", "full_name": "me/sec", "private": true},
            {"id": 78, "name": "open", "full_name": "me/open", "private": false}
        ]
    }));
    assert!(said.contains("3 new"), "{said}");
    assert_eq!(told("me/sec")["isPrivate"], true);
    assert_eq!(told("me/open")["isPrivate"], false);
    let plain = json!({
        "full_name": "me/plain", "owner": {"login": "me"}, "private": true, "html_url": "https://github.com/me/plain",
        "default_branch": "trunk"
    });
    let said = take(plain.clone());
    assert!(said.contains("1 taken") && said.contains("1 new"), "{said}");
    assert!(take(plain).contains("0 new"));
    let repo = told("me/plain");
    assert_eq!(repo["isPrivate"], true);
    assert_eq!((&repo["htmlUrl"], &repo["defaultBranch"]), (&json!("https://github.com/me/plain"), &json!("trunk")));
    // A record with a moment says how it is since.
    let mut published = records::repository("me/sec", "2026-02-01T00:00:00Z", json!({"private": false}));
    published["html_url"] = json!("https://github.com/me/sec");
    take(published);
    assert_eq!(told("me/sec")["isPrivate"], false);
    take(json!({"full_name": "me/public", "owner": {"login": "me"}, "private": false}));
    assert_eq!(told("me/public")["isPrivate"], false);
}

fn repo_argument(repo: &str) -> String {
    let (owner, name) = repo.split_once('/').unwrap();
    json!({"owner": owner, "repo": name}).to_string()
}

#[test]
fn where_the_store_is_follows_the_command_line_then_the_environment() {
    let directory = tempfile::tempdir().unwrap();
    let record = issue(1, "2026-02-01T00:00:00Z", json!({})).to_string();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(BINARY);
        command.current_dir(directory.path()).env_clear().arg("import").args(arguments).arg("-");
        command.envs(variables.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that is refused does not read.
        let _ = child.stdin.take().unwrap().write_all(record.as_bytes());
        child.wait_with_output().unwrap()
    };
    let data = directory.path().join("data");
    let data = data.to_str().unwrap();
    assert!(run(&["--store", "told"], &[("LOOPOVER_STORE", "not")]).status.success());
    assert!(run(&[], &[("LOOPOVER_STORE", "set"), ("XDG_DATA_HOME", data)]).status.success());
    assert!(run(&[], &[("XDG_DATA_HOME", data)]).status.success());
    for store in ["told", "set", "data/loopover/forge.sqlite3"] {
        assert!(!store_digest(&directory.path().join(store)).is_empty(), "{store}");
    }
    assert!(!directory.path().join("not").exists());

    let refused = run(&["--store", "postgres://user:hidden@host/db"], &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("PostgreSQL") && !stderr(&refused).contains("hidden"), "{refused:?}");
    let nowhere = run(&[], &[]);
    assert!(nowhere.status.code() == Some(2) && stderr(&nowhere).contains("--store"), "{nowhere:?}");
    assert_eq!(run(&["--repo", "widgets"], &[("LOOPOVER_STORE", "set")]).status.code(), Some(2));
}

#[test]
fn a_record_that_names_no_repository_takes_the_one_that_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("issue.json");
    let mut record = issue(1, "2026-02-01T00:00:00Z", json!({}));
    for address in ["url", "html_url", "repository_url"] {
        record.as_object_mut().unwrap().remove(address);
    }
    fs::write(&file, record.to_string()).unwrap();
    let store = directory.path().join("forge");
    let output = import(&store).arg(&file).output().unwrap();
    assert!(output.status.success() && stdout(&output).contains("say which with `--repo owner/name`"), "{output:?}");
    let output = import(&store).args(["--repo", "acme/other"]).arg(&file).output().unwrap();
    assert!(stdout(&output).contains("1 taken (issue 1), 1 new, 0 skipped"), "{output:?}");
}

#[test]
fn a_file_that_is_not_what_was_meant_is_a_failure() {
    let directory = tempfile::tempdir().unwrap();
    let day = "2026-02-01T00:00:00Z";
    let utf_16: Vec<u8> = issue(1, day, json!({})).to_string().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let page = b"<!DOCTYPE html><html><body>Sign in</body></html>".to_vec();
    let refusal = br#"{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}"#.to_vec();
    let registry = json!({"generatedAt": day, "repositories": [{"repo": "no name"}]}).to_string().into_bytes();
    let some = format!("{}}}", issue(1, day, json!({}))).into_bytes();
    let memberless = json!([issue(1, "yesterday", json!({}))]).to_string().into_bytes();
    let latin = [b"{\"a\":\"".as_slice(), b"\xe9\"}"].concat();
    let cases = [
        (page, 1),
        (refusal, 1),
        (utf_16, 1),
        (latin, 1),
        (registry, 1),
        (memberless, 1),
        (some, 0),
        (b"[]".to_vec(), 0),
        (Vec::new(), 0),
    ];
    for (number, (bytes, code)) in cases.into_iter().enumerate() {
        let file = directory.path().join(format!("{number}.json"));
        fs::write(&file, bytes).unwrap();
        let output = import(&directory.path().join("forge")).arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{number}: {output:?}");
        assert!(code == 0 || stdout(&output).contains("\n  skipped "), "{output:?}");
    }
}

#[test]
fn an_entry_that_does_not_fit_is_told_by_its_place_and_keeps_no_other_out() {
    let directory = tempfile::tempdir().unwrap();
    let day = "2026-02-01T00:00:00Z";
    let (file, store) = (directory.path().join("document.json"), directory.path().join("forge"));
    let imported = |document: serde_json::Value| {
        fs::write(&file, document.to_string()).unwrap();
        let output = import(&store).arg("document.json").current_dir(directory.path()).output().unwrap();
        (output.status.code(), stdout(&output))
    };
    let prediction =
        |number: i64| json!({"repo": "acme/widgets", "pullNumber": number, "agreed": true, "decidedAt": day});
    let documents = [
        json!({"generatedAt": day, "repositories": [
            {"repo": "acme/widgets"}, {"repo": "acme/gadgets", "emissionShare": 2}, 5, {"repo": "acme/.."}, {"repo": "acme/cogs"}]}),
        json!({"generatedAt": day, "bounties": [
            {"repo": "acme/widgets", "issueNumber": 0, "status": "open"}, {"repo": "acme/widgets", "issueNumber": 2, "status": "open"}]}),
        json!({"generatedAt": day, "contributors": [
            {"login": ""}, {"login": "ann", "predictions": [prediction(1), prediction(-1), prediction(3)]}, {"login": "bob"}]}),
    ];
    let said: String = documents
        .into_iter()
        .map(|document| {
            let (code, said) = imported(document);
            assert_eq!(code, Some(0), "{said}");
            said
        })
        .collect();
    expect![[r"
        document.json: 1 taken (registry 1), 1 new, 3 skipped
          skipped 1: an entry that does not fit: /repositories/1/emissionShare must be at most 1; first record 1, byte 0
          skipped 1: an entry that does not fit: /repositories/2 must be an object, not integer; first record 1, byte 0
          skipped 1: an entry that does not fit: /repositories/3/repo must be the name of a repository, such as acme/widgets; first record 1, byte 0
        document.json: 1 taken (bounty 1), 1 new, 1 skipped
          skipped 1: an entry that does not fit: /bounties/0/issueNumber must be at least 1; first record 1, byte 0
        document.json: 4 taken (contributor 2, calibration 2), 4 new, 2 skipped
          skipped 1: an entry that does not fit: /contributors/0/login must match the pattern ^[A-Za-z0-9_-]+(\[bot\])?$; first record 1, byte 0
          skipped 1: an entry that does not fit: /contributors/1/predictions/1/pullNumber must be at least 1; first record 1, byte 0
    "]].assert_eq(&said);
    let lines = store_digest(&store);
    for kept in [
        "registry_repo=\"acme/widgets\"",
        "registry_repo=\"acme/cogs\"",
        "issue_number=2",
        "login=\"bob\"",
        "pull_number=3",
    ] {
        assert!(lines.iter().any(|line| line.contains(kept)), "{kept}: {lines:#?}");
    }
    // What would end every registration, or has no moment, is refused as a whole.
    let before = store_digest(&store);
    let later = "2026-03-01T00:00:00Z";
    for document in [
        json!({"generatedAt": later, "repositories": [{"repo": "no name"}]}),
        json!({"generatedAt": "yesterday", "bounties": [{"repo": "acme/widgets", "issueNumber": 3, "status": "open"}]}),
    ] {
        let (code, said) = imported(document);
        assert!(code == Some(1) && said.contains(": 0 taken"), "{said}");
    }
    assert_eq!(store_digest(&store), before);
}

#[test]
fn an_error_in_the_middle_of_a_listing_is_a_failure_and_what_was_taken_stays() {
    let directory = tempfile::tempdir().unwrap();
    let day = "2026-02-01T00:00:00Z";
    let (first, last) = (issue(1, day, json!({})), issue(2, day, json!({})));
    let errors = [
        r#"{"message":"API rate limit exceeded","documentation_url":"u"}"#,
        r#"{"message":"Server Error"}"#,
        "<html>502</html>",
        "<!DOCTYPE html>",
    ];
    for (number, error) in errors.into_iter().enumerate() {
        let (file, store) = (directory.path().join("listing.json"), directory.path().join(format!("forge-{number}")));
        fs::write(&file, format!("[{first}]\n{error}\n[{last}]")).unwrap();
        let output = import(&store).arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = stdout(&output);
        assert!(said.contains("2 taken (issue 2)") && said.contains("\n  it holds an error where records"), "{said}");
        assert_eq!(store_digest(&store).iter().filter(|line| line.starts_with("issues ")).count(), 2);
    }
    // The same beyond the reasons that are told one by one.
    let (file, store) = (directory.path().join("many.json"), directory.path().join("forge"));
    let misfits: String =
        (0..30).map(|index| format!(r#"{{"generatedAt":"{index}","bounties":[],"m{index}":1}}"#)).collect();
    fs::write(&file, format!("{first}{misfits}{}", errors[0])).unwrap();
    let output = import(&store).arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_document_of_ours_is_known_by_its_list_and_refused_as_a_whole_without_its_moment() {
    let directory = tempfile::tempdir().unwrap();
    let (file, store) = (directory.path().join("document.json"), directory.path().join("forge"));
    let imported = |document: &serde_json::Value| {
        fs::write(&file, document.to_string()).unwrap();
        let output = import(&store).arg("document.json").current_dir(directory.path()).output().unwrap();
        (output.status.code(), stdout(&output))
    };
    let day = "2026-02-01T00:00:00Z";
    let cases = [
        (
            json!({"repositories": [{"repo": "acme/widgets", "emissionShare": 5}]}),
            &["generatedAt", "/repositories/0/emissionShare"][..],
        ),
        (json!({"bounties": [{"repo": "acme/widgets", "issueNumber": 2, "status": "open"}]}), &["generatedAt"]),
        (json!({"contributors": [{"login": "ann"}, {"login": ""}]}), &["generatedAt", "/contributors/1/login"]),
        (json!({"generatedAt": day, "repositories": null}), &["/repositories"]),
        (json!({"generatedAt": day, "contributors": null}), &["/contributors"]),
        (json!({"generatedAt": day, "repositorys": []}), &["must have one list"]),
        (json!({"generatedAt": day, "repositories": [], "bounties": []}), &["must have one list"]),
    ];
    for (document, places) in cases {
        let (code, said) = imported(&document);
        assert!(code == Some(1) && said.contains(": 0 taken"), "{said}");
        for place in places {
            assert!(said.contains(place), "{place}: {said}");
        }
    }
    // GitHub has lists of the same name.
    for theirs in
        [json!({"total_count": 0, "repositories": []}), json!({"id": 7, "state": "exported", "repositories": []})]
    {
        assert_eq!(imported(&theirs).0, Some(0), "{theirs}");
    }
}

#[test]
fn what_is_listed_twice_or_names_nobody_is_told_and_the_first_counts() {
    let directory = tempfile::tempdir().unwrap();
    let (file, store) = (directory.path().join("document.json"), directory.path().join("forge"));
    let day = "2026-02-01T00:00:00Z";
    let prediction =
        |agreed: bool| json!({"repo": "acme/widgets", "pullNumber": 1, "agreed": agreed, "decidedAt": day});
    let documents = [
        json!({"generatedAt": day, "repositories": [
            {"repo": "acme/widgets", "emissionShare": 0.25}, {"repo": "ACME/Widgets", "emissionShare": 0.75}]}),
        json!({"generatedAt": day, "bounties": [
            {"repo": "acme/widgets", "issueNumber": 2, "status": "first"}, {"repo": "Acme/widgets", "issueNumber": 2, "status": "second"}]}),
        json!({"generatedAt": day, "contributors": [
            {"login": "ann", "predictions": [prediction(true), prediction(false)],
             "repositories": [{"repo": "acme/widgets"}, {"repo": "acme/WIDGETS", "pullRequests": 9}, {"repo": "acme/.."}]},
            {"login": "Ann"}, {"login": "a b"}, {"login": "bob\u{202e}"}, {"login": "dependabot[bot]"}]}),
    ];
    let said: String = documents
        .into_iter()
        .map(|document| {
            fs::write(&file, document.to_string()).unwrap();
            let output = import(&store).arg("document.json").current_dir(directory.path()).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            stdout(&output)
        })
        .collect();
    expect![[r"
        document.json: 1 taken (registry 1), 1 new, 1 skipped
          skipped 1: an entry that does not fit: /repositories/1 is about the same as /repositories/0, letter case aside; list it once; first record 1, byte 0
        document.json: 1 taken (bounty 1), 1 new, 1 skipped
          skipped 1: an entry that does not fit: /bounties/1 is about the same as /bounties/0, letter case aside; list it once; first record 1, byte 0
        document.json: 3 taken (contributor 2, calibration 1), 3 new, 6 skipped
          skipped 1: an entry that does not fit: /contributors/0/predictions/1 is about the same as /contributors/0/predictions/0, letter case aside; list it once; first record 1, byte 0
          skipped 1: an entry that does not fit: /contributors/0/repositories/1 is about the same as /contributors/0/repositories/0, letter case aside; list it once; first record 1, byte 0
          skipped 1: an entry that does not fit: /contributors/0/repositories/2/repo must be the name of a repository, such as acme/widgets; first record 1, byte 0
          skipped 1: an entry that does not fit: /contributors/1 is about the same as /contributors/0, letter case aside; list it once; first record 1, byte 0
          skipped 1: an entry that does not fit: /contributors/2/login must match the pattern ^[A-Za-z0-9_-]+(\[bot\])?$; first record 1, byte 0
          skipped 1: an entry that does not fit: /contributors/3/login must match the pattern ^[A-Za-z0-9_-]+(\[bot\])?$; first record 1, byte 0
    "]].assert_eq(&said);
    let lines = store_digest(&store).join("\n");
    assert!(lines.contains("0.25") && !lines.contains("0.75"), "{lines}");
    assert!(lines.contains("first") && !lines.contains("second"), "{lines}");
}

#[test]
fn a_manifest_counts_on_the_default_branch_and_a_broken_one_says_what_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("forge");
    let manifest = |branch: &str, encoding: &str, content: &str| {
        let url = format!("https://api.github.com/repos/acme/widgets/contents/.loopover.yml{branch}");
        json!({"path": ".loopover.yml", "type": "file", "sha": "x", "git_url": "https://api.github.com/x", "url": url,
               "encoding": encoding, "content": content})
    };
    let repository = json!({"full_name": "acme/widgets", "owner": {"login": "acme"}, "private": false,
                            "default_branch": "trunk", "updated_at": "2026-02-01T00:00:00Z"});
    let imported = |records: serde_json::Value| {
        fs::write(directory.path().join("m.json"), records.to_string()).unwrap();
        let output = import(&store).arg("m.json").current_dir(directory.path()).output().unwrap();
        (output.status.code(), stdout(&output))
    };
    let kept =
        || store_digest(&store).into_iter().filter(|line| line.starts_with("manifests ")).collect::<Vec<_>>().join(" ");

    let (code, said) = imported(json!([manifest("?ref=trunk", "base64", "YTogMQ==")]));
    assert!(code == Some(0) && kept().contains("a: 1"), "which branch is the default one is not known yet: {said}");
    // In one file with the repository, and then with the store's knowledge of it.
    let (code, said) = imported(json!([repository, manifest("?ref=refs%2Fheads%2Ftrunk", "base64", "YTogMw==")]));
    assert!(code == Some(0) && said.contains("manifest 1") && kept().contains("a: 3"), "{said}{}", kept());
    let (code, said) = imported(json!([manifest("?ref=other", "base64", "YTogMg==")]));
    assert!(code == Some(0) && said.contains("another branch") && kept().contains("a: 3"), "{said}");
    let (code, said) = imported(json!([manifest("?ref=trunk", "base64", "YTogMg==")]));
    assert!(code == Some(0) && kept().contains("a: 2"), "{said}");
    for (encoding, content, expected) in [
        ("base64", "//79AA==", "what is in the file is no UTF-8"),
        ("none", "", "GitHub says `none` of a file of more than 1 MB"),
        ("base64", "*", "`content` must be a text in base64"),
    ] {
        let (code, said) = imported(json!([manifest("?ref=trunk", encoding, content)]));
        assert!(code == Some(1) && said.contains(expected) && kept().contains("a: 2"), "{said}");
    }
}

#[test]
fn half_of_a_surrogate_pair_is_told_and_loses_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("forge");
    let whole = issue(1, "2026-02-01T00:00:00Z", json!({"title": "grin HERE, and on"})).to_string();
    fs::write(directory.path().join("half.json"), whole.replace("HERE", r"\ud83d")).unwrap();
    let output = import(&store).arg("half.json").current_dir(directory.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    expect![[r"
        half.json: 1 taken (issue 1), 1 new, 0 skipped
          changed 1: a text holds half of a surrogate pair, such as \ud83d alone, which is no character; it is U+FFFD now; first record 1, byte 0
    "]].assert_eq(&stdout(&output));
    let lines = store_digest(&store);
    assert!(lines.iter().any(|line| line.contains("grin \u{FFFD}, and on")), "{lines:#?}");
    let half =
        pull(7, "2026-02-01T00:00:00Z", json!({"body": "HERE closes #5", "labels": [{"name": "a HERE"}]})).to_string();
    fs::write(directory.path().join("half.json"), half.replace("HERE", r"\ud800")).unwrap();
    let output = import(&store).arg("half.json").current_dir(directory.path()).output().unwrap();
    assert!(output.status.success() && stdout(&output).contains("changed 1: "), "{output:?}");
    let lines = store_digest(&store);
    for kept in ["\u{FFFD} closes #5", "a \u{FFFD}", "[5]"] {
        assert!(lines.iter().any(|line| line.contains(kept)), "{kept}: {lines:#?}");
    }
    let latin = [whole.as_bytes().split_at(60).0, b"\xe9", whole.as_bytes().split_at(60).1].concat();
    fs::write(directory.path().join("latin.json"), latin).unwrap();
    let output = import(&store).arg("latin.json").current_dir(directory.path()).output().unwrap();
    assert!(stdout(&output).contains("its bytes are no UTF-8; convert it, as with `iconv -t UTF-8`"), "{output:?}");
}
