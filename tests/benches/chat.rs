//! Does looking at what leaves a chat take no longer than it is long, whatever it is made of?
//!
//! A text of some kilobytes, ten times and a hundred times as much of it, in small pieces; a message that comes again in many
//! pieces; and structures that tools answer. Printed are the shortest of several runs, how much longer ten times more takes,
//! and the most that was held back.
//!
//! ```sh
//! cargo bench -p contract-tests --bench chat
//! ```

use std::hint::black_box;
use std::time::{Duration, Instant};

use contract_tools::chat::answer::AnswerText;
use contract_tools::chat::redaction::value;
use contract_tools::privacy::Redactor;
use serde_json::{Value, json};

const RUNS: usize = 3;
const SHORTEST: usize = 4 << 10;

const TEXTS: [(&str, &str); 12] = [
    ("innocent words", "all is fine here and nothing is left to be said of it. "),
    ("one letter", "w"),
    ("w-", "w-"),
    ("zero width", "\u{200b}"),
    ("blanks", " "),
    ("tags", "<a "),
    ("targets", "]("),
    ("codes of codes", "%25"),
    ("addresses", "a://a:"),
    ("headers of keys", "-----BEGIN "),
    ("another script", "我"),
    ("terms", "wallet 5. "),
];

type Structure = (&'static str, fn(usize) -> Value);

const STRUCTURES: [Structure; 5] = [
    ("rows", |count| (0..count / 40).map(|row| json!({ "name": "plan", "wallet": row, "note": "fine" })).collect()),
    ("labels", |count| (0..count / 20).map(|row| json!({ "asset": "wallet", "v": row })).collect()),
    ("numbers at a label", |count| json!({ "asset": "wallet", "v": (0..count / 6).collect::<Vec<_>>() })),
    ("terms in two", |count| json!(vec![["wal", "let"]; count / 12])),
    ("deep", |count| (0..100).fold(json!(vec!["wallet 5"; count / 10]), |inner, _| json!([{ "a": inner }]))),
];

fn main() {
    print("what                 x1          x10         x100        growth");
    for (name, filler) in TEXTS {
        let held = std::cell::Cell::new(0);
        print_growth(name, |factor| {
            let text = filler.repeat(SHORTEST * factor / filler.len());
            fastest(|| held.set(held.get().max(redacted(&text))))
        });
        print(&format!("{:<20} {} bytes held back at most", "", held.get()));
    }
    print_growth("a repeated message", |factor| fastest(|| repeated(SHORTEST * factor)));
    for (name, structure) in STRUCTURES {
        print_growth(name, |factor| {
            let output = structure(SHORTEST * factor);
            fastest(|| {
                black_box(value(output.clone()));
            })
        });
    }
}

/// How much was held back at most.
fn redacted(text: &str) -> usize {
    let mut redactor = Redactor::default();
    let mut held = 0;
    for character in text.chars() {
        black_box(redactor.push(character.encode_utf8(&mut [0; 4])));
        held = held.max(redactor.held_back());
    }
    black_box(redactor.finish());
    held
}

fn repeated(pieces: usize) {
    let mut answer = AnswerText::default();
    for _ in 0..3 {
        answer.message_starts();
        for _ in 0..pieces {
            black_box(answer.piece("a"));
        }
        answer.message_stops();
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark has nothing but its figures")]
fn print(line: &str) {
    println!("{line}");
}

/// A line of times for 1, 10 and 100 times as much.
fn print_growth(name: &str, time: impl Fn(usize) -> Duration) {
    let times = [1, 10, 100].map(time);
    let growth = |pair: &[Duration]| format!("{:.1} times", pair[1].as_secs_f64() / pair[0].as_secs_f64().max(1e-9));
    let growths: Vec<String> = times.windows(2).map(growth).collect();
    let times: Vec<String> = times.iter().map(|time| format!("{time:<12.1?}")).collect();
    print(&format!("{name:<20} {}{}", times.concat(), growths.join(", ")));
}

fn fastest(run: impl Fn()) -> Duration {
    let timed = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..RUNS).map(timed).min().unwrap_or_default()
}
