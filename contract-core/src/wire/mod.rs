//! A frame's bytes to a message, a reply that is ready to send, or nothing.
//!
//! Every transport runs [`read_frame`] before anything else sees a frame, so that all of them give the same answer to the
//! same bytes: text that is no JSON, ids of a strange shape, keys written twice, nesting without end. A request or a
//! notification that comes out of it can be read by any JSON reader; only the arguments of a tool call stay text, for
//! [`Registry::call`](crate::Registry::call) to read.
//!
//! Three rules hold for every frame:
//!
//! - A message without an id, and one that is itself a response, is never answered, whatever is wrong with it.
//! - An id comes back byte for byte as it was written. What is no string and no integer is no id: the reply has `null`.
//! - Time grows with the length of the frame and nothing else, memory too, and no nesting reaches the stack.
//!
//! ```
//! use contract_core::wire::{Frame, Limits, Message, read_frame};
//!
//! let frame = br#"{"jsonrpc":"2.0","id":"007","method":"ping"}"#;
//! let Frame::Message(Message::Request(request)) = read_frame(frame, &Limits::default()) else { panic!() };
//! assert_eq!((request.id().raw(), request.method()), (r#""007""#, "ping"));
//!
//! let Frame::Reply(reply) = read_frame(b"[]", &Limits::default()) else { panic!() };
//! assert!(reply.as_str().contains("-32600"));
//! ```

mod fault;
mod judge;
mod limits;
mod line;
mod members;
mod message;

pub use self::fault::{Fault, FaultCode, ReadyReply};
pub use self::limits::Limits;
pub use self::line::{Line, LineBuffer};
pub use self::message::{Id, Message, Notification, Request, Response, ToolCall};

use std::borrow::Cow;

use serde::de::IgnoredAny;

use self::members::{IdMember, Members, kind};

/// What a frame comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame<'frame> {
    /// A message to act on.
    Message(Message<'frame>),
    /// A reply to send as it is; there is nothing else to do.
    Reply(ReadyReply),
    /// Nothing to send: an empty frame, or one that must not be answered, with what is wrong with it (for a log).
    Nothing(Option<Fault>),
}

/// Reads one frame: a line of stdin without its end, or the body of a POST.
pub fn read_frame<'frame>(bytes: &'frame [u8], limits: &Limits) -> Frame<'frame> {
    let bytes = trim(bytes);
    if bytes.is_empty() {
        return Frame::Nothing(None);
    }
    if bytes.len() > limits.size {
        return read_too_long(&bytes[..limits.size], limits);
    }
    let Ok(text) = str::from_utf8(bytes) else {
        return recover(bytes, Fault::parse_error("the message is not UTF-8"));
    };
    if !text.starts_with('{') {
        return no_object(text);
    }
    if let Some(fault) = limits.exceeded_by(text) {
        return recover(bytes, fault);
    }
    let envelope = Members::read(text, |_| true);
    if let Err(error) = &envelope.end {
        let fault = not_json(error);
        // An answer to half an answer would come back as an error of its own.
        return if envelope.is_response() { Frame::Nothing(Some(fault)) } else { Frame::Reply(fault.reply(None)) };
    }
    match judge::message(text, &envelope) {
        Ok(message) => Frame::Message(message),
        Err(fault) => answer(&envelope, fault),
    }
}

/// Answers a frame that is longer than its limit, from the part of it that was kept; see [`Line::TooLong`].
pub fn read_too_long<'frame>(kept: &[u8], limits: &Limits) -> Frame<'frame> {
    let fault = Fault::invalid_request(format!("the message is too long; the limit is {} bytes", limits.size));
    recover(trim(kept), fault)
}

/// The frame without a byte order mark and white space around it, a carriage return at the end included.
fn trim(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii()
}

/// Text that does not start like a message: not JSON, a batch, or a bare value.
fn no_object<'frame>(text: &str) -> Frame<'frame> {
    let fault = match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) => not_json(&error),
        Ok(_) if text.starts_with('[') => {
            Fault::invalid_request("batches are not part of this protocol revision; send one message per frame")
        }
        Ok(_) => Fault::invalid_request(format!("a message must be an object, got {}", kind(text))),
    };
    Frame::Reply(fault.reply(None))
}

/// Finds the id of a frame that will not be read to its end, and answers `fault` as that id asks for.
fn recover<'frame>(bytes: &[u8], fault: Fault) -> Frame<'frame> {
    let text = String::from_utf8_lossy(bytes);
    let mut envelope = Members::read(&text, members::is_of_envelope);
    // Bytes that are no UTF-8 were replaced; an id with a replacement in it is not the one that was sent.
    if let (Cow::Owned(_), Some(id)) = (&text, envelope.found.get_mut("id")) {
        *id = id.filter(|id| !id.contains(char::REPLACEMENT_CHARACTER));
    }
    answer(&envelope, fault)
}

/// The reply that says `fault`, when the message may be answered at all.
fn answer<'frame>(envelope: &Members<'_>, fault: Fault) -> Frame<'frame> {
    if envelope.is_response() {
        return Frame::Nothing(Some(fault));
    }
    match envelope.id() {
        IdMember::Absent if envelope.end.is_ok() => Frame::Nothing(Some(fault)),
        IdMember::Usable(id) => Frame::Reply(fault.reply(Some(&id))),
        IdMember::Absent | IdMember::Unusable => Frame::Reply(fault.reply(None)),
    }
}

/// Where reading stopped, in our words: serde's may quote what was sent.
fn not_json(error: &serde_json::Error) -> Fault {
    let (line, column) = (error.line(), error.column());
    Fault::parse_error(format!("the message is not JSON (line {line}, column {column})"))
}

#[cfg(test)]
mod tests;
