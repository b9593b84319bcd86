//! One test for each rule of a prediction, for each fault that must not come back, and for what holds of every plan.

use super::*;
use crate::engine::dice::Dice;
use crate::engine::manifest::{ParsedManifest, parse_manifest};
use crate::engine::moment;
use crate::engine::records::{Calibration, Issue, PullRequest, RegistryConfig, Repository};
use crate::engine::rounding::exact;

const HERE: &str = "acme/widgets";

/// Everything that a prediction depends on.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) request: GateRequest,
    manifest: ParsedManifest,
    repository: Option<Repository>,
    issues: Vec<Issue>,
    pull_requests: Vec<PullRequest>,
    calibration: Option<Calibration>,
}

impl Known {
    /// A clean plan that closes issue 7, under this manifest.
    pub(super) fn under(manifest: &str) -> Self {
        let registry_config =
            Some(RegistryConfig { emission_share: 0.1, issue_discovery_share: 0.5, ..RegistryConfig::default() });
        let repository =
            Repository { full_name: HERE.to_owned(), is_registered: true, registry_config, ..Repository::default() };
        Self {
            request: GateRequest {
                login: "miner".to_owned(),
                owner: "acme".to_owned(),
                repo: "widgets".to_owned(),
                title: "Teach the client retries".to_owned(),
                body: Some("Closes #7".to_owned()),
                ..GateRequest::default()
            },
            manifest: parse_manifest(manifest),
            repository: Some(repository),
            issues: vec![issue(7, "reporter")],
            pull_requests: Vec::new(),
            calibration: None,
        }
    }

    fn with_body(mut self, body: &str) -> Self {
        self.request.body = Some(body.to_owned());
        self
    }

    fn with_paths(mut self, paths: &[&str]) -> Self {
        self.request.changed_paths = paths.iter().map(|path| (*path).to_owned()).collect();
        self
    }

    fn with_rival(mut self, rival: PullRequest) -> Self {
        self.pull_requests.push(rival);
        self
    }

    pub(super) fn predict(&self) -> Prediction {
        predict_gate(&GateInput {
            request: &self.request,
            manifest: &self.manifest,
            repository: self.repository.as_ref(),
            issues: &self.issues,
            pull_requests: &self.pull_requests,
            bounties: &[],
            issue_quality: &[],
            confirmed_contributor: Some(false),
            calibration: self.calibration,
            now: moment::parse("2026-07-01T00:00:00Z").unwrap(),
        })
    }
}

fn issue(number: u64, author: &str) -> Issue {
    Issue {
        repo_full_name: "Acme/Widgets".to_owned(),
        number,
        title: format!("subject{number} matter{number}"),
        state: "open".to_owned(),
        author_login: Some(author.to_owned()),
        ..Issue::default()
    }
}

/// An open pull request that closes issue 7 and changes a file.
fn rival(number: u64, author: &str) -> PullRequest {
    PullRequest {
        repo_full_name: "Acme/Widgets".to_owned(),
        number,
        title: format!("attempt{number} work{number}"),
        state: "open".to_owned(),
        author_login: Some(author.to_owned()),
        linked_issues: vec![7],
        changed_files: Some(vec!["src/a.rs".to_owned()]),
        ..PullRequest::default()
    }
}

fn codes(findings: &[crate::engine::finding::Finding]) -> String {
    findings.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>().join(" ")
}

#[track_caller]
pub(super) fn check(known: &Known, conclusion: Conclusion, blockers: &str, warnings: &str) {
    let prediction = known.predict();
    let told = (prediction.conclusion, codes(&prediction.blockers), codes(&prediction.warnings));
    assert_eq!(told, (conclusion, blockers.to_owned(), warnings.to_owned()));
}

#[test]
fn a_clean_plan_passes() {
    let known = Known::under("");
    check(&known, Conclusion::Success, "", "");
    assert!((known.predict().readiness_score - 95.0).abs() < f64::EPSILON);
}

