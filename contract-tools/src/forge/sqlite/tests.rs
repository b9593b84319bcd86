//! What the store promises to those who use it. Each question that is asked here is held against its plan, too: see
//! `query`.

use std::path::PathBuf;

use crate::engine::queue_health::QueueCounts;
use crate::engine::queue_trends::QueueObservation;
use crate::engine::records::{
    Bounty, Calibration, CheckSummary, GithubTotals, Issue, OfficialRepositoryActivity, PullRequest, PullRequestFile,
    RegistryConfig, Review, SegmentKind, SegmentStatus, SyncSegment, SyncState, SyncStatus,
};
use crate::forge::*;

/// The file itself: whose it is, what is refused, who else writes it, what takes its place.
mod files;

fn temporary() -> (tempfile::TempDir, PathBuf, WritableForge) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("data/forge.sqlite3");
    let forge = open(&path).unwrap();
    (directory, path, forge)
}

fn name(text: &str) -> RepoName {
    RepoName::parse(text).unwrap()
}

#[expect(clippy::unnecessary_wraps, reason = "the members of records are options")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn issue(number: u64, updated_at: &str) -> Issue {
    Issue {
        repo_full_name: "acme/widgets".to_owned(),
        number,
        title: format!("issue {number} at {updated_at}"),
        state: "open".to_owned(),
        labels: vec!["bug".to_owned()],
        author_login: text("Ann"),
        linked_prs: vec![7],
        updated_at: text(updated_at),
        ..Issue::default()
    }
}

fn pull(number: u64, updated_at: &str) -> PullRequest {
    PullRequest {
        repo_full_name: "acme/widgets".to_owned(),
        number,
        title: format!("pull {number} at {updated_at}"),
        state: "open".to_owned(),
        linked_issues: vec![1],
        author_login: text("Bob"),
        author_association: text("MEMBER"),
        is_draft: Some(false),
        head_sha: text("c0ffee"),
        updated_at: text(updated_at),
        ..PullRequest::default()
    }
}

/// A repository as payloads hold it beside something else.
fn in_brief(repo: &str, is_private: bool) -> Change {
    Change::Repository(RepositoryFacts {
        name: name(repo),
        is_private,
        html_url: None,
        default_branch: None,
        updated_at: None,
    })
}

/// One of everything.
fn everything() -> Vec<Change> {
    [records(), operators(), progress()].concat()
}

/// What GitHub tells.
fn records() -> Vec<Change> {
    let repo = name("acme/widgets");
    let check = CheckSummary {
        name: "ci".to_owned(),
        status: "completed".to_owned(),
        conclusion: text("success"),
        head_sha: text("c0ffee"),
        started_at: text("2026-03-01T10:00:00Z"),
        completed_at: text("2026-03-01T11:00:00Z"),
    };
    let review =
        Review { state: "APPROVED".to_owned(), reviewer_login: text("cy"), submitted_at: text("2026-03-01T12:00:00Z") };
    vec![
        Change::Repository(RepositoryFacts {
            name: name("Acme/Widgets"),
            is_private: true,
            html_url: text("https://github.com/Acme/Widgets"),
            default_branch: text("main"),
            updated_at: text("2026-03-01T00:00:00Z"),
        }),
        Change::Installation(Installation {
            id: 9,
            account_login: "Acme".to_owned(),
            is_suspended: false,
            is_removed: false,
            updated_at: None,
        }),
        Change::Covered { repo: repo.clone(), installation: 9, is_covered: true, is_private: None, at: None },
        Change::Label(repo.clone(), Label { name: "Bug".to_owned(), color: text("ff0000"), description: None }),
        Change::Issue(issue(1, "2026-03-01T00:00:00Z")),
        Change::Issue(issue(2, "2026-03-02T00:00:00Z")),
        Change::PullRequest(pull(7, "2026-03-01T00:00:00Z")),
        Change::PullRequest(PullRequest {
            state: "closed".to_owned(),
            merged_at: text("2026-03-01T00:00:00Z"),
            ..pull(8, "2026-03-02T00:00:00Z")
        }),
        Change::Files {
            repo: repo.clone(),
            head_sha: "c0ffee".to_owned(),
            files: vec![PullRequestFile { path: "src/lib.rs".to_owned(), additions: 4, deletions: 1 }],
        },
        Change::Review(repo.clone(), NumberedReview { id: 5, pull_number: 7, review, updated_at: None }),
        Change::Check(
            repo.clone(),
            NumberedCheck { kind: CheckKind::Run, id: 6, head_sha: "c0ffee".to_owned(), check },
        ),
        Change::Manifest(repo.clone(), ManifestFile { path: ".loopover.json".to_owned(), content: "{}".to_owned() }),
        Change::Manifest(repo.clone(), ManifestFile { path: ".loopover.yml".to_owned(), content: "a: 1".to_owned() }),
    ]
}

