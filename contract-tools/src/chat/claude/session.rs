//! What a session says becomes what a chat passes on.
//!
//! It fails closed: nothing is passed on before the session has said that it has exactly our server and exactly its tools,
//! each time that it says what it has. Text comes piece by piece; when the program asks its API again, the pieces come again
//! from the start, and what was passed on already is not said twice (`answer`). Errors that come dressed as text, the
//! model's thoughts, and calls of tools that the session does not have (which never ran) are not passed on.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::SERVER;
use super::arguments;
use super::message::{Answer, Assistant, Block, Content, Delta, Finished, Message, Piece, System, User};
use super::process::MOST_COMPLAINTS;
use super::{tool, unread, verdict};
use crate::chat::answer::AnswerText;
use crate::chat::failure::Failure;
use crate::chat::query::{Ended, QueryEvent, QueryItem};
use crate::privacy::redact;

/// What a session must have, and nothing else.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The names of the tools, as their server calls them.
    pub tools: Vec<String>,
}

impl Expected {
    fn is_met_by(&self, init: &System) -> bool {
        let ours: BTreeSet<String> = self.tools.iter().map(|name| arguments::tool(name)).collect();
        let theirs: BTreeSet<String> = init.tools.iter().cloned().collect();
        let is_one_server = matches!(
            init.mcp_servers.as_slice(), [server] if server.name == SERVER && server.status == "connected"
        );
        is_one_server && init.permission_mode == "dontAsk" && ours == theirs && init.tools.len() == theirs.len()
    }
}

/// What a line was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heard {
    Line,
    Junk,
}

/// One session's state.
pub struct Session {
    expected: Expected,
    has_init: bool,
    has_spoken: bool,
    last: Heard,
    is_over: bool,
    answer: AnswerText,
    /// The tools that were asked, by the ids of their calls.
    calls: BTreeMap<String, String>,
    /// The mark of the last message that was an error, and what it said.
    error: Option<String>,
    complaint: String,
}

impl Session {
    /// Nothing was said yet.
    pub fn new(expected: Expected) -> Self {
        Self {
            expected,
            has_init: false,
            has_spoken: false,
            last: Heard::Junk,
            is_over: false,
            answer: AnswerText::default(),
            calls: BTreeMap::new(),
            error: None,
            complaint: String::new(),
        }
    }

    /// Whether anything was said that could be understood.
    pub fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// Whether the last line was one of this protocol, and so a sign of life.
    pub fn was_understood(&self) -> bool {
        self.last == Heard::Line
    }

    /// What the program said of the last error of its API, in its own words: for the log alone, since they name hosts, paths and
    /// accounts.
    pub(super) fn complaint(&self) -> String {
        redact(&self.complaint[..self.complaint.floor_char_boundary(MOST_COMPLAINTS)])
    }

    /// Takes the next line. What is no line of this protocol is passed over.
    pub fn line(&mut self, line: &[u8]) -> Vec<QueryItem> {
        self.last = Heard::Junk;
        let message = match serde_json::from_slice::<Message>(line) {
            Ok(message) => message,
            // What the session has cannot be known from a list that cannot be read.
            Err(_) if unread::is_init(line) => {
                return if self.is_over { Vec::new() } else { self.end(Ended::failed(Failure::ToolsUnavailable)) };
            }
            Err(_) => match unread::mended(line) {
                Some(message) => message,
                None => return Vec::new(),
            },
        };
        self.has_spoken = true;
        self.last = if message.is_known() { Heard::Line } else { Heard::Junk };
        if self.is_over {
            return Vec::new();
        }
        match message {
            Message::System(init) if init.subtype == "init" => {
                self.has_init = self.expected.is_met_by(&init);
                if self.has_init { Vec::new() } else { self.end(Ended::failed(Failure::ToolsUnavailable)) }
            }
            Message::System(_) | Message::RateLimitEvent | Message::Unknown => Vec::new(),
            _ if !self.has_init => self.end(Ended::failed(Failure::ToolsUnavailable)),
            Message::StreamEvent(streamed) if streamed.parent_tool_use_id.is_none() => self.piece(streamed.event),
            Message::Assistant(assistant) if assistant.parent_tool_use_id.is_none() => self.assistant(assistant),
            Message::User(user) if user.parent_tool_use_id.is_none() => self.user(user),
            Message::StreamEvent(_) | Message::Assistant(_) | Message::User(_) => Vec::new(),
            Message::Result(finished) => self.finished(&finished),
        }
    }

