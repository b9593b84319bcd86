//! What leaves a chat, without what must not: the answer as one text however it is cut, and all that tools are asked and
//! answer.

use serde_json::{Map, Value};

use super::event::ChatEvent;
use super::query::QueryEvent;
use crate::privacy::{MARK, Redactor, is_private, redact};

/// The names that stand around a value: as many as a term may be spread over.
const DEEPEST_NAME: usize = 3;
/// Strings of one list that a term may be spread over: a letter in each.
const WIDEST_SPREAD: usize = 14;
/// What is put between the texts of two members that are looked at together: it parts words no more than a hyphen does, and
/// the parts of an address or a token for good.
const BETWEEN_MEMBERS: &str = "/";
/// Members that say what another one of their object is about, and such others.
const LABELS: [&str; 11] =
    ["label", "name", "key", "field", "metric", "kind", "type", "property", "category", "id", "title"];
const VALUES: [&str; 11] =
    ["value", "values", "amount", "amounts", "quantity", "balance", "total", "data", "val", "figure", "address"];

/// One chat's way out.
///
/// Text is not let pass early when a tool is called in the middle of it: a term that is split by the call would leave in two
/// halves. So the events' texts, put together, are always the redacted whole.
#[derive(Default)]
pub struct Redaction {
    text: Redactor,
}

impl Redaction {
    /// The event as it may leave; none while its text is held back.
    pub fn pass(&mut self, event: QueryEvent) -> Option<ChatEvent> {
        match event {
            QueryEvent::Text(text) => text_event(self.text.push(&text)),
            QueryEvent::ToolCall { tool, input } => Some(ChatEvent::ToolCall { tool, input: object(input, &[]) }),
            QueryEvent::ToolResult { tool, output } => Some(ChatEvent::ToolResult { tool, output: value(output, &[]) }),
        }
    }

    /// What was held back, at the end.
    pub fn finish(self) -> Option<ChatEvent> {
        text_event(self.text.finish())
    }
}

fn text_event(text: String) -> Option<ChatEvent> {
    (!text.is_empty()).then_some(ChatEvent::Text { text })
}

/// `around` are the names of the members that the value stands in, the outermost first.
fn value(whole: Value, around: &[String]) -> Value {
    match whole {
        Value::String(text) => Value::String(redact(&text)),
        Value::Array(items) => array(items, around),
        Value::Object(members) => Value::Object(object(members, around)),
        Value::Null | Value::Bool(_) | Value::Number(_) => whole,
    }
}

/// A list's strings may be a term only together, and a pair may be a name and its value.
fn array(items: Vec<Value>, around: &[String]) -> Value {
    if let [Value::String(name), other] = items.as_slice()
        && !other.is_string()
        && is_private(name)
    {
        return Value::String(MARK.to_owned());
    }
    let mut shown = Vec::with_capacity(items.len());
    let mut strings = Vec::new();
    for item in items {
        match value(item, around) {
            Value::String(text) => strings.push(text),
            other => {
                shown.extend(run(&std::mem::take(&mut strings)));
                shown.push(other);
            }
        }
    }
    shown.extend(run(&strings));
    Value::Array(shown)
}

/// Strings behind each other, each of them looked at before: those that are a term together become one mark.
fn run(strings: &[String]) -> Vec<Value> {
    let mut shown = Vec::with_capacity(strings.len());
    let mut rest = strings;
    let mut is_clean = rest.len() < 2 || !is_private(&rest.join(" "));
    while let [first, behind @ ..] = rest {
        let widths = 2..=rest.len().min(WIDEST_SPREAD);
        let spread = if is_clean { None } else { widths.into_iter().find(|width| is_together(&rest[..*width])) };
        if let Some(width) = spread {
            shown.push(Value::String(MARK.to_owned()));
            rest = &rest[width..];
            is_clean = rest.len() < 2 || !is_private(&rest.join(" "));
        } else {
            shown.push(Value::String(first.clone()));
            rest = behind;
        }
    }
    shown
}

/// Whether the strings are something private together, the first one with the others.
fn is_together(strings: &[String]) -> bool {
    is_private(&strings.join(" ")) && !is_private(&strings[1..].join(" "))
}

/// Of a member whose name gives it away, alone or behind the names around it, nothing is left but that there was one.
fn object(members: Map<String, Value>, around: &[String]) -> Map<String, Value> {
    let mut shown = Map::new();
    if is_labelled(&members) {
        shown.insert(MARK.to_owned(), Value::String(MARK.to_owned()));
        return shown;
    }
    for (name, member) in members {
        let mut names = around[around.len().saturating_sub(DEEPEST_NAME - 1)..].to_vec();
        names.push(name);
        if is_private(&names.join(" ")) {
            shown.insert(unused(&shown), Value::String(MARK.to_owned()));
        } else {
            let member = value(member, &names);
            let name = names.pop().filter(|name| !shown.contains_key(name)).unwrap_or_else(|| unused(&shown));
            shown.insert(name, member);
        }
    }
    hide_spread(&mut shown);
    shown
}

