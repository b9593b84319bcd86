//! What the engines are measured on: a made-up repository of any size, and ones that strangers wrote badly.

use contract_tools::engine::queue_trends::QueueObservation;
use contract_tools::engine::records::{
    CheckSummary, GithubTotals, Issue, PullRequest, PullRequestFile, RecentMergedPullRequest, RegistryConfig,
    Repository, Review, SegmentKind, SegmentStatus, SyncSegment, SyncState, SyncStatus,
};

use super::NAME;

/// A made-up repository of a certain size.
pub(super) struct Records {
    /// Of what is planned.
    pub(super) title: String,
    pub(super) body: String,
    pub(super) repository: Repository,
    pub(super) issues: Vec<Issue>,
    pub(super) pull_requests: Vec<PullRequest>,
    pub(super) recent_merged: Vec<RecentMergedPullRequest>,
    pub(super) files: Vec<PullRequestFile>,
    pub(super) reviews: Vec<Review>,
    pub(super) checks: Vec<CheckSummary>,
    pub(super) totals: Vec<GithubTotals>,
    pub(super) observations: Vec<QueueObservation>,
    pub(super) sync_state: SyncState,
    pub(super) segments: Vec<SyncSegment>,
}

impl Records {
    /// A few records in which everything that strangers write is so many letters long.
    pub(super) fn hostile(piece: &str, letters: usize) -> Self {
        let mut records = Self::of(3);
        let text = piece.repeat(letters / piece.chars().count());
        for issue in &mut records.issues {
            issue.title.clone_from(&text);
            issue.body = Some(text.clone());
            issue.labels = vec![text.clone()];
            issue.author_login = Some(text.clone());
        }
        for pull_request in &mut records.pull_requests {
            pull_request.title.clone_from(&text);
            pull_request.body = Some(text.clone());
            pull_request.labels = vec![text.clone()];
            pull_request.changed_files = Some(vec![text.clone()]);
        }
        for merged in &mut records.recent_merged {
            merged.title.clone_from(&text);
        }
        for (file, (review, check)) in records.files.iter_mut().zip(records.reviews.iter_mut().zip(&mut records.checks))
        {
            file.path.clone_from(&text);
            review.state.clone_from(&text);
            check.name.clone_from(&text);
            check.status.clone_from(&text);
        }
        for (totals, queue) in records.totals.iter_mut().zip(&mut records.observations) {
            totals.fetched_at.clone_from(&text);
            queue.generated_at.clone_from(&text);
        }
        records.sync_state.warnings = vec![text.clone()];
        records.sync_state.error_summary = Some(text.clone());
        let config = records.repository.registry_config.get_or_insert_default();
        config.label_multipliers = [(text.clone(), 1.5)].into();
        records.title.clone_from(&text);
        records.body = text;
        records
    }

    /// A registration of so many patterns, each of them nearly every label's.
    pub(super) fn of_patterns(count: usize) -> Self {
        let mut records = Self::of(1);
        let pattern = |number| (format!("{}{number}b", "*a".repeat(100)), 1.5);
        let config = records.repository.registry_config.get_or_insert_default();
        config.label_multipliers = (0..count).map(pattern).collect();
        records.issues[0].labels = (0..1_000).map(|number| format!("{}{number}", "a".repeat(200))).collect();
        records
    }

    /// So many open pull requests, and everything else in proportion. Each tenth one closes the issue of another.
    pub(super) fn of(size: u64) -> Self {
        let open = || "open".to_owned();
        let registry_config = RegistryConfig {
            emission_share: 0.1,
            issue_discovery_share: 0.3,
            label_multipliers: ["bug", "type:*", "*a*b*c*"].map(|label| (label.to_owned(), 1.5)).into(),
            ..RegistryConfig::default()
        };
        let repository = Repository {
            full_name: NAME.to_owned(),
            owner: "acme".to_owned(),
            is_registered: true,
            registry_config: Some(registry_config),
            ..Repository::default()
        };
        let issue = |number| Issue {
            repo_full_name: NAME.to_owned(),
            number,
            title: title(number),
            state: open(),
            labels: vec![format!("area:{}", number % 50), "bug".to_owned()],
            author_login: Some(format!("person{}", number % 1000)),
            body: Some("What happens, and what should happen instead.".repeat(10)),
            updated_at: Some(time(number)),
            ..Issue::default()
        };
        let pull_request = |number| PullRequest {
            repo_full_name: NAME.to_owned(),
            number: 1_000_000 + number,
            title: title(number * 7),
            state: open(),
            labels: vec![format!("type:{}", number % 20)],
            linked_issues: vec![number / 10 * 10 + number % 10 % 9 + 1],
            author_login: Some(format!("person{}", number % 1000)),
            changed_files: Some((0..10).map(|file| format!("src/part{}/file{file}.rs", number % 300)).collect()),
            updated_at: Some(time(number)),
            ..PullRequest::default()
        };
        let merged = |number| RecentMergedPullRequest {
            number: 2_000_000 + number,
            title: title(number * 13),
            linked_issues: vec![number * 3],
            merged_at: Some(time(number)),
            ..RecentMergedPullRequest::default()
        };
        Self {
            title: title(1),
            body: "Closes #1. Tested by hand".to_owned(),
            repository,
            issues: (1..=5 * size).map(issue).collect(),
            pull_requests: (1..=size).map(pull_request).collect(),
            recent_merged: (1..=size).map(merged).collect(),
            files: (0..size)
                .map(|number| PullRequestFile { path: format!("src/file{number}.rs"), additions: 1, deletions: 1 })
                .collect(),
            reviews: (0..size)
                .map(|number| Review {
                    state: "APPROVED".to_owned(),
                    reviewer_login: Some(format!("person{number}")),
                    submitted_at: Some(time(number)),
                })
                .collect(),
            checks: (0..size)
                .map(|number| CheckSummary {
                    name: format!("check{number}"),
                    conclusion: Some("success".to_owned()),
                    ..CheckSummary::default()
                })
                .collect(),
            totals: (0..size)
                .map(|number| GithubTotals { fetched_at: time(number), ..GithubTotals::default() })
                .collect(),
            observations: (0..size)
                .map(|number| QueueObservation { generated_at: time(number), ..QueueObservation::default() })
                .collect(),
            sync_state: SyncState {
                status: SyncStatus::Partial,
                warnings: (0..size).map(|page| format!("page {page} was passed over")).collect(),
                ..SyncState::default()
            },
            segments: (0..size)
                .map(|_| SyncSegment {
                    repo_full_name: NAME.to_owned(),
                    segment: SegmentKind::OpenIssues,
                    status: SegmentStatus::Running,
                    fetched_count: 0,
                    expected_count: None,
                    completed_at: None,
                })
                .collect(),
        }
    }
}

fn title(number: u64) -> String {
    const WORDS: [&str; 8] = ["parser", "cache", "startup", "settings", "storage", "ошибка", "network", "crash"];
    let word = |step: u64| WORDS[usize::try_from(number / step % 8).unwrap_or_default()];
    format!("{} in {} of {} {}", word(1), word(8), word(64), number % 977)
}

fn time(number: u64) -> String {
    format!("2026-{:02}-{:02}T{:02}:00:00.000Z", 1 + number % 6, 1 + number % 28, number % 24)
}
