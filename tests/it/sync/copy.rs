//! What is copied the first time, and what a later copy asks for.

use contract_tests::github::{Fault, World};
use contract_tools::engine::data_quality::{STALE_MILLISECONDS, data_quality};
use contract_tools::engine::moment;
use contract_tools::forge::Which;

use super::{NOW, Scene, TOKEN, check_same, widgets};

#[test]
fn everything_of_a_repository_comes_into_the_store() {
    let scene = Scene::of(World::widgets());
    let said = scene.copy();
    for (segment, status, fetched) in [
        ("metadata", "complete", 1),
        ("labels", "complete", 5),
        ("open_issues", "complete", 5),
        ("open_pull_requests", "complete", 4),
        ("recent_merged_pull_requests", "complete", 4),
        ("pull_request_files", "complete", 4),
        ("pull_request_reviews", "complete", 4),
        ("check_summaries", "complete", 4),
    ] {
        assert_eq!(said.segment(segment), (status, fetched), "{segment}");
    }
    assert_eq!(said.report["warnings"], serde_json::json!([]));

    let forge = scene.forge();
    let reader = forge.read().unwrap();
    let repo = widgets();
    assert_eq!(reader.repository(&repo).unwrap().unwrap().default_branch.as_deref(), Some("main"));
    assert_eq!(reader.labels(&repo).unwrap().len(), 5);
    assert_eq!(reader.issues(&repo, Which::Open, 100).unwrap().len(), 5);
    let pulls = reader.pull_requests(&repo, Which::Any, 100).unwrap();
    assert_eq!(pulls.len(), 10);
    assert_eq!(reader.files(&repo, 11).unwrap().len(), 3);
    assert_eq!(reader.reviews(&repo, 11).unwrap().len(), 3);
    assert_eq!(reader.checks(&repo, 11).unwrap().len(), 4, "three check runs and a status");
    let merged = reader.recent_merged(&repo, 100).unwrap();
    assert!(
        merged.len() == 4 && merged.iter().all(|pull| pull.changed_files.as_ref().is_some_and(|all| all.len() == 3))
    );
    let manifests = reader.manifests(&repo).unwrap();
    assert_eq!(manifests.len(), 1);
    assert_eq!(manifests[0].content, "linkedIssuePolicy: required\n");
    let totals = &reader.totals(&repo, 1).unwrap()[0];
    let counted = (totals.open_issues_total, totals.open_pull_requests_total, totals.merged_pull_requests_total);
    assert_eq!((counted, totals.closed_unmerged_pull_requests_total, totals.labels_total), ((5, 4, 4), 2, 5));

    let state = reader.sync_state(&repo).unwrap();
    let segments = reader.sync_segments(&repo).unwrap();
    let now = moment::parse("2026-02-01T00:00:00Z").unwrap();
    let quality = data_quality("acme/widgets", state.as_ref(), &segments, STALE_MILLISECONDS, now);
    assert_eq!(serde_json::to_value(&quality).unwrap()["status"], "complete");
    let asked = scene.github.asked();
    assert!(asked.iter().all(|asked| asked.authorization.as_deref() == Some(&format!("Bearer {TOKEN}"))));
    assert!(!scene.dump().contains("hush"), "the token is in the store");
}

#[test]
fn a_later_copy_asks_for_what_changed_and_keeps_the_rest() {
    let scene = Scene::of(World::widgets());
    let first = scene.copy();
    let before = scene.records();
    let second = scene.copy();
    check_same(&scene.records(), &before);
    let third = scene.copy();
    check_same(&scene.records(), &before);
    assert_eq!(
        (third.segment("open_issues"), third.segment("open_pull_requests")),
        (("not_modified", 5), ("not_modified", 4))
    );
    let answers =
        |said: &super::Said| (said.report["answers"].as_u64().unwrap(), said.report["unchanged"].as_u64().unwrap());
    let ((all, _), (later, _), (last, unchanged)) = (answers(&first), answers(&second), answers(&third));
    assert!(
        later < all / 2 && last <= later && unchanged > 2,
        "{all} answers, then {later}, then {last} ({unchanged} as before)"
    );
    let asked = scene.github.asked();
    let again = asked.iter().skip(usize::try_from(all).unwrap());
    assert_eq!(again.filter(|asked| asked.target.contains("/files") || asked.target.contains("/reviews")).count(), 0);
}

#[test]
fn what_changed_is_seen_and_what_is_gone_goes() {
    let scene = Scene::of(World::widgets());
    scene.copy();
    scene.github.change(|world| {
        let repo = world.first();
        // Minutes since 2026 began: after the first copy.
        let later = 31 * 1440 + 10;
        repo.labels.retain(|label| label != "docs");
        repo.labels.push("new".to_owned());
        repo.issues[1].2 = false;
        repo.issues[1].3 = later;
        repo.issues.push((30, "Another".to_owned(), true, later + 1));
        repo.pulls[0].state = "merged";
        repo.pulls[0].updated = later + 2;
        repo.pulls[1].pushes = 2;
        repo.pulls[1].updated = later + 3;
        repo.pulls[1].reviews.push((900, "CHANGES_REQUESTED"));
        // A check tells nobody that it ended.
        repo.pulls[2].checks = vec!["failure"];
        repo.files.clear();
        repo.files.insert(".github/loopover.yml".to_owned(), "gate: {}\n".to_owned());
    });
    let said = scene.sync_at(NOW + 3600, &["ACME/Widgets"]);
    assert_eq!(said.code, Some(0), "{}", said.errors);
    let forge = scene.forge();
    let reader = forge.read().unwrap();
    let repo = widgets();
    let mut labels: Vec<String> = reader.labels(&repo).unwrap().into_iter().map(|label| label.name).collect();
    labels.sort();
    assert_eq!(labels, ["bug", "feature", "good first issue", "help wanted", "new"]);
    let mut open: Vec<u64> = reader.issues(&repo, Which::Open, 100).unwrap().iter().map(|issue| issue.number).collect();
    open.sort_unstable();
    assert_eq!(open, [1, 3, 4, 5, 30]);
    assert_eq!(reader.pull_request(&repo, 11).unwrap().unwrap().state, "merged");
    let pushed = reader.pull_request(&repo, 12).unwrap().unwrap();
    assert!(pushed.head_sha.unwrap().ends_with(&format!("{:x}", 12_002)));
    assert_eq!(reader.reviews(&repo, 12).unwrap().len(), 4);
    assert_eq!(reader.files(&repo, 12).unwrap().len(), 3);
    let conclusions: Vec<_> =
        reader.checks(&repo, 13).unwrap().into_iter().filter_map(|check| check.conclusion).collect();
    assert!(conclusions.contains(&"failure".to_owned()), "{conclusions:?}");
    let paths: Vec<String> = reader.manifests(&repo).unwrap().into_iter().map(|file| file.path).collect();
    assert_eq!(paths, [".github/loopover.yml"]);
}

