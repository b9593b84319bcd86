//! What must hold of every engine, whatever the records: tried on many made-up repositories.

mod world;

use super::collision_report::{CollisionReport, collision_report};
use super::config_quality::config_quality;
use super::data_quality::{DataStatus, STALE_MILLISECONDS, data_quality};
use super::dice::Dice;
use super::finding::Finding;
use super::gate::Conclusion;
use super::lane_advice::lane_advice;
use super::preflight::PreflightReport;
use super::queue_trends::{QueueTrends, TrendStatus, queue_trends};
use super::records::{
    CheckSummary, GithubTotals, Issue, PullRequest, RegistryConfig, Repository, SegmentKind, SegmentStatus,
    SyncSegment, SyncState,
};
use super::reviewability::Noise;
use world::{NAME, World, made_up_pull_request, now};

/// Repositories that each property is tried on.
const ROUNDS: usize = 100;

/// A report as far as it says anything: its clusters in an order of their own.
fn verdicts(report: &CollisionReport) -> Vec<String> {
    let mut verdicts: Vec<String> = report
        .clusters
        .iter()
        .map(|cluster| {
            let mut numbers: Vec<u64> = cluster.items.iter().map(|item| item.number).collect();
            numbers.sort_unstable();
            format!("{} {:?} {numbers:?}", cluster.id, cluster.risk)
        })
        .collect();
    verdicts.sort();
    verdicts
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code.as_str()).collect()
}

/// The same of preflight.
fn planned_verdicts(report: &PreflightReport) -> (String, Vec<String>) {
    let mut clusters: Vec<String> = report
        .collisions
        .iter()
        .map(|cluster| {
            let mut numbers: Vec<u64> = cluster.items.iter().map(|item| item.number).collect();
            numbers.sort_unstable();
            format!("{:?} {numbers:?}", cluster.risk)
        })
        .collect();
    clusters.sort();
    (format!("{:?} {:?} {:?}", report.status, report.review_burden, codes(&report.findings)), clusters)
}

/// Moments that are equal and moments that are missing are among the records.
#[test]
fn the_order_of_records_changes_no_verdict() {
    let mut dice = Dice::new(1);
    for _ in 0..ROUNDS {
        let world = World::made_up(&mut dice);
        let shuffled = world.shuffled(&mut dice);
        assert_eq!(verdicts(&world.collisions()), verdicts(&shuffled.collisions()));
        assert_eq!(world.health(), shuffled.health());
        for pull_request in &world.pull_requests {
            assert_eq!(world.reviewability(pull_request), shuffled.reviewability(pull_request));
        }
        let quality =
            |world: &World| config_quality(Some(&world.repository), &world.issues, &world.pull_requests, NAME, now());
        assert_eq!(quality(&world), quality(&shuffled));
        assert_eq!(world.trends(), shuffled.trends());
        assert_eq!(world.data_quality(), shuffled.data_quality());
    }
}

#[test]
fn the_order_of_records_changes_no_verdict_on_a_plan() {
    let mut dice = Dice::new(5);
    for _ in 0..ROUNDS {
        let world = World::made_up(&mut dice).with_each_number_once();
        let shuffled = world.shuffled(&mut dice);
        assert_eq!(world.issue_quality(), shuffled.issue_quality());
        assert_eq!(planned_verdicts(&world.preflight()), planned_verdicts(&shuffled.preflight()));
        let (one, other) = (world.prediction(), shuffled.prediction());
        assert_eq!((one.conclusion, codes(&one.blockers)), (other.conclusion, codes(&other.blockers)));
        assert_eq!((codes(&one.warnings), one.readiness.total()), (codes(&other.warnings), other.readiness.total()));
    }
}

