//! A record of a moment that has not come would count as newer than everything that is said until then, so it is not taken.

use std::fs;

use contract_tests::store_digest::store_digest;
use serde_json::{Value, json};

use super::records::{check_run, issue, pull, repository, review, status, stub};
use super::{import, stdout};

const AGES_AWAY: &str = "9999-12-31T23:59:59Z";

/// An hour and a minute after the import's clock.
const AHEAD: &str = "2026-07-01T01:01:00Z";

/// Within what two clocks may differ.
const SOON: &str = "2026-07-01T00:59:00Z";

/// Makes a record of a moment.
type Record = fn(&str) -> Value;

const PAST: &str = "2026-06-01T00:00:00Z";

#[test]
fn what_is_still_to_come_is_named_and_keeps_nothing_else_out() {
    let directory = tempfile::tempdir().unwrap();
    let (file, store) = (directory.path().join("records.json"), directory.path().join("forge"));
    let records: [(&str, Record); 11] = [
        ("issue: `updated_at`", |day| issue(1, day, json!({}))),
        ("pull request: `updated_at`", |day| pull(7, day, json!({}))),
        ("pull request: `merged_at`", |day| stub(8, PAST, Some(day))),
        ("repository: `updated_at`", |day| repository("acme/widgets", day, json!({}))),
        ("review: `submitted_at`", |day| review(5, 7, "APPROVED", day)),
        ("check run: `started_at`", |day| check_run(6, 7, Some("failure"), day)),
        ("status: `created_at`", |day| status(8, 7, "success", day)),
        ("registry: `generatedAt`", |day| json!({"generatedAt": day, "repositories": [{"repo": "acme/widgets"}]})),
        ("bounty: `updatedAt`", |day| {
            json!({"generatedAt": PAST, "bounties": [
                {"repo": "acme/widgets", "issueNumber": 1, "status": "open", "updatedAt": day}]})
        }),
        ("contributor: `generatedAt`", |day| json!({"generatedAt": day, "contributors": [{"login": "ann"}]})),
        ("calibration: `decidedAt`", |day| {
            json!({"generatedAt": PAST, "contributors": [{"login": "ann", "predictions": [
                {"repo": "acme/widgets", "pullNumber": 7, "agreed": true, "decidedAt": day}]}]})
        }),
    ];
    for (told, record) in records {
        for day in [AGES_AWAY, AHEAD] {
            let text = format!("[{},{}]", record(day), issue(2, PAST, json!({})));
            fs::write(&file, text).unwrap();
            let output = import(&store).arg(&file).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let said = stdout(&output);
            let expected = format!("skipped 1: {told} is still to come, by more than an hour; check it, and the clock");
            assert!(said.contains(&expected) && said.contains("issue 1"), "{told}: {said}");
        }
        assert!(!store_digest(&store).iter().any(|line| line.contains(AGES_AWAY) || line.contains(AHEAD)), "{told}");
    }
    for (told, record) in records {
        fs::write(&file, record(SOON).to_string()).unwrap();
        let said = stdout(&import(&store).arg(&file).output().unwrap());
        assert!(said.contains(", 0 skipped"), "{told}: {said}");
    }
}

#[test]
fn a_later_delivery_wins_over_what_claimed_to_be_from_the_future() {
    let directory = tempfile::tempdir().unwrap();
    let (file, store) = (directory.path().join("records.json"), directory.path().join("forge"));
    let far = issue(1, AGES_AWAY, json!({"title": "for ever"}));
    let later = issue(1, PAST, json!({"title": "what it is called"}));
    fs::write(&file, format!("{far}{later}")).unwrap();
    assert!(import(&store).arg(&file).output().unwrap().status.success());
    let lines = store_digest(&store);
    assert!(lines.iter().any(|line| line.contains("what it is called")), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("for ever")), "{lines:#?}");
}