/// What operators say.
fn operators() -> Vec<Change> {
    let repo = name("acme/widgets");
    let entry = RegistryConfig {
        repo: "acme/Widgets".to_owned(),
        emission_share: 0.25,
        label_multipliers: [("bug".to_owned(), 1.5)].into(),
        trusted_label_pipeline: Some(true),
        ..RegistryConfig::default()
    };
    let activity = OfficialRepositoryActivity {
        repo_full_name: "acme/widgets".to_owned(),
        pull_requests: 3,
        open_issues: 1,
        closed_issues: 2,
    };
    vec![
        Change::Registry(RegistrySnapshot { generated_at: "2026-03-01T00:00:00Z".to_owned(), entries: vec![entry] }),
        Change::Bounty(Bounty {
            repo_full_name: "acme/widgets".to_owned(),
            issue_number: 1,
            status: "open".to_owned(),
            updated_at: text("2026-03-01T00:00:00Z"),
            discovered_at: None,
        }),
        Change::Contributor(OfficialContributor {
            login: "Bob".to_owned(),
            repositories: vec![activity],
            generated_at: "2026-03-01T00:00:00Z".to_owned(),
        }),
        Change::Calibration(CalibrationRow {
            login: "Bob".to_owned(),
            repo,
            pull_number: 8,
            agreed: true,
            decided_at: "2026-03-01T00:00:00Z".to_owned(),
        }),
    ]
}

/// How far a copy has come.
fn progress() -> Vec<Change> {
    let repo = name("acme/widgets");
    vec![
        Change::Totals(
            repo.clone(),
            GithubTotals {
                fetched_at: "2026-03-01T00:00:00Z".to_owned(),
                open_issues_total: 40,
                open_pull_requests_total: 5,
                ..GithubTotals::default()
            },
        ),
        Change::Queue(
            repo.clone(),
            QueueObservation { generated_at: "2026-03-01T00:00:00Z".to_owned(), ..QueueObservation::default() },
        ),
        Change::SyncState(SyncState {
            repo_full_name: "acme/widgets".to_owned(),
            status: SyncStatus::RateLimited,
            warnings: vec!["slow".to_owned()],
            ..SyncState::default()
        }),
        Change::SyncSegment(SyncSegment {
            repo_full_name: "acme/widgets".to_owned(),
            segment: SegmentKind::OpenIssues,
            status: SegmentStatus::NotModified,
            fetched_count: 2,
            expected_count: Some(2),
            completed_at: None,
        }),
        Change::Mark { repo, key: "etag".to_owned(), value: text("W/1") },
    ]
}

