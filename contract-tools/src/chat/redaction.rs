//! What leaves a chat, without what must not: the answer as one text however it is cut, and all that tools are asked and
//! answer.

use serde_json::{Map, Value};

use tokio::sync::mpsc::Sender;
use tokio::task::{spawn_blocking, yield_now};

use super::event::ChatEvent;
use super::query::QueryEvent;
use crate::privacy::{MARK, Redactor, is_private, redact, spread};

/// The names that stand around a value: as many as a term may be spread over.
const DEEPEST_NAME: usize = 3;
/// What is put between the texts of two members that are looked at together: it parts words no more than a hyphen does, and
/// the parts of an address or a token for good.
const BETWEEN_MEMBERS: &str = "/";
const BETWEEN_ITEMS: &str = " ";
/// How much of a text is looked at before others have their turn.
const PIECE: usize = 16 << 10;
/// How much of a structure is looked at on a thread that others wait for.
const LIGHT: usize = 16 << 10;
/// What is heavier than this is not looked at, and so does not leave: it could take longer than a reader who went away, or a
/// server that is to end, may be kept waiting for.
const HEAVIEST: usize = 256 << 10;
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
    /// Sends what may leave of the event; `false` when nobody listens any more. Clocks are looked at meanwhile.
    pub async fn pass(&mut self, event: QueryEvent, events: &Sender<ChatEvent>) -> bool {
        let QueryEvent::Text(text) = event else {
            return events.send(looked_at(event).await).await.is_ok();
        };
        for piece in pieces(&text) {
            if let Some(event) = self.text(piece)
                && events.send(event).await.is_err()
            {
                return false;
            }
            yield_now().await;
        }
        true
    }

    /// What may leave of the text by now, with this piece.
    pub fn text(&mut self, piece: &str) -> Option<ChatEvent> {
        text_event(self.text.push(piece))
    }

    /// What was held back, at the end.
    pub fn finish(self) -> Option<ChatEvent> {
        text_event(self.text.finish())
    }
}

fn text_event(text: String) -> Option<ChatEvent> {
    (!text.is_empty()).then_some(ChatEvent::Text { text })
}

/// The text in parts that are soon looked at.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

/// A call or its answer as it may leave; a heavy one is looked at where nobody waits for the thread.
async fn looked_at(event: QueryEvent) -> ChatEvent {
    let weight = match &event {
        QueryEvent::Text(text) => text.len(),
        QueryEvent::ToolCall { input, .. } => weight_of_members(input, [0; DEEPEST_NAME - 1]),
        QueryEvent::ToolResult { output, .. } => weight(output, [0; DEEPEST_NAME - 1]),
    };
    if weight <= LIGHT {
        return look_at(event);
    }
    let unseen = withheld(&event);
    if weight > HEAVIEST {
        return unseen;
    }
    spawn_blocking(|| look_at(event)).await.unwrap_or(unseen)
}

/// A call or its answer as it may leave.
pub fn look_at(event: QueryEvent) -> ChatEvent {
    match event {
        QueryEvent::Text(text) => ChatEvent::Text { text: redact(&text) },
        QueryEvent::ToolCall { tool, input } => ChatEvent::ToolCall { tool, input: object(input, &[]) },
        QueryEvent::ToolResult { tool, output } => ChatEvent::ToolResult { tool, output: value(output, &[]) },
    }
}

/// What stands for an event that was not looked at.
fn withheld(event: &QueryEvent) -> ChatEvent {
    let instead = |what: &str| {
        let note = format!("the {what} is too large to be shown");
        Map::from_iter([("truncated".to_owned(), Value::Bool(true)), ("note".to_owned(), Value::String(note))])
    };
    match event {
        QueryEvent::Text(_) => ChatEvent::Text { text: MARK.to_owned() },
        QueryEvent::ToolCall { tool, .. } => ChatEvent::ToolCall { tool: tool.clone(), input: instead("input") },
        QueryEvent::ToolResult { tool, .. } => {
            ChatEvent::ToolResult { tool: tool.clone(), output: Value::Object(instead("answer")) }
        }
    }
}

/// How much there is to look at in a value: a name counts each time that it is looked at with others. `around` are the
/// lengths of the names around it.
fn weight(value: &Value, around: [usize; DEEPEST_NAME - 1]) -> usize {
    match value {
        Value::String(text) => 2 * text.len() + 1,
        Value::Array(items) => items.iter().map(|item| weight(item, around)).sum::<usize>() + 1,
        Value::Object(members) => weight_of_members(members, around),
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    }
}

fn weight_of_members(members: &Map<String, Value>, around: [usize; DEEPEST_NAME - 1]) -> usize {
    let [outer, inner] = around;
    let member =
        |(name, member): (&String, &Value)| outer + inner + name.len() + 1 + weight(member, [inner, name.len()]);
    members.iter().map(member).sum::<usize>() + 1
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
    let mut reached = 0;
    for together in spread(strings, BETWEEN_ITEMS) {
        shown.extend(strings[reached..*together.start()].iter().cloned().map(Value::String));
        shown.push(Value::String(MARK.to_owned()));
        reached = together.end() + 1;
    }
    shown.extend(strings[reached..].iter().cloned().map(Value::String));
    shown
}