#[test]
fn what_is_not_known_yet_comes_before_every_blocker() {
    let mut known = Known::under("gate: { linkedIssue: block }").with_body("nothing");
    check(&known, Conclusion::Failure, "missing_linked_issue", "");
    known.repository = None;
    check(&known, Conclusion::Neutral, "", "repo_not_cached missing_linked_issue");
    assert!(known.predict().title.contains("Not evaluated"));
}

#[test]
fn a_repository_without_its_registration_is_told() {
    let mut known = Known::under("");
    known.repository = known.repository.map(|row| Repository { registry_config: None, ..row });
    check(&known, Conclusion::Success, "", "repo_config_missing");
    known.repository = known.repository.map(|row| Repository { is_registered: false, ..row });
    check(&known, Conclusion::Success, "", "repo_unregistered");
}

/// gate-1: what cannot be verified blocks, whatever the policy.
#[test]
fn an_overflow_of_references_blocks() {
    let body: String = (1..=51).map(|number| format!("closes #{number} ")).collect();
    check(&Known::under("").with_body(&body), Conclusion::Failure, "linked_issue_overflow", "");
    let fits: String = (1..=50).map(|number| format!("closes #{number} ")).collect();
    check(&Known::under("").with_body(&fits), Conclusion::Success, "", "");
}

/// gate-2: a number that the limit of a body cuts is no other number.
#[test]
fn a_reference_that_is_cut_links_nothing_else() {
    let body = format!("{}closes #123", " ".repeat(20_000 - "closes #1".len()));
    let known = Known::under("gate: { linkedIssue: block }").with_body(&body);
    check(&known, Conclusion::Failure, "missing_linked_issue", "");
}

#[test]
fn a_rival_counts_when_it_changes_files_here_and_is_open() {
    let block = "gate: { duplicates: block }";
    let held = |rival| Known::under(block).with_rival(rival);
    check(&held(rival(43, "someone")), Conclusion::Neutral, "", "duplicate_pr_risk");
    check(&Known::under("").with_rival(rival(43, "someone")), Conclusion::Success, "", "duplicate_pr_risk");
    for unlike in [
        PullRequest { changed_files: None, ..rival(43, "someone") },
        PullRequest { changed_files: Some(Vec::new()), ..rival(43, "someone") },
        PullRequest { state: "OPEN".to_owned(), ..rival(43, "someone") },
        PullRequest { repo_full_name: "acme/other".to_owned(), ..rival(43, "someone") },
        PullRequest { linked_issues: vec![8], ..rival(43, "someone") },
        PullRequest { number: 0, ..rival(43, "someone") },
    ] {
        check(&held(unlike), Conclusion::Success, "", "");
    }
}

/// gate-12: asking again after opening the pull request changes nothing.
#[test]
fn ones_own_pull_request_is_no_duplicate() {
    let known = Known::under("gate: { duplicates: block }");
    let opened = known.clone().with_rival(rival(43, "Miner"));
    check(&opened, Conclusion::Success, "", "");
    let (before, after) = (known.predict(), opened.predict());
    assert!((before.readiness_score - after.readiness_score).abs() < f64::EPSILON);
}

#[test]
fn the_contributors_own_issue_is_told() {
    let mut known = Known::under("gate: { selfAuthoredLinkedIssue: block }");
    known.issues = vec![issue(7, "MINER")];
    check(&known, Conclusion::Failure, "self_authored_linked_issue", "");
    known.issues.push(issue(7, "reporter"));
    check(&known, Conclusion::Success, "", "");
}

