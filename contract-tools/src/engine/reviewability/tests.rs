//! One test for each rule of reviewability, and for each fault that must not come back.

use std::sync::LazyLock;

use super::*;

fn now() -> Moment {
    moment::parse("2026-06-15T12:00:00Z").unwrap()
}

fn pull_request() -> PullRequest {
    PullRequest {
        repo_full_name: "acme/widgets".to_owned(),
        number: 7,
        title: "Rework storage cache".to_owned(),
        state: "open".to_owned(),
        linked_issues: vec![1],
        author_login: Some("ann".to_owned()),
        head_sha: Some("new".to_owned()),
        ..PullRequest::default()
    }
}

static REPOSITORY: LazyLock<Repository> = LazyLock::new(Repository::default);

fn input(pull_request: &PullRequest) -> ReviewabilityInput<'_> {
    ReviewabilityInput {
        repo_full_name: "acme/widgets",
        repository: &REPOSITORY,
        pull_request,
        issues: &[],
        pull_requests: &[],
        recent_merged: &[],
        files: &[],
        reviews: &[],
        checks: &[],
        profile: None,
        outcomes: &[],
    }
}

#[track_caller]
fn check(input: &ReviewabilityInput<'_>, score: u64, action: ReviewAction, noise: &[Noise]) {
    let report = reviewability(input, now());
    assert_eq!((report.score, report.action, report.noise_sources.as_slice()), (score, action, noise));
    assert_eq!(report.why_this_helps.len(), 1);
}

fn review(state: &str, reviewer: &str, submitted_at: &str) -> Review {
    Review {
        state: state.to_owned(),
        reviewer_login: Some(reviewer.to_owned()),
        submitted_at: Some(submitted_at.to_owned()),
    }
}

fn failing(name: &str, head: &str) -> CheckSummary {
    CheckSummary {
        name: name.to_owned(),
        status: "completed".to_owned(),
        conclusion: Some("failure".to_owned()),
        head_sha: Some(head.to_owned()),
        ..CheckSummary::default()
    }
}

#[test]
fn a_healthy_linked_pull_request_is_reviewed_now() {
    let pull_request = pull_request();
    let issue = Issue { number: 1, title: "Crash".to_owned(), state: "open".to_owned(), ..Issue::default() };
    let listed = [pull_request.clone()];
    let input = ReviewabilityInput { issues: &[issue], pull_requests: &listed, ..input(&pull_request) };
    check(&input, 100, ReviewAction::ReviewNow, &[]);
}

#[test]
fn a_stated_reason_stands_in_for_an_issue() {
    let unlinked = PullRequest { linked_issues: vec![], ..pull_request() };
    check(&input(&unlinked), 86, ReviewAction::ReviewNow, &[Noise::MissingLinkedIssue]);
    let stated = PullRequest { body: Some("No issue because it is a typo.".to_owned()), ..unlinked };
    check(&input(&stated), 100, ReviewAction::ReviewNow, &[]);
}

#[test]
fn words_claim_no_more_than_the_noise_allows() {
    let unlinked = PullRequest { linked_issues: vec![], ..pull_request() };
    let report = reviewability(&input(&unlinked), now());
    assert!(!report.why_this_helps[0].contains("Nothing"), "{:?}", report.why_this_helps);
    assert!(report.private_summary.contains("noise sources: 1"), "{}", report.private_summary);
}

#[test]
fn words_know_the_verdict_that_counts() {
    let pull_request = pull_request();
    let told = |reviews: &[Review]| {
        let report = reviewability(&ReviewabilityInput { reviews, ..input(&pull_request) }, now());
        (
            report.score,
            format!("{:?} {:?} {}", report.why_this_helps, report.maintainer_next_steps, report.private_summary),
        )
    };
    let approved = review("APPROVED", "m", "2026-06-12");
    let changes = review("CHANGES_REQUESTED", "m", "2026-06-14");
    let (score, words) = told(&[approved.clone(), changes.clone()]);
    assert_eq!(score, 88);
    assert!(words.contains("changes are asked for") && !words.contains("approved"), "{words}");
    assert!(!words.contains("Nothing seen"), "{words}");
    let (score, words) = told(&[changes, Review { submitted_at: Some("2026-06-15".to_owned()), ..approved }]);
    assert_eq!(score, 100);
    assert!(words.contains("Nothing seen") && words.contains(", approved") && !words.contains("changes"), "{words}");
}

