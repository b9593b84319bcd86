//! One test for each rule about issues, for each fault that must not come back, and for what holds of every issue.

use super::*;
use crate::engine::dice::Dice;
use crate::engine::moment;

const HERE: &str = "acme/widgets";

/// An open issue with enough text, changed yesterday.
fn issue(number: u64) -> Issue {
    Issue {
        repo_full_name: HERE.to_owned(),
        number,
        title: format!("subject{number} matter{number}"),
        state: "open".to_owned(),
        body: Some("b".repeat(200)),
        author_login: Some("reporter".to_owned()),
        updated_at: Some("2026-06-30T00:00:00Z".to_owned()),
        ..Issue::default()
    }
}

fn pull_request(number: u64, linked_issues: &[u64]) -> PullRequest {
    PullRequest {
        number,
        title: format!("Attempt{number} elsewhere"),
        state: "open".to_owned(),
        linked_issues: linked_issues.to_vec(),
        ..PullRequest::default()
    }
}

fn merged(number: u64, author: &str) -> RecentMergedPullRequest {
    RecentMergedPullRequest {
        number,
        title: format!("Solution{number} elsewhere"),
        linked_issues: vec![7],
        author_login: Some(author.to_owned()),
        ..RecentMergedPullRequest::default()
    }
}

#[derive(Clone, Default)]
struct Known {
    issues: Vec<Issue>,
    pull_requests: Vec<PullRequest>,
    recent_merged: Vec<RecentMergedPullRequest>,
    bounties: Vec<Bounty>,
}

impl Known {
    fn of(issue: Issue) -> Self {
        Self { issues: vec![issue], ..Self::default() }
    }

    fn entries(&self, lane: Lane) -> Vec<IssueQualityEntry> {
        issue_quality(&IssueQualityInput {
            repo_full_name: HERE,
            lane,
            issues: &self.issues,
            pull_requests: &self.pull_requests,
            recent_merged: &self.recent_merged,
            bounties: &self.bounties,
            now: moment::parse("2026-07-01T00:00:00Z").unwrap(),
        })
    }
}

#[track_caller]
fn check(known: &Known, lane: Lane, expected: (IssueQualityStatus, i64, usize, usize)) {
    let entries = known.entries(lane);
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    let told = (entry.status, entry.score, entry.warnings.len(), entry.reasons.len());
    assert_eq!(told, expected, "{entry:?}");
}

#[test]
fn a_good_issue_is_ready() {
    check(&Known::of(issue(7)), Lane::Split, (IssueQualityStatus::Ready, 100, 0, 2));
    let closed = Issue { state: "closed".to_owned(), ..issue(7) };
    assert!(Known::of(closed).entries(Lane::Split).is_empty());
}

#[test]
fn thin_and_old_issues_need_proof() {
    let thin = Issue { body: Some(format!("  {}  ", "b".repeat(79))), ..issue(7) };
    check(&Known::of(thin), Lane::Split, (IssueQualityStatus::NeedsProof, 87, 1, 1));
    let old = Issue { updated_at: Some("2026-01-01T00:00:00Z".to_owned()), ..issue(7) };
    check(&Known::of(old), Lane::Split, (IssueQualityStatus::NeedsProof, 59, 2, 2));
}

/// gate-7: the lane alone makes no issue worse to link.
#[test]
fn where_pull_requests_count_an_issue_can_be_ready() {
    check(&Known::of(issue(7)), Lane::DirectPr, (IssueQualityStatus::Ready, 92, 1, 2));
}

/// gate-4: who works on an issue makes no collision with it.
#[test]
fn linked_work_takes_an_issue() {
    let known = Known { pull_requests: vec![pull_request(5, &[7])], ..Known::of(issue(7)) };
    check(&known, Lane::Split, (IssueQualityStatus::DoNotUse, 87, 1, 1));
    let named = Known::of(Issue { linked_prs: vec![99], ..issue(7) });
    check(&named, Lane::Split, (IssueQualityStatus::DoNotUse, 87, 1, 1));
    let named_and_known = Known { pull_requests: vec![pull_request(99, &[])], ..named };
    check(&named_and_known, Lane::Split, (IssueQualityStatus::DoNotUse, 87, 1, 1));
    let two = Known { pull_requests: vec![pull_request(5, &[7]), pull_request(6, &[7])], ..Known::of(issue(7)) };
    check(&two, Lane::Split, (IssueQualityStatus::DoNotUse, 69, 2, 1));
}

