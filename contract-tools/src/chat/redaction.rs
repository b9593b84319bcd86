//! What leaves a chat, without what must not: the answer as one text however it is cut, and all that tools are asked and
//! answer.

use serde_json::{Map, Value};

use tokio::sync::mpsc::Sender;
use tokio::task::{spawn_blocking, yield_now};

use super::event::ChatEvent;
use super::query::QueryEvent;
use super::structure::DEEPEST_NAME;
use crate::privacy::Redactor;

pub use super::structure::{object, value};

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
    /// Sends what may leave of the event. Clocks are looked at meanwhile, and that is when it is noticed that nobody listens any
    /// more.
    pub async fn pass(&mut self, event: QueryEvent, events: &Sender<ChatEvent>) {
        match event {
            QueryEvent::Text(text) => {
                for piece in pieces(&text) {
                    if let Some(event) = self.text(piece) {
                        let _ = events.send(event).await;
                    }
                    yield_now().await;
                }
            }
            QueryEvent::ToolCall { tool, input } => {
                let weight = weight_of_members(&input, [0; DEEPEST_NAME - 1]);
                let input = looked_at(input, weight, object, withheld("input")).await;
                let _ = events.send(ChatEvent::ToolCall { tool, input }).await;
            }
            QueryEvent::ToolResult { tool, output } => {
                let weight = weight(&output, [0; DEEPEST_NAME - 1]);
                let output = looked_at(output, weight, value, Value::Object(withheld("answer"))).await;
                let _ = events.send(ChatEvent::ToolResult { tool, output }).await;
            }
        }
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

/// What a tool is asked or answers as it may leave; what is heavy is looked at where nobody waits for the thread.
async fn looked_at<T: Send + 'static>(part: T, weight: usize, look_at: fn(T) -> T, unseen: T) -> T {
    if weight <= LIGHT {
        return look_at(part);
    }
    if weight > HEAVIEST {
        return unseen;
    }
    spawn_blocking(move || look_at(part)).await.unwrap_or(unseen)
}

/// What stands for what was not looked at.
fn withheld(what: &str) -> Map<String, Value> {
    let note = format!("the {what} is too large to be shown");
    Map::from_iter([("truncated".to_owned(), Value::Bool(true)), ("note".to_owned(), Value::String(note))])
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
    use tokio::sync::mpsc::channel;

    use super::*;
    use crate::privacy::MARK;

    /// What leaves of these events.
    async fn passed(events: Vec<QueryEvent>) -> Vec<Value> {
        let mut redaction = Redaction::default();
        let (sender, mut receiver) = channel(16);
        for event in events {
            redaction.pass(event, &sender).await;
        }
        assert_eq!(redaction.finish(), None);
        drop(sender);
        let mut passed = Vec::new();
        while let Some(event) = receiver.recv().await {
            passed.push(serde_json::to_value(event).unwrap());
        }
        passed
    }

    fn call(input: Value) -> QueryEvent {
        QueryEvent::ToolCall { tool: "t".to_owned(), input: serde_json::from_value(input).unwrap() }
    }

    #[tokio::test]
    async fn a_term_that_a_call_splits_does_not_leave_in_halves() {
        let text = |text: &str| QueryEvent::Text(text.to_owned());
        let passed = passed(vec![text("Your wal"), call(json!({})), text("let has 5. Fine")]).await;
        let texts: String = passed.iter().filter_map(|event| event["text"].as_str()).collect();
        assert_eq!(texts, "Your [redacted]. Fine");
    }

    #[tokio::test]
    async fn what_is_too_heavy_to_be_looked_at_does_not_leave() {
        let shown = async |output| {
            let result = QueryEvent::ToolResult { tool: "t".to_owned(), output };
            passed(vec![result]).await.remove(0)["output"].take()
        };
        let instead = json!({ "truncated": true, "note": "the answer is too large to be shown" });
        let pairs = |count: usize| json!({ "a": vec![["wal", "let"]; count].concat() });
        assert_eq!(shown(pairs(2000)).await, json!({ "a": vec![MARK; 2000] }));
        assert_eq!(shown(pairs(40_000)).await, instead);
        assert_eq!(shown(json!("x".repeat(HEAVIEST))).await, instead);
        // A long name is looked at with each that stands in it.
        let inner: Map<String, Value> = (0..1000).map(|number| (number.to_string(), Value::Null)).collect();
        assert_eq!(shown(json!({ "x".repeat(1000): inner })).await, instead);
        let called = passed(vec![call(json!({ "a": "x".repeat(HEAVIEST) }))]).await;
        let instead = json!({ "truncated": true, "note": "the input is too large to be shown" });
        assert_eq!(called, [json!({ "type": "tool_call", "tool": "t", "input": instead })]);
        let text = "é".repeat(PIECE);
        assert_eq!(pieces(&text).collect::<String>(), text);
        assert!(pieces(&text).count() > 1 && pieces("").next().is_none());
    }
}