#[test]
fn scores_are_in_their_range() {
    let mut dice = Dice::new(2);
    for _ in 0..ROUNDS {
        let world = World::made_up(&mut dice);
        assert!(world.health().burden_score <= 100);
        let scores = world.pull_requests.iter().map(|pull_request| world.reviewability(pull_request).score);
        assert!(scores.into_iter().all(|score| score <= 100));
        let quality = config_quality(Some(&world.repository), &world.issues, &world.pull_requests, NAME, now());
        assert!(quality.score <= 100);
        assert!(world.issue_quality().iter().all(|entry| (0..=100).contains(&entry.score)));
        let prediction = world.prediction();
        assert!((0.0..=100.0).contains(&prediction.readiness_score) && prediction.readiness.total() <= 100);
        let parts = |share: Option<f64>| share.is_none_or(|share| (0.0..=1.0).contains(&share));
        assert!(parts(quality.lane.issue_discovery_share) && parts(quality.lane.direct_pr_share));
        for window in world.trends().windows {
            assert!(parts(window.stale_pull_request_rate), "{window:?}");
            assert!(window.review_velocity_per_day.is_none_or(|velocity| velocity.is_finite() && velocity >= 0.0));
            assert!(window.observed_days >= 0.0);
        }
    }
}

#[test]
fn an_unrelated_item_lowers_no_risk() {
    let mut dice = Dice::new(3);
    for _ in 0..ROUNDS {
        let world = World::made_up(&mut dice);
        let mut larger = world.clone();
        let (title, state) = ("Nothing else speaks of zebras".to_owned(), "open".to_owned());
        larger.issues.insert(0, Issue { number: 900, title, state, ..Issue::default() });
        let unrelated = PullRequest {
            number: 1001,
            title: "Xylophone quintet".to_owned(),
            author_login: Some("zoe".to_owned()),
            ..made_up_pull_request(&mut dice, 901)
        };
        larger
            .pull_requests
            .insert(0, PullRequest { linked_issues: vec![902], labels: vec![], changed_files: None, ..unrelated });
        assert_eq!(verdicts(&world.collisions()), verdicts(&larger.collisions()));
        assert!(larger.health().burden_score >= world.health().burden_score);
        for pull_request in &world.pull_requests {
            assert_eq!(world.reviewability(pull_request), larger.reviewability(pull_request));
        }
        let others = larger.issue_quality().into_iter().filter(|entry| entry.number != 900).collect::<Vec<_>>();
        assert_eq!(world.issue_quality(), others);
        let (before, after) = (world.preflight(), larger.preflight());
        assert!(after.status == before.status && after.review_burden == before.review_burden);
        assert_eq!(planned_verdicts(&before), planned_verdicts(&after));
        let (before, after) = (world.prediction(), larger.prediction());
        assert_eq!((before.conclusion, codes(&before.blockers)), (after.conclusion, codes(&after.blockers)));
        assert!(after.readiness.total() <= before.readiness.total());
    }
}

/// More unrelated work than is compared pair by pair: all of it newer, and all of it closing an issue, which goes first.
#[test]
fn much_unrelated_work_hides_nothing_from_a_question() {
    let mut dice = Dice::new(10);
    let updated_at = Some("2026-06-14T00:00:00Z".to_owned());
    for _ in 0..ROUNDS / 4 {
        let world = World::made_up(&mut dice);
        let mut larger = world.clone();
        larger.issues.extend((0..200).map(|number| Issue {
            number: 10_000 + number,
            title: format!("zebra{number}"),
            state: "open".to_owned(),
            updated_at: updated_at.clone(),
            ..Issue::default()
        }));
        larger.pull_requests.extend((0..200).map(|number| PullRequest {
            number: 20_000 + number,
            title: format!("xylophone{number}"),
            state: "open".to_owned(),
            linked_issues: vec![30_000 + number],
            updated_at: updated_at.clone(),
            ..PullRequest::default()
        }));
        for pull_request in &world.pull_requests {
            assert_eq!(world.reviewability(pull_request), larger.reviewability(pull_request));
        }
        assert_eq!(planned_verdicts(&world.preflight()), planned_verdicts(&larger.preflight()));
        let (before, after) = (world.prediction(), larger.prediction());
        assert_eq!((before.conclusion, codes(&before.blockers)), (after.conclusion, codes(&after.blockers)));
        assert!(after.readiness.total() <= before.readiness.total());
    }
}

