//! What tools are asked and answer, without what must not leave: JSON, where a term may be spread over names and texts, and
//! what is said of it may stand in another member.
//!
//! A structure is read once into nodes, and each text is looked at alone. Then all texts and names are looked at together, in
//! the order in which they stand. At last, the figures beside what names something private are taken out ([`figures`]). Each
//! of these steps goes over everything a fixed number of times.
//!
//! [`figures`]: super::figures

use serde_json::{Map, Value};

use super::figures::{About, has_figure, is_figure, is_value};
use crate::privacy::{MARK, is_private, redact, spread, without_secrets};

/// The names that stand around a value: as many as a term may be spread over.
pub(super) const DEEPEST_NAME: usize = 3;
/// How often JSON may be a text of JSON and is still looked at; deeper than this nothing leaves.
const DEEPEST_CODE: usize = 4;
/// What is put between the texts of two members that are looked at together: it parts words no more than a hyphen does, and
/// the parts of an address or a token for good.
const BETWEEN_MEMBERS: &str = "/";
const BETWEEN_ITEMS: &str = " ";
/// No term goes on behind this.
const APART: &str = "/-/-";
/// Words that are halves of a term and are none where one happens to stand before the other: `"private": true, "score": 9`.
const HALVES: [(&str, &str); 6] =
    [("trust", "scor"), ("private", "scor"), ("score", "ability"), ("pay", "out"), ("hot", "key"), ("cold", "key")];
/// Members that name a repository; what is beside them is not about what its name happens to say.
const REPOSITORIES: [&str; 6] = ["repo", "repository", "repofullname", "repo_full_name", "fullname", "full_name"];

/// A part of a structure, its texts looked at.
#[derive(Debug)]
pub(super) enum Node {
    /// A text as it may leave, and whether it named something private.
    Text {
        shown: String,
        is_label: bool,
    },
    /// A number, a truth or nothing.
    Plain(Value),
    Items(Vec<Node>),
    Members(Vec<(String, Node)>),
    /// A text that is JSON, and what it says.
    Coded {
        text: String,
        value: Value,
        inside: Box<Node>,
    },
    /// What stands behind a private name, and whether there was a figure.
    Gone {
        had_figure: bool,
    },
}

/// The value without what must not leave.
pub fn value(whole: Value) -> Value {
    let node = node(whole, &mut Vec::new(), 0);
    let texts = Texts::of(&node);
    let about = About::of(&node, &texts.hidden);
    let mut showing = Showing { hidden: &texts.hidden, about: &about, text: 0, part: 0 };
    showing.value(node, false)
}

/// The same of the members of an object.
pub fn object(members: Map<String, Value>) -> Map<String, Value> {
    let Value::Object(shown) = value(Value::Object(members)) else { return Map::new() };
    shown
}

