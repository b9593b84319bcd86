//! One test for each rule of collisions, and for each fault that must not come back.

use super::*;

fn issue(number: u64, title: &str) -> Issue {
    Issue { number, title: title.to_owned(), state: "open".to_owned(), ..Issue::default() }
}

fn pull_request(number: u64, title: &str, linked_issues: &[u64]) -> PullRequest {
    PullRequest {
        number,
        title: title.to_owned(),
        state: "open".to_owned(),
        linked_issues: linked_issues.to_vec(),
        ..PullRequest::default()
    }
}

fn merged(number: u64, title: &str, linked_issues: &[u64]) -> RecentMergedPullRequest {
    RecentMergedPullRequest {
        number,
        title: title.to_owned(),
        linked_issues: linked_issues.to_vec(),
        ..RecentMergedPullRequest::default()
    }
}

fn report(issues: &[Issue], pull_requests: &[PullRequest], merged: &[RecentMergedPullRequest]) -> CollisionReport {
    collision_report("acme/widgets", issues, pull_requests, merged, moment::parse("2026-06-15T12:00:00Z").unwrap())
}

#[track_caller]
fn check(report: &CollisionReport, expected: &[(&str, Risk, usize)]) {
    let found: Vec<(&str, Risk, usize)> =
        report.clusters.iter().map(|cluster| (cluster.id.as_str(), cluster.risk, cluster.items.len())).collect();
    assert_eq!(found, expected);
    assert_eq!(report.summary.cluster_count, expected.len() as u64);
}

#[test]
fn a_pull_request_that_links_its_own_issue_is_no_collision() {
    let issues = [issue(1, "Crash when settings are missing")];
    check(&report(&issues, &[pull_request(5, "Handle missing settings", &[1])], &[]), &[]);
    check(&report(&issues, &[pull_request(5, "Crash when settings are missing", &[1])], &[]), &[]);
    check(&report(&issues, &[], &[merged(3, "Crash when settings are missing", &[1])]), &[]);
}

#[test]
fn one_group_of_duplicates_is_one_cluster() {
    let pull_requests: Vec<PullRequest> =
        (0..120).map(|number| pull_request(1000 + number, "Handle missing settings", &[1])).collect();
    // Of a large group the first are told, and how many there are.
    let group = report(&[issue(1, "Crash on startup")], &pull_requests, &[]);
    check(&group, &[("issue-1", Risk::High, 50)]);
    let told = "120 open pull requests reference issue #1 (50 of 121 items are listed)";
    assert_eq!(group.clusters[0].reason.to_string(), told);
    assert_eq!((group.clusters[0].items[0].number, group.clusters[0].items[49].number), (1, 1048));
    check(&report(&[], &pull_requests[..40], &[]), &[("issue-1", Risk::High, 40)]);
    check(&report(&[], &pull_requests[..2], &[]), &[("pull_request-1000--pull_request-1001", Risk::High, 2)]);
    let twice = [pull_request(5, "Alpha", &[1, 2]), pull_request(6, "Bravo", &[2, 1])];
    check(&report(&[issue(1, "One"), issue(2, "Two")], &twice, &[]), &[("issue-1", Risk::High, 4)]);
}

#[test]
fn work_that_was_merged_already_is_a_hint() {
    let open = [pull_request(5, "Handle missing settings", &[9])];
    let id = "pull_request-5--recent_merged_pull_request-3";
    check(&report(&[], &open, &[merged(3, "Cope without settings", &[9])]), &[(id, Risk::Medium, 2)]);
    let two = [merged(3, "Cope", &[9]), merged(4, "Survive", &[9])];
    check(&report(&[issue(9, "Startup")], &open, &two), &[("issue-9", Risk::Medium, 3)]);
}

#[test]
fn merged_work_does_not_collide_with_merged_work() {
    let merges: Vec<RecentMergedPullRequest> =
        (1..=40).map(|number| merged(number, "Bump parser dependency", &[9])).collect();
    check(&report(&[], &[], &merges), &[]);
    let open = [pull_request(50, "Document releases", &[])];
    check(&report(&[], &open, &merges), &[]);
}

