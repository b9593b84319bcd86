//! `loopover sync`: copies repositories out of GitHub's REST API into the store, and says what it waits for.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, SystemTime};

use clap::Args;
use contract_core::Clock;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::store::Store;
use super::{Failure, Output, complain};
use crate::engine::moment::{self, Moment};
use crate::engine::records::SyncStatus;
use crate::forge::sync::{
    self, ApiAddress, ApiToken, DEFAULT_API, LimitKind, News, RealPause, RepositoryReport, Settings, Watch,
};
use crate::forge::{RepoName, WritableForge};
use crate::serve::signals::Signals;

/// The variable with the token.
pub(super) const TOKEN: &str = "GITHUB_TOKEN";

#[derive(Args)]
pub(crate) struct Options {
    /// Which repositories, each as `owner/name`
    #[arg(required = true, value_name = "OWNER/NAME")]
    repositories: Vec<String>,
    #[command(flatten)]
    store: Store,
    /// Where the API is, for GitHub Enterprise: `https://HOST/api/v3`
    #[arg(long, value_name = "URL", default_value = DEFAULT_API)]
    api_url: String,
    /// Copy only what changed since this date or moment, as `2026-01-31` or `2026-01-31T12:00:00Z`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// How many closed pull requests a first copy takes, the newest first
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    closed: u64,
    /// How many questions may be open at once
    #[arg(long, value_name = "COUNT", default_value = "4", value_parser = jobs)]
    jobs: NonZeroUsize,
    /// The longest wait for one of GitHub's limits, in seconds; a longer one ends the command, to be gone on with later
    #[arg(long, value_name = "SECONDS", default_value_t = 3900)]
    max_wait: u64,
    /// How to print the outcome
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How to print the outcome.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Format {
    /// A line each, for people
    Text,
    /// `{"repositories": [{name, status, error, segments, …}]}`
    Json,
}

/// More at once is what GitHub calls abuse.
const MOST_JOBS: usize = 16;

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse::<NonZeroUsize>().ok().filter(|count| count.get() <= MOST_JOBS);
    count.ok_or_else(|| format!("write a number from 1 to {MOST_JOBS}"))
}