#[test]
fn everything_that_is_written_is_read_whatever_the_casing_of_the_name() {
    let (_directory, _, forge) = temporary();
    let applied = forge.apply(&everything()).unwrap();
    assert_eq!((applied.changed, applied.nameless), (everything().len() as u64, 0));
    let applied = forge.apply(&everything()).unwrap();
    // Where the last one written counts, it is written again.
    assert_eq!(applied.changed, 2, "{applied:?}");

    let reader = forge.read().unwrap();
    let repo = name("ACME/widgets");
    let repository = reader.repository(&repo).unwrap().unwrap();
    assert_eq!((repository.full_name.as_str(), repository.owner.as_str()), ("Acme/Widgets", "Acme"));
    assert!(repository.is_private && repository.is_installed && repository.is_registered);
    let config = repository.registry_config.clone().unwrap();
    assert_eq!((config.emission_share, config.label_multipliers["bug"]), (0.25, 1.5));
    assert_eq!(config.trusted_label_pipeline, Some(true));
    assert_eq!(reader.repositories(None, 5).unwrap(), std::slice::from_ref(&repository));
    assert_eq!(reader.repositories(Some(&repo), 5).unwrap(), []);

    let numbers = |issues: Vec<Issue>| issues.iter().map(|issue| issue.number).collect::<Vec<_>>();
    assert_eq!(numbers(reader.issues(&repo, Which::Open, 5).unwrap()), [2, 1]);
    assert_eq!(numbers(reader.issues(&repo, Which::Any, 1).unwrap()), [2]);
    let by_number = reader.issues_by_number(&repo, &[1, 3, 2]).unwrap();
    assert_eq!(
        (by_number[0].labels.as_slice(), by_number[0].linked_prs.as_slice()),
        (&["bug".to_owned()][..], &[7][..])
    );
    assert_eq!(by_number[0].repo_full_name, "Acme/Widgets");
    assert_eq!(numbers(by_number), [1, 2]);

    assert_eq!(numbers(reader.open_issues_that(&repo, &mut |issue| issue.number == 1).unwrap()), [1]);
    let mut shown = Vec::new();
    let is_open = |row: &PullRequest| {
        shown.push((row.number, row.changed_files.clone(), row.body.clone()));
        row.is_open()
    };
    assert_eq!(reader.open_pull_requests_that(&repo, &mut { is_open }).unwrap().len(), 1);
    assert_eq!(shown, [(7, Some(vec!["src/lib.rs".to_owned()]), None)]);
    assert_eq!(reader.pull_requests_on(&repo, &[9, 1], 5).unwrap().len(), 2);
    assert_eq!(reader.pull_requests_on(&repo, &[9], 5).unwrap(), []);

    let open = reader.pull_requests(&repo, Which::Open, 5).unwrap();
    assert_eq!((open.len(), open[0].number, open[0].is_draft), (1, 7, Some(false)));
    assert_eq!(open[0].changed_files, Some(vec!["src/lib.rs".to_owned()]));
    assert_eq!(reader.pull_requests(&repo, Which::Any, 5).unwrap().len(), 2);
    assert_eq!(reader.pull_request(&repo, 8).unwrap().unwrap().state, "merged");
    assert_eq!(reader.pull_request(&repo, 9).unwrap(), None);
    assert_eq!(reader.recent_merged(&repo, 5).unwrap()[0].number, 8);
    assert_eq!(reader.files(&repo, 7).unwrap()[0].additions, 4);
    assert_eq!(reader.reviews(&repo, 7).unwrap()[0].state, "APPROVED");
    assert_eq!(reader.checks(&repo, 7).unwrap()[0].conclusion, text("success"));

    assert_eq!(reader.labels(&repo).unwrap()[0].name, "Bug");
    assert_eq!(reader.open_counts(&repo).unwrap().open_issues, Some(40));
    assert_eq!(reader.totals(&repo, 5).unwrap()[0].open_pull_requests_total, 5);
    assert_eq!(reader.queue_observations(&repo, 5).unwrap().len(), 1);
    assert_eq!(reader.sync_state(&repo).unwrap().unwrap().status, SyncStatus::RateLimited);
    let segments = reader.sync_segments(&repo).unwrap();
    assert_eq!((segments[0].repo_full_name.as_str(), segments[0].status), ("Acme/Widgets", SegmentStatus::NotModified));
    assert_eq!(reader.mark(&repo, "etag").unwrap(), text("W/1"));
    let bounties = reader.bounties(&repo, 5).unwrap();
    assert_eq!(bounties[0].status, "open");
    assert_eq!(reader.bounties_on(&repo, &[9_999, bounties[0].issue_number]).unwrap(), bounties);
    let paths: Vec<_> = reader.manifests(&repo).unwrap().into_iter().map(|file| file.path).collect();
    assert_eq!(paths, [".loopover.yml", ".loopover.json"]);

    let contributor = reader.contributor("BOB").unwrap().unwrap();
    assert!(contributor.is_official);
    assert_eq!(contributor.profile.official_repositories[0].closed_issues, 2);
    assert_eq!(contributor.profile.repositories_touched, ["Acme/Widgets"]);
    assert!(!reader.contributor("ann").unwrap().unwrap().is_official);
    assert_eq!(reader.contributor("nobody").unwrap(), None);
    let outcomes = reader.outcomes("bob").unwrap();
    assert_eq!((outcomes[0].merged_pull_requests, outcomes[0].open_pull_requests), (1, 1));
    let calibration = Some(Calibration { sample_size: 1.0, agreement_rate: 1.0 });
    assert_eq!(reader.calibration("bob").unwrap(), calibration);
    assert_eq!(reader.calibration("ann").unwrap(), None);
    assert_eq!(reader.installations("acme").unwrap()[0].id, 9);
    assert_eq!(reader.owned_repositories("acme").unwrap(), std::slice::from_ref(&repository));
    assert_eq!(reader.maintained_repositories("bob").unwrap(), [repository]);
    assert_eq!(reader.maintained_repositories("ann").unwrap(), []);

    let unknown = name("acme/nothing");
    assert_eq!(reader.repository(&unknown).unwrap(), None);
    assert_eq!(reader.open_counts(&unknown).unwrap(), QueueCounts::default());
}

#[test]
fn a_reading_sees_one_moment() {
    let (_directory, _, forge) = temporary();
    let repo = name("acme/widgets");
    forge.apply(&[Change::Issue(issue(1, "2026-03-01T00:00:00Z"))]).unwrap();
    let reader = forge.read().unwrap();
    assert_eq!(reader.issues(&repo, Which::Any, 9).unwrap().len(), 1);
    forge.apply(&[Change::Issue(issue(2, "2026-03-01T00:00:00Z"))]).unwrap();
    assert_eq!(reader.issues(&repo, Which::Any, 9).unwrap().len(), 1);
    drop(reader);
    assert_eq!(forge.read().unwrap().issues(&repo, Which::Any, 9).unwrap().len(), 2);
}

