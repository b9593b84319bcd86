//! The verdicts about one schema against its successor: every difference that the walk named is asked what it does.

use serde_json::Value;

use super::document::{Document, Judge, validator};
use super::edit::{Carry, Edit, Effect};
use super::inclusion::{self, Relation, is_proved, relation};
use super::pattern::Patterns;
use super::verdict::{Change, Direction, Rule, Verdict};
use super::walk::{self, Age};
use super::witness;

/// What is different between `old` and `new`, for those who send it or those who read it.
pub(super) fn compare(tool: &str, direction: Direction, old: &Value, new: &Value, patterns: &Patterns) -> Vec<Change> {
    if old == new {
        return Vec::new();
    }
    let asked = Asked { tool, direction };
    let (old_document, new_document) = match (Document::read(old, "old"), Document::read(new, "new")) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(keyword), _) | (_, Err(keyword)) => {
            let message = format!("the schema changed, and `{keyword}` in it cannot be followed");
            return vec![asked.undecided(message, vec![keyword])];
        }
    };
    let (Some(old_judge), Some(new_judge)) = (Judge::new(old, &old_document), Judge::new(new, &new_document)) else {
        let message = "the schema changed, and the validator does not take it as a schema".to_owned();
        return vec![asked.undecided(message, vec!["$schema".to_owned()])];
    };
    // What was sent must still be taken; what is answered must have been possible before.
    let comparison = match direction {
        Direction::Input => Comparison {
            narrow: old_document,
            wide: new_document,
            narrow_judge: old_judge,
            wide_judge: new_judge,
            age: Age::NarrowIsOld,
            patterns,
        },
        Direction::Output => Comparison {
            narrow: new_document,
            wide: old_document,
            narrow_judge: new_judge,
            wide_judge: old_judge,
            age: Age::WideIsOld,
            patterns,
        },
    };
    comparison.changes(&asked)
}

/// Whose schema it is.
struct Asked<'asked> {
    tool: &'asked str,
    direction: Direction,
}

impl Asked<'_> {
    fn change(&self, edit: &Edit, verdict: Verdict) -> Change {
        Change {
            tool: self.tool.to_owned(),
            direction: Some(self.direction),
            rule: edit.rule,
            place: edit.place.clone(),
            message: edit.message.clone(),
            verdict,
            witness: None,
            keywords: if verdict == Verdict::Undecided { edit.keywords.clone() } else { Vec::new() },
        }
    }

    fn whole(&self, message: String, verdict: Verdict) -> Change {
        Change {
            tool: self.tool.to_owned(),
            direction: Some(self.direction),
            rule: Rule::Keyword,
            place: String::new(),
            message,
            verdict,
            witness: None,
            keywords: Vec::new(),
        }
    }

    fn undecided(&self, message: String, keywords: Vec<String>) -> Change {
        Change { keywords, ..self.whole(message, Verdict::Undecided) }
    }
}

/// Everything that `narrow` takes should be taken by `wide`.
struct Comparison<'patterns> {
    narrow: Document,
    wide: Document,
    narrow_judge: Judge,
    wide_judge: Judge,
    age: Age,
    patterns: &'patterns Patterns,
}

