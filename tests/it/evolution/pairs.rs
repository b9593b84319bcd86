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

use super::drafts::{Draft, named, spelled, validator};
use super::instances;
use super::kinds::Shares;
use super::random::Random;
use super::schemas::Maker;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A pair: the second schema is a changed first one, seldom a stranger; each in the spelling of the draft that it names, seldom
/// in another's, where some of its keywords say nothing.
fn pair(seed: u64) -> (Value, Value) {
    let mut random = Random::new(seed);
    let old = Maker::new(&mut random).document(3);
    let new = if random.one_in(5) {
        Maker::new(&mut random).document(3)
    } else {
        let once = Maker::of(&mut random, &old).successor(&old, 3);
        if random.one_in(2) { Maker::of(&mut random, &old).successor(&once, 3) } else { once }
    };
    let [old_draft, new_draft] = named(&mut random);
    // A name that no draft reads would lead nowhere.
    let is_named = [&old, &new].iter().any(|schema| schema.to_string().contains("$anchor"));
    let foreign = if !is_named && random.one_in(8) { Some(*random.pick(&[Draft::Seven, Draft::Of2020])) } else { None };
    let spelling = |draft: Option<Draft>| foreign.or(draft).unwrap_or(Draft::Of2020);
    (spelled(&old, old_draft, spelling(old_draft)), spelled(&new, new_draft, spelling(new_draft)))
}

#[test]
fn no_verdict_about_a_random_pair_is_wrong() {
    let pairs = setting("EVOLUTION_PAIRS", 1_000);
    let values = setting("EVOLUTION_VALUES", 200);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut shares = Shares::default();
    let mut keywords: BTreeMap<String, u64> = BTreeMap::new();
    let mut witnesses = Vec::new();
    let (mut wrong, mut unreadable) = (Vec::new(), 0);
    for seed in 0..pairs {
        let (old, new) = pair(seed);
        let judges = [validator(&old), validator(&new)];
        let [Some(old_judge), Some(new_judge)] = &judges else {
            let changes = compare_schemas(Direction::Input, &old, &new);
            let is_told = changes.iter().any(|change| change.verdict == Verdict::Undecided);
            wrong.extend(
                (!is_told && old != new)
                    .then(|| format!("seed {seed}: read what no validator reads\n  {old}\n  {new}")),
            );
            unreadable += 1;
            continue;
        };
        for direction in [Direction::Input, Direction::Output] {
            let changes = compare_schemas(direction, &old, &new);
            let (narrow, wide) = match direction {
                Direction::Input => (old_judge, new_judge),
                Direction::Output => (new_judge, old_judge),
            };
            let worst = changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Compatible);
            *counts.entry(worst.as_str()).or_default() += 1;
            shares.count(&old, &new, worst == Verdict::Undecided);
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
                    let value = instances::value(&mut random, source);
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
    print_line(&shares.told());
    print_line(&format!(
        "{pairs} pairs in both directions: {counts:?}, undecided by keyword {keywords:?}, {} witnesses, \
         {unreadable} pairs in a form that their draft does not have",
        witnesses.len()
    ));
    assert!(shares.unseen().is_empty(), "no pair has {:?}", shares.unseen());
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