#[test]
fn both_names_of_a_renamed_repository_find_it() {
    let (_directory, _, forge) = temporary();
    forge.apply(&everything()).unwrap();
    let (from, to) = (name("acme/widgets"), name("Beta/Gadgets"));
    forge.apply(&[in_brief("Beta/Gadgets", false)]).unwrap();
    for _ in 0..2 {
        forge.apply(&[Change::Renamed { from: from.clone(), to: to.clone() }]).unwrap();
    }
    let reader = forge.read().unwrap();
    for name in [from, to] {
        let repository = reader.repository(&name).unwrap().unwrap();
        assert_eq!(repository.full_name, "Beta/Gadgets");
        assert!(repository.is_registered && repository.is_installed);
        assert_eq!(reader.issues(&name, Which::Any, 9).unwrap().len(), 2);
    }
    assert_eq!(reader.repositories(None, 9).unwrap().len(), 1);
}

#[test]
fn a_private_repository_stays_private_under_a_name_that_is_known_in_brief() {
    let (_directory, _, forge) = temporary();
    let (from, to) = (name("acme/widgets"), name("beta/gadgets"));
    let applied = forge.apply(&[in_brief("acme/widgets", true), in_brief("beta/gadgets", false)]).unwrap();
    assert_eq!((applied.changed, applied.known), (2, 0));
    let again = forge.apply(&[in_brief("acme/widgets", false), in_brief("acme/widgets", true)]).unwrap();
    assert_eq!((again.changed, again.known), (0, 2));
    forge.apply(&[Change::Renamed { from, to: to.clone() }]).unwrap();
    assert!(forge.read().unwrap().repository(&to).unwrap().unwrap().is_private);
}

#[test]
fn what_the_newest_registry_lacks_is_not_registered() {
    let (_directory, _, forge) = temporary();
    forge.apply(&everything()).unwrap();
    let newer = RegistrySnapshot { generated_at: "2026-04-01T00:00:00Z".to_owned(), entries: Vec::new() };
    forge.apply(&[Change::Registry(newer)]).unwrap();
    forge.apply(&everything()).unwrap();
    let repository = forge.read().unwrap().repository(&name("acme/widgets")).unwrap().unwrap();
    assert!(!repository.is_registered && repository.registry_config.is_none());
}

#[test]
fn sessions_are_found_by_their_digest_until_they_are_forgotten() {
    let (_directory, path, forge) = temporary();
    let new = |byte: u8, login: &str, created_at| NewSession {
        token: TokenHash([byte; 32]),
        login: login.to_owned(),
        github_id: Some(42),
        created_at,
        expires_at: created_at + 1000,
    };
    let first = forge.create_session(&new(1, "Ann", 10)).unwrap();
    let second = forge.create_session(&new(2, "ann", 20)).unwrap();
    forge.create_session(&new(3, "bob", 30)).unwrap();
    assert!(forge.create_session(&new(3, "eve", 40)).is_err(), "one token is one session");
    let found = forge.read().unwrap().session(&TokenHash([1; 32])).unwrap().unwrap();
    assert_eq!((found.id, found.login.as_str(), found.github_id), (first, "Ann", Some(42)));
    assert!(found.is_valid(10) && !found.is_valid(1010));
    assert_eq!(forge.read().unwrap().session(&TokenHash([9; 32])).unwrap(), None);
    let ids = |sessions: Vec<Session>| sessions.iter().map(|session| session.id).collect::<Vec<_>>();
    assert_eq!(ids(forge.read().unwrap().sessions(Some("ANN")).unwrap()), [second, first]);
    assert_eq!(forge.read().unwrap().sessions(None).unwrap().len(), 3);

    assert!(forge.revoke_session(first, 50).unwrap());
    assert!(!forge.revoke_session(first, 60).unwrap(), "once");
    let revoked = forge.read().unwrap().session(&TokenHash([1; 32])).unwrap().unwrap();
    assert!(revoked.revoked_at == Some(50) && !revoked.is_valid(55));
    assert_eq!(forge.revoke_sessions_of("Ann", 70).unwrap(), 1);
    assert_eq!(forge.forget_sessions(60).unwrap(), 1);
    // Another opening, another connection.
    let forge = open(&path).unwrap();
    assert_eq!(ids(forge.read().unwrap().sessions(Some("ann")).unwrap()), [second]);
    assert!(format!("{:?}", TokenHash([1; 32])) == "TokenHash(…)");
}
