//! Does the work of an engine grow no faster than what it is given?
//!
//! Each engine gets a queue, ten times that queue and a hundred times that queue; printed are the shortest of several runs
//! and how much longer ten times more takes. Then each engine gets records in which everything that strangers write is ten
//! thousand letters long, a hundred thousand, a million: of one letter, of letters without width, of wildcards in wildcards.
//! Predictions get manifests of 2, 20 and 200 hostile patterns besides, for 500 paths, and registrations so many for 1,000
//! labels. At the end comes the context of one
//! repository with 10,000 open pull requests and 50,000 issues, which is a failure when it takes a second or more in a
//! release build.
//!
//! ```sh
//! cargo bench -p contract-tests --bench engines
//! ```

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use contract_tools::engine::collision_report::collision_report;
use contract_tools::engine::config_quality::config_quality;
use contract_tools::engine::data_quality::{STALE_MILLISECONDS, data_quality};
use contract_tools::engine::gate::{GateInput, GateRequest, Prediction, predict_gate};
use contract_tools::engine::issue_quality::{IssueQualityInput, issue_quality};
use contract_tools::engine::lane_advice::{lane, lane_advice};
use contract_tools::engine::manifest::{ParsedManifest, parse_manifest};
use contract_tools::engine::moment::{self, Moment};
use contract_tools::engine::preflight::{PlannedPullRequest, PreflightInput, preflight};
use contract_tools::engine::queue_health::{QueueCounts, queue_health};
use contract_tools::engine::queue_trends::queue_trends;
use contract_tools::engine::reviewability::{ReviewabilityInput, reviewability};
use contract_tools::engine::text::KeptFirst;

use self::records::Records;

mod records;

const NAME: &str = "acme/widgets";
const RUNS: usize = 5;
const LARGER_THAN_CACHES: usize = 128 << 20;
const LIMIT: Duration = Duration::from_secs(1);

/// Open pull requests of the smallest queue.
const SMALLEST: u64 = 100;

/// Letters of the shortest hostile text.
const SHORTEST: usize = 10_000;

/// What a hostile text is made of.
const HOSTILE: [(&str, &str); 3] =
    [("one letter", "a"), ("letters without width", "\u{200B}"), ("wildcards in wildcards", "**/*[!a-")];

/// Open pull requests of the repository at the end; it has five times as many issues.
const LARGEST: u64 = 10_000;

type Engine = (&'static str, fn(&Records, Moment));

/// Engines that a repository's context does without, or has within another.
const BESIDE_CONTEXT: [&str; 5] = ["collision_report", "reviewability", "issue_quality", "preflight", "predict_gate"];

const ENGINES: [Engine; 10] = [
    ("lane_advice", |records, _| drop(black_box(lane_advice(Some(&records.repository), NAME)))),
    ("collision_report", |records, now| drop(black_box(collisions(records, now)))),
    ("queue_health", health),
    ("config_quality", configuration),
    ("queue_trends", trends),
    ("data_quality", data),
    ("reviewability", review),
    ("issue_quality", quality),
    ("preflight", plan),
    ("predict_gate", prediction),
];

fn main() -> ExitCode {
    let now = moment::parse("2026-06-15T12:00:00Z").expect("a moment");
    print("engine               x1          x10         x100        growth");
    for (name, engine) in ENGINES {
        print_growth(name, |factor| shortest(&Records::of(SMALLEST * factor as u64), engine, now));
    }
    for (what, piece) in HOSTILE {
        print(&format!("texts of {what}"));
        for (name, engine) in ENGINES {
            print_growth(name, |factor| shortest(&Records::hostile(piece, SHORTEST * factor), engine, now));
        }
    }
    for piece in ["*a", "**/", "a**/"] {
        print(&format!("manifests of patterns of {piece}"));
        let records = Records::of(1);
        print_growth("predict_gate", |factor| {
            let manifest = hostile_manifest(piece, 2 * factor);
            let request = GateRequest { changed_paths: hostile_paths(), ..request(&records) };
            fastest(|| drop(black_box(predict(&records, &request, &manifest, now))))
        });
    }
    print("registrations of patterns of *a, for 1,000 labels");
    print_growth("config_quality", |factor| shortest(&Records::of_patterns(2 * factor), configuration, now));
    let records = Records::of(LARGEST);
    let whole = shortest(&records, context, now);
    let sizes = format!("{} open pull requests, {} issues", records.pull_requests.len(), records.issues.len());
    print(&format!("context of a repository with {sizes}: {whole:.1?}"));
    if whole < LIMIT || cfg!(debug_assertions) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::print_stdout, reason = "a benchmark has nothing but its figures")]
fn print(line: &str) {
    println!("{line}");
}

/// A line of times for 1, 10 and 100 times as much.
fn print_growth(name: &str, time: impl Fn(usize) -> Duration) {
    let times = [1, 10, 100].map(time);
    let growth: Vec<String> = times.windows(2).map(|pair| growth(pair[0], pair[1])).collect();
    let times: Vec<String> = times.iter().map(|time| format!("{time:<12.1?}")).collect();
    print(&format!("{name:<20} {}{}", times.concat(), growth.join(", ")));
}

fn shortest(records: &Records, engine: fn(&Records, Moment), now: Moment) -> Duration {
    fastest(|| engine(black_box(records), now))
}

