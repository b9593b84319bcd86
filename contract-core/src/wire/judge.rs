//! What makes an object a message: one check per rule, the id first, since every reply needs it.

use std::borrow::Cow;

use super::members::{IdMember, Members, is_of_envelope, kind, string};
use super::{Fault, Message, Notification, Request, Response, ToolCall};
use crate::json::{self, shown};

/// The message that `text` is, whose members are `envelope`.
pub(super) fn message<'text>(text: &'text str, envelope: &Members<'text>) -> Result<Message<'text>, Fault> {
    if envelope.is_response() {
        return response(text, envelope).map(Message::Response);
    }
    let id = match envelope.id() {
        IdMember::Absent => None,
        IdMember::Usable(id) => Some(id),
        IdMember::Unusable => {
            return Err(Fault::invalid_request("`id` must be a string or an integer, written once"));
        }
    };
    require_version(envelope)?;
    let method = method(envelope)?;
    if envelope.has("result") || envelope.has("error") {
        return Err(Fault::invalid_request("a message has a `method` or a `result` or an `error`, not two of them"));
    }
    look_through(envelope, "", is_of_envelope)?;
    let is_call = method == "tools/call";
    let params = params(envelope)?;
    let call = match params {
        None if is_call => return Err(Fault::invalid_params("`params.name` is required")),
        None => None,
        Some(params) => {
            let members = param_members(params, is_call)?;
            if is_call { Some(tool_call(&members)?) } else { None }
        }
    };
    Ok(match id {
        Some(id) => Message::Request(Request { text, id, method, params, call }),
        None => Message::Notification(Notification { text, method, params }),
    })
}

fn response<'text>(text: &'text str, envelope: &Members<'text>) -> Result<Response<'text>, Fault> {
    require_version(envelope)?;
    let is_error = envelope.has("error");
    if is_error && envelope.has("result") {
        return Err(Fault::invalid_request("a response has a `result` or an `error`, not both"));
    }
    let id = match envelope.id() {
        IdMember::Usable(id) => Some(id),
        // The peer could not tell which request it answers.
        IdMember::Absent if is_error => None,
        IdMember::Unusable if is_error && envelope.value("id") == Some("null") => None,
        IdMember::Absent | IdMember::Unusable => {
            return Err(Fault::invalid_request("a response has the `id` of its request"));
        }
    };
    Ok(Response { text, id, is_error })
}

/// Each key once, and `jsonrpc` as it has to be.
fn require_version(envelope: &Members<'_>) -> Result<(), Fault> {
    if let Some(key) = &envelope.twice {
        return Err(Fault::invalid_request(format!("`{}` is written twice; send each key once", shown(key))));
    }
    match envelope.value("jsonrpc").and_then(string).as_deref() {
        Some("2.0") => Ok(()),
        _ => Err(Fault::invalid_request("`jsonrpc` must be \"2.0\"")),
    }
}

fn method<'text>(envelope: &Members<'text>) -> Result<Cow<'text, str>, Fault> {
    named(envelope.value("method")).map_err(|wrong| Fault::invalid_request(format!("`method` {wrong}")))
}

/// The string that has to be there, or what is wrong with it.
fn named(value: Option<&str>) -> Result<Cow<'_, str>, String> {
    let value = value.ok_or("is required")?;
    string(value).ok_or_else(|| match kind(value) {
        "a string" => "holds an escape that stands for no character".to_owned(),
        kind => format!("must be a string, got {kind}"),
    })
}

/// The object that `params` is; null is as good as absent, as it is for `arguments`.
fn params<'text>(envelope: &Members<'text>) -> Result<Option<&'text str>, Fault> {
    match envelope.value("params") {
        None | Some("null") => Ok(None),
        Some(params) if params.starts_with('{') => Ok(Some(params)),
        Some(other) => Err(Fault::invalid_params(format!("`params` must be an object, got {}", kind(other)))),
    }
}

/// The members of `params`. All of it is looked through, except the arguments of a call: what is wrong in them is the
/// call's answer.
fn param_members(params: &str, is_call: bool) -> Result<Members<'_>, Fault> {
    let members = Members::read(params, |_| true);
    if members.end.is_err() {
        return Err(Fault::invalid_params("`params` has a key with an escape that stands for no character"));
    }
    if let Some(key) = &members.twice {
        let pointer = json::join("/params", shown(key));
        return Err(Fault::invalid_request(format!("`{pointer}` is written twice; send each key once")));
    }
    let skip = |key: &str| is_call && key == "arguments";
    look_through(&members, "/params", skip)?;
    Ok(members)
}

/// Refuses, in any member but those to `skip`, what a JSON reader further on would choke on or silently drop.
fn look_through(members: &Members<'_>, pointer: &str, skip: impl Fn(&str) -> bool) -> Result<(), Fault> {
    for (key, value) in &members.found {
        let Some(value) = value.filter(|_| !skip(key)) else { continue };
        let pointer = json::join(pointer, shown(key));
        let (_, duplicates) = json::read(value)
            .map_err(|issue| Fault::invalid_params(format!("`{pointer}{}` {}", issue.pointer, issue.message)))?;
        if let Some(issue) = duplicates.first() {
            return Err(Fault::invalid_request(format!("`{pointer}{}` {}", issue.pointer, issue.message)));
        }
    }
    Ok(())
}

fn tool_call<'text>(params: &Members<'text>) -> Result<ToolCall<'text>, Fault> {
    let name = named(params.value("name")).map_err(|wrong| Fault::invalid_params(format!("`params.name` {wrong}")))?;
    let arguments = match params.value("arguments") {
        None | Some("null") => None,
        Some(arguments) if arguments.starts_with('{') => Some(arguments),
        Some(other) => {
            let found = kind(other);
            return Err(Fault::invalid_params(format!("`params.arguments` must be an object, got {found}")));
        }
    };
    Ok(ToolCall { name, arguments })
}
