//! What leaves a chat, without what must not: the answer as one text however it is cut, and all that tools are asked and
//! answer.

use serde_json::{Map, Value};

use tokio::sync::mpsc::Sender;
use tokio::task::{spawn_blocking, yield_now};

use super::event::ChatEvent;
use super::query::QueryEvent;
use super::structure::{DEEPEST_NAME, object, value};
use crate::privacy::{MARK, Redactor, redact};

/// How much of a text is looked at before others have their turn.
const PIECE: usize = 16 << 10;
/// How much of a structure is looked at on a thread that others wait for.
const LIGHT: usize = 16 << 10;
/// What is heavier than this is not looked at, and so does not leave: it could take longer than a reader who went away, or a
/// server that is to end, may be kept waiting for.
const HEAVIEST: usize = 256 << 10;

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
        QueryEvent::ToolCall { tool, input } => ChatEvent::ToolCall { tool, input: object(input) },
        QueryEvent::ToolResult { tool, output } => ChatEvent::ToolResult { tool, output: value(output) },
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