#[test]
fn what_is_listed_twice_counts_once() {
    let same = pull_request(5, "Handle missing settings file", &[1, 1]);
    check(&report(&[issue(1, "Crash"), issue(1, "Crash")], &[same.clone(), same.clone()], &[]), &[]);
    let both = report(&[], &[same], &[merged(5, "Handle missing settings file", &[1])]);
    check(&both, &[]);
    assert_eq!(both.summary.items_reviewed, 1);
}

#[test]
fn an_identical_title_is_found_even_with_one_term() {
    for (left, right) in [("Fix parser", "fix: PARSER"), ("Crash", "Crash"), ("Ошибка", "ошибка"), ("修正", "修正！")]
    {
        let found = report(&[issue(1, left)], &[pull_request(5, right, &[])], &[]);
        check(&found, &[("issue-1--pull_request-5", Risk::High, 2)]);
    }
    for (left, right) in
        [("Fix", "fix!"), ("C", "C++"), ("", ""), ("\u{200B}", "\u{200B}"), ("Fix parser", "Update parser")]
    {
        check(&report(&[issue(1, left)], &[pull_request(5, right, &[])], &[]), &[]);
    }
}

#[test]
fn an_identical_title_needs_no_term() {
    for (left, right) in [("C++", "C++"), ("🔥🔥🔥", "🔥🔥🔥"), ("Fix CI", "fix: CI"), ("Cra\u{200B}sh", "Crash")]
    {
        let found = report(&[issue(1, left)], &[pull_request(5, right, &[])], &[]);
        check(&found, &[("issue-1--pull_request-5", Risk::High, 2)]);
    }
    let found = report(&[issue(1, "C++")], &[pull_request(5, "C++", &[])], &[]);
    assert_eq!(found.clusters[0].reason.to_string(), "2 items have the same title");
}

#[test]
fn items_of_one_title_are_one_group() {
    let pull_requests: Vec<PullRequest> =
        (0..120).map(|number| pull_request(1000 + number, "Handle missing settings", &[])).collect();
    let group = report(&[issue(1, "handle missing SETTINGS")], &pull_requests, &[]);
    check(&group, &[("title-issue-1", Risk::High, 50)]);
    assert_eq!(group.clusters[0].reason.to_string(), "121 items have the same title (50 of 121 items are listed)");
    // What is as it should be alone is a part of the group.
    let own = pull_request(5, "Crash", &[1]);
    let group = report(&[issue(1, "Crash")], &[own.clone(), pull_request(6, "Crash", &[])], &[]);
    check(&group, &[("title-issue-1", Risk::High, 3)]);
    check(
        &report(&[issue(1, "Crash")], &[own], &[merged(3, "Crash", &[1])]),
        &[("pull_request-5--recent_merged_pull_request-3", Risk::Medium, 2)],
    );
    // Two that are alike are a pair, and so is each of them with another title.
    let near = [pull_request(5, "Parser crash", &[]), pull_request(6, "Parser crash", &[])];
    let pairs = report(&[issue(1, "Parser crash on tabs")], &near, &[]);
    check(
        &pairs,
        &[
            ("issue-1--pull_request-5", Risk::High, 2),
            ("issue-1--pull_request-6", Risk::High, 2),
            ("pull_request-5--pull_request-6", Risk::High, 2),
        ],
    );
}

