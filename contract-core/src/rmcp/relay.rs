//! Between a transport's frames and rmcp: ids, the arguments of calls, the opening of a session, cancellation.
//!
//! rmcp keeps ids as `i64`, drops what it cannot type without a word, takes a call with odd parameters for an unknown method,
//! and ends the process when a session does not open as it expects. So a transport gives each frame that
//! [`read_frame`](crate::wire::read_frame) lets through to a [`Relay`], and rmcp only what comes out of it: typed messages
//! under numbers of our own. No I/O happens here; the transport moves what it is told to move.
//!
//! What this promises: each request is answered once, under its own id as it was written, or never when its sender cancelled
//! it. Requests that share an id are answered each; cancelling that id means the last of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ::rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification, ClientRequest,
    ErrorData, GetExtensions as _, GetMeta as _, JsonRpcMessage, ProtocolVersion, RequestId, ServerJsonRpcMessage,
    ServerNotification,
};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::ArgumentText;
use crate::wire::{Frame, Id, Message, Notification, ReadyReply, Request, Response};

const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;

/// No name of a revision is longer, by far.
const LONGEST_REVISION: usize = 64;

/// What a frame from the client comes to.
#[derive(Debug)]
pub enum Incoming {
    /// Hand this to rmcp.
    Forward(Box<ClientJsonRpcMessage>),
    /// Send this; rmcp does not hear of it.
    Reply(ReadyReply),
    /// Do nothing.
    Nothing,
}

/// One client's conversation, as far as its messages have to be translated.
#[derive(Debug, Default)]
pub struct Relay {
    last_number: i64,
    /// The requests that rmcp works on, by the numbers that it knows them under.
    pending: BTreeMap<i64, Pending>,
    session: Session,
    held: usize,
}

#[derive(Debug)]
struct Pending {
    id: Id<'static>,
    size: usize,
}

/// How far the handshake of the revisions that have one is. The later ones need none: each request says its revision.
#[derive(Debug, Default, PartialEq, Eq)]
enum Session {
    #[default]
    Closed,
    /// rmcp works on the `initialize` of this number.
    Opening(i64),
    Open,
}

impl Relay {
    /// A conversation that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes one frame of the client.
    pub fn incoming(&mut self, frame: Frame<'_>) -> Incoming {
        match frame {
            Frame::Nothing(_) => Incoming::Nothing,
            Frame::Reply(reply) => Incoming::Reply(reply),
            Frame::Message(Message::Request(request)) => self.request(&request),
            Frame::Message(Message::Notification(notification)) => self.notification(&notification),
            Frame::Message(Message::Response(response)) => answer_of_client(&response),
        }
    }

    /// Takes one message of rmcp: the line to send, without its end, if there is anything to send.
    pub fn outgoing(&mut self, message: ServerJsonRpcMessage) -> Option<String> {
        match message {
            JsonRpcMessage::Request(_) => serde_json::to_string(&message).ok(),
            JsonRpcMessage::Notification(ref notification) => {
                let text = serde_json::to_string(&message).ok()?;
                Some(match subscription(&notification.notification).and_then(|it| Some((it, self.pending.get(&it)?))) {
                    Some((number, pending)) => subscribed_as(&text, number, &pending.id).into_owned(),
                    None => text,
                })
            }
            JsonRpcMessage::Response(response) => self.reply(&response.id, "result", &response.result),
            JsonRpcMessage::Error(error) => self.reply(&error.id?, "error", &error.error),
        }
    }

    /// How many requests are being worked on.
    pub fn in_flight(&self) -> usize {
        self.pending.len()
    }

    /// How many bytes those requests have.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Whether an `initialize` is being worked on. What follows it should wait for its end, which says what the client can.
    pub fn is_opening(&self) -> bool {
        matches!(self.session, Session::Opening(_))
    }

    /// Gives up on every request that is being worked on: a reply to each.
    pub fn abandon(&mut self) -> Vec<ReadyReply> {
        self.held = 0;
        let text = "the server is shutting down; try again when it is back";
        let pending = std::mem::take(&mut self.pending);
        pending.into_values().map(|pending| ReadyReply::error(Some(&pending.id), INTERNAL_ERROR, text)).collect()
    }