/// Of a member whose name gives it away, alone or behind the names around it, nothing is left but that there was one.
fn object(members: Map<String, Value>, around: &[String]) -> Map<String, Value> {
    let mut shown = Map::new();
    let mut unnamed = 0;
    if is_labelled(&members) {
        shown.insert(MARK.to_owned(), Value::String(MARK.to_owned()));
        return shown;
    }
    for (name, member) in members {
        let mut names = around[around.len().saturating_sub(DEEPEST_NAME - 1)..].to_vec();
        names.push(name);
        if is_private(&names.join(" ")) {
            shown.insert(unused(&shown, &mut unnamed), Value::String(MARK.to_owned()));
        } else {
            let member = value(member, &names);
            let name = names.pop().filter(|name| !shown.contains_key(name));
            let name = name.unwrap_or_else(|| unused(&shown, &mut unnamed));
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
    for together in spread(&texts, BETWEEN_MEMBERS) {
        for name in &names[together] {
            shown.insert(name.clone(), Value::String(MARK.to_owned()));
        }
    }
}

/// Whether one member names something private that another one is the value of.
fn is_labelled(members: &Map<String, Value>) -> bool {
    let is_named = |names: &[&str], name: &str| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    members.keys().any(|name| is_named(&VALUES, name))
        && members.iter().any(|(name, member)| is_named(&LABELS, name) && member.as_str().is_some_and(is_private))
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

    #[test]
    fn names_and_values_are_looked_at_at_every_depth() {
        let output = json!({
            "plan": { "walletAddress": { "deep": 1 }, "my_hotkey": 2, "steps": ["a payout of 5. Then", 7, null, true] },
            "note": "harmless",
        });
        let event = look_at(QueryEvent::ToolResult { tool: "t".to_owned(), output });
        let expect = json!({ "plan": { MARK: MARK, "[redacted] 2": MARK, "steps": ["a [redacted]. Then", 7, null, true] }, "note": "harmless" });
        assert_eq!(event, ChatEvent::ToolResult { tool: "t".to_owned(), output: expect });
        let input = json!({ "planId": "WALLET wallet" }).as_object().unwrap().clone();
        let ChatEvent::ToolCall { input, .. } = look_at(QueryEvent::ToolCall { tool: "t".to_owned(), input }) else {
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

    #[tokio::test]
    async fn a_term_that_a_call_splits_does_not_leave_in_halves() {
        let mut redaction = Redaction::default();
        let (sender, mut receiver) = tokio::sync::mpsc::channel(16);
        for event in [
            QueryEvent::Text("Your wal".to_owned()),
            QueryEvent::ToolCall { tool: "t".to_owned(), input: Map::new() },
            QueryEvent::Text("let has 5. Fine".to_owned()),
        ] {
            assert!(redaction.pass(event, &sender).await);
        }
        assert_eq!(redaction.finish(), None);
        drop(sender);
        let mut texts = String::new();
        while let Some(event) = receiver.recv().await {
            if let ChatEvent::Text { text } = event {
                texts.push_str(&text);
            }
        }
        assert_eq!(texts, "Your [redacted]. Fine");
    }

    #[tokio::test]
    async fn what_is_too_heavy_to_be_looked_at_does_not_leave() {
        let result = |output| QueryEvent::ToolResult { tool: "t".to_owned(), output };
        let shown = async |output| match looked_at(result(output)).await {
            ChatEvent::ToolResult { output, .. } => output,
            other => panic!("{other:?}"),
        };
        let instead = json!({ "truncated": true, "note": "the answer is too large to be shown" });
        let pairs = |count: usize| json!({ "a": vec![["wal", "let"]; count].concat() });
        assert_eq!(shown(pairs(2000)).await, json!({ "a": vec![MARK; 2000] }));
        assert_eq!(shown(pairs(40_000)).await, instead);
        assert_eq!(shown(json!("x".repeat(HEAVIEST))).await, instead);
        // A long name is looked at with each that stands in it.
        let inner: Map<String, Value> = (0..1000).map(|number| (number.to_string(), Value::Null)).collect();
        assert_eq!(shown(json!({ "x".repeat(1000): inner })).await, instead);
        let input = json!({ "a": "x".repeat(HEAVIEST) }).as_object().unwrap().clone();
        let event = looked_at(QueryEvent::ToolCall { tool: "t".to_owned(), input }).await;
        assert!(matches!(event, ChatEvent::ToolCall { input, .. } if input["truncated"] == true));
        let text = "é".repeat(PIECE);
        assert_eq!(pieces(&text).collect::<String>(), text);
        assert!(pieces(&text).count() > 1 && pieces("").next().is_none());
    }
}
