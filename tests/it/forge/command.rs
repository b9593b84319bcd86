//! What `loopover import` tells the person who asked.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use contract_tests::store_digest::store_digest;
use expect_test::expect;
use serde_json::json;

use super::records::{issue, pull};
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
          skipped 1: no object, so no record; first record 5, byte 1275
          skipped 1: nothing that is kept here; first record 4, byte 1267
          skipped 1: issue: `updated_at` is missing or of another type; first record 3, byte 864
        broken.json: 2 taken (issue 2), 2 new, 2 skipped
          skipped 2: no valid JSON; first record 1, byte 0
        cut.json: 1 taken (issue 1), 1 new, 0 skipped
          it ends in the middle: what was cut off is missing
        registry.json: 0 taken, 0 new, 1 skipped
          skipped 1: a document that does not fit its schema: /repositories/0/repo must match the pattern ^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$; first record 1, byte 0
        empty.json: 0 taken, 0 new, 0 skipped
    "]].assert_eq(&stdout(&output));
    expect![[r"
        loopover: missing.json: it cannot be read: entity not found
    "]]
    .assert_eq(&stderr(&output));
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
    let some = format!("{}<p>", issue(1, day, json!({}))).into_bytes();
    let cases = [(page, 1), (refusal, 1), (utf_16, 1), (registry, 1), (some, 0), (b"[]".to_vec(), 0), (Vec::new(), 0)];
    for (number, (bytes, code)) in cases.into_iter().enumerate() {
        let file = directory.path().join(format!("{number}.json"));
        fs::write(&file, bytes).unwrap();
        let output = import(&directory.path().join("forge")).arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{number}: {output:?}");
        assert!(code == 0 || stdout(&output).contains("\n  skipped "), "{output:?}");
    }
}
