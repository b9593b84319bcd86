//! A made-up repository, and what each engine says of it.

use std::collections::HashSet;

use crate::engine::collision_report::{CollisionReport, collision_report};
use crate::engine::data_quality::{DataQuality, STALE_MILLISECONDS, data_quality};
use crate::engine::dice::Dice;
use crate::engine::gate::{GateInput, GateRequest, Prediction, predict_gate};
use crate::engine::issue_quality::{IssueQualityEntry, IssueQualityInput, issue_quality};
use crate::engine::lane_advice::lane;
use crate::engine::manifest::parse_manifest;
use crate::engine::moment::{self, Moment};
use crate::engine::preflight::{PlannedPullRequest, PreflightInput, PreflightReport, preflight};
use crate::engine::queue_health::{QueueCounts, QueueHealth, queue_health};
use crate::engine::queue_trends::{QueueObservation, QueueTrends, queue_trends};
use crate::engine::records::{
    Bounty, CheckSummary, GithubTotals, Issue, PullRequest, PullRequestFile, RecentMergedPullRequest, RegistryConfig,
    Repository, Review, SegmentKind, SegmentStatus, SyncSegment, SyncState, SyncStatus,
};
use crate::engine::reviewability::{Evidence, Reviewability, ReviewabilityInput, reviewability};
use crate::engine::text::KeptFirst;

pub(super) const NAME: &str = "acme/widgets";

pub(super) fn now() -> Moment {
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
pub(super) struct World {
    pub(super) repository: Repository,
    pub(super) issues: Vec<Issue>,
    pub(super) pull_requests: Vec<PullRequest>,
    pub(super) recent_merged: Vec<RecentMergedPullRequest>,
    pub(super) files: Vec<PullRequestFile>,
    pub(super) reviews: Vec<Review>,
    pub(super) checks: Vec<CheckSummary>,
    pub(super) bounties: Vec<Bounty>,
    pub(super) totals: Vec<GithubTotals>,
    pub(super) observations: Vec<QueueObservation>,
    pub(super) segments: Vec<SyncSegment>,
    pub(super) request: GateRequest,
}

impl World {
    pub(super) fn made_up(dice: &mut Dice) -> Self {
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
            bounties: (0..dice.roll(5)).map(|_| bounty(dice)).collect(),
            totals: (0..dice.roll(8)).map(|_| totals(dice)).collect(),
            observations: (0..dice.roll(8)).map(|_| observation(dice)).collect(),
            segments: (0..dice.roll(6)).map(|_| segment(dice)).collect(),
            request: GateRequest {
                login: dice.pick(&["ann", "zoe"]).to_owned(),
                owner: "acme".to_owned(),
                repo: "widgets".to_owned(),
                title: title(dice),
                body: Some(dice.pick(&["Closes #2. Tested", "chore", ""]).to_owned()),
                linked_issues: linked_issues(dice),
                changed_paths: files(dice).unwrap_or_default(),
                ..GateRequest::default()
            },
        }
    }

    pub(super) fn shuffled(&self, dice: &mut Dice) -> Self {
        let mut world = self.clone();
        dice.shuffle(&mut world.issues);
        dice.shuffle(&mut world.pull_requests);
        dice.shuffle(&mut world.recent_merged);
        dice.shuffle(&mut world.files);
        dice.shuffle(&mut world.reviews);
        dice.shuffle(&mut world.checks);
        dice.shuffle(&mut world.bounties);
        dice.shuffle(&mut world.totals);
        dice.shuffle(&mut world.observations);
        dice.shuffle(&mut world.segments);
        dice.shuffle(&mut world.request.linked_issues);
        dice.shuffle(&mut world.request.changed_paths);
        world
    }

    /// The same with one record for each number, as a store keeps them.
    pub(super) fn with_each_number_once(mut self) -> Self {
        let mut seen = HashSet::new();
        self.issues.retain(|issue| seen.insert(issue.number));
        self.pull_requests.retain(|pull_request| seen.insert(pull_request.number));
        self.recent_merged.retain(|merged| seen.insert(merged.number));
        self
    }

    pub(super) fn collisions(&self) -> CollisionReport {
        collision_report(NAME, &self.issues, &self.pull_requests, &self.recent_merged, now())
    }

    pub(super) fn health(&self) -> QueueHealth {
        let (issues, pull_requests) = (&self.issues, &self.pull_requests);
        queue_health(Some(&self.repository), issues, pull_requests, &self.collisions(), &QueueCounts::default(), now())
    }

    fn review_input<'a>(&'a self, pull_request: &'a PullRequest) -> ReviewabilityInput<'a> {
        ReviewabilityInput {
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
        }
    }

    pub(super) fn reviewability(&self, pull_request: &PullRequest) -> Reviewability {
        reviewability(&self.review_input(pull_request), now())
    }

    pub(super) fn evidence(&self, pull_request: &PullRequest) -> Evidence {
        Evidence::gather(&self.review_input(pull_request))
    }

    pub(super) fn trends(&self) -> QueueTrends {
        queue_trends(NAME, &self.totals, &self.observations, None, now())
    }

    pub(super) fn data_quality(&self) -> DataQuality {
        let state = SyncState { status: SyncStatus::Success, ..SyncState::default() };
        data_quality(NAME, Some(&state), &self.segments, STALE_MILLISECONDS, now())
    }

    pub(super) fn issue_quality(&self) -> Vec<IssueQualityEntry> {
        issue_quality(&IssueQualityInput {
            repo_full_name: NAME,
            lane: lane(Some(&self.repository)),
            issues: &self.issues,
            pull_requests: &self.pull_requests,
            recent_merged: &self.recent_merged,
            bounties: &self.bounties,
            now: now(),
        })
    }

    pub(super) fn preflight(&self) -> PreflightReport {
        let planned = PlannedPullRequest {
            repo_full_name: NAME.to_owned(),
            contributor_login: Some(self.request.login.clone()),
            title: self.request.title.clone(),
            body: self.request.body.clone(),
            labels: self.request.labels.clone(),
            changed_files: self.request.changed_paths.clone(),
            linked_issues: self.request.linked_issues.clone(),
            ..PlannedPullRequest::default()
        };
        preflight(&PreflightInput {
            planned: &planned,
            repository: Some(&self.repository),
            issues: &self.issues,
            pull_requests: &self.pull_requests,
            bounties: &self.bounties,
            issue_quality: &self.issue_quality(),
            kept_first: KeptFirst::InText,
            now: now(),
        })
    }

    pub(super) fn prediction(&self) -> Prediction {
        let manifest = "gate: { duplicates: block }\nsettings: { hardGuardrailGlobs: ['**/*parser*'] }";
        predict_gate(&GateInput {
            request: &self.request,
            manifest: &parse_manifest(manifest),
            repository: Some(&self.repository),
            issues: &self.issues,
            pull_requests: &self.pull_requests,
            bounties: &self.bounties,
            issue_quality: &self.issue_quality(),
            confirmed_contributor: None,
            calibration: None,
            now: now(),
        })
    }
}

