//! However often and in whatever order deliveries arrive, they end in the same store.

use std::fs;
use std::path::Path;

use contract_core::Clock;
use contract_tests::store_digest::store_digest;
use contract_tools::forge;
use contract_tools::forge::import::Importer;
use serde_json::{Value, json};

use super::records::{check_run, file, issue, pull, repository, review, status, stub};
use super::{Random, import, now, stdout};

const DAYS: [&str; 4] =
    ["2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z", "2026-02-02T00:00:00.5Z", "2026-02-03T01:00:00+01:00"];

/// Several claims about each thing, also of one moment, from every kind of source.
fn deliveries() -> Vec<Value> {
    let mut all = Vec::new();
    for day in DAYS {
        all.push(issue(1, day, json!({"title": format!("as of {day}"), "labels": [day]})));
        all.push(pull(
            7,
            day,
            json!({"body": format!("as of {day}, closes #2"), "head": {"sha": super::records::sha(day.len() as u64)}}),
        ));
        all.push(stub(7, day, None));
        all.push(repository("Acme/Widgets", day, json!({"private": day == DAYS[1]})));
        all.push(review(5, 7, "APPROVED", day));
        all.push(check_run(6, 7, None, day));
        all.push(check_run(6, 7, Some("failure"), day));
        all.push(status(8, 7, "pending", day));
        all.push(status(8, 7, "success", day));
        all.push(json!({"generatedAt": day, "repositories": [{"repo": "acme/widgets", "maintainerCut": 0.5}, {"repo": format!("old/{}", day.len())}]}));
        all.push(json!({"generatedAt": day, "bounties": [{"repo": "acme/widgets", "issueNumber": 1, "status": day}]}));
        all.push(json!({"generatedAt": day, "contributors": [{"login": "Ann", "predictions": [{"repo": "acme/widgets", "pullNumber": 7, "agreed": day == DAYS[0], "decidedAt": day}]}]}));
    }
    // In brief, as payloads name a repository beside something else.
    for (name, is_private, branch) in
        [("Brief/One", true, "main"), ("brief/one", false, "trunk"), ("acme/Widgets", true, "x")]
    {
        all.push(json!({"full_name": name, "owner": {"login": "o"}, "private": is_private, "default_branch": branch}));
        all.push(json!({"full_name": name, "owner": {"login": "o"}, "private": is_private, "html_url": format!("https://github.com/{name}")}));
    }
    // Of one moment, and contradicting each other.
    let last = DAYS[3];
    all.push(issue(1, last, json!({"state": "closed"})));
    all.push(issue(1, last, json!({"title": "another title"})));
    all.push(pull(7, last, json!({"state": "closed"})));
    all.push(pull(7, last, json!({"draft": true})));
    all.push(pull(8, DAYS[1], json!({"state": "closed", "merged_at": DAYS[1]})));
    all.push(pull(8, DAYS[0], json!({})));
    all.push(stub(8, DAYS[2], Some(DAYS[1])));
    all.push(review(5, 7, "DISMISSED", last));
    all.push(file(7, "src/a.rs", 3));
    all.push(file(7, "src/a.rs", 4));
    all.push(file(9, "src/b.rs", 1));
    // Gone for good, whatever else is said.
    let sender = json!({"login": "ann"});
    let repository = repository("ACME/widgets", DAYS[0], json!({}));
    all.push(issue(3, last, json!({})));
    all.push(
        json!({"action": "deleted", "issue": issue(3, DAYS[0], json!({})), "repository": repository, "sender": sender}),
    );
    for (action, day) in [("created", DAYS[0]), ("suspend", DAYS[1]), ("deleted", DAYS[2])] {
        let installation = json!({"id": 5, "account": {"login": "acme"}, "updated_at": day, "suspended_at": null});
        let repositories = json!([{"full_name": "acme/widgets", "private": true}, {"full_name": "brief/two", "private": day == DAYS[1]}]);
        all.push(
            json!({"action": action, "installation": installation, "repositories": repositories, "sender": sender}),
        );
    }
    all
}

/// The store that deliveries in this order end in.
fn filled(directory: &Path, deliveries: &[Value]) -> Vec<String> {
    let path = directory.join("forge");
    let store = forge::open(&path).unwrap();
    let importer = Importer::new(&*store, None, Clock::frozen(now()));
    for delivery in deliveries {
        let report = importer.take(delivery.to_string().as_bytes(), &mut |_| ()).unwrap();
        assert_eq!(report.skipped_count(), 0, "{report} {delivery}");
    }
    drop(store);
    store_digest(&path)
}

#[test]
fn every_order_and_every_repetition_ends_in_the_same_store() {
    let expected = {
        let directory = tempfile::tempdir().unwrap();
        filled(directory.path(), &deliveries())
    };
    assert!(expected.iter().any(|line| line.starts_with("pull_requests") && line.contains("state=\"merged\"")));
    assert!(expected.iter().any(|line| line.starts_with("issues") && line.contains("is_gone=1")));
    assert!(expected.iter().any(|line| line.contains("full_name=\"Acme/Widgets\"")), "{expected:#?}");
    for seed in 0..40 {
        let mut random = Random(seed);
        let mut order = deliveries();
        for _ in 0..random.below(30) {
            let again = order[usize::try_from(random.below(order.len() as u64)).unwrap()].clone();
            order.push(again);
        }
        random.shuffle(&mut order);
        let directory = tempfile::tempdir().unwrap();
        let digest = filled(directory.path(), &order);
        let differing: Vec<_> = digest.iter().filter(|line| !expected.contains(line)).collect();
        assert!(digest == expected, "seed {seed}: {differing:#?}\n{expected:#?}");
    }
}

#[test]
fn what_any_mixture_of_files_holds_is_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let deliveries = deliveries();
    let expected = filled(directory.path(), &deliveries);
    // The same through the program, cut into files of every form.
    let (first, second) = deliveries.split_at(deliveries.len() / 2);
    let lines: String = second.iter().map(|delivery| format!("{delivery}\n")).collect();
    fs::write(directory.path().join("lines.json"), lines).unwrap();
    let pages: String = first.chunks(7).map(|page| Value::from(page).to_string()).collect();
    fs::write(directory.path().join("pages.json"), pages).unwrap();
    let store = directory.path().join("other");
    let files = ["lines.json", "pages.json", "lines.json"].map(|file| directory.path().join(file));
    let output = import(&store).args(files).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    assert!(text.lines().last().unwrap().contains(" 0 new"), "{text}");
    assert_eq!(store_digest(&store), expected);
}