/// Each run begins with nothing of its records in the processor's caches: a small queue that stays there from run to run
/// would seem far faster than a large one that does not fit, whatever the engine does.
fn fastest(run: impl Fn()) -> Duration {
    let mut other = vec![0_u8; LARGER_THAN_CACHES];
    let mut timed = |_| {
        other.iter_mut().step_by(64).for_each(|byte| *byte = byte.wrapping_add(1));
        black_box(&other);
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..RUNS).map(&mut timed).min().unwrap_or_default()
}

fn growth(once: Duration, ten_times: Duration) -> String {
    format!("{:.1} times", ten_times.as_secs_f64() / once.as_secs_f64().max(1e-9))
}

/// What makes up the context of a repository; the queue's health comes with its collisions.
fn context(records: &Records, now: Moment) {
    for (_, engine) in ENGINES.iter().filter(|(name, _)| !BESIDE_CONTEXT.contains(name)) {
        engine(records, now);
    }
}

fn collisions(records: &Records, now: Moment) -> contract_tools::engine::collision_report::CollisionReport {
    collision_report(NAME, &records.issues, &records.pull_requests, &records.recent_merged, now)
}

fn health(records: &Records, now: Moment) {
    let (repository, issues, pull_requests) = (&records.repository, &records.issues, &records.pull_requests);
    let collisions = collisions(records, now);
    black_box(queue_health(Some(repository), issues, pull_requests, &collisions, &QueueCounts::default(), now));
}

fn configuration(records: &Records, now: Moment) {
    let (repository, issues, pull_requests) = (&records.repository, &records.issues, &records.pull_requests);
    black_box(config_quality(Some(repository), issues, pull_requests, NAME, now));
}

fn trends(records: &Records, now: Moment) {
    black_box(queue_trends(NAME, &records.totals, &records.observations, None, now));
}

fn data(records: &Records, now: Moment) {
    black_box(data_quality(NAME, Some(&records.sync_state), &records.segments, STALE_MILLISECONDS, now));
}

fn review(records: &Records, now: Moment) {
    let input = ReviewabilityInput {
        repo_full_name: NAME,
        repository: &records.repository,
        pull_request: &records.pull_requests[0],
        issues: &records.issues,
        pull_requests: &records.pull_requests,
        recent_merged: &records.recent_merged,
        files: &records.files,
        reviews: &records.reviews,
        checks: &records.checks,
        profile: None,
        outcomes: &[],
    };
    black_box(reviewability(&input, now));
}

fn quality(records: &Records, now: Moment) {
    black_box(issue_quality(&IssueQualityInput {
        repo_full_name: NAME,
        lane: lane(Some(&records.repository)),
        issues: &records.issues,
        pull_requests: &records.pull_requests,
        recent_merged: &records.recent_merged,
        bounties: &[],
        now,
    }));
}

fn plan(records: &Records, now: Moment) {
    let planned = PlannedPullRequest {
        repo_full_name: NAME.to_owned(),
        title: records.title.clone(),
        body: Some(records.body.clone()),
        changed_files: records.files.iter().map(|file| file.path.clone()).collect(),
        ..PlannedPullRequest::default()
    };
    black_box(preflight(&PreflightInput {
        planned: &planned,
        repository: Some(&records.repository),
        issues: &records.issues,
        pull_requests: &records.pull_requests,
        bounties: &[],
        issue_quality: &[],
        kept_first: KeptFirst::InText,
        now,
    }));
}

fn prediction(records: &Records, now: Moment) {
    let manifest = parse_manifest("settings: { hardGuardrailGlobs: ['src/**/*.test.*', '**/*a*/**/*b*'] }");
    black_box(predict(records, &request(records), &manifest, now));
}

fn request(records: &Records) -> GateRequest {
    GateRequest {
        login: "somebody".to_owned(),
        owner: "acme".to_owned(),
        repo: "widgets".to_owned(),
        title: records.title.clone(),
        body: Some(records.body.clone()),
        changed_paths: records.files.iter().map(|file| file.path.clone()).collect(),
        ..GateRequest::default()
    }
}

fn predict(records: &Records, request: &GateRequest, manifest: &ParsedManifest, now: Moment) -> Prediction {
    predict_gate(&GateInput {
        request,
        manifest,
        repository: Some(&records.repository),
        issues: &records.issues,
        pull_requests: &records.pull_requests,
        bounties: &[],
        issue_quality: &[],
        confirmed_contributor: None,
        calibration: None,
        now,
    })
}

/// So many different patterns of the length that a manifest may hold, each of which wants an `a` before a `b`.
fn hostile_manifest(piece: &str, count: usize) -> ParsedManifest {
    let pattern = |number: usize| {
        let differing = (0..12).map(|bit| if number >> bit & 1 == 0 { "*a" } else { "**a" });
        format!("'{}{}*b*'", differing.collect::<String>(), piece.repeat(255 / piece.len()))
    };
    let patterns: Vec<String> = (0..count).map(pattern).collect();
    parse_manifest(&format!("settings: {{ hardGuardrailGlobs: [{}] }}", patterns.join(", ")))
}

/// As many paths as a request may name, with the `b` before every `a`.
fn hostile_paths() -> Vec<String> {
    (0..500).map(|number| format!("b{}{number:03}", "a/".repeat(195))).collect()
}
