//! What must hold of every engine of a repository's context, whatever the records: tried on many made-up repositories.

use super::collision_report::{CollisionReport, collision_report};
use super::config_quality::config_quality;
use super::dice::Dice;
use super::moment::{self, Moment};
use super::queue_health::{QueueCounts, QueueHealth, queue_health};
use super::records::{
    CheckSummary, Issue, PullRequest, PullRequestFile, RecentMergedPullRequest, RegistryConfig, Repository, Review,
};
use super::reviewability::{Reviewability, ReviewabilityInput, reviewability};

const NAME: &str = "acme/widgets";

/// Repositories that each property is tried on.
const ROUNDS: usize = 100;

fn now() -> Moment {
    moment::parse("2026-06-15T12:00:00Z").unwrap()
}

fn title(dice: &mut Dice) -> String {
    const WORDS: [&str; 12] =
        ["parser", "cache", "Crash", "startup", "settings", "fix", "ошибка", "входе", "修正", "storage", "日本語", "a"];
    let words = 1 + dice.roll(4);
    (0..words).map(|_| dice.pick(&WORDS)).collect::<Vec<_>>().join(" ")
}

fn labels(dice: &mut Dice) -> Vec<String> {
    (0..dice.roll(3)).map(|_| dice.pick(&["bug", "type:docs", "help wanted"]).to_owned()).collect()
}

fn files(dice: &mut Dice) -> Option<Vec<String>> {
    let files = (0..dice.roll(3)).map(|_| dice.pick(&["src/cache.rs", "src/parser.rs", "Cargo.lock"]).to_owned());
    let files = files.collect();
    (dice.roll(2) == 0).then_some(files)
}

fn linked_issues(dice: &mut Dice) -> Vec<u64> {
    (0..dice.roll(3)).map(|_| 1 + dice.number(8)).collect()
}

/// Few different ones, so that many are equal; and some are missing.
fn time(dice: &mut Dice) -> Option<String> {
    (dice.roll(4) > 0).then(|| format!("2026-06-0{}T00:00:00Z", 1 + dice.roll(3)))
}

/// A number that is most often new and sometimes that of another record.
fn number(dice: &mut Dice, first: u64, place: u64) -> u64 {
    if dice.roll(8) == 0 { first + dice.number(4) } else { first + place }
}

/// Everything that is known about a made-up repository.
#[derive(Clone)]
struct World {
    repository: Repository,
    issues: Vec<Issue>,
    pull_requests: Vec<PullRequest>,
    recent_merged: Vec<RecentMergedPullRequest>,
    files: Vec<PullRequestFile>,
    reviews: Vec<Review>,
    checks: Vec<CheckSummary>,
}

impl World {
    fn made_up(dice: &mut Dice) -> Self {
        let multipliers = labels(dice).into_iter().map(|label| (label, 1.5)).collect();
        let config =
            RegistryConfig { emission_share: 0.1, label_multipliers: multipliers, ..RegistryConfig::default() };
        let pull_requests: Vec<PullRequest> =
            (0..=dice.number(11)).map(|number| made_up_pull_request(dice, number)).collect();
        Self {
            repository: Repository { is_registered: true, registry_config: Some(config), ..Repository::default() },
            issues: (0..dice.number(9))
                .map(|place| Issue {
                    repo_full_name: NAME.to_owned(),
                    number: number(dice, 1, place),
                    updated_at: time(dice),
                    title: title(dice),
                    state: dice.pick(&["open", "open", "closed"]).to_owned(),
                    labels: labels(dice),
                    author_login: Some(dice.pick(&["ann", "bob"]).to_owned()),
                    ..Issue::default()
                })
                .collect(),
            pull_requests,
            recent_merged: (0..dice.number(6))
                .map(|place| RecentMergedPullRequest {
                    number: number(dice, 200, place),
                    merged_at: time(dice),
                    title: title(dice),
                    linked_issues: linked_issues(dice),
                    changed_files: files(dice),
                    ..RecentMergedPullRequest::default()
                })
                .collect(),
            files: (0..dice.roll(14))
                .map(|_| PullRequestFile {
                    path: dice.pick(&["src/a.rs", "tests/a.rs", "README.md"]).to_owned(),
                    additions: dice.number(300),
                    deletions: [dice.number(300), u64::MAX][dice.roll(2)],
                })
                .collect(),
            reviews: (0..dice.roll(5))
                .map(|_| Review {
                    state: dice.pick(&["APPROVED", "CHANGES_REQUESTED", "DISMISSED", "COMMENTED"]).to_owned(),
                    reviewer_login: (dice.roll(5) > 0).then(|| dice.pick(&["m", "M", "n"]).to_owned()),
                    submitted_at: time(dice),
                })
                .collect(),
            checks: (0..dice.roll(6))
                .map(|_| CheckSummary {
                    name: dice.pick(&["build", "lint"]).to_owned(),
                    conclusion: Some(dice.pick(&["failure", "success", "error", ""]).to_owned()),
                    started_at: time(dice),
                    completed_at: time(dice),
                    ..CheckSummary::default()
                })
                .collect(),
        }
    }

    fn shuffled(&self, dice: &mut Dice) -> Self {
        let mut world = self.clone();
        dice.shuffle(&mut world.issues);
        dice.shuffle(&mut world.pull_requests);
        dice.shuffle(&mut world.recent_merged);
        dice.shuffle(&mut world.files);
        dice.shuffle(&mut world.reviews);
        dice.shuffle(&mut world.checks);
        world
    }

    fn collisions(&self) -> CollisionReport {
        collision_report(NAME, &self.issues, &self.pull_requests, &self.recent_merged, now())
    }

    fn health(&self) -> QueueHealth {
        let (issues, pull_requests) = (&self.issues, &self.pull_requests);
        queue_health(Some(&self.repository), issues, pull_requests, &self.collisions(), &QueueCounts::default(), now())
    }

    fn reviewability(&self, pull_request: &PullRequest) -> Reviewability {
        let input = ReviewabilityInput {
            repo_full_name: NAME,
            repository: &self.repository,
            pull_request,
            issues: &self.issues,
            pull_requests: &self.pull_requests,
            recent_merged: &self.recent_merged,
            files: &self.files,
            reviews: &self.reviews,
            checks: &self.checks,
            profile: None,
            outcomes: &[],
        };
        reviewability(&input, now())
    }
}

fn made_up_pull_request(dice: &mut Dice, place: u64) -> PullRequest {
    PullRequest {
        repo_full_name: NAME.to_owned(),
        number: number(dice, 100, place),
        title: title(dice),
        state: dice.pick(&["open", "open", "open", "closed", "merged"]).to_owned(),
        labels: labels(dice),
        linked_issues: linked_issues(dice),
        author_login: Some(dice.pick(&["ann", "bob", "acme"]).to_owned()),
        author_association: Some(dice.pick(&["MEMBER", "NONE", ""]).to_owned()),
        is_draft: Some(dice.roll(4) == 0),
        changed_files: files(dice),
        updated_at: time(dice),
        ..PullRequest::default()
    }
}

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
    }
}

#[test]
fn scores_are_between_0_and_100() {
    let mut dice = Dice::new(2);
    for _ in 0..ROUNDS {
        let world = World::made_up(&mut dice);
        assert!(world.health().burden_score <= 100);
        let scores = world.pull_requests.iter().map(|pull_request| world.reviewability(pull_request).score);
        assert!(scores.into_iter().all(|score| score <= 100));
        let quality = config_quality(Some(&world.repository), &world.issues, &world.pull_requests, NAME, now());
        assert!(quality.score <= 100);
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
    }
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