/// gate-14: the spellings of the live gate are read too, and `gate` goes before `settings`.
#[test]
fn settings_are_read_like_the_gate() {
    let nothing_linked = |manifest| Known::under(manifest).with_body("nothing");
    let block = "settings: { linkedIssueGateMode: block }";
    check(&nothing_linked(block), Conclusion::Failure, "missing_linked_issue", "");
    let both = "gate: { linkedIssue: advisory }\nsettings: { linkedIssueGateMode: block }";
    check(&nothing_linked(both), Conclusion::Success, "", "missing_linked_issue");
    let required = "settings: { requireLinkedIssue: true }";
    check(&nothing_linked(required), Conclusion::Success, "", "missing_linked_issue");
    let duplicates = Known::under("settings: { duplicatePrGateMode: block }").with_rival(rival(43, "someone"));
    check(&duplicates, Conclusion::Neutral, "", "duplicate_pr_risk");
    let mut own = Known::under("settings: { selfAuthoredLinkedIssueGateMode: block }");
    own.issues = vec![issue(7, "miner")];
    check(&own, Conclusion::Failure, "self_authored_linked_issue", "");
    let quality = Known::under("settings: { qualityGateMinScore: 96 }");
    check(&quality, Conclusion::Success, "", "readiness_score_below_threshold");
    let silent = Known::under("settings: { qualityGateMinScore: 96, qualityGateMode: 'off' }");
    check(&silent, Conclusion::Success, "", "");
}

#[test]
fn a_check_applies_to_its_paths() {
    let manifest = "review:\n  pre_merge_checks:\n    - { name: Changelog, when_paths: [src/], description_contains: \
                    changelog, enforce: true }\n    - { name: Kind, title_contains: 'feat' }\n";
    check(&Known::under(manifest), Conclusion::Success, "", "pre_merge_check_failed");
    let touching = Known::under(manifest).with_paths(&["src/a.rs"]);
    check(&touching, Conclusion::Failure, "pre_merge_check_required", "pre_merge_check_failed");
    check(&Known::under(manifest).with_paths(&["docs/a.md"]), Conclusion::Success, "", "pre_merge_check_failed");
}

#[test]
fn the_licence_agreement_blocks_or_leaves_open() {
    let phrase = "gate: { claMode: block, cla: { consentPhrase: I agree } }";
    check(&Known::under(phrase), Conclusion::Failure, "cla_consent_missing", "");
    check(&Known::under(phrase).with_body("closes #7, i AGREE"), Conclusion::Success, "", "");
    let run = "gate: { claMode: block, cla: { checkRunName: cla-bot } }";
    check(&Known::under(run), Conclusion::Neutral, "", "cla_check_unresolved");
    check(&Known::under("gate: { claMode: block }"), Conclusion::Success, "", "");
}

#[test]
fn the_manifests_demands_need_paths() {
    let manifest = "linkedIssuePolicy: required\ntestExpectations: [run the suite]\ngate: { manifestPolicy: block }";
    let bare = |paths: &[&str]| Known::under(manifest).with_body("nothing").with_paths(paths);
    check(&bare(&[]), Conclusion::Success, "", "");
    check(&bare(&["", ""]), Conclusion::Success, "", "");
    let both = "manifest_linked_issue_required manifest_missing_tests";
    check(&bare(&["lib/a.rs"]), Conclusion::Failure, both, "");
    let tested = Known::under(manifest).with_body("closes #7. Tested by hand").with_paths(&["lib/a.rs"]);
    check(&tested, Conclusion::Success, "", "");
    let vendored = Known::under(manifest).with_paths(&["vendor/a.go"]);
    check(&vendored, Conclusion::Success, "", "");
}

/// gate-9: patterns with many wildcards match what they say and no more.
#[test]
fn guarded_paths_hold() {
    let alone = "settings: { hardGuardrailGlobs: ['src/**/*.test.*'], hardGuardrailGlobsOverridesInvariants: true }";
    check(&Known::under(alone).with_paths(&["docs/a.md"]), Conclusion::Success, "", "");
    check(&Known::under(alone).with_paths(&["src/x/a.test.ts"]), Conclusion::Neutral, "", "guardrail_hold");
    check(&Known::under("").with_paths(&["mycodecov.yml"]), Conclusion::Success, "", "");
    check(&Known::under("").with_paths(&["a/codecov.yml"]), Conclusion::Neutral, "", "guardrail_hold");
    check(&Known::under(""), Conclusion::Success, "", "");
}