    fn end(&mut self, ended: Ended) -> Vec<QueryItem> {
        self.is_over = true;
        vec![QueryItem::Ended(ended)]
    }

    fn piece(&mut self, piece: Piece) -> Vec<QueryItem> {
        match piece {
            Piece::MessageStart => self.answer.message_starts(),
            Piece::ContentBlockStart => self.answer.block_starts(),
            Piece::ContentBlockDelta { delta: Delta::Text { text: piece } } => {
                return text(self.answer.piece(&piece));
            }
            Piece::MessageDelta { delta } if delta.stop_reason.is_some() => self.answer.message_is_complete(),
            Piece::MessageStop => self.answer.message_stops(),
            Piece::ContentBlockDelta { .. }
            | Piece::MessageDelta { .. }
            | Piece::ContentBlockStop
            | Piece::Ping
            | Piece::Error
            | Piece::Unknown => {}
        }
        Vec::new()
    }

    fn assistant(&mut self, assistant: Assistant) -> Vec<QueryItem> {
        let is_synthetic = assistant.message.model == "<synthetic>";
        if assistant.error.is_some() || assistant.is_api_error_message {
            self.error = assistant.error;
            // What the model said is told to no log.
            let own = is_synthetic.then_some(assistant.message.content);
            self.complaint = own.iter().flatten().filter_map(Block::text).collect();
            return Vec::new();
        }
        if assistant.aborted || is_synthetic {
            return Vec::new();
        }
        let mut items = Vec::new();
        for block in assistant.message.content {
            match block {
                Block::Text { text: whole } => items.extend(text(self.answer.whole_block(&whole))),
                Block::ToolUse { id, name, input } => items.extend(self.call(id, &name, input)),
                Block::Unknown => {}
            }
        }
        items
    }

    fn call(&mut self, id: String, name: &str, input: Value) -> Option<QueryItem> {
        let tool = self.expected.tools.iter().find(|tool| arguments::tool(tool) == name)?.clone();
        let Entry::Vacant(call) = self.calls.entry(id) else { return None };
        call.insert(tool.clone());
        self.answer.tool_is_called();
        Some(QueryItem::Event(QueryEvent::ToolCall { tool, input: tool::input(input) }))
    }

    fn user(&mut self, user: User) -> Vec<QueryItem> {
        let Content::Blocks(answers) = user.message.content else {
            self.answer.is_interrupted();
            return Vec::new();
        };
        // It is the answer of one call; beside two of them nobody could say whose.
        let is_single = answers.iter().filter(|answer| matches!(answer, Answer::ToolResult { .. })).count() == 1;
        let structured = user.tool_use_result.get("structuredContent").filter(|value| is_single && value.is_object());
        let mut items = Vec::new();
        for answer in answers {
            let Answer::ToolResult { tool_use_id, content, is_error } = answer else {
                self.answer.is_interrupted();
                continue;
            };
            if let Some(tool) = self.calls.remove(&tool_use_id) {
                let output = match structured {
                    Some(structured) if !is_error => structured.clone(),
                    _ => tool::output(content, is_error),
                };
                items.push(QueryItem::Event(QueryEvent::ToolResult { tool, output }));
            }
        }
        items
    }

    fn finished(&mut self, finished: &Finished) -> Vec<QueryItem> {
        let failure = verdict::failure(finished, self.error.as_deref());
        let silent = (!self.answer.has_text()).then_some(Failure::NoAnswer);
        let outcome = failure.or(silent).map_or(Ok(()), Err);
        self.end(Ended { outcome, usage: verdict::usage(finished) })
    }
}