#[test]
fn only_the_newest_check_of_each_name_on_the_newest_commit_counts() {
    let pull_request = pull_request();
    let passed = CheckSummary { conclusion: Some("success".to_owned()), ..failing("build", "new") };
    let at = |time: &str, check: &CheckSummary| CheckSummary { started_at: Some(time.to_owned()), ..check.clone() };
    let rerun = [failing("build", "new"), at("2026-06-15T10:00Z", &passed), failing("lint", "old")];
    check(&ReviewabilityInput { checks: &rerun, ..input(&pull_request) }, 100, ReviewAction::ReviewNow, &[]);
    let unordered = [at("2026-06-15T11:00:00Z", &failing("build", "new")), at("2026-06-15T10:00:00Z", &passed)];
    let input = ReviewabilityInput { checks: &unordered, ..input(&pull_request) };
    check(&input, 68, ReviewAction::NeedsAuthor, &[Noise::FailingChecks(1)]);
}

#[test]
fn of_checks_and_reviews_of_one_moment_the_worst_counts_in_any_order() {
    let pull_request = pull_request();
    for time in [None, Some("2026-06-15T10:00:00Z".to_owned())] {
        let failed = CheckSummary { started_at: time.clone(), ..failing("build", "new") };
        let passed = CheckSummary { conclusion: Some("success".to_owned()), ..failed.clone() };
        for checks in [[failed.clone(), passed.clone()], [passed, failed]] {
            let input = ReviewabilityInput { checks: &checks, ..input(&pull_request) };
            check(&input, 68, ReviewAction::NeedsAuthor, &[Noise::FailingChecks(1)]);
        }
        let approved = Review { submitted_at: time, ..review("APPROVED", "m", "") };
        for (other, score) in [("CHANGES_REQUESTED", 88), ("DISMISSED", 100)] {
            let other = Review { state: other.to_owned(), ..approved.clone() };
            for reviews in [[approved.clone(), other.clone()], [other, approved.clone()]] {
                let input = ReviewabilityInput { reviews: &reviews, ..input(&pull_request) };
                check(&input, score, ReviewAction::ReviewNow, &[]);
                assert!(!Evidence::gather(&input).is_approved());
            }
        }
    }
}

#[test]
fn a_duplicate_is_found_however_much_else_goes_on() {
    let subject = PullRequest { number: 5000, title: "Handle missing settings".to_owned(), ..pull_request() };
    let twin =
        PullRequest { number: 5001, linked_issues: vec![], author_login: Some("bob".to_owned()), ..subject.clone() };
    let newer = |number: u64| PullRequest {
        number,
        title: format!("zebra{number} quagga{number}"),
        linked_issues: vec![number + 10_000],
        updated_at: Some("2026-06-15T00:00:00Z".to_owned()),
        ..subject.clone()
    };
    let mut listed = vec![subject.clone(), twin];
    listed.extend((1..400).map(newer));
    let issues = [Issue { number: 9000, title: subject.title.clone(), state: "open".to_owned(), ..Issue::default() }];
    let input = ReviewabilityInput { pull_requests: &listed, issues: &issues, ..input(&subject) };
    check(&input, 74, ReviewAction::LikelyDuplicate, &[Noise::Collisions(1)]);
}

#[test]
fn an_error_is_a_failure_and_an_empty_conclusion_is_none() {
    let pull_request = pull_request();
    for (status, conclusion) in [("completed", "error"), ("failure", "")] {
        let (status, conclusion) = (status.to_owned(), Some(conclusion.to_owned()));
        let checks = [CheckSummary { status, conclusion, ..CheckSummary::default() }];
        let input = ReviewabilityInput { checks: &checks, ..input(&pull_request) };
        check(&input, 68, ReviewAction::NeedsAuthor, &[Noise::FailingChecks(1)]);
    }
}

/// State, reviewer, moment.
type Given<'a> = (&'a str, &'a str, &'a str);