#[test]
fn size_counts_paths_and_comes_before_the_guardrail() {
    let manifest = "gate: { size: { mode: advisory, maxFiles: 3 } }";
    let paths = [".loopover.yml", "b", "b"];
    check(&Known::under(manifest).with_paths(&paths), Conclusion::Neutral, "", "oversized_pr guardrail_hold");
    check(&Known::under(manifest).with_paths(&paths[1..]), Conclusion::Success, "", "");
    assert!(Known::under(manifest).with_paths(&paths).predict().summary.contains("; "));
}

/// gate-18: what the manifest's author wrote in vain is told.
#[test]
fn manifest_warnings_reach_the_reader() {
    let manifest = "review:\n  pre_merge_checks:\n    - { name: Ranks, title_contains: score board, enforce: true }\n";
    let prediction = Known::under(manifest).predict();
    assert_eq!(prediction.conclusion, Conclusion::Success);
    assert!(!prediction.manifest_warnings.is_empty());
    assert!(Known::under("gate: { linkedIssue: advisory }").predict().manifest_warnings.is_empty());
}

#[test]
fn packs_differ_in_what_they_tell_and_not_in_what_they_decide() {
    let gittensor = Known::under("gate: { linkedIssue: block }").with_body("nothing").predict();
    let any = Known::under("gate: { linkedIssue: block, pack: oss-anti-slop }").with_body("nothing").predict();
    assert_eq!((gittensor.confirmed_contributor, gittensor.funnel), (Some(false), None));
    assert_eq!((any.confirmed_contributor, any.funnel.map(|it| it.register_url)), (None, Some("https://gittensor.io")));
    assert_eq!((gittensor.conclusion, codes(&gittensor.blockers)), (any.conclusion, codes(&any.blockers)));
}

#[test]
fn calibration_moves_the_number_and_nothing_else() {
    let mut known = Known::under("gate: { readiness: { minScore: 95 } }");
    known.calibration = Some(Calibration { sample_size: 9.0, agreement_rate: 0.0 });
    check(&known, Conclusion::Success, "", "");
    assert!((known.predict().readiness_score - 85.0).abs() < f64::EPSILON);
}

#[test]
fn a_failure_names_what_to_do() {
    let known = Known::under("gate: { linkedIssue: block, claMode: block, cla: { consentPhrase: yes please } }");
    let one = known.clone().predict();
    assert!(one.title.contains(&one.blockers[0].title), "{}", one.title);
    let two = known.with_body("nothing").predict();
    assert!(two.title.contains('2'), "{}", two.title);
    for blocker in &two.blockers {
        assert!(two.summary.contains(blocker.action.as_deref().unwrap()), "{}", two.summary);
    }
}

#[test]
fn the_note_says_what_was_not_looked_at() {
    let (without, with) = (Known::under("").predict().note, Known::under("").with_paths(&["a"]).predict().note);
    assert!(without.contains("changed paths") && !without.contains("files only"));
    assert!(with.contains("files only") && !with.contains("Supply"));
}

#[test]
fn names_of_paths_and_checks_are_redacted() {
    let manifest = "settings: { hardGuardrailGlobs: ['wallet/**'] }";
    let prediction = Known::under(manifest).with_paths(&["wallet/payout.rs"]).predict();
    let told = format!("{prediction:?}");
    assert_eq!(codes(&prediction.warnings), "guardrail_hold");
    let [hold] = prediction.warnings.as_slice() else { panic!("{told}") };
    assert!(!hold.detail.contains("wallet") && !hold.detail.contains("payout"), "{}", hold.detail);
}