fn text(text: String) -> Vec<QueryItem> {
    if text.is_empty() { Vec::new() } else { vec![QueryItem::Event(QueryEvent::Text(text))] }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const INIT: &str = r#"{"type":"system","subtype":"init","permissionMode":"dontAsk","tools":["mcp__loopover-miner__t"],"mcp_servers":[{"name":"loopover-miner","status":"connected"}]}"#;

    /// What becomes of these lines behind a beginning as it must be.
    fn play(lines: &[Value]) -> Vec<QueryItem> {
        let mut session = Session::new(Expected { tools: vec!["t".to_owned()] });
        assert!(!session.has_spoken());
        assert!(session.line(INIT.as_bytes()).is_empty() && session.has_spoken());
        lines.iter().flat_map(|line| session.line(line.to_string().as_bytes())).collect()
    }

    fn call(id: &str, input: &Value) -> Value {
        let block = json!({ "type": "tool_use", "id": id, "name": "mcp__loopover-miner__t", "input": input });
        json!({ "type": "assistant", "message": { "content": [{ "type": "thinking" }, block] } })
    }

    fn answer(content: &Value, is_error: bool, structured: &Value) -> Value {
        let block = json!({ "type": "tool_result", "tool_use_id": "1", "content": content, "is_error": is_error });
        json!({ "type": "user", "message": { "content": [block] }, "tool_use_result": { "structuredContent": structured } })
    }

    #[test]
    fn a_call_has_an_object_for_its_input() {
        for (input, expect) in [
            (json!({ "a": 1 }), json!({ "a": 1 })),
            (json!({}), json!({})),
            (Value::Null, json!({})),
            (json!([1]), json!({ "value": [1] })),
            (json!({ "__unparsedToolInput": { "raw": "{", "len": 1 } }), json!({ "unparsed": "{" })),
            (json!({ "__unparsedToolInput": "{" }), json!({ "unparsed": "{" })),
        ] {
            let input_object = expect.as_object().unwrap().clone();
            let event = QueryEvent::ToolCall { tool: "t".to_owned(), input: input_object };
            assert_eq!(play(&[call("1", &input)]), [QueryItem::Event(event)]);
        }
    }

    #[test]
    fn a_call_with_the_id_of_another_takes_nothing_from_it() {
        let mut session = Session::new(Expected { tools: vec!["t".to_owned(), "u".to_owned()] });
        session.has_init = true;
        assert!(session.call("1".to_owned(), "mcp__loopover-miner__t", Value::Null).is_some());
        assert_eq!(session.call("1".to_owned(), "mcp__loopover-miner__u", Value::Null), None);
        let items = session.line(answer(&json!("plain"), false, &Value::Null).to_string().as_bytes());
        let event = QueryEvent::ToolResult { tool: "t".to_owned(), output: json!("plain") };
        assert_eq!(items, [QueryItem::Event(event)]);
    }

    #[test]
    fn an_answer_is_json_where_it_is_and_nothing_of_the_programs_own() {
        let failed =
            json!({ "error": { "code": "unknown_error", "message": "the call failed before the tool could answer" } });
        let cut = json!({ "truncated": true, "note": "the answer is too large to be shown" });
        for (content, is_error, structured, expect) in [
            (json!("{\"a\":1}"), false, Value::Null, json!({ "a": 1 })),
            (json!("{\"a\":1}"), false, json!({ "b": 2 }), json!({ "b": 2 })),
            (json!("{\"error\":1}"), true, json!({ "b": 2 }), json!({ "error": 1 })),
            (json!([{ "type": "text", "text": "[1]" }, { "type": "image" }]), false, Value::Null, json!([1])),
            (
                json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]),
                false,
                Value::Null,
                json!("a\nb"),
            ),
            (json!("plain"), false, Value::Null, json!("plain")),
            (json!("7"), false, Value::Null, json!("7")),
            (json!("<tool_use_error>/home</tool_use_error>"), true, Value::Null, failed),
            (json!("<persisted-output> /home/x"), false, Value::Null, cut),
            (Value::Null, false, Value::Null, json!("")),
            (json!({ "odd": true }), false, Value::Null, json!({ "odd": true })),
        ] {
            let items = play(&[call("1", &json!({})), answer(&content, is_error, &structured)]);
            let event = QueryEvent::ToolResult { tool: "t".to_owned(), output: expect };
            assert_eq!(items[1..], [QueryItem::Event(event)], "{content}");
        }
        assert!(play(&[answer(&json!("unasked"), false, &Value::Null)]).is_empty());
    }

    #[test]
    fn a_list_of_tools_that_cannot_be_read_ends_the_session() {
        let closed = [QueryItem::Ended(Ended::failed(Failure::ToolsUnavailable))];
        for line in [
            r#"{"type":"system","subtype":"init","tools":[{"name":"Bash"}],"permissionMode":"bypassPermissions"}"#,
            r#"{"type":"system","subtype":"init","tools":null}"#,
            r#"{"type":"system","subtype":"init","tools":[],"tools":[]}"#,
            r#"{"subtype":"\u0069nit","type":"system","mcp_servers":{}}"#,
            r#"{"type": "system", "subtype": "init", "cwd":"\ud800", "tools":["Bash"]}"#,
            r#"{"type":"system","subtype":"init","tools":["Bash""#,
            r#"{"type":"system","subtype":"init"}"#,
            r#"{"type":"sy\u0073tem","subtype":"\u0069nit","tools":["Bash"],"mcp_servers":7,"cwd":"\ud800"}"#,
        ] {
            let mut session = Session::new(Expected { tools: vec!["t".to_owned()] });
            assert!(session.line(INIT.as_bytes()).is_empty());
            assert_eq!(session.line(line.as_bytes()), closed, "{line}");
            assert!(session.line(line.as_bytes()).is_empty(), "it ends once");
        }
        assert!(play(&[json!({ "type": "system" }), json!({ "type": "system", "subtype": 1 }), json!(7)]).is_empty());
    }

    #[test]
    fn only_lines_of_the_protocol_are_signs_of_life() {
        let mut session = Session::new(Expected { tools: vec!["t".to_owned()] });
        let event = |event: &str| format!(r#"{{"type":"stream_event","event":{event}}}"#);
        let delta =
            |kind: &str| event(&format!(r#"{{"type":"content_block_delta","delta":{{"type":"{kind}","x":1}}}}"#));
        for (line, is_life) in [
            (INIT.to_owned(), true),
            (r#"{"type":"system","subtype":"api_retry","attempt":1}"#.to_owned(), true),
            (r#"{"type":"rate_limit_event","rate_limit_info":{}}"#.to_owned(), true),
            (event(r#"{"type":"ping"}"#), true),
            (event(r#"{"type":"content_block_stop","index":0}"#), true),
            (delta("thinking_delta"), true),
            (delta("input_json_delta"), true),
            (delta("later_delta"), false),
            (event(r#"{"type":"later"}"#), false),
            (r#"{"type":"system","subtype":"later"}"#.to_owned(), false),
            (r#"{"type":"later"}"#.to_owned(), false),
            (String::new(), false),
            ("junk".to_owned(), false),
        ] {
            assert!(session.line(line.as_bytes()).is_empty());
            assert_eq!(session.was_understood(), is_life, "{line}");
        }
    }

    #[test]
    fn two_answers_in_one_line_keep_each_its_own() {
        let result = |id: &str, text: &str| json!({ "type": "tool_result", "tool_use_id": id, "content": text });
        let both = json!({
            "type": "user",
            "message": { "content": [result("1", "{\"a\":1}"), result("2", "{\"b\":2}")] },
            "tool_use_result": { "structuredContent": { "a": 1 } },
        });
        let items = play(&[call("1", &json!({})), call("2", &json!({})), both]);
        let event = |output| QueryItem::Event(QueryEvent::ToolResult { tool: "t".to_owned(), output });
        assert_eq!(items[2..], [event(json!({ "a": 1 })), event(json!({ "b": 2 }))]);
    }

    #[test]
    fn odd_figures_do_not_spoil_an_answer() {
        let said = json!({ "type": "assistant", "message": { "model": null, "content": [{ "type": "text", "text": "x" }] }, "aborted": null });
        for odd in [
            json!({ "usage": null, "num_turns": null, "total_cost_usd": null }),
            json!({ "is_error": null }),
            json!({ "usage": { "input_tokens": -1, "output_tokens": 1.5 }, "num_turns": -1 }),
            json!({ "usage": "many", "total_cost_usd": "much", "num_turns": [] }),
            json!({ "api_error_status": "429", "stop_reason": 7, "terminal_reason": {} }),
            json!({ "api_error_status": 99_999 }),
        ] {
            let mut line = json!({ "type": "result", "subtype": "success" });
            line.as_object_mut().unwrap().extend(odd.as_object().unwrap().clone());
            let items = play(&[said.clone(), line]);
            assert!(matches!(&items[1], QueryItem::Ended(Ended { outcome: Ok(()), .. })), "{odd}: {items:?}");
        }
    }

    #[test]
    fn a_nudge_of_the_programs_own_begins_a_paragraph() {
        let said =
            |text: &str| json!({ "type": "assistant", "message": { "content": [{ "type": "text", "text": text }] } });
        for nudge in [json!("go on"), json!([{ "type": "text", "text": "go on" }])] {
            let nudge = json!({ "type": "user", "message": { "content": nudge } });
            let items = play(&[said("one"), nudge, said("two")]);
            let event = |text: &str| QueryItem::Event(QueryEvent::Text(text.to_owned()));
            assert_eq!(items, [event("one"), event("\n\ntwo")]);
        }
    }
}
