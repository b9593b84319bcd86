//! Changes that are meant: each is named exactly and has a reason, so that a break is a decision and not an accident.

use std::path::Path;

use contract_core::evolution::{Change, Direction, Report, Rule, read_document};
use serde::Deserialize;
use serde_json::Value;

use super::{Failure, escape, source};

const FORM: &str = r#"expected [{"tool", "rule"?, "direction"?, "place"?, "reason"}], each a text"#;

/// What `--allow` names.
#[derive(Default)]
pub(super) struct Allowed(Vec<Entry>);

/// A member that is left out matches any.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    tool: String,
    rule: Option<String>,
    direction: Option<String>,
    place: Option<String>,
    reason: String,
}

impl Entry {
    /// Whether it names `change`, at one of its places or at all of them.
    fn matches(&self, change: &Change) -> bool {
        let is = |wanted: &Option<String>, actual: &str| wanted.as_deref().is_none_or(|wanted| wanted == actual);
        self.tool == change.tool
            && is(&self.rule, change.rule.as_str())
            && is(&self.direction, change.direction.map_or("", |direction| direction.as_str()))
            && change.places().any(|place| is(&self.place, place))
    }
}

impl Entry {
    /// Why the entry could never excuse anything.
    fn fault(&self) -> Option<String> {
        let rules = Rule::ALL.iter().map(|rule| rule.as_str());
        let directions = Direction::ALL.iter().map(|direction| direction.as_str());
        no_word("rule", self.rule.as_deref(), rules)
            .or_else(|| no_word("direction", self.direction.as_deref(), directions))
            .map(|why| format!("{self}: {why}"))
            .or_else(|| {
                let has_reason = self.reason.chars().any(char::is_alphanumeric);
                (!has_reason).then(|| format!("{self} has no reason; say why the change is meant"))
            })
    }
}

/// Why `word` is none of `words`, which are all that there are.
fn no_word(what: &str, word: Option<&str>, words: impl Iterator<Item = &'static str> + Clone) -> Option<String> {
    let word = word.filter(|word| !words.clone().any(|known| known == *word))?;
    let nearest = contract_core::nearest(word, words.clone());
    let meant = nearest.map(|nearest| format!("did you mean `{nearest}`? ")).unwrap_or_default();
    let all = words.collect::<Vec<_>>().join(", ");
    Some(format!("no change has the {what} `{word}`; {meant}possible: {all}"))
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.tool)?;
        let parts = [("rule", &self.rule), ("direction", &self.direction), ("place", &self.place)];
        parts
            .iter()
            .filter_map(|(name, part)| Some((name, part.as_ref()?)))
            .try_for_each(|(name, part)| write!(f, ", {name} `{part}`"))
    }
}

impl Allowed {
    /// Reads `[{"tool", "rule"?, "direction"?, "place"?, "reason"}]`.
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::Usage(escape::line(&format!("{}: {why}", file.display())));
        let text = source::text_of(file).map_err(refuse)?;
        let document = read_document(&text).map_err(|why| refuse(why.to_string()))?;
        let Value::Array(members) = document else {
            return Err(refuse(format!("it is no list; {FORM}")));
        };
        let entries = members.into_iter().enumerate().map(|(place, member)| {
            if !member.is_object() {
                return Err(refuse(format!("what stands at `/{place}` is no object; {FORM}")));
            }
            serde_json::from_value(member).map_err(|error| refuse(format!("at `/{place}`: {error}; {FORM}")))
        });
        let entries = entries.collect::<Result<Vec<Entry>, Failure>>()?;
        let faults: Vec<String> = entries.iter().filter_map(Entry::fault).collect();
        if faults.is_empty() { Ok(Self(entries)) } else { Err(refuse(faults.join("; "))) }
    }

    /// Why `change` is allowed, if it is wherever it stands: by one entry for all places, or by entries for each of them.
    pub(super) fn reason(&self, change: &Change) -> Option<String> {
        let entries: Vec<&Entry> = self.0.iter().filter(|entry| entry.matches(change)).collect();
        if let Some(entry) = entries.iter().find(|entry| entry.place.is_none()) {
            return Some(entry.reason.clone());
        }
        if change.stands_elsewhere() || !self.unnamed(change).is_empty() {
            return None;
        }
        let mut reasons: Vec<&str> = entries.iter().map(|entry| entry.reason.as_str()).collect();
        reasons.dedup();
        Some(reasons.join("; "))
    }

    /// Where `change` stands and no entry names it, if some entry names it elsewhere and so does not excuse it.
    pub(super) fn left_out<'change>(&self, change: &'change Change) -> Option<Vec<&'change str>> {
        let is_named = self.0.iter().any(|entry| entry.matches(change));
        (is_named && self.reason(change).is_none()).then(|| self.unnamed(change))
    }

    /// The places of `change` that no entry is for.
    fn unnamed<'change>(&self, change: &'change Change) -> Vec<&'change str> {
        let is_named = |place: &str| {
            let mut entries = self.0.iter().filter(|entry| entry.matches(change));
            entries.any(|entry| entry.place.as_deref().is_none_or(|named| named == place))
        };
        change.places().filter(|place| !is_named(place)).collect()
    }

    /// Entries that match nothing: they would excuse a later change by accident.
    pub(super) fn unused(&self, report: &Report) -> impl Iterator<Item = String> {
        let unused = self.0.iter().filter(|entry| !report.changes.iter().any(|change| entry.matches(change)));
        unused.map(ToString::to_string).collect::<Vec<_>>().into_iter()
    }
}