#[test]
fn a_date_takes_a_part_and_says_so_and_the_next_copy_takes_the_whole() {
    let scene = Scene::of(World::widgets());
    // Issue 4 and all pull requests changed at or after minute 4 of the year.
    let said = scene.sync(&["acme/widgets", "--since", "2026-01-01T00:04:00Z"]);
    assert_eq!((said.code, &said.report["status"]), (Some(0), &"partial".into()), "{}", said.errors);
    assert_eq!(said.segment("open_issues"), ("partial", 4), "up to the page that holds something older");
    scene.copy();
    let whole = Scene::of(World::widgets());
    whole.copy();
    check_same(&scene.records(), &whole.records());
}

#[test]
fn what_the_token_may_not_see_is_named_and_the_rest_is_copied() {
    let mut world = World::widgets();
    world.hides_checks = true;
    world.has_no_search = true;
    let scene = Scene::of(world);
    let said = scene.sync(&["acme/widgets"]);
    assert_eq!((said.code, &said.report["status"]), (Some(0), &"partial".into()));
    assert_eq!(said.segment("check_summaries").0, "skipped");
    assert_eq!(said.segment("pull_request_reviews"), ("complete", 4));
    let warnings = said.report["warnings"].to_string();
    assert!(warnings.contains("may not see checks") && warnings.contains("totals are unknown"), "{warnings}");
}

#[test]
fn a_repository_without_issues_is_whole() {
    let mut world = World::widgets();
    world.first().has_no_issues = true;
    let scene = Scene::of(world);
    let said = scene.copy();
    assert_eq!(said.segment("open_issues"), ("complete", 0));
}

/// What the tool that looks at the queue says is open, and what it says of the copy.
fn asked_of_the_tool(scene: &Scene) -> (u64, String) {
    let mut command = std::process::Command::new(super::BINARY);
    command.args(["--now", &NOW.to_string(), "tools", "call", "loopover_get_repo_context"]).env_clear();
    command.arg(r#"{"owner":"acme","repo":"widgets"}"#).arg("--store").arg(scene.store());
    let output = command.output().unwrap();
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let open = said["queueHealth"]["signals"]["openIssues"].as_u64().unwrap_or_else(|| panic!("{said}"));
    (open, said["dataQuality"]["syncState"]["warnings"].to_string())
}

#[test]
fn counts_that_github_does_not_give_are_unknown_and_neither_nothing_nor_those_of_before() {
    let unanswered: [&dyn Fn(&Scene); 4] = [
        &|scene| scene.github.change(|world| world.has_no_search = true),
        &|scene| scene.github.fail("/search/issues", Fault::Status(400)),
        &|scene| scene.github.fail("/search/issues", Fault::Status(403)),
        // Gives up after five tries.
        &|scene| (0..5).for_each(|_| scene.github.fail("/search/issues", Fault::Status(502))),
    ];
    for (case, unanswered) in unanswered.into_iter().enumerate() {
        let scene = Scene::of(World::widgets());
        scene.copy();
        assert_eq!(asked_of_the_tool(&scene), (5, "[]".to_owned()));
        scene.github.change(|world| world.first().issues.push((30, "Another".to_owned(), true, 31 * 1440 + 10)));
        unanswered(&scene);
        let said = scene.sync_at(NOW + 3600, &["acme/widgets"]);
        assert_eq!((said.code, &said.report["status"]), (Some(0), &"success".into()), "{case}: {}", said.errors);
        assert!(said.report["warnings"].to_string().contains("totals are unknown"), "{case}: {}", said.report);
        let (open, warnings) = asked_of_the_tool(&scene);
        assert!(open == 6 && warnings.contains("totals are unknown"), "{case}: {open} {warnings}");
        let forge = scene.forge();
        assert_eq!(forge.read().unwrap().totals(&widgets(), 9).unwrap().len(), 1, "{case}: nothing is made up");
        // It answers again.
        scene.github.change(|world| world.has_no_search = false);
        let said = scene.sync_at(NOW + 7200, &["acme/widgets"]);
        assert_eq!((said.code, &said.report["warnings"]), (Some(0), &serde_json::json!([])), "{case}");
        assert_eq!(asked_of_the_tool(&scene), (6, "[]".to_owned()), "{case}");
        assert_eq!(forge.read().unwrap().totals(&widgets(), 9).unwrap().len(), 2);
    }
}