/// `around` are the names of the members that the value stands in, the outermost first.
fn node(value: Value, around: &mut Vec<String>, depth: usize) -> Node {
    match value {
        Value::String(text) => match parsed(&text) {
            Some(_) if depth == DEEPEST_CODE => Node::Text { shown: MARK.to_owned(), is_label: true },
            Some(value) => Node::Coded { text, value: value.clone(), inside: Box::new(node(value, around, depth + 1)) },
            None => {
                let shown = redact(&text);
                let is_label = shown != text && is_private(&without_secrets(&text)) && !is_repository(&text, around);
                Node::Text { shown, is_label }
            }
        },
        Value::Array(items) => Node::Items(items.into_iter().map(|item| node(item, around, depth)).collect()),
        Value::Object(members) => {
            Node::Members(members.into_iter().map(|(name, value)| member(name, value, around, depth)).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Node::Plain(value),
    }
}

/// Of a member whose name gives it away, alone or behind the names around it, nothing is left but that there was one.
fn member(name: String, value: Value, around: &mut Vec<String>, depth: usize) -> (String, Node) {
    around.push(name);
    let names = &around[around.len().saturating_sub(DEEPEST_NAME)..];
    let node = if is_private(&names.join(" ")) {
        Node::Gone { had_figure: is_figure(&value) }
    } else {
        node(value, around, depth)
    };
    (around.pop().unwrap_or_default(), node)
}

/// What the text says if it is JSON: an object, a list or a text.
fn parsed(text: &str) -> Option<Value> {
    let may_be = text.trim_start().starts_with(['{', '[', '"']);
    may_be.then(|| serde_json::from_str(text).ok()).flatten()
}

fn is_repository(text: &str, around: &[String]) -> bool {
    let is_named = around.last().is_some_and(|name| REPOSITORIES.contains(&name.to_ascii_lowercase().as_str()));
    is_named && text.split('/').count() == 2 && !text.contains(char::is_whitespace)
}

/// All names and texts of a structure, in the order in which they stand.
struct Texts {
    /// For each, whether it is a term together with others: the same number for those that are one together.
    hidden: Vec<Option<usize>>,
}

#[derive(Clone, Copy, Debug)]
struct Piece<'node> {
    text: &'node str,
    is_name: bool,
    /// The object that a text is a member of by itself.
    object: Option<usize>,
}

impl Texts {
    fn of(node: &Node) -> Self {
        let mut all = Vec::new();
        collect(node, None, &mut all);
        let mut texts = Self { hidden: vec![None; all.len()] };
        texts.look_at(&all, |text| !text.is_name);
        texts.look_at(&all, |text| text.is_name);
        texts.look_at(&all, |_| true);
        texts
    }

    fn look_at(&mut self, all: &[Piece<'_>], is_read: fn(&Piece<'_>) -> bool) {
        let read: Vec<(usize, Piece<'_>)> = all.iter().copied().enumerate().filter(|(_, text)| is_read(text)).collect();
        let texts: Vec<&str> = read.iter().map(|(_, text)| text.text).collect();
        let between = |at: usize| match (read.get(at), read.get(at + 1)) {
            (Some((_, one)), Some((_, next))) => between(one, next),
            _ => BETWEEN_ITEMS,
        };
        for together in spread(&texts, between) {
            let first = read[*together.start()].0;
            for (at, _) in &read[together] {
                self.hidden[*at].get_or_insert(first);
            }
        }
    }
}

fn between(one: &Piece<'_>, next: &Piece<'_>) -> &'static str {
    if next.is_name {
        return if are_halves(one.text, next.text) { APART } else { BETWEEN_ITEMS };
    }
    if one.object.is_some() && one.object == next.object { BETWEEN_MEMBERS } else { BETWEEN_ITEMS }
}

fn are_halves(one: &str, next: &str) -> bool {
    let (one, next) = (one.to_ascii_lowercase(), next.to_ascii_lowercase());
    HALVES.iter().any(|(first, second)| one.trim_end().ends_with(first) && next.starts_with(second))
}

fn collect<'node>(node: &'node Node, object: Option<usize>, all: &mut Vec<Piece<'node>>) {
    match node {
        Node::Text { shown, .. } => all.push(Piece { text: shown, is_name: false, object }),
        Node::Items(items) => items.iter().for_each(|item| collect(item, None, all)),
        Node::Members(members) => {
            let object = Some(all.len());
            for (name, member) in members.iter().filter(|(_, member)| !member.is_gone()) {
                all.push(Piece { text: name, is_name: true, object: None });
                collect(member, object, all);
            }
        }
        Node::Coded { inside, .. } => collect(inside, None, all),
        Node::Plain(_) | Node::Gone { .. } => {}
    }
}

impl Node {
    pub(super) fn is_gone(&self) -> bool {
        matches!(self, Self::Gone { .. })
    }
}

/// Makes values of nodes again.
struct Showing<'all> {
    hidden: &'all [Option<usize>],
    about: &'all [About],
    /// How many texts, and how many lists and objects, were met.
    text: usize,
    part: usize,
}

impl Showing<'_> {
    /// `is_about` says whether figures are of something private.
    fn value(&mut self, node: Node, is_about: bool) -> Value {
        match node {
            Node::Text { shown, .. } => {
                let is_hidden = self.next_text().is_some() || (is_about && has_figure(&shown));
                Value::String(if is_hidden { MARK.to_owned() } else { shown })
            }
            Node::Plain(Value::Number(_)) if is_about => Value::String(MARK.to_owned()),
            Node::Plain(value) => value,
            Node::Items(items) => self.items(items, is_about),
            Node::Members(members) => self.members(members, is_about),
            Node::Coded { text, value, inside } => {
                let shown = self.value(*inside, is_about);
                // A name that stands twice is read once, and the text has both.
                let is_same = shown == value && !is_private(&text);
                Value::String(if is_same { text } else { redact(&shown.to_string()) })
            }
            Node::Gone { .. } => Value::String(MARK.to_owned()),
        }
    }

    /// Which texts the next one is a term with.
    fn next_text(&mut self) -> Option<usize> {
        self.text += 1;
        self.hidden[self.text - 1]
    }

    fn next_part(&mut self) -> &About {
        self.part += 1;
        &self.about[self.part - 1]
    }

    /// Texts behind each other that are a term together become one mark.
    fn items(&mut self, items: Vec<Node>, is_about: bool) -> Value {
        let about = self.next_part().clone();
        let mut shown = Vec::with_capacity(items.len());
        let mut before = None;
        for (at, item) in items.into_iter().enumerate() {
            let together = match item {
                Node::Text { .. } => self.hidden[self.text],
                _ => None,
            };
            let value = self.value(item, is_about || about.is_of(at));
            if together.is_none() || together != before {
                shown.push(value);
            }
            before = together;
        }
        Value::Array(shown)
    }

    fn members(&mut self, members: Vec<(String, Node)>, is_about: bool) -> Value {
        let is_labelled = self.next_part().is_of(0);
        let is_about = is_about || is_labelled;
        let mut shown = Map::new();
        let mut unnamed = 0;
        for (name, member) in members {
            let is_private = member.is_gone() || self.next_text().is_some();
            let is_hidden = is_private || (is_labelled && is_value(&name));
            let value = self.value(member, is_about);
            let value = if is_hidden { Value::String(MARK.to_owned()) } else { value };
            let is_nameless = is_private || (is_about && is_number(&name)) || shown.contains_key(&name);
            let name = if is_nameless { unused(&shown, &mut unnamed) } else { name };
            shown.insert(name, value);
        }
        Value::Object(shown)
    }
}