#[test]
fn a_solved_issue_says_whether_somebody_else_solved_it() {
    let told = |solver: &str, lane| {
        let known = Known { recent_merged: vec![merged(5, solver)], ..Known::of(issue(7)) };
        known.entries(lane).remove(0).warnings.pop().unwrap()
    };
    assert!(told("someone", Lane::Split).contains("valid solved"));
    assert!(!told("Reporter", Lane::Split).contains("valid solved"));
    assert!(!told("someone", Lane::Unknown).contains("valid solved"));
    assert!(told("someone", Lane::Unknown).contains("solved"));
}

#[test]
fn labels_and_maintainers_say_what_is_wanted() {
    let labelled = |label: &str, association: Option<&str>| {
        let row =
            Issue { labels: vec![label.to_owned()], author_association: association.map(str::to_owned), ..issue(7) };
        Known::of(row).entries(Lane::Split).remove(0).status
    };
    for label in ["Possible-Duplicate", "invalid", "WontFix", "closed: not planned", "won't fix"] {
        assert_eq!(labelled(label, None), IssueQualityStatus::DoNotUse, "{label}");
    }
    for label in ["WIP ", "on hold", "internal", "Do Not Work"] {
        assert_eq!(labelled(label, Some("owner")), IssueQualityStatus::NeedsProof, "{label}");
        assert_eq!(labelled(label, None), IssueQualityStatus::Ready, "{label}");
    }
    assert_eq!(labelled("help wanted", Some("MEMBER")), IssueQualityStatus::Ready);
}

#[test]
fn a_bounty_that_is_over_takes_an_issue() {
    let with = |status: &str| {
        let bounty = Bounty {
            repo_full_name: "Acme/Widgets".to_owned(),
            issue_number: 7,
            status: status.to_owned(),
            ..Bounty::default()
        };
        Known { bounties: vec![bounty], ..Known::of(issue(7)) }
    };
    check(&with("open"), Lane::Split, (IssueQualityStatus::Ready, 100, 0, 3));
    check(&with("paid"), Lane::Split, (IssueQualityStatus::DoNotUse, 92, 1, 2));
    check(&with("unpaid"), Lane::Split, (IssueQualityStatus::NeedsProof, 92, 1, 2));
    check(&with(""), Lane::Split, (IssueQualityStatus::Ready, 100, 0, 2));
}

/// gate-8: the worst issues are looked up like the best, and the lifecycle of every one is known.
#[test]
fn a_linked_issue_is_found_whatever_its_rank() {
    let mut known = Known { issues: (1..=400).map(issue).collect(), ..Known::default() };
    known.issues[399].labels.push("duplicate".to_owned());
    let entries = known.entries(Lane::Split);
    assert_eq!((entries.len(), entries.last().map(|entry| entry.number)), (400, Some(400)));
    assert!(reported(&entries).len() == 100 && reported(&entries).iter().all(|entry| entry.number != 400));
    let findings = linked_issue_findings(&entries, &[5, 400, 9999]);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(finding.code, "issue_quality_do_not_use");
    assert!(finding.detail.contains("#400") && finding.detail.contains(&entries[399].warnings[0]));
}

#[test]
fn the_last_of_several_entries_counts() {
    let entry = |number, status| IssueQualityEntry { number, status, score: 0, warnings: vec![], reasons: vec![] };
    let entries = [
        entry(8, IssueQualityStatus::Hold),
        entry(7, IssueQualityStatus::DoNotUse),
        entry(7, IssueQualityStatus::NeedsProof),
        entry(8, IssueQualityStatus::Ready),
    ];
    let findings = linked_issue_findings(&entries, &[7, 8]);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(finding.code, "issue_quality_needs_proof");
    assert!(finding.detail.contains("#7") && finding.detail.contains("needs proof"));
}

#[test]
fn entries_are_sorted_and_in_range_whatever_the_order_of_records() {
    let mut dice = Dice::new(0x1DEA);
    for _ in 0..100 {
        let mut known = Known::default();
        for number in 1..=dice.number(12) {
            let mut row = issue(number);
            row.body = Some("b".repeat(dice.roll(300)));
            row.title = dice.pick(&["crash at start", "crash at the start", "slow upload"]).to_owned();
            row.updated_at = Some(format!("2025-{:02}-01T00:00:00Z", 1 + dice.roll(12)));
            row.linked_prs = (0..dice.roll(2)).map(|_| 90 + dice.number(20)).collect();
            known.issues.push(row);
        }
        for number in 100..100 + dice.number(6) {
            known.pull_requests.push(pull_request(number, &[1 + dice.number(12)]));
        }
        let mut reversed = known.clone();
        reversed.issues.reverse();
        reversed.pull_requests.reverse();
        let (entries, others) = (known.entries(Lane::Split), reversed.entries(Lane::Split));
        assert_eq!(entries, others);
        assert!(entries.iter().all(|entry| (0..=100).contains(&entry.score)));
        assert!(entries.is_sorted_by_key(|entry| (-entry.score, entry.number)));
    }
}