#[test]
fn the_last_verdict_of_each_reviewer_counts() {
    let pull_request = PullRequest { linked_issues: vec![], ..pull_request() };
    let cases: [(&[Given<'_>], u64); 6] = [
        (&[("APPROVED", "m", "2026-06-12")], 98),
        (&[("APPROVED", "m", "2026-06-12"), ("CHANGES_REQUESTED", "M", "2026-06-14")], 74),
        (&[("CHANGES_REQUESTED", "m", "2026-06-14"), ("approved", "m", "2026-06-12")], 74),
        (&[("APPROVED", "m", "2026-06-12"), ("CHANGES_REQUESTED", "n", "2026-06-14")], 86),
        (&[("APPROVED", "m", "2026-06-12"), ("COMMENTED", "m", "2026-06-14")], 98),
        (&[("APPROVED", "m", "2026-06-12"), ("DISMISSED", "m", "2026-06-14")], 86),
    ];
    for (reviews, score) in cases {
        let reviews: Vec<Review> = reviews.iter().map(|(state, who, when)| review(state, who, when)).collect();
        let report = reviewability(&ReviewabilityInput { reviews: &reviews, ..input(&pull_request) }, now());
        assert_eq!(report.score, score, "{reviews:?}");
    }
}

#[test]
fn what_is_merged_is_watched_and_what_is_closed_is_closed_even_for_maintainers() {
    let by_owner = PullRequest { author_login: Some("ACME".to_owned()), ..pull_request() };
    check(&input(&by_owner), 100, ReviewAction::MaintainerLane, &[]);
    let state = |state: &str| PullRequest { state: state.to_owned(), ..by_owner.clone() };
    check(&input(&state("closed")), 86, ReviewAction::CloseOrRedirect, &[Noise::NotOpen("closed".to_owned())]);
    check(&input(&state("merged")), 86, ReviewAction::Watch, &[Noise::NotOpen("merged".to_owned())]);
    let merged_at = PullRequest { merged_at: Some("2026-06-01T00:00:00Z".to_owned()), ..state("closed") };
    check(&input(&merged_at), 86, ReviewAction::Watch, &[Noise::NotOpen("closed".to_owned())]);
    check(&input(&state("")), 100, ReviewAction::MaintainerLane, &[]);
}

#[test]
fn a_draft_waits_for_its_author() {
    let draft = PullRequest { is_draft: Some(true), ..pull_request() };
    check(&input(&draft), 100, ReviewAction::NeedsAuthor, &[]);
}

#[test]
fn the_association_of_the_pull_request_itself_counts() {
    for (association, role) in
        [("MEMBER", Role::OrgMember), (" owner ", Role::RepoMaintainer), ("NONE", Role::Unknown), ("", Role::Unknown)]
    {
        let pull_request = PullRequest { author_association: Some(association.to_owned()), ..pull_request() };
        assert_eq!(Evidence::gather(&input(&pull_request)).role, role, "{association}");
    }
}

#[test]
fn an_author_who_is_not_known_is_nobody() {
    let repository = Repository { owner: "unknown".to_owned(), ..Repository::default() };
    let nobody = PullRequest { author_login: None, author_association: Some("OWNER".to_owned()), ..pull_request() };
    let input = ReviewabilityInput { repo_full_name: "unknown/widgets", repository: &repository, ..input(&nobody) };
    let evidence = Evidence::gather(&input);
    assert_eq!((evidence.role, evidence.role_source), (Role::Unknown, RoleSource::Unknown));
}

#[test]
fn a_closed_rate_needs_five_decisions_besides_this_one() {
    let row = |merged, closed, open| RepositoryOutcome {
        repo_full_name: "Acme/Widgets".to_owned(),
        merged_pull_requests: merged,
        closed_pull_requests: closed,
        open_pull_requests: open,
    };
    let open = pull_request();
    let closed = PullRequest { state: "closed".to_owned(), ..pull_request() };
    for (pull_request, row, rate) in [
        (&open, row(0, 1, 1), None),
        (&open, row(2, 2, 1), None),
        (&open, row(3, 2, 1), Some(0.4)),
        (&open, row(3, 2, 6), Some(0.2)),
        (&closed, row(3, 2, 0), None),
        (&closed, row(3, 3, 0), Some(0.4)),
    ] {
        let input = ReviewabilityInput { outcomes: &[row], ..input(pull_request) };
        assert_eq!(Evidence::gather(&input).closed_rate, rate);
    }
}

#[test]
fn scores_stay_in_range() {
    let linked = pull_request();
    let pull_request = PullRequest { linked_issues: vec![], ..linked.clone() };
    let checks: Vec<CheckSummary> = (0..1000).map(|number| failing(&number.to_string(), "new")).collect();
    let noise = [Noise::MissingLinkedIssue, Noise::FailingChecks(1000)];
    check(&ReviewabilityInput { checks: &checks, ..input(&pull_request) }, 0, ReviewAction::Watch, &noise);
    let reviews = [review("APPROVED", "m", "2026-06-12")];
    check(&ReviewabilityInput { reviews: &reviews, ..input(&linked) }, 100, ReviewAction::ReviewNow, &[]);
}
