//! The verdicts about one schema against its successor: every difference that the walk named is asked what it does.

use serde_json::Value;

use super::document::{Document, Judge, PER_PART, parts, validator};
use super::drafts::integers_apart;
use super::edit::{Carry, Edit, Effect};
use super::effort::{self, Effort};
use super::inclusion::{is_proved, opaque};
use super::local::{Finding, Local};
use super::places::Telling;
use super::values::Hints;
use super::verdict::{Change, Direction, Rule, Verdict};
use super::walk::{self, Age};
use super::way::Lift;
use super::witness;

/// What is different between `old` and `new`, for those who send it or those who read it.
pub(super) fn compare(tool: &str, direction: Direction, old: &Value, new: &Value, effort: &Effort<'_>) -> Vec<Change> {
    if old == new {
        return Vec::new();
    }
    let asked = Asked { tool, direction };
    let (old_document, new_document) = match (Document::read(old, "old"), Document::read(new, "new")) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(fault), _) => return vec![asked.unreadable("old", &fault.why, fault.keyword)],
        (_, Err(fault)) => return vec![asked.unreadable("new", &fault.why, fault.keyword)],
    };
    let (narrow, wide, wide_side) = match direction {
        Direction::Input => (old, new, "new"),
        Direction::Output => (new, old, "old"),
    };
    let apart = integers_apart(narrow, wide).err();
    let judges = (Judge::new(old, &old_document, effort), Judge::new(new, &new_document, effort));
    let (old_judge, new_judge) = match judges {
        (Ok(old), Ok(new)) => (old, new),
        (Err(fault), _) => return vec![asked.unreadable("old", &fault.why, fault.keyword)],
        (_, Err(fault)) => return vec![asked.unreadable("new", &fault.why, fault.keyword)],
    };
    // What was sent must still be taken; what is answered must have been possible before.
    let comparison = match direction {
        Direction::Input => Comparison {
            narrow: old_document,
            wide: new_document,
            narrow_judge: old_judge,
            wide_judge: new_judge,
            age: Age::NarrowIsOld,
            effort,
        },
        Direction::Output => Comparison {
            narrow: new_document,
            wide: old_document,
            narrow_judge: new_judge,
            wide_judge: old_judge,
            age: Age::WideIsOld,
            effort,
        },
    };
    let mut changes = comparison.changes(&asked);
    if let Some(fault) = apart {
        // What a witness shows is so; a proof is of integers that one of the drafts does not have.
        let named = changes.len();
        changes.retain(|change| change.verdict >= Verdict::Undecided || is_for_readers(change.rule));
        if changes.len() < named || changes.iter().all(|change| is_for_readers(change.rule)) {
            changes.push(asked.unreadable(wide_side, &fault.why, fault.keyword));
        }
    }
    changes
}

/// Whether a change of this kind is the same whatever values fit.
fn is_for_readers(rule: Rule) -> bool {
    matches!(rule, Rule::Words | Rule::Default)
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
            place: String::new(),
            also_at: Vec::new(),
            more_places: Some(0),
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
            also_at: Vec::new(),
            more_places: Some(0),
            message,
            verdict,
            witness: None,
            keywords: Vec::new(),
        }
    }

    fn unreadable(&self, side: &str, why: &str, keyword: String) -> Change {
        self.undecided(format!("the schema changed, and the {side} one cannot be read: {why}"), vec![keyword])
    }

    fn undecided(&self, message: String, keywords: Vec<String>) -> Change {
        Change { keywords, ..self.whole(message, Verdict::Undecided) }
    }
}

/// Everything that `narrow` takes should be taken by `wide`.
struct Comparison<'search> {
    narrow: Document,
    wide: Document,
    narrow_judge: Judge<'search>,
    wide_judge: Judge<'search>,
    age: Age,
    effort: &'search Effort<'search>,
}

/// What a value has to do to tell the documents apart.
type Holds<'search> = dyn Fn(&Value) -> bool + 'search;

