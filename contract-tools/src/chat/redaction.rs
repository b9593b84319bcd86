//! What leaves a chat, without what must not: the answer as one text however it is cut, and all that tools are asked and
//! answer.

use serde_json::{Map, Value};

use super::event::ChatEvent;
use super::query::QueryEvent;
use crate::privacy::{MARK, Redactor, is_private, redact};

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
            QueryEvent::ToolCall { tool, input } => Some(ChatEvent::ToolCall { tool, input: object(input) }),
            QueryEvent::ToolResult { tool, output } => Some(ChatEvent::ToolResult { tool, output: value(output) }),
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

fn value(whole: Value) -> Value {
    match whole {
        Value::String(text) => Value::String(redact(&text)),
        Value::Array(items) => Value::Array(items.into_iter().map(value).collect()),
        Value::Object(members) => Value::Object(object(members)),
        Value::Null | Value::Bool(_) | Value::Number(_) => whole,
    }
}

/// Of a member whose name gives it away, nothing is left but that there was one.
fn object(members: Map<String, Value>) -> Map<String, Value> {
    let mut shown = Map::new();
    for (name, member) in members {
        if is_private(&name) {
            shown.insert(MARK.to_owned(), Value::String(MARK.to_owned()));
        } else {
            shown.insert(name, value(member));
        }
    }
    shown
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
        let expect =
            json!({ "plan": { MARK: MARK, "steps": ["a [redacted]. Then", 7, null, true] }, "note": "harmless" });
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