pub(super) fn made_up_pull_request(dice: &mut Dice, place: u64) -> PullRequest {
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

/// Most often the same words, so that several are on one issue and of one moment.
fn bounty(dice: &mut Dice) -> Bounty {
    Bounty {
        repo_full_name: NAME.to_owned(),
        issue_number: 1 + dice.number(3),
        status: dice.pick(&["open", "paid", "expired", "who knows", ""]).to_owned(),
        updated_at: time(dice),
        discovered_at: time(dice),
    }
}

fn totals(dice: &mut Dice) -> GithubTotals {
    GithubTotals {
        fetched_at: moment_of_history(dice),
        open_issues_total: dice.number(9),
        open_pull_requests_total: dice.number(9),
        merged_pull_requests_total: dice.number(9),
        closed_unmerged_pull_requests_total: dice.number(9),
        ..GithubTotals::default()
    }
}

fn observation(dice: &mut Dice) -> QueueObservation {
    let stale_pull_requests = dice.number(5);
    QueueObservation {
        generated_at: moment_of_history(dice),
        open_pull_requests: stale_pull_requests + dice.number(5),
        stale_pull_requests,
        collision_clusters: dice.number(5),
    }
}

/// Few different ones far apart, one of them in two spellings, and no moment at all.
fn moment_of_history(dice: &mut Dice) -> String {
    dice.pick(&["2026-06-15T00:00:00Z", "2026-06-15T02:00:00+02:00", "2026-06-01", "2026-05-01T00:00:00Z", ""])
        .to_owned()
}

fn segment(dice: &mut Dice) -> SyncSegment {
    use SegmentStatus::{Capped, Complete, Error, Partial, RateLimited, Skipped, Stale, WaitingRateLimit};
    const STATUSES: [SegmentStatus; 8] =
        [Capped, Complete, Error, Partial, RateLimited, Skipped, Stale, WaitingRateLimit];
    const KINDS: [SegmentKind; 3] = [SegmentKind::Labels, SegmentKind::Metadata, SegmentKind::OpenIssues];
    SyncSegment {
        repo_full_name: NAME.to_owned(),
        segment: KINDS[dice.roll(KINDS.len())],
        status: STATUSES[dice.roll(STATUSES.len())],
        fetched_count: dice.number(3),
        expected_count: (dice.roll(2) == 0).then(|| dice.number(3)),
        completed_at: time(dice),
    }
}