    fn request(&mut self, request: &Request<'_>) -> Incoming {
        let number = self.last_number + 1;
        let typed = match typed(request, number) {
            Ok(typed) => typed,
            Err(message) => return refusal(request, message),
        };
        if let Some(message) = self.closed_to(&typed) {
            return refusal(request, message);
        }
        if matches!(typed, ClientRequest::InitializeRequest(_)) {
            self.session = Session::Opening(number);
        }
        self.last_number = number;
        let size = request.text().len();
        self.held += size;
        self.pending.insert(number, Pending { id: request.id().clone().into_owned(), size });
        Incoming::Forward(Box::new(JsonRpcMessage::request(typed, RequestId::Number(number))))
    }

    /// Why a tool cannot be listed or called yet, if so; rmcp itself judges every other request.
    fn closed_to(&self, request: &ClientRequest) -> Option<&'static str> {
        let needs_session = matches!(request, ClientRequest::ListToolsRequest(_) | ClientRequest::CallToolRequest(_));
        if self.session != Session::Closed || !needs_session {
            return None;
        }
        let with_handshake = [ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25];
        let revision = request.get_meta().protocol_version();
        revision.is_none_or(|revision| with_handshake.contains(&revision)).then_some(
            "there is no session yet; send `initialize` first, or a request of revision 2026-07-28, which names it in \
             `_meta`",
        )
    }

    fn notification(&mut self, notification: &Notification<'_>) -> Incoming {
        // Nothing here acts on any other: a session is open without `initialized`, and roots are asked for anew each time.
        if notification.method != "notifications/cancelled" {
            return Incoming::Nothing;
        }
        let Some(number) = notification.params.and_then(|params| self.number_to_cancel(params)) else {
            return Incoming::Nothing;
        };
        self.forget(number);
        let params = CancelledNotificationParam::new(Some(RequestId::Number(number)), None);
        let cancelled = ClientNotification::CancelledNotification(CancelledNotification::new(params));
        Incoming::Forward(Box::new(JsonRpcMessage::notification(cancelled)))
    }

    /// The request that a client means; an `initialize` cannot be cancelled.
    fn number_to_cancel(&self, params: &str) -> Option<i64> {
        #[derive(Deserialize)]
        struct Params<'text> {
            #[serde(borrow, rename = "requestId")]
            request_id: &'text RawValue,
        }
        let params: Params<'_> = serde_json::from_str(params).ok()?;
        let id = Id::read(params.request_id.get())?;
        let (number, _) = self.pending.iter().rev().find(|(_, pending)| pending.id == id)?;
        Some(*number).filter(|number| self.session != Session::Opening(*number))
    }

    fn reply(&mut self, id: &RequestId, member: &str, answer: &impl Serialize) -> Option<String> {
        let RequestId::Number(number) = id else { return None };
        if self.session == Session::Opening(*number) {
            self.session = if member == "result" { Session::Open } else { Session::Closed };
        }
        let id = self.forget(*number)?;
        Some(match serde_json::to_string(answer) {
            Ok(answer) => {
                let answer = subscribed_as(&answer, *number, &id);
                format!(r#"{{"jsonrpc":"2.0","id":{},"{member}":{answer}}}"#, id.raw())
            }
            Err(_) => {
                ReadyReply::error(Some(&id), INTERNAL_ERROR, "the answer cannot be written as JSON").into_string()
            }
        })
    }

    fn forget(&mut self, number: i64) -> Option<Id<'static>> {
        let pending = self.pending.remove(&number)?;
        self.held -= pending.size;
        Some(pending.id)
    }
}

/// The number of the request that asked to hear of such notifications.
pub fn subscription(notification: &ServerNotification) -> Option<i64> {
    match notification.get_meta().subscription_id()? {
        RequestId::Number(number) => Some(number),
        RequestId::String(_) => None,
    }
}