fn made_up(dice: &mut Dice) -> Known {
    let mode = |dice: &mut Dice, key: &str| format!("  {key}: {}\n", dice.pick(&["block", "advisory", "'off'"]));
    let manifest = [
        "linkedIssuePolicy: required\ntestExpectations: [all green]\ngate:\n".to_owned(),
        mode(dice, "linkedIssue"),
        mode(dice, "duplicates"),
        mode(dice, "selfAuthoredLinkedIssue"),
        mode(dice, "manifestPolicy"),
        mode(dice, "claMode"),
        "  cla: { consentPhrase: agreed }\n  size: { mode: block, maxFiles: 3 }\n".to_owned(),
    ];
    let bodies = ["closes #7", "closes #8 and fixes #9. Tested, agreed", "chore", "agreed"];
    let paths = ["src/a.rs", "docs/a.md", "scripts/a.sh", "tests/a.rs"];
    let mut known = Known::under(&manifest.concat()).with_body(dice.pick(&bodies));
    known.request.changed_paths = (0..dice.roll(5)).map(|_| dice.pick(&paths).to_owned()).collect();
    known.request.linked_issues = (0..dice.roll(3)).map(|_| 7 + dice.number(3)).collect();
    known.issues = (7..10).map(|number| issue(number, dice.pick(&["miner", "reporter"]))).collect();
    for number in 40..40 + dice.number(5) {
        let linked_issues = vec![7 + dice.number(3)];
        let author = dice.pick(&["miner", "someone", "other"]);
        known.pull_requests.push(PullRequest { linked_issues, ..rival(number, author) });
    }
    known.calibration =
        Some(Calibration { sample_size: exact(dice.number(12)), agreement_rate: exact(dice.number(5)) / 2.0 - 0.5 });
    known
}

#[test]
fn the_order_of_what_is_known_changes_no_verdict_and_scores_stay_in_range() {
    let mut dice = Dice::new(0x9A7E);
    for _ in 0..60 {
        let known = made_up(&mut dice);
        let mut shuffled = known.clone();
        dice.shuffle(&mut shuffled.issues);
        dice.shuffle(&mut shuffled.pull_requests);
        dice.shuffle(&mut shuffled.request.changed_paths);
        dice.shuffle(&mut shuffled.request.linked_issues);
        let (one, other) = (known.predict(), shuffled.predict());
        assert_eq!(one.conclusion, other.conclusion, "{:?}", known.request);
        assert_eq!((codes(&one.blockers), codes(&one.warnings)), (codes(&other.blockers), codes(&other.warnings)));
        assert!((one.readiness_score - other.readiness_score).abs() < f64::EPSILON);
        assert!((0.0..=100.0).contains(&one.readiness_score) && one.readiness.total() <= 100);
        assert_eq!(one.blockers.is_empty(), one.conclusion != Conclusion::Failure);
    }
}

#[test]
fn an_unrelated_item_changes_no_verdict() {
    let mut dice = Dice::new(0xD1CE);
    for _ in 0..40 {
        let known = made_up(&mut dice);
        let mut more = known.clone();
        more.issues.push(issue(1000, "miner"));
        more.pull_requests.push(PullRequest { linked_issues: vec![1000], ..rival(2000, "stranger") });
        let (before, after) = (known.predict(), more.predict());
        assert_eq!(before.conclusion, after.conclusion);
        assert_eq!(
            (codes(&before.blockers), codes(&before.warnings)),
            (codes(&after.blockers), codes(&after.warnings))
        );
        assert!(after.readiness_score <= before.readiness_score, "{:?}", known.request);
    }
}

#[test]
fn adversarial_text_stays_linear() {
    let manifest = "review:\n  pre_merge_checks:\n    - { name: N, when_paths: ['**/*a*/**/*b*'], title_contains: \
                    aab }\nsettings: { hardGuardrailGlobs: ['**/*a*/**/*a*/**/*b'] }\ntestExpectations: [x]\ngate: { \
                    manifestPolicy: block, claMode: block, cla: { consentPhrase: aaaab } }";
    for piece in ["a", "\u{200B}", "not tested - ", "closes #1 "] {
        let text = piece.repeat(1_000_000 / piece.len());
        let mut known = Known::under(manifest).with_body(&text);
        known.request.title = text;
        known.request.changed_paths = vec!["a/".repeat(200); 50];
        known.request.linked_issues = (1..20_000).collect();
        known.pull_requests = (1..200).map(|number| rival(number, "someone")).collect();
        assert_eq!(known.predict().preflight.linked_issues.len(), 19_999);
    }
}
