//! The search for a value that tells two schemas apart, and its reduction to the smallest one found.

use serde_json::{Map, Value, json};

use super::document::{Document, difference};
use super::effort::Effort;
use super::recursion;
use super::text::is_formatted;
use super::values::{Hints, KEPT, Values, size};
use super::way::value_size;
use super::words::{Words, listed};

/// How often a reduction may ask whether a smaller value still tells.
const QUESTIONS: usize = 1_500;

/// How many times cycles are written out.
const STEPS: usize = 3;

/// The smallest value found that `holds`, out of what `narrow` takes and `wide` does not.
pub(super) fn find(
    narrow: &Document,
    wide: &Document,
    effort: &Effort<'_>,
    holds: &dyn Fn(&Value) -> bool,
) -> Option<Value> {
    let search = Search { hints: Hints::of(wide), effort, holds };
    if let Some(found) = search.unlisted(narrow, wide) {
        return Some(reduced(found, effort, holds));
    }
    let is_endless = !recursion::endless(narrow).is_empty() || !recursion::endless(wide).is_empty();
    let found = if is_endless {
        (1..=STEPS).find_map(|steps| {
            let part = recursion::unrolled(narrow, steps, false)?;
            let more = recursion::unrolled(wide, steps, true)?;
            search.in_difference(&part, &more).or_else(|| search.first(&part))
        })
    } else {
        search.in_difference(narrow, wide)
    };
    let found = found.or_else(|| search.first(narrow))?;
    Some(reduced(found, effort, holds))
}

/// The same among values that lie near what the wide side speaks of, without the algebra.
pub(super) fn find_near(
    narrow: &Document,
    wide: &Document,
    effort: &Effort<'_>,
    holds: &dyn Fn(&Value) -> bool,
) -> Option<Value> {
    let search = Search { hints: Hints::of(wide), effort, holds };
    let found = search.unlisted(narrow, wide).or_else(|| search.first(narrow))?;
    Some(reduced(found, effort, holds))
}

struct Search<'search> {
    /// What the wide side speaks of.
    hints: Hints,
    effort: &'search Effort<'search>,
    holds: &'search dyn Fn(&Value) -> bool,
}

impl Search<'_> {
    /// A value of the difference, as the validator's algebra writes it.
    fn in_difference(&self, narrow: &Document, wide: &Document) -> Option<Value> {
        let difference = difference(&narrow.whole(), &wide.whole(), self.effort)?;
        self.first(&Document::written(difference.to_json_schema()))
    }

    fn first(&self, document: &Document) -> Option<Value> {
        let values = Values::new(document, &self.hints, self.effort).of_document();
        values.into_iter().find(|value| self.effort.affords(1 + value_size(value) / 4) && (self.holds)(value))
    }

    /// A word that the narrow side lists and the wide side does not.
    fn unlisted(&self, narrow: &Document, wide: &Document) -> Option<Value> {
        let words = listed(narrow.schema.as_object()?)?;
        let known = Words::of(listed(wide.schema.as_object()?)?);
        let count = words.len() as u64;
        let mut gone: Vec<&Value> = words.into_iter().filter(|word| !known.contains(word)).collect();
        gone.sort_by_cached_key(|word| size(word));
        // The validator looks for each through the whole list.
        let mut gone = gone.into_iter().take(KEPT).filter(|_| self.effort.affords(count));
        gone.find(|word| (self.holds)(word)).cloned()
    }
}

/// Takes away from `value` whatever can go while it `holds`.
fn reduced(mut value: Value, effort: &Effort<'_>, holds: &dyn Fn(&Value) -> bool) -> Value {
    let mut questions = QUESTIONS;
    loop {
        let whole = size(&value);
        if !effort.affords(value_size(&value) / 8) {
            return value;
        }
        let mut smaller = Vec::new();
        simpler(&value, &mut |candidate| {
            if effort.affords(value_size(&candidate) / PER_STEP) {
                smaller.push((size(&candidate), candidate));
            }
        });
        smaller.retain(|(size, _)| *size < whole);
        smaller.sort_by(|(one, _), (other, _)| one.cmp(other));
        let next = smaller.into_iter().map(|(_, candidate)| candidate).take_while(|candidate| {
            questions = questions.saturating_sub(1);
            questions > 0 && effort.affords(1 + value_size(candidate) / 4)
        });
        match next.into_iter().find(|candidate| holds(candidate)) {
            Some(candidate) => value = candidate,
            None => return value,
        }
    }
}

/// Of more characters, items or members than this, not each is tried by itself.
const MANY: usize = 64;

/// Of a value of more characters, what lies in its parts is left as it is.
const LARGE: u64 = 4_000;

/// How many characters are written in a step.
const PER_STEP: u64 = 16;

/// Every value that is `value` with one thing simpler.
fn simpler(value: &Value, take: &mut dyn FnMut(Value)) {
    for plain in
        [json!(0), json!(1), json!(""), json!("a"), json!({}), json!([]), Value::Null, json!(true), json!(false)]
    {
        take(plain);
    }
    let is_large = value_size(value) > LARGE;
    match value {
        // Half of an address is one to some validators and none to others: a witness stays clear of such borders.
        Value::String(text) if is_formatted(text) => {}
        Value::String(text) => {
            let characters: Vec<char> = text.chars().collect();
            let half = characters.len() / 2;
            take(characters[..half].iter().collect::<String>().into());
            take(characters[half..].iter().collect::<String>().into());
            if characters.len() <= MANY {
                for index in 0..characters.len() {
                    take(
                        characters
                            .iter()
                            .enumerate()
                            .filter(|(at, _)| *at != index)
                            .map(|(_, one)| one)
                            .collect::<String>()
                            .into(),
                    );
                }
            } else {
                take(characters[1..].iter().collect::<String>().into());
            }
        }
        Value::Number(number) => {
            if let Some(number) = number.as_i64() {
                let nearer = number - number.signum();
                for smaller in [number / 10, number / 2, nearer, number.saturating_neg()] {
                    take(smaller.into());
                }
            } else if let Some(number) = number.as_f64() {
                for smaller in [number.trunc(), number / 2.0, (number * 2.0).round() / 2.0] {
                    take(super::numbers::number(smaller));
                }
            }
        }
        Value::Array(items) if items.len() > MANY => {
            let half = items.len() / 2;
            for fewer in [&items[..half], &items[half..], &items[1..]] {
                take(fewer.to_vec().into());
            }
        }
        Value::Array(items) => {
            for index in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(index);
                take(Value::Array(fewer));
                if is_large {
                    continue;
                }
                simpler(&items[index], &mut |item| {
                    let mut simpler = items.clone();
                    simpler[index] = item;
                    take(Value::Array(simpler));
                });
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let mut fewer = members.clone();
                fewer.shift_remove(name);
                take(Value::Object(fewer.clone()));
                if members.len() > MANY || is_large {
                    continue;
                }
                // A name that nobody declared may as well be short.
                for short in ["a", "b", "x"] {
                    if name.len() > 1 && !members.contains_key(short) {
                        let renamed: Map<String, Value> = members
                            .iter()
                            .map(|(other, value)| {
                                (if other == name { short.to_owned() } else { other.clone() }, value.clone())
                            })
                            .collect();
                        take(Value::Object(renamed));
                    }
                }
                simpler(member, &mut |value| {
                    let mut simpler = members.clone();
                    simpler.insert(name.clone(), value);
                    take(Value::Object(simpler));
                });
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}