#[test]
fn a_report_is_bounded_and_says_how_much_there_is() {
    // Every title matches every other, and no two are equal.
    let alike = |number: u64| PullRequest {
        linked_issues: (1..=5_000).map(|issue| number * 10_000 + issue).collect(),
        ..pull_request(number, &format!("Bump parser dependency {number}"), &[])
    };
    let mut pull_requests: Vec<PullRequest> = (1000..1120).map(alike).collect();
    let found = report(&[], &pull_requests, &[]);
    assert_eq!((found.summary.cluster_count, found.summary.high_risk_count), (7_140, 7_140));
    assert_eq!(found.clusters.len(), 100);
    assert!(found.clusters.iter().flat_map(|cluster| &cluster.items).all(|item| item.linked_issues.len() == 50));
    assert_eq!(found.untold_duplicates.len() + 101, 120);
    assert!(serde_json::to_string(&found).unwrap().len() < 200_000);
    pull_requests.reverse();
    let reversed = report(&[], &pull_requests, &[]);
    let ids = |report: &CollisionReport| {
        report.clusters.iter().map(|cluster| cluster.id.clone()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(ids(&reversed), ids(&found));
    // Many large groups share the room.
    let groups: Vec<PullRequest> =
        (0..6_000).map(|number| pull_request(number + 1, "Alpha", &[number / 60 + 1])).collect();
    let found = report(&[], &groups, &[]);
    assert_eq!(found.clusters.iter().map(|cluster| cluster.items.len()).sum::<usize>(), 500);
    assert!(found.summary.cluster_count > 100);
}

#[test]
fn what_is_compared_does_not_hang_on_the_order_of_equal_moments() {
    let fillers = (1..=119).map(|number| pull_request(number, &format!("solo{number}"), &[]));
    let mut pull_requests: Vec<PullRequest> = fillers.collect();
    pull_requests.push(pull_request(900, "Handle missing settings", &[]));
    pull_requests.push(pull_request(901, "Handle missing settings", &[]));
    let issues: Vec<Issue> = (1..=90).map(|number| issue(number, &format!("alone{number}"))).collect();
    let merges: Vec<RecentMergedPullRequest> = (2000..2050)
        .map(|number| RecentMergedPullRequest {
            merged_at: Some("2026-06-01".to_owned()),
            ..merged(number, "Cope", &[])
        })
        .collect();
    let open = pull_request(7000, "Cope", &[]);
    let one = report(&issues, &[pull_requests.clone(), vec![open.clone()]].concat(), &merges);
    let backwards = |list: &[PullRequest]| list.iter().rev().cloned().collect::<Vec<_>>();
    let turned = report(
        &issues.iter().rev().cloned().collect::<Vec<_>>(),
        &backwards(&[pull_requests, vec![open]].concat()),
        &merges.iter().rev().cloned().collect::<Vec<_>>(),
    );
    assert_eq!(one.summary, turned.summary);
    let numbers = |report: &CollisionReport| {
        let items = report.clusters.iter().flat_map(|cluster| &cluster.items);
        items.map(|item| item.number).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(numbers(&one), numbers(&turned));
}

#[test]
fn of_two_records_of_one_number_the_last_changed_counts() {
    let old = PullRequest { updated_at: Some("2026-06-01".to_owned()), ..pull_request(5, "Crash", &[]) };
    let new = PullRequest { updated_at: Some("2026-06-02".to_owned()), ..pull_request(5, "Parser", &[]) };
    for listed in [[old.clone(), new.clone()], [new, old]] {
        check(&report(&[issue(1, "Crash")], &listed, &[]), &[]);
        check(&report(&[issue(1, "Parser")], &listed, &[]), &[("issue-1--pull_request-5", Risk::High, 2)]);
    }
}

#[test]
fn titles_of_every_script_match() {
    let left = issue(1, "ошибка при входе в систему");
    let right = pull_request(5, "Исправить: ошибка при входе в систему", &[]);
    check(&report(&[left], &[right], &[]), &[("issue-1--pull_request-5", Risk::High, 2)]);
}

#[test]
fn many_files_do_not_hide_equal_titles() {
    let with_files = |number: u64| PullRequest {
        changed_files: Some((0..150).map(|file| format!("part{number}/word{number}x{file}.rs")).collect()),
        ..pull_request(number, "Handle missing settings file", &[])
    };
    let found = report(&[], &[with_files(5), with_files(6)], &[]);
    check(&found, &[("pull_request-5--pull_request-6", Risk::High, 2)]);
}

#[test]
fn labels_alone_are_no_match() {
    let labels = ["good first issue", "help wanted", "area: parser"].map(str::to_owned).to_vec();
    let labelled = |number, title| Issue { labels: labels.clone(), ..issue(number, title) };
    check(&report(&[labelled(1, "Crash"), labelled(2, "Typo")], &[], &[]), &[]);
    let speaks_of_it = issue(3, "Parser wanted in another area");
    let found = report(&[labelled(1, "Crash"), speaks_of_it], &[], &[]);
    check(&found, &[("issue-1--issue-3", Risk::High, 2)]);
}

#[test]
fn shared_files_match_unless_one_author_splits_the_work() {
    let by = |number, title, author: &str, path: &str| PullRequest {
        author_login: Some(author.to_owned()),
        changed_files: Some(vec![path.to_owned()]),
        ..pull_request(number, title, &[])
    };
    let path = "core/storage/cache.rs";
    let left = by(5, "Alpha tango", "ann", path);
    let found = report(&[], &[left.clone(), by(6, "Bravo sierra", "bob", path)], &[]);
    check(&found, &[("pull_request-5--pull_request-6", Risk::Medium, 2)]);
    check(&report(&[], &[left.clone(), by(6, "Bravo sierra", "ANN", path)], &[]), &[]);
    check(&report(&[], &[left, by(6, "Bravo sierra", "bob", "core/storage/Cache.rs")], &[]), &[]);
    let lock = |number, author| by(number, "Bump", author, "core/storage/cargo.lock");
    check(&report(&[], &[lock(5, "ann"), PullRequest { title: "Raise".to_owned(), ..lock(6, "bob") }], &[]), &[]);
}

#[test]
fn only_what_was_compared_counts_as_reviewed() {
    let issues: Vec<Issue> = (1..=200).map(|number| issue(number, "Startup")).collect();
    let pull_requests: Vec<PullRequest> = (1001..=1300).map(|number| pull_request(number, "Other", &[])).collect();
    let merges: Vec<RecentMergedPullRequest> = (2001..=2100).map(|number| merged(number, "Third", &[])).collect();
    assert_eq!(report(&issues, &pull_requests, &merges).summary.items_reviewed, 80 + 120 + 40);
}

#[test]
fn an_item_carries_no_text_and_a_plain_title() {
    let written = Issue {
        body: Some("secret text".to_owned()),
        title: format!("Crash\u{1b}[31m on\nstartup {}", "x".repeat(1000)),
        ..issue(1, "")
    };
    let found = report(&[written.clone(), Issue { number: 2, ..written }], &[], &[]);
    let text = serde_json::to_string(&found).unwrap();
    assert!(!text.contains("secret text"));
    let title = &found.clusters[0].items[0].title;
    assert!(title.starts_with("Crash [31m on startup") && title.len() == 300, "{title}");
    assert!(!title.contains(char::is_control));
}

#[test]
fn an_item_stays_small_however_much_it_changes() {
    let large = |number| PullRequest {
        labels: vec!["y".repeat(10_000); 500],
        changed_files: Some((0..5_000).map(|file| format!("{}\n{file}", "z".repeat(1_000))).collect()),
        ..pull_request(number, "Rewrite everything", &[])
    };
    let found = report(&[], &[large(5), large(6)], &[]);
    check(&found, &[("pull_request-5--pull_request-6", Risk::High, 2)]);
    let text = serde_json::to_string(&found.clusters[0].items[0]).unwrap();
    assert!(text.len() < 15_000, "{}", text.len());
}

#[test]
fn a_reason_agrees_with_the_items() {
    let group = [pull_request(5, "Alpha", &[1]), pull_request(6, "Bravo", &[1])];
    assert_eq!(report(&[], &group, &[]).clusters[0].reason.to_string(), "2 open pull requests reference issue #1");
    let twice = [pull_request(5, "Alpha", &[2, 1]), pull_request(6, "Bravo", &[1, 2])];
    assert_eq!(report(&[], &twice, &[]).clusters[0].reason.to_string(), "2 open pull requests reference issues #2, #1");
    let pair = report(&[issue(1, "Crash on startup"), issue(2, "Crash on startup")], &[], &[]);
    assert_eq!(pair.clusters[0].reason.to_string(), "They have 2 terms in common");
}