pub(crate) fn run(options: &Options, clock: Clock, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let repositories = names(&options.repositories)?;
    let settings = settings(options, clock.now().into())?;
    let forge = options.store.open()?;
    if settings.token.is_none() {
        complain("GITHUB_TOKEN is not set: only public repositories are seen, and few questions an hour are answered");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let reports = runtime.block_on(all(&forge, &settings, &repositories, clock))?;
    match options.format {
        Format::Text => output.text(&reports.iter().map(lines).collect::<String>())?,
        Format::Json => output.json(&json!({ "repositories": reports.iter().map(to_json).collect::<Vec<_>>() }))?,
    }
    let is_done = reports.len() == repositories.len() && reports.iter().all(|report| report.failure.is_none());
    if is_done { Ok(()) } else { Err(Failure::Said) }
}

/// The repositories, each once.
fn names(texts: &[String]) -> Result<Vec<RepoName>, Failure> {
    let mut names: Vec<RepoName> = Vec::new();
    for text in texts {
        let name = RepoName::parse(text)
            .ok_or_else(|| Failure::Usage(format!("{text:?} names no repository; write `owner/name`")))?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

fn settings(options: &Options, now: Moment) -> Result<Settings, Failure> {
    let address = ApiAddress::parse(&options.api_url).map_err(|error| Failure::Usage(format!("--api-url: {error}")))?;
    let since = match options.since.as_deref().map(moment::parse) {
        Some(None) => {
            return Err(Failure::Usage("--since: write a date like 2026-01-31 or 2026-01-31T12:00:00Z".to_owned()));
        }
        Some(Some(since)) if since > now => {
            return Err(Failure::Usage("--since: this is still to come; write a date in the past".to_owned()));
        }
        since => since.flatten(),
    };
    let token = token().map_err(Failure::Usage)?;
    let patience = Duration::from_secs(options.max_wait);
    Ok(Settings { address, token, since, closed: options.closed, jobs: options.jobs, patience })
}

/// The token in the environment.
pub(super) fn token() -> Result<Option<ApiToken>, String> {
    let token = std::env::var_os(TOKEN).filter(|token| !token.is_empty());
    match token.map(|token| token.to_str().and_then(ApiToken::new)) {
        Some(None) => Err(format!("{TOKEN} holds what no token is: one word of printable ASCII is one")),
        token => Ok(token.flatten()),
    }
}

/// Copies one repository after the other; ends early when none of the others can do better.
async fn all(
    forge: &WritableForge,
    settings: &Settings,
    repositories: &[RepoName],
    clock: Clock,
) -> Result<Vec<RepositoryReport>, Failure> {
    let mut signals = Signals::listen()?;
    let pause = RealPause::new(clock.clone());
    let mut reports = Vec::new();
    for repo in repositories {
        let status = Status::new();
        let report = tokio::select! {
            report = sync::repository(forge, settings, repo, &pause, &status) => report,
            code = signals.any() => {
                status.end();
                sync::note_interruption(forge, repo, clock.now())?;
                complain(&format!("{repo}: interrupted; run it again to go on from here"));
                return Err(Failure::Signalled(code));
            }
        };
        status.end();
        if let Some(failure) = &report.failure {
            complain(&format!("{repo}: {failure}"));
        }
        let is_hopeless = report.failure.as_ref().is_some_and(sync::SyncFailure::is_general);
        reports.push(report);
        if is_hopeless {
            break;
        }
    }
    Ok(reports)
}

/// One line that changes, where somebody sees it; waits and faults are said in lines of their own.
struct Status {
    bar: ProgressBar,
}

impl Status {
    fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        Self { bar }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| complain(line));
    }
}

impl Watch for Status {
    fn hear(&self, repo: &RepoName, news: News<'_>) {
        match news {
            News::Segment { segment, fetched } => {
                let what = segment.name().replace('_', " ");
                self.bar.set_message(format!("{repo}: {what}, {fetched} so far"));
                self.bar.tick();
            }
            News::Resumed { started_at } => self.say(&format!("{repo}: going on with the copy begun at {started_at}")),
            News::Waiting { wait, kind, until } => {
                self.say(&format!("{repo}: {}; going on at {}, in {}", limit(kind), time(until), sync::said(wait)));
            }
            News::Retrying { wait, failure } => {
                self.say(&format!("{repo}: asking again in {}, since {}", sync::said(wait), failure.in_brief()));
            }
            News::Renamed { from, to } => self.say(&format!("{from}: this repository is called {to} now")),
        }
    }
}

fn limit(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::Primary => "GitHub's hourly limit is reached",
        LimitKind::Secondary => "GitHub asks to be asked more slowly",
    }
}

fn time(moment: SystemTime) -> String {
    Moment::from(moment).format("%H:%M:%S UTC").to_string()
}

fn lines(report: &RepositoryReport) -> String {
    let outcome = match (report.status, &report.failure) {
        (_, Some(_)) => "not copied whole",
        (SyncStatus::Success, None) => "copied",
        (_, None) => "copied in part",
    };
    let segments: Vec<String> = report
        .segments
        .iter()
        .map(|segment| format!("{} {}", segment.fetched, segment.segment.name().replace('_', " ")))
        .collect();
    let head = format!(
        "{}: {outcome}; {} answers, {} as before; {} records new or changed",
        report.name, report.answers, report.unchanged, report.applied.changed
    );
    let mut lines = vec![head];
    if !segments.is_empty() {
        lines.push(format!("  {}", segments.join(", ")));
    }
    lines.extend(report.warnings.iter().map(|warning| format!("  note: {warning}")));
    lines.join("\n") + "\n"
}

fn to_json(report: &RepositoryReport) -> Value {
    let segments: Vec<Value> = report
        .segments
        .iter()
        .map(|segment| json!({ "segment": segment.segment, "status": segment.status, "fetched": segment.fetched }))
        .collect();
    json!({
        "asked": report.asked.as_str(),
        "name": report.name.as_str(),
        "status": report.status,
        "error": report.failure.as_ref().map(ToString::to_string),
        "warnings": report.warnings,
        "segments": segments,
        "changed": report.applied.changed,
        "answers": report.answers,
        "unchanged": report.unchanged,
    })
}