impl Comparison<'_> {
    fn changes(&self, asked: &Asked<'_>) -> Vec<Change> {
        let (edits, uses) = walk::edits(&self.narrow, &self.wide, self.age, self.effort);
        let (asserting, other): (Vec<Edit>, Vec<Edit>) =
            edits.into_iter().partition(|edit| edit.effect == Effect::Asserts);
        let holds = |value: &Value| self.narrow_judge.accepts(value) && self.wide_judge.refuses(value);
        let mut changes = if asserting.is_empty() {
            self.unnamed(asked, &holds).into_iter().collect()
        } else {
            self.verdicts(asked, &asserting, &holds)
        };
        let mut others: Vec<Change> = other.iter().map(|edit| asked.change(edit, unseen(edit))).collect();
        let mut places = Telling::new(&uses, self.effort);
        // What stands behind the changes of single edits is said of the whole.
        for (change, edit) in changes.iter_mut().zip(&asserting).chain(others.iter_mut().zip(&other)) {
            places.put(change, edit);
        }
        changes.append(&mut others);
        changes
    }

    /// One verdict for each difference: from its own place where that will do, else from the whole documents.
    fn verdicts(&self, asked: &Asked<'_>, edits: &[Edit], holds: &Holds<'_>) -> Vec<Change> {
        let none = Hints::default();
        let lift = Lift::new(&self.narrow, &none, self.effort);
        let local = Local::new(&self.narrow, &self.wide, &lift, self.effort);
        let findings: Vec<Finding> = edits.iter().map(|edit| local.finding(edit, holds)).collect();
        let is_broken = findings.iter().any(|finding| matches!(finding, Finding::Shown(_)));
        if !is_broken && is_proved(&self.narrow, &self.wide, self.effort) {
            return edits.iter().map(|edit| asked.change(edit, harmless(edit))).collect();
        }
        let mut changes: Vec<Change> = edits
            .iter()
            .zip(findings)
            .map(|(edit, finding)| match finding {
                Finding::Harmless => asked.change(edit, harmless(edit)),
                Finding::Shown(value) => Change { witness: Some(value), ..asked.change(edit, Verdict::Breaking) },
                Finding::Open => self.alone(asked, edit, holds),
            })
            .collect();
        if !changes.iter().any(|change| change.verdict == Verdict::Breaking) {
            self.together(asked, edits, holds, &mut changes);
        }
        changes
    }

    /// What the walk named no place for: definitions can differ that are referred to from where it does not go.
    fn unnamed(&self, asked: &Asked<'_>, holds: &Holds<'_>) -> Option<Change> {
        self.effort.take_refusal();
        if is_proved(&self.narrow, &self.wide, self.effort) {
            return None;
        }
        let message = "what it refers to is another".to_owned();
        if let Some(witness) = witness::find(&self.narrow, &self.wide, self.effort, holds) {
            return Some(Change { witness: Some(witness), ..asked.whole(message, Verdict::Breaking) });
        }
        let mut keywords = vec!["$ref".to_owned()];
        keywords.extend(opaque(&self.narrow, self.effort).into_iter().chain(opaque(&self.wide, self.effort)));
        let mut change = asked.undecided(message, keywords);
        if self.effort.take_refusal() {
            over_budget(&mut change, self.effort);
        }
        sorted(&mut change.keywords);
        Some(change)
    }

    /// What all differences do together, where none of them breaks by itself and not all of them are proved harmless.
    fn together(&self, asked: &Asked<'_>, edits: &[Edit], holds: &Holds<'_>, changes: &mut Vec<Change>) {
        self.effort.take_refusal();
        let open: Vec<usize> = (0..changes.len()).filter(|at| changes[*at].verdict == Verdict::Undecided).collect();
        if let Some(value) = witness::find(&self.narrow, &self.wide, self.effort, holds) {
            if let [only] = open.as_slice() {
                let change = &mut changes[*only];
                (change.verdict, change.witness) = (Verdict::Breaking, Some(value));
                change.keywords.clear();
            } else {
                let message = "the differences together refuse what was promised".to_owned();
                changes.push(Change { witness: Some(value), ..asked.whole(message, Verdict::Breaking) });
            }
            return;
        }
        let mut keywords = opaque(&self.narrow, self.effort);
        keywords.extend(opaque(&self.wide, self.effort));
        let refusal = self.effort.take_refusal();
        for at in &open {
            changes[*at].keywords.extend(keywords.iter().cloned());
            sorted(&mut changes[*at].keywords);
        }
        if open.is_empty() {
            keywords.extend(edits.iter().flat_map(|edit| edit.keywords.iter().cloned()));
            let message = "whether the differences together are harmless is not proved".to_owned();
            let mut change = asked.undecided(message, keywords);
            if refusal {
                over_budget(&mut change, self.effort);
            }
            sorted(&mut change.keywords);
            changes.push(change);
        }
    }

    /// What one difference does by itself: first in the narrow schema, then in the wide one.
    fn alone(&self, asked: &Asked<'_>, edit: &Edit, holds: &Holds<'_>) -> Change {
        self.effort.take_refusal();
        // Each way makes the whole schema again, and two validators of it.
        let parts = parts(&self.narrow.schema) + parts(&self.wide.schema);
        let pairs = if self.effort.affords(parts.saturating_mul(2 * PER_PART)) {
            let towards = edit.applied(&self.narrow, &self.wide, Carry::ToNarrow);
            let back = edit.applied(&self.wide, &self.narrow, Carry::ToWide);
            [towards.map(|mixed| (self.narrow.clone(), mixed)), back.map(|mixed| (mixed, self.wide.clone()))]
        } else {
            [None, None]
        };
        let found = pairs.iter().flatten().find_map(|(narrow, wide)| {
            if is_proved(narrow, wide, self.effort) {
                return Some(asked.change(edit, harmless(edit)));
            }
            // It has to show this difference, and not another one that stands beside it.
            let judges = (validator(&narrow.whole(), self.effort)?, validator(&wide.whole(), self.effort)?);
            let shows = |value: &Value| judges.0.takes(value) && judges.1.refuses(value) && holds(value);
            let witness = witness::find(narrow, wide, self.effort, &shows)?;
            Some(Change { witness: Some(witness), ..asked.change(edit, Verdict::Breaking) })
        });
        found.unwrap_or_else(|| {
            let mut change = asked.change(edit, Verdict::Undecided);
            for (narrow, wide) in pairs.iter().flatten() {
                change.keywords.extend(opaque(narrow, self.effort).into_iter().chain(opaque(wide, self.effort)));
            }
            if self.effort.take_refusal() {
                over_budget(&mut change, self.effort);
            }
            sorted(&mut change.keywords);
            change
        })
    }
}

/// Says that the work of finding out was refused.
fn over_budget(change: &mut Change, effort: &Effort<'_>) {
    change.keywords.push(effort::BUDGET.to_owned());
    change.message = format!(
        "{}; to decide it would take more than the {} steps that schemas of their length may cost",
        change.message,
        effort.most()
    );
}

fn sorted(keywords: &mut Vec<String>) {
    keywords.sort();
    keywords.dedup();
}

/// What a difference means that no value can tell.
fn unseen(edit: &Edit) -> Verdict {
    match edit.effect {
        Effect::Asserts | Effect::Words => Verdict::Compatible,
        Effect::Default => Verdict::Dangerous,
        Effect::Unknown => Verdict::Undecided,
    }
}

/// What no value refutes: a property that is no longer declared may still be missed by who relied on it.
fn harmless(edit: &Edit) -> Verdict {
    if edit.rule == Rule::PropertyRemoved { Verdict::Dangerous } else { Verdict::Compatible }
}