/// What is worse about a copy, or about a queue, is not made good by something else that is known.
#[test]
fn an_unrelated_record_mends_no_copy_and_no_trend() {
    let worse = |status: DataStatus| match status {
        DataStatus::Complete => 0,
        DataStatus::Degraded => 1,
        DataStatus::Blocked => 2,
        DataStatus::Unknown => 3,
    };
    let mut dice = Dice::new(6);
    for _ in 0..ROUNDS {
        let world = World::made_up(&mut dice);
        let mut larger = world.clone();
        let elsewhere =
            |segment: &SyncSegment| SyncSegment { repo_full_name: "acme/other".to_owned(), ..segment.clone() };
        larger.segments.extend(world.segments.iter().map(elsewhere));
        assert_eq!(world.data_quality(), larger.data_quality());
        if !world.segments.is_empty() {
            larger.segments.push(SyncSegment { status: SegmentStatus::Complete, ..world.segments[0].clone() });
            let stands = [SegmentStatus::Error, SegmentStatus::Skipped].contains(&world.segments[0].status);
            let (before, after) = (world.data_quality(), larger.data_quality());
            assert!(!stands || worse(after.status) >= worse(before.status), "{before:?} {after:?}");
        }
        // An older moment than all others is no later state of anything.
        larger.totals.push(GithubTotals { fetched_at: "2020-01-01T00:00:00Z".to_owned(), ..GithubTotals::default() });
        let ready = |trends: &QueueTrends| {
            trends.windows.iter().filter(|window| window.status == TrendStatus::Ready).cloned().collect::<Vec<_>>()
        };
        let (before, after) = (ready(&world.trends()), ready(&larger.trends()));
        assert!(before.iter().all(|window| after.contains(window)), "{before:?} {after:?}");
    }
}

/// Words that a reader takes for the score must come of what makes the score.
#[test]
fn words_of_a_review_know_what_costs_points() {
    let mut dice = Dice::new(8);
    let (mut quiet, mut asked) = (0, 0);
    for _ in 0..ROUNDS {
        let world = World::made_up(&mut dice);
        for pull_request in world.pull_requests.iter().filter(|pull_request| pull_request.is_open()) {
            let (report, evidence) = (world.reviewability(pull_request), world.evidence(pull_request));
            let words = format!("{:?} {:?}", report.why_this_helps, report.maintainer_next_steps);
            if words.contains("Nothing seen speaks against") {
                quiet += 1;
                assert!(report.noise_sources.is_empty() && !evidence.has_requested_changes(), "{words}");
                assert_eq!(report.score, 100);
            }
            let summary = &report.private_summary;
            assert_eq!(summary.contains("changes are asked for"), evidence.has_requested_changes(), "{summary}");
            assert_eq!(summary.contains(", approved"), evidence.is_approved(), "{summary}");
            asked += u32::from(evidence.has_requested_changes());
            assert!(!report.noise_sources.contains(&Noise::NotOpen("open".to_owned())));
        }
    }
    assert!(quiet > 0 && asked > 0, "{quiet} quiet, {asked} asked");
}

#[test]
fn no_cluster_holds_merged_work_alone_or_a_pair_with_its_own_issue() {
    use super::collision_report::ItemType;

    let mut dice = Dice::new(4);
    for _ in 0..ROUNDS {
        let world = World::made_up(&mut dice);
        for cluster in world.collisions().clusters {
            let of = |item_type| cluster.items.iter().filter(|item| item.item_type == item_type).count();
            assert!(of(ItemType::RecentMergedPullRequest) < cluster.items.len(), "{cluster:?}");
            let is_own = of(ItemType::Issue) == 1
                && cluster.items.len() == 2
                && cluster.items[1].linked_issues.contains(&cluster.items[0].number);
            assert!(!is_own, "{cluster:?}");
        }
    }
}

