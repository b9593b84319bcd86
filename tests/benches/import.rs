//! What a large repository costs: records and megabytes a second on their way in, the memory that this takes, and what the
//! tools' questions take afterwards, over stores that grow tenfold.
//!
//! `cargo bench -p contract-tests --bench import`; a number behind `--` is the largest number of pull requests, to which
//! five times as many issues come. It prints and judges nothing.

use std::fs;
use std::io::{BufWriter, Read as _, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use contract_tests::print_line;
use contract_tools::forge::{self, RepoName, Which};

/// What people write in a report, about as long as it often is.
const BODY: &str = "Steps to reproduce: start it with an empty configuration and open two windows. ";

fn main() {
    let largest = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let mut before: Option<f64> = None;
    for pulls in [largest / 10, largest] {
        let directory = tempfile::tempdir().expect("a directory");
        let store = directory.path().join("forge");
        let seconds = import(&store, pulls, "new");
        if let Some(before) = before {
            print_line(&format!("  tenfold took {:.1} times as long", seconds / before));
        }
        before = Some(seconds);
        import(&store, pulls, "again");
        ask(&store);
    }
}

/// Imports as many pull requests and five times as many issues, through a pipe; how long that took.
fn import(store: &Path, pulls: u64, which: &str) -> f64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopover-under-test"));
    command.args(["import", "--store"]).arg(store).arg("-").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("an import");
    let started = Instant::now();
    let mut stdin = BufWriter::with_capacity(1 << 20, child.stdin.take().expect("its input"));
    let bytes = send(&mut stdin, pulls).expect("it reads");
    // It is not over before its input is.
    let peak = peak(child.id());
    drop(stdin);
    let mut said = String::new();
    child.stdout.take().expect("its output").read_to_string(&mut said).expect("it says something");
    assert!(child.wait().expect("an end").success(), "{said}");
    let seconds = started.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    let (records, megabytes) = ((pulls * 6) as f64, bytes as f64 / 1e6);
    let size = fs::metadata(store).map_or(0, |found| found.len()) >> 20;
    print_line(&format!(
        "{which}: {records} records, {megabytes:.0} MB in {seconds:.1} s: {:.0} records/s, {:.1} MB/s; peak {peak} kB, store {size} MiB",
        records / seconds,
        megabytes / seconds,
    ));
    seconds
}

fn send(stdin: &mut impl Write, pulls: u64) -> std::io::Result<u64> {
    const API: &str = "https://api.github.com/repos/acme/many";
    let mut bytes = 0;
    let mut put = |text: &str| {
        bytes += text.len() as u64;
        stdin.write_all(text.as_bytes())
    };
    put("[")?;
    for number in 1..=pulls * 6 {
        let length = usize::try_from(number % 60).unwrap_or(0);
        let (day, author, body) = (number % 28 + 1, number % 5_000, BODY.repeat(length));
        let shared = format!(
            r#""number":{number},"title":"Something about part {} of the program","user":{{"login":"user-{author}"}},"author_association":"CONTRIBUTOR","labels":[{{"name":"bug"}},{{"name":"part {}"}}],"body":"{body} fixes #{}","created_at":"2026-01-{day:02}T00:00:00Z","updated_at":"2026-02-{day:02}T00:00:00Z""#,
            number % 900,
            number % 9,
            number / 2 + 1,
        );
        let comma = if number == 1 { "" } else { "," };
        let state = if number % 4 == 0 { "open" } else { "closed" };
        if number % 6 == 0 {
            let merged = if state == "closed" { "\"2026-02-01T00:00:00Z\"" } else { "null" };
            put(&format!(
                r#"{comma}{{"url":"{API}/pulls/{number}","state":"{state}",{shared},"draft":false,"merged_at":{merged},"head":{{"sha":"{number:040x}"}},"base":{{"repo":{{"full_name":"acme/many"}}}}}}"#
            ))?;
        } else {
            put(&format!(
                r#"{comma}{{"url":"{API}/issues/{number}","repository_url":"{API}","state":"{state}",{shared}}}"#
            ))?;
        }
    }
    put("]")?;
    stdin.flush()?;
    Ok(bytes)
}

fn peak(process: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").to_owned()
}

/// The questions of the tools that look at most.
fn ask(store: &Path) {
    let store = forge::open(store).expect("a store");
    let reader = store.read().expect("a reading");
    let repo = RepoName::parse("Acme/Many").expect("a name");
    let time = |what: &str, ask: &dyn Fn() -> usize| {
        let started = Instant::now();
        let found = ask();
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        print_line(&format!("  {what}: {found} in {milliseconds:.1} ms"));
    };
    time("400 open issues", &|| reader.issues(&repo, Which::Open, 400).expect("issues").len());
    time("500 issues", &|| reader.issues(&repo, Which::Any, 500).expect("issues").len());
    time("10,000 open pull requests", &|| reader.pull_requests(&repo, Which::Open, 10_000).expect("pulls").len());
    time("200 merged", &|| reader.recent_merged(&repo, 200).expect("merged").len());
    time("counts", &|| usize::from(reader.open_counts(&repo).expect("counts").open_issues.is_some()));
    time("one author's outcomes", &|| reader.outcomes("user-7").expect("outcomes").len());
    time("one author", &|| usize::from(reader.contributor("USER-7").expect("an author").is_some()));
}
