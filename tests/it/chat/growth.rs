//! Ten times as much to look at takes about ten times as long, whatever it is made of.

use std::hint::black_box;
use std::time::Duration;

use contract_tools::chat::answer::AnswerText;
use contract_tools::chat::redaction::value;
use contract_tools::privacy::Redactor;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// Where the work grows with the square, it is a hundred times as much.
const MOST: u32 = 35;
/// A machine whose caches others fill is asked again.
const TRIES: usize = 8;
/// What takes less than this is interrupted less often than what takes ten times as long.
const MEASURABLE: Duration = Duration::from_millis(10);

/// A name, and a structure of so many parts.
type Structure = (&'static str, fn(usize) -> Value);

/// The time that this thread was given: what the machine does beside it does not count.
fn spent() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap()
}

fn timed(run: &impl Fn(usize), size: usize) -> Duration {
    let started = spent();
    run(size);
    spent().saturating_sub(started)
}

#[track_caller]
fn check(what: &str, run: impl Fn(usize)) {
    let mut size = 100;
    while timed(&run, size) < MEASURABLE {
        size *= 2;
    }
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let (once, ten_times) = (timed(&run, size), timed(&run, 10 * size));
        if ten_times < once * MOST {
            return;
        }
        seen.push((once, ten_times));
    }
    panic!("{what}: {seen:?}");
}

#[test]
fn a_message_that_comes_again_in_many_pieces_is_compared_once() {
    check("a repeated message", |pieces| {
        let mut answer = AnswerText::default();
        let mut said = 0;
        for _ in 0..3 {
            answer.message_starts();
            for _ in 0..pieces {
                said += answer.piece("a").len();
            }
            answer.message_stops();
        }
        assert_eq!(said, pieces);
    });
}

#[test]
fn a_text_is_looked_at_once_whatever_it_is_made_of() {
    for filler in [
        "all is fine here. ",
        "\u{200b}",
        "w",
        "w-",
        "w ",
        " ",
        "\n",
        "t r ",
        "<a ",
        "](",
        "[^",
        "&#9",
        "%25",
        "\\u",
        "=6",
        "://a:",
        "-----BEGIN ",
        "eyJ",
        "sk-",
        "我",
        "∣",
        "\u{1b}[",
        "wallet. ",
        "wallet 5\n",
    ] {
        check(filler, |count| {
            let mut redactor = Redactor::default();
            for _ in 0..count {
                black_box(redactor.push(black_box(filler)));
            }
            black_box(redactor.finish());
        });
    }
}

#[test]
fn a_structure_is_looked_at_a_fixed_number_of_times() {
    let structures: [Structure; 6] = [
        ("rows", |count| (0..count).map(|row| json!({ "name": "plan", "wallet": row, "v": "fine" })).collect()),
        ("labels", |count| (0..count).map(|row| json!({ "asset": "wallet", "v": row })).collect()),
        ("figures at labels", |count| {
            (0..count).map(|at| if at % 9 == 0 { json!("wallet") } else { json!(at) }).collect()
        }),
        ("terms in two", |count| json!(vec![["wal", "let"]; count])),
        ("names in two", |count| json!(vec![json!({ "wal": 1, "let": 2 }); count])),
        ("deep", |count| (0..100).fold(json!(["a wallet", "5"].repeat(count)), |inner, _| json!([inner, 5]))),
    ];
    for (what, structure) in structures {
        check(what, |count| {
            black_box(value(structure(count)));
        });
    }
}
