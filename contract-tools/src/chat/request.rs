//! A chat's request: the whole conversation, since nothing of it is kept here.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most bytes of a request.
pub const LONGEST_BODY: usize = 1 << 20;
/// The most turns of a conversation.
pub const MOST_MESSAGES: usize = 100;
/// The most bytes of a turn.
pub const LONGEST_CONTENT: usize = 32 << 10;

contract_core::vocabulary! {
    /// Who speaks.
    pub enum Role: "role" {
        /// The person.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// Why a body is no conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidRequest {
    /// It is no JSON.
    Json(String),
    /// It is, of another shape.
    Messages(String),
}

impl InvalidRequest {
    /// Which kind, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Json(_) => "invalid_json",
            Self::Messages(_) => "invalid_messages",
        }
    }

    /// What is wrong, where, and what would be right.
    pub fn message(&self) -> &str {
        match self {
            Self::Json(message) | Self::Messages(message) => message,
        }
    }
}

/// Reads a conversation that ends with a turn of the person.
///
/// # Errors
/// The first thing that is wrong, with its index.
pub fn read(body: &[u8]) -> Result<Vec<ChatMessage>, InvalidRequest> {
    let body: Value = serde_json::from_slice(body).map_err(|error| {
        InvalidRequest::Json(format!("the body is no JSON (line {}, column {})", error.line(), error.column()))
    })?;
    let messages = body.get("messages").and_then(Value::as_array);
    let messages = messages.ok_or_else(|| wrong("the body must be an object whose `messages` is an array"))?;
    if messages.is_empty() {
        return Err(wrong("`messages` is empty; send at least one message"));
    }
    if messages.len() > MOST_MESSAGES {
        return Err(wrong(format!("`messages` has {} entries; at most {MOST_MESSAGES} are taken", messages.len())));
    }
    let messages = messages.iter().enumerate().map(|(index, message)| message_at(index, message));
    let messages: Vec<ChatMessage> = messages.collect::<Result<_, _>>()?;
    let last = messages.len() - 1;
    if messages[last].role != Role::User {
        return Err(wrong(format!("messages[{last}].role is `assistant`; the last message must be of role `user`")));
    }
    Ok(messages)
}

fn message_at(index: usize, message: &Value) -> Result<ChatMessage, InvalidRequest> {
    let Some(message) = message.as_object() else {
        return Err(wrong(format!("messages[{index}] must be an object with `role` and `content`")));
    };
    let role = message.get("role").and_then(Value::as_str);
    let role = role.and_then(Role::parse).ok_or_else(|| {
        let said = role.filter(|role| is_plain(role)).map_or_else(String::new, |role| format!(" and not `{role}`"));
        wrong(format!("messages[{index}].role must be `user` or `assistant`{said}"))
    })?;
    let content = message.get("content").and_then(Value::as_str);
    let content = content.ok_or_else(|| wrong(format!("messages[{index}].content must be a string")))?;
    if content.len() > LONGEST_CONTENT {
        let length = content.len();
        return Err(wrong(format!(
            "messages[{index}].content is {length} bytes long; at most {LONGEST_CONTENT} are taken"
        )));
    }
    if content.chars().all(is_blank) {
        return Err(wrong(format!("messages[{index}].content is blank; send some text")));
    }
    if content.contains('\0') {
        return Err(wrong(format!("messages[{index}].content holds a NUL character; leave it out")));
    }
    Ok(ChatMessage { role, content: content.to_owned() })
}

/// White space, and what takes no space at all.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// A role that is a short word may be said back; anything else is not.
fn is_plain(role: &str) -> bool {
    (1..=20).contains(&role.len()) && role.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn wrong(message: impl Into<String>) -> InvalidRequest {
    InvalidRequest::Messages(message.into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn refused(body: &Value, part: &str) {
        let error = read(body.to_string().as_bytes()).unwrap_err();
        assert_eq!(error.code(), "invalid_messages", "{body}");
        assert!(error.message().contains(part), "{body}: {}", error.message());
    }

    fn turn(role: &str, content: &str) -> Value {
        json!({ "role": role, "content": content })
    }

    #[test]
    fn a_conversation_is_read_whatever_else_is_beside_it() {
        let body = json!({
            "messages": [turn("assistant", "hello"), turn("user", "é"), { "role": "user", "content": " hi\n", "id": 7 }],
            "model": "x",
        });
        let messages = read(body.to_string().as_bytes()).unwrap();
        assert_eq!(messages.len(), 3);
        assert_eq!(messages[2], ChatMessage { role: Role::User, content: " hi\n".to_owned() });
    }

    #[test]
    fn what_is_no_json_is_told_apart() {
        for body in ["", "{", "{'messages':[]}", "\u{feff}{}", "{\"messages\":[]} x"] {
            let error = read(body.as_bytes()).unwrap_err();
            assert_eq!(error.code(), "invalid_json", "{body}");
        }
        assert_eq!(read(b"{\"messages\":[\"\xff\"]}").unwrap_err().code(), "invalid_json");
    }

    #[test]
    fn the_first_fault_is_told_with_its_index() {
        for body in
            [json!(null), json!([]), json!({}), json!({ "messages": "hi" }), json!({ "messages": {} }), json!(7)]
        {
            refused(&body, "`messages`");
        }
        refused(&json!({ "messages": [] }), "is empty");
        refused(&json!({ "messages": [null] }), "messages[0]");
        refused(
            &json!({ "messages": [turn("user", "a"), turn("system", "b")] }),
            "messages[1].role must be `user` or `assistant` and not `system`",
        );
        refused(&json!({ "messages": [{ "content": "b" }] }), "messages[0].role");
        refused(&json!({ "messages": [turn("User\nx", "b")] }), "`assistant`");
        refused(&json!({ "messages": [{ "role": "user" }] }), "messages[0].content must be a string");
        refused(
            &json!({ "messages": [{ "role": "user", "content": [{ "type": "text", "text": "x" }] }] }),
            "must be a string",
        );
        refused(&json!({ "messages": [turn("user", ""), turn("user", "b")] }), "messages[0].content is blank");
        refused(&json!({ "messages": [turn("user", " \n\u{a0}")] }), "blank");
        refused(&json!({ "messages": [turn("user", "\u{200b}\u{2060} \u{feff}")] }), "blank");
        refused(&json!({ "messages": [turn("user", "a\0b")] }), "NUL");
        refused(&json!({ "messages": [turn("user", "a"), turn("assistant", "b")] }), "messages[1].role is `assistant`");
        refused(&json!({ "messages": vec![turn("user", "a"); MOST_MESSAGES + 1] }), "101 entries; at most 100");
        refused(&json!({ "messages": [turn("user", &"é".repeat(LONGEST_CONTENT))] }), "at most 32768");
        assert!(read(json!({ "messages": vec![turn("user", "a"); MOST_MESSAGES] }).to_string().as_bytes()).is_ok());
        assert!(
            read(json!({ "messages": [turn("user", &"a".repeat(LONGEST_CONTENT))] }).to_string().as_bytes()).is_ok()
        );
    }
}