/// Whether a name is a figure and nothing else.
pub(super) fn is_number(name: &str) -> bool {
    name.chars().any(char::is_numeric) && !name.chars().any(char::is_alphabetic)
}

/// A name for a member that lost its own, so that it does not stand in another's place; so many were given before.
fn unused(shown: &Map<String, Value>, given: &mut usize) -> String {
    loop {
        *given += 1;
        let name = if *given == 1 { MARK.to_owned() } else { format!("{MARK} {given}") };
        if !shown.contains_key(&name) {
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(output: &Value, expect: &Value) {
        let shown = value(output.clone());
        assert_eq!(&shown, expect, "{output}");
        assert_eq!(value(shown.clone()), shown, "what was taken out stays out");
    }

    #[test]
    fn names_and_values_are_looked_at_at_every_depth() {
        check(
            &json!({
                "plan": { "walletAddress": { "deep": 1 }, "my_hotkey": 2, "steps": ["a payout of 5. Then", "so", null, true] },
                "note": "harmless",
            }),
            &json!({ "plan": { MARK: MARK, "[redacted] 2": MARK, "steps": ["a [redacted]. Then", "so", null, true] }, "note": "harmless" }),
        );
        let input = json!({ "planId": "WALLET wallet" }).as_object().unwrap().clone();
        assert_eq!(Value::Object(object(input)), json!({ "planId": MARK }));
        check(
            &json!({ "rewards": 1, "wallet": 2, MARK: 3, "b": 4 }),
            &json!({ MARK: MARK, "[redacted] 2": MARK, "[redacted] 3": 3, "b": 4 }),
        );
        check(
            &json!({ "[redacted] 2": 1, "rewards": 2, "wallet": 3 }),
            &json!({ "[redacted] 2": 1, MARK: MARK, "[redacted] 3": MARK }),
        );
    }

    #[test]
    fn what_is_spread_over_the_structure_is_found() {
        for (output, expect) in [
            (json!({ "hot": { "key": "5F" }, "a": 1 }), json!({ "hot": { MARK: MARK }, "a": 1 })),
            (json!({ "trust": [{ "of": 1, "score": 9 }] }), json!({ "trust": [{ "of": 1, MARK: MARK }] })),
            (json!({ "hot": { "keyboard": 1 } }), json!({ "hot": { "keyboard": 1 } })),
            (json!(["fine", "wal", "let", "too"]), json!(["fine", MARK, "too"])),
            (json!(["w", "a", "l", "l", "e", "t", 5]), json!([MARK, MARK])),
            (json!(["wal", 5, "let"]), json!([MARK, MARK, MARK])),
            (json!({ "a": ["wal"], "b": ["let"] }), json!({ "a": [MARK], "b": [MARK] })),
            (json!([{ "a": { "x": "wal" } }, [["let"]]]), json!([{ "a": { "x": MARK } }, [[MARK]]])),
            (json!({ "wal": true, "let": 42, "n": 1 }), json!({ MARK: MARK, "[redacted] 2": MARK, "n": MARK })),
            (json!({ "wal": "let 42" }), json!({ MARK: MARK })),
            (
                json!({ "w": "a", "l": "l", "e": "t" }),
                json!({ MARK: MARK, "[redacted] 2": MARK, "[redacted] 3": MARK }),
            ),
            (json!({ "w\\u0061llet": 1, "w%61llet": 2 }), json!({ MARK: MARK, "[redacted] 2": MARK })),
            (json!({ "bearer": "abcdefghijklmnop1" }), json!({ "bearer": MARK })),
            (
                json!({ "a": "my wal", "b": "let", "c": "fine", "n": 1 }),
                json!({ "a": MARK, "b": MARK, "c": "fine", "n": MARK }),
            ),
        ] {
            check(&output, &expect);
        }
        for innocent in [
            json!(["It is hot.", "Key findings", "wall", "etc"]),
            json!({ "private": true, "score": 9, "action": "pay", "output": "done", "state": "hot", "key": "a", "trust": 1, "scores": [2] }),
            json!({ "visibility": "private", "score": 9 }),
            json!({ "apiBaseUrl": "https://api.github.com", "by": "a@b.example", "s": "sk-", "t": "0123456789abcdef0" }),
            json!("{\"a\":  1, \"b\": \"fine\"}"),
            json!("[not json"),
        ] {
            check(&innocent, &innocent);
        }
    }

    #[test]
    fn json_in_a_text_is_looked_at_as_json() {
        let coded = |value: Value| Value::String(value.to_string());
        check(&coded(json!({ "v": 42, "asset": "wallet" })), &coded(json!({ "v": MARK, "asset": MARK })));
        check(&coded(coded(json!({ "v": 42, "wallet": true }))), &coded(coded(json!({ "v": MARK, MARK: MARK }))));
        check(
            &json!({ "a": coded(json!(["wal"])), "b": coded(json!({ "c": "let" })) }),
            &json!({ "a": coded(json!([MARK])), "b": coded(json!({ "c": MARK })) }),
        );
        check(
            &json!({ "asset": "wallet", "data": coded(json!({ "v": 42 })) }),
            &json!({ "asset": MARK, "data": MARK }),
        );
        check(&json!("{\"a\": \"wallet 42\", \"a\": \"fine\"}"), &coded(json!({ "a": "fine" })));
        let mut deep = json!({ "v": 42 });
        for _ in 0..=DEEPEST_CODE {
            deep = coded(deep);
        }
        assert!(!value(deep).to_string().contains("42"));
    }

    #[test]
    fn figures_beside_what_is_named_go() {
        for (output, expect) in [
            (json!({ "asset": "wallet", "v": 42 }), json!({ "asset": MARK, "v": MARK })),
            (json!([["name", "wallet"], ["value", 42]]), json!([["name", MARK], ["value", MARK]])),
            (json!({ "key": "reward", "amounts": [1, 2] }), json!({ "key": MARK, "amounts": MARK })),
            (
                json!({ "v": { "deep": [{ "n": 42, "s": "forty two", "t": "open" }] }, "x": "wallet" }),
                json!({ "v": { "deep": [{ "n": MARK, "s": MARK, "t": "open" }] }, "x": MARK }),
            ),
            (json!({ "asset": { "name": "wallet" }, "v": 42 }), json!({ "asset": { "name": MARK }, "v": MARK })),
            (json!({ "wallet": "main", "v": 42, "7": true }), json!({ MARK: MARK, "v": MARK, "[redacted] 2": true })),
            (
                json!({ "columns": ["name", "wallet"], "rows": [["x", 42]] }),
                json!({ "columns": ["name", MARK], "rows": [["x", MARK]] }),
            ),
            (json!([["payout", 42], ["plans", 3]]), json!([[MARK, MARK], ["plans", 3]])),
            (
                json!([{ "name": "wallet", "n": 1 }, { "name": "plans", "n": 2 }]),
                json!([{ "name": MARK, "n": MARK }, { "name": "plans", "n": 2 }]),
            ),
            (
                json!({ "amount": { "label": "wallet", "value": "ab" } }),
                json!({ "amount": { "label": MARK, "value": MARK } }),
            ),
            (json!({ "wallet": 5, "plans": 3 }), json!({ MARK: MARK, "plans": 3 })),
            (json!({ "repo": "acme/wallet-connect", "issue": 42 }), json!({ "repo": "acme/[redacted]", "issue": 42 })),
            (json!({ "token": "ghp_0123456789abcdefXYZ", "count": 3 }), json!({ "token": MARK, "count": 3 })),
            (
                json!(["a", 1, "wallet", 2, "3 TAO", "fix 3 in the long list", "b", 4, "c", 5]),
                json!(["a", MARK, MARK, MARK, MARK, "fix 3 in the long list", "b", 4, "c", 5]),
            ),
            (
                json!([[7], "wallet", { "n": 8 }, "b", "c", "d", "e", "f", "g"]),
                json!([[7], MARK, { "n": 8 }, "b", "c", "d", "e", "f", "g"]),
            ),
            (
                json!({ "titles": ["a", "b", "c", "d", "e", "f", "g", "h", "wallet"], "n": 9 }),
                json!({ "titles": ["a", "b", "c", "d", "e", "f", "g", "h", MARK], "n": MARK }),
            ),
        ] {
            check(&output, &expect);
        }
    }
}