/// All that a stranger can write is a megabyte of this.
#[test]
fn hostile_text_takes_linear_time() {
    let hostile = ["x".repeat(1_000_000), "* ".repeat(500_000), "\u{200B}".repeat(300_000), "[a-".repeat(300_000)];
    for text in hostile {
        let label = vec![text.clone()];
        let issue = |number| Issue {
            number,
            title: text.clone(),
            state: "open".to_owned(),
            labels: label.clone(),
            body: Some(text.clone()),
            ..Issue::default()
        };
        let issues = [issue(1), issue(2)];
        let report = collision_report(NAME, &issues, &[], &[], now());
        assert!(report.clusters.iter().flat_map(|cluster| &cluster.items).all(|item| item.title.len() <= 1200));
        for (pattern, label) in [(text.as_str(), "bug"), ("*x*?*[a-z]*y", &text), ("[!b]**?*", &text)] {
            let label_multipliers = [(pattern.to_owned(), 1.0)].into();
            let config = RegistryConfig { label_multipliers, ..RegistryConfig::default() };
            let repository = Repository { registry_config: Some(config), ..Repository::default() };
            let labelled = Issue { labels: vec![label.to_owned()], ..Issue::default() };
            let quality = config_quality(Some(&repository), &[labelled], &[], NAME, now());
            assert_eq!(quality.configured_labels.len(), 1);
        }
    }
}

/// The same in every engine that the test above does not name.
#[test]
fn hostile_text_takes_linear_time_in_every_engine() {
    let mut dice = Dice::new(9);
    for piece in ["x", "* ", "\u{200B}", "**/"] {
        let text = piece.repeat(1_000_000 / piece.len());
        let mut world = World::made_up(&mut dice);
        world.repository.full_name.clone_from(&text);
        let (state, author_login) = ("open".to_owned(), Some(text.clone()));
        let subject = PullRequest { title: text.clone(), state, author_login, ..PullRequest::default() };
        world.pull_requests = vec![PullRequest { body: Some(text.clone()), linked_issues: vec![1], ..subject }];
        world.issues = vec![Issue { number: 1, title: text.clone(), body: Some(text.clone()), ..Issue::default() }];
        world.reviews.iter_mut().for_each(|review| review.state.clone_from(&text));
        world.files.iter_mut().for_each(|file| file.path.clone_from(&text));
        world.bounties.iter_mut().for_each(|bounty| bounty.status.clone_from(&text));
        let checks = world.checks.iter();
        world.checks =
            checks.map(|check| CheckSummary { name: text.clone(), status: text.clone(), ..check.clone() }).collect();
        world.request.title.clone_from(&text);
        world.request.body = Some(text.clone());
        world.request.labels = vec![text.clone()];
        assert!(world.reviewability(&world.pull_requests[0]).score <= 100);
        assert_eq!(world.health().signals.open_pull_requests, 1);
        assert!(world.issue_quality().len() <= 1 && world.preflight().findings.len() <= 8);
        assert!(world.prediction().note.contains("4096"));
        assert_eq!(lane_advice(Some(&world.repository), &text).repo_full_name.len(), text.len());
        let observed = |text: &String| GithubTotals { fetched_at: text.clone(), ..GithubTotals::default() };
        assert_eq!(queue_trends(NAME, &[observed(&text)], &[], None, now()).status, TrendStatus::Unavailable);
        let state = SyncState { warnings: vec![text.clone()], updated_at: Some(text.clone()), ..SyncState::default() };
        let segment = SyncSegment {
            repo_full_name: NAME.to_owned(),
            segment: SegmentKind::Labels,
            status: SegmentStatus::Partial,
            fetched_count: 0,
            expected_count: None,
            completed_at: Some(text),
        };
        assert!(data_quality(NAME, Some(&state), &[segment], STALE_MILLISECONDS, now()).partial);
        assert_ne!(world.prediction().conclusion, Conclusion::Failure);
    }
}