/// A message in which a subscription goes by the id of its request as the client wrote it. The key cannot stand in a string:
/// its quotes would be escaped there.
fn subscribed_as<'text>(text: &'text str, number: i64, id: &Id<'_>) -> Cow<'text, str> {
    const KEY: &str = r#""io.modelcontextprotocol/subscriptionId":"#;
    if !text.contains(KEY) {
        return Cow::Borrowed(text);
    }
    let replaced = [',', '}'].iter().fold(text.to_owned(), |text, end| {
        text.replace(&format!("{KEY}{number}{end}"), &format!("{KEY}{}{end}", id.raw()))
    });
    Cow::Owned(replaced)
}

/// The request as rmcp types it, with the text of a call's arguments beside it; or what is wrong with its parameters.
fn typed(request: &Request<'_>, number: i64) -> Result<ClientRequest, &'static str> {
    let message = serde_json::from_str(&request.relayed(number));
    let Ok(ClientJsonRpcMessage::Request(message)) = message else {
        return Err("`params` do not fit the method; `_meta` must be an object");
    };
    let mut typed = message.request;
    if let Some(misfit) = misfit(request, &typed) {
        return Err(misfit);
    }
    if let Some(text) = request.call().and_then(|call| call.arguments) {
        typed.extensions_mut().insert(ArgumentText(text.to_owned()));
    }
    Ok(typed)
}

/// What is wrong with parameters that rmcp passed over: it takes a method whose parameters do not fit for one that it does not
/// know, and a cursor of the wrong type for none.
fn misfit(request: &Request<'_>, typed: &ClientRequest) -> Option<&'static str> {
    let method = request.method();
    // A revision that is not served would come back in the answer as it is.
    if typed.get_meta().protocol_version().is_some_and(|revision| revision.as_str().len() > LONGEST_REVISION) {
        return Some(
            "`params._meta` must name a revision of the protocol in `io.modelcontextprotocol/protocolVersion`",
        );
    }
    match typed {
        ClientRequest::CustomRequest(_) if method == "initialize" => Some(
            "`params` of `initialize` must have `protocolVersion` (a string), `capabilities` (an object) and `clientInfo` \
             (an object with `name` and `version`)",
        ),
        ClientRequest::CustomRequest(_) if method == "server/discover" => {
            Some("`params._meta` must name `io.modelcontextprotocol/protocolVersion` and `…/clientCapabilities`")
        }
        ClientRequest::CustomRequest(_) if matches!(method, "ping" | "tools/list" | "tools/call") => {
            Some("`params` do not fit the method")
        }
        ClientRequest::ListToolsRequest(list) => {
            let read = list.params.as_ref().and_then(|params| params.cursor.as_ref());
            (read.is_none() && has_cursor(request)).then_some("`params.cursor` must be a string")
        }
        _ => None,
    }
}

/// Whether there is a cursor in the parameters, of whatever type.
fn has_cursor(request: &Request<'_>) -> bool {
    #[derive(Deserialize)]
    struct Params {
        cursor: Option<IgnoredAny>,
    }
    let params: Option<Params> = request.params().and_then(|params| serde_json::from_str(params).ok());
    params.is_some_and(|params| params.cursor.is_some())
}

fn refusal(request: &Request<'_>, message: &str) -> Incoming {
    Incoming::Reply(ReadyReply::error(Some(request.id()), INVALID_PARAMS, message))
}

/// What a client answers to a request of rmcp's. One that rmcp cannot type fails that request at once.
fn answer_of_client(response: &Response<'_>) -> Incoming {
    match serde_json::from_str(response.text) {
        Ok(message @ (ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_))) => {
            Incoming::Forward(Box::new(message))
        }
        _ => response.id.as_ref().and_then(Id::as_i64).map_or(Incoming::Nothing, |id| {
            let error = ErrorData::internal_error("the answer cannot be read", None);
            Incoming::Forward(Box::new(JsonRpcMessage::error(error, Some(RequestId::Number(id)))))
        }),
    }
}

#[cfg(test)]
mod tests;
