//! Random pairs of schemas against the verdict: no breaking without a witness that holds, no compatible that a search refutes.
//!
//! `EVOLUTION_PAIRS=10000 EVOLUTION_VALUES=1000 cargo test -p contract-tests --test it -- evolution::pairs --nocapture` looks at
//! more; every run makes the same pairs from the same number. What was found goes to `target/tmp/evolution.json`, for
//! validators of other houses.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use contract_core::evolution::{Change, Direction, Verdict, compare_schemas};
use contract_core::serde_json::{self, Value, json};
use contract_tests::print_line;

use super::random::{self, Random};

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::options().should_validate_formats(true).build(schema).unwrap()
}

/// A pair: the second schema is a changed first one, seldom a stranger.
fn pair(seed: u64) -> (Value, Value) {
    let mut random = Random::new(seed);
    let old = random::object(&mut random, 3);
    let new = if random.one_in(5) {
        random::object(&mut random, 3)
    } else {
        let once = random::changed(&mut random, &old, 3);
        if random.one_in(2) { random::changed(&mut random, &once, 3) } else { once }
    };
    (old, new)
}

#[test]
fn no_verdict_about_a_random_pair_is_wrong() {
    let pairs = setting("EVOLUTION_PAIRS", 1_000);
    let values = setting("EVOLUTION_VALUES", 200);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut keywords: BTreeMap<String, u64> = BTreeMap::new();
    let mut witnesses = Vec::new();
    let mut wrong = Vec::new();
    for seed in 0..pairs {
        let (old, new) = pair(seed);
        let judges = [validator(&old), validator(&new)];
        for direction in [Direction::Input, Direction::Output] {
            let changes = compare_schemas(direction, &old, &new);
            let (narrow, wide) = match direction {
                Direction::Input => (&judges[0], &judges[1]),
                Direction::Output => (&judges[1], &judges[0]),
            };
            let worst = changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Compatible);
            *counts.entry(worst.as_str()).or_default() += 1;
            for change in &changes {
                wrong.extend(wrong_witness(change, narrow, wide).map(|why| format!("seed {seed} {direction}: {why}")));
                witnesses.extend(change.witness.clone().map(
                    |witness| json!({ "direction": direction.as_str(), "old": old, "new": new, "witness": witness }),
                ));
                if change.verdict == Verdict::Undecided {
                    change.keywords.iter().for_each(|keyword| *keywords.entry(keyword.clone()).or_default() += 1);
                    if std::env::var_os("EVOLUTION_SHOW").is_some() {
                        print_line(&format!("{seed} {direction} {change:?}\n  {old}\n  {new}"));
                    }
                }
            }
            let claims_inclusion = matches!(worst, Verdict::Compatible | Verdict::Dangerous);
            if claims_inclusion && changes.iter().all(|change| change.verdict != Verdict::Undecided) {
                let source = if direction == Direction::Input { &old } else { &new };
                let mut random = Random::new(seed ^ 0xABCD);
                for _ in 0..values {
                    let value = random::value(&mut random, source, 5);
                    if narrow.is_valid(&value) && !wide.is_valid(&value) {
                        wrong.push(format!("seed {seed} {direction}: {value} refutes\n  {old}\n  {new}"));
                        break;
                    }
                }
            }
        }
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::write(directory.join("evolution.json"), serde_json::to_string(&witnesses).unwrap()).unwrap();
    print_line(&format!(
        "{pairs} pairs in both directions: {counts:?}, undecided by keyword {keywords:?}, {} witnesses",
        witnesses.len()
    ));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let undecided = counts.get("undecided").copied().unwrap_or(0);
    assert!(undecided * 20 < pairs * 2, "{undecided} of {} are undecided", pairs * 2);
}

fn wrong_witness(change: &Change, narrow: &jsonschema::Validator, wide: &jsonschema::Validator) -> Option<String> {
    match (&change.witness, change.verdict) {
        (None, Verdict::Breaking) => Some(format!("a breaking without a witness: {change:?}")),
        (Some(witness), Verdict::Breaking) if narrow.is_valid(witness) && !wide.is_valid(witness) => None,
        (None, _) => None,
        (Some(_), _) => Some(format!("a wrong witness: {change:?}")),
    }
}