/// The texts of an object's members may be a term only together: `wal` in one and `let` in the next.
fn hide_spread(shown: &mut Map<String, Value>) {
    let texts = shown.iter().filter_map(|(name, member)| Some((name.clone(), member.as_str()?.to_owned())));
    let (names, texts): (Vec<_>, Vec<_>) = texts.unzip();
    let is_split = |texts: &[String]| is_private(&texts.join(BETWEEN_MEMBERS));
    let mut start = 0;
    while start + 1 < texts.len() && is_split(&texts[start..]) {
        let widths = 2..=(texts.len() - start).min(WIDEST_SPREAD);
        let spread =
            |width: &usize| is_split(&texts[start..start + width]) && !is_split(&texts[start + 1..start + width]);
        let width = widths.into_iter().find(spread);
        for name in &names[start..start + width.unwrap_or(0)] {
            shown.insert(name.clone(), Value::String(MARK.to_owned()));
        }
        start += width.unwrap_or(1);
    }
}

/// Whether one member names something private that another one is the value of.
fn is_labelled(members: &Map<String, Value>) -> bool {
    let is_named = |names: &[&str], name: &str| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    members.keys().any(|name| is_named(&VALUES, name))
        && members.iter().any(|(name, member)| is_named(&LABELS, name) && member.as_str().is_some_and(is_private))
}

/// A name for a member that lost its own, so that it does not stand in another's place.
fn unused(shown: &Map<String, Value>) -> String {
    let names = std::iter::once(MARK.to_owned()).chain((2..).map(|number| format!("{MARK} {number}")));
    names.into_iter().find(|name| !shown.contains_key(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_and_values_are_looked_at_at_every_depth() {
        let mut redaction = Redaction::default();
        let output = json!({
            "plan": { "walletAddress": { "deep": 1 }, "my_hotkey": 2, "steps": ["a payout of 5. Then", 7, null, true] },
            "note": "harmless",
        });
        let event = redaction.pass(QueryEvent::ToolResult { tool: "t".to_owned(), output });
        let expect = json!({ "plan": { MARK: MARK, "[redacted] 2": MARK, "steps": ["a [redacted]. Then", 7, null, true] }, "note": "harmless" });
        assert_eq!(event, Some(ChatEvent::ToolResult { tool: "t".to_owned(), output: expect }));
        let input = json!({ "planId": "WALLET wallet" }).as_object().unwrap().clone();
        let Some(ChatEvent::ToolCall { input, .. }) =
            redaction.pass(QueryEvent::ToolCall { tool: "t".to_owned(), input })
        else {
            panic!("a call")
        };
        assert_eq!(Value::Object(input), json!({ "planId": MARK }));
    }

    #[test]
    fn what_is_spread_over_the_structure_is_found() {
        for (output, expect) in [
            (json!({ "hot": { "key": "5F" }, "a": 1 }), json!({ "hot": { MARK: MARK }, "a": 1 })),
            (json!({ "trust": [{ "of": 1, "score": 9 }] }), json!({ "trust": [{ "of": 1, MARK: MARK }] })),
            (json!({ "hot": { "keyboard": 1 } }), json!({ "hot": { "keyboard": 1 } })),
            (json!(["fine", "wal", "let", "too"]), json!(["fine", MARK, "too"])),
            (json!(["w", "a", "l", "l", "e", "t", 5]), json!([MARK, 5])),
            (
                json!(["It is hot.", "Key findings", "wall", "etc"]),
                json!(["It is hot.", "Key findings", "wall", "etc"]),
            ),
            (json!({ "amount": { "label": "wallet", "value": 42 } }), json!({ "amount": { MARK: MARK } })),
            (
                json!({ "a": "my wal", "b": "let", "c": "fine", "n": 1 }),
                json!({ "a": MARK, "b": MARK, "c": "fine", "n": 1 }),
            ),
            (
                json!({ "x": "fine", "a": "w", "n": 1, "b": "a", "c": "l", "d": "l", "e": "e", "f": "t", "g": "pay", "h": "out of 5" }),
                json!({ "x": "fine", "a": MARK, "n": 1, "b": MARK, "c": MARK, "d": MARK, "e": MARK, "f": MARK, "g": MARK, "h": MARK }),
            ),
            (
                json!({ "apiBaseUrl": "https://api.github.com", "by": "a@b.example", "s": "sk-", "t": "0123456789abcdef0" }),
                json!({ "apiBaseUrl": "https://api.github.com", "by": "a@b.example", "s": "sk-", "t": "0123456789abcdef0" }),
            ),
            (json!({ "label": "plan", "value": 42 }), json!({ "label": "plan", "value": 42 })),
            (json!([["payout", 42], ["plans", 3]]), json!([MARK, ["plans", 3]])),
            (
                json!({ "rewards": 1, "wallet": 2, MARK: 3, "b": 4 }),
                json!({ MARK: MARK, "[redacted] 2": MARK, "[redacted] 3": 3, "b": 4 }),
            ),
        ] {
            assert_eq!(value(output.clone(), &[]), expect, "{output}");
        }
    }

    #[test]
    fn a_term_that_a_call_splits_does_not_leave_in_halves() {
        let mut redaction = Redaction::default();
        let mut texts = String::new();
        for event in [
            QueryEvent::Text("Your wal".to_owned()),
            QueryEvent::ToolCall { tool: "t".to_owned(), input: Map::new() },
            QueryEvent::Text("let has 5. Fine".to_owned()),
        ] {
            if let Some(ChatEvent::Text { text }) = redaction.pass(event) {
                texts.push_str(&text);
            }
        }
        assert_eq!(redaction.finish(), None);
        assert_eq!(texts, "Your [redacted]. Fine");
    }
}