impl Comparison<'_> {
    fn changes(&self, asked: &Asked<'_>) -> Vec<Change> {
        let edits = walk::edits(&self.narrow, &self.wide, self.age);
        let (asserting, other): (Vec<Edit>, Vec<Edit>) =
            edits.into_iter().partition(|edit| edit.effect == Effect::Asserts);
        let holds = |value: &Value| self.narrow_judge.accepts(value) && self.wide_judge.refuses(value);
        let mut changes = match relation(&self.narrow, &self.wide, self.patterns, &holds) {
            Relation::Proved => asserting.iter().map(|edit| asked.change(edit, harmless(edit))).collect(),
            unproved => self.each(asked, &asserting, &holds, unproved),
        };
        changes.extend(other.iter().map(|edit| match edit.effect {
            Effect::Asserts | Effect::Words => asked.change(edit, Verdict::Compatible),
            Effect::Default => asked.change(edit, Verdict::Dangerous),
            Effect::Unknown => asked.change(edit, Verdict::Undecided),
        }));
        changes
    }

    /// One verdict for each difference, where all together are not proved harmless.
    fn each(&self, asked: &Asked<'_>, edits: &[Edit], holds: &dyn Fn(&Value) -> bool, whole: Relation) -> Vec<Change> {
        let mut changes: Vec<Change> = edits.iter().map(|edit| self.alone(asked, edit, holds)).collect();
        match whole {
            Relation::Refuted(value) => {
                if !changes.iter().any(|change| change.verdict == Verdict::Breaking) {
                    let open: Vec<usize> =
                        (0..changes.len()).filter(|at| changes[*at].verdict == Verdict::Undecided).collect();
                    if let ([only], false) = (open.as_slice(), open.is_empty()) {
                        changes[*only].verdict = Verdict::Breaking;
                        changes[*only].witness = Some(value);
                        changes[*only].keywords.clear();
                    } else {
                        let message = "the differences together refuse what was promised".to_owned();
                        changes.push(Change { witness: Some(value), ..asked.whole(message, Verdict::Breaking) });
                    }
                }
            }
            Relation::Open(keywords) => {
                let is_said =
                    changes.iter().any(|change| matches!(change.verdict, Verdict::Undecided | Verdict::Breaking));
                for change in changes.iter_mut().filter(|change| change.verdict == Verdict::Undecided) {
                    change.keywords.extend(keywords.iter().cloned());
                    change.keywords.sort();
                    change.keywords.dedup();
                }
                if !is_said {
                    let mut keywords = keywords;
                    keywords.extend(edits.iter().flat_map(|edit| edit.keywords.iter().cloned()));
                    keywords.sort();
                    keywords.dedup();
                    let message = "whether the differences together are harmless is not proved".to_owned();
                    changes.push(asked.undecided(message, keywords));
                }
            }
            Relation::Proved => {}
        }
        changes
    }

    /// What one difference does by itself: first in the narrow schema, then in the wide one.
    fn alone(&self, asked: &Asked<'_>, edit: &Edit, holds: &dyn Fn(&Value) -> bool) -> Change {
        let towards = edit.applied(&self.narrow, &self.wide, Carry::ToNarrow);
        let back = edit.applied(&self.wide, &self.narrow, Carry::ToWide);
        let pairs =
            [towards.as_ref().map(|mixed| (&self.narrow, mixed)), back.as_ref().map(|mixed| (mixed, &self.wide))];
        let found = pairs.iter().flatten().find_map(|(narrow, wide)| {
            if is_proved(narrow, wide, self.patterns) {
                return Some(asked.change(edit, harmless(edit)));
            }
            // It has to show this difference, and not another one that stands beside it.
            let judges = (validator(&narrow.whole())?, validator(&wide.whole())?);
            let shows = |value: &Value| judges.0.is_valid(value) && !judges.1.is_valid(value) && holds(value);
            let witness = witness::find(narrow, wide, self.patterns, &shows)?;
            Some(Change { witness: Some(witness), ..asked.change(edit, Verdict::Breaking) })
        });
        found.unwrap_or_else(|| {
            let mut change = asked.change(edit, Verdict::Undecided);
            change.keywords.extend(
                pairs
                    .iter()
                    .flatten()
                    .flat_map(|(narrow, wide)| inclusion::opaque(narrow).into_iter().chain(inclusion::opaque(wide))),
            );
            change.keywords.sort();
            change.keywords.dedup();
            change
        })
    }
}

/// What no value refutes: a property that is no longer declared may still be missed by who relied on it.
fn harmless(edit: &Edit) -> Verdict {
    if edit.rule == Rule::PropertyRemoved { Verdict::Dangerous } else { Verdict::Compatible }
}
