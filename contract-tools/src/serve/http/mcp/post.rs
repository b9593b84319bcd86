//! One POST: a frame, judged by its headers, answered in its session or on its own.

use axum::body::Body;
use axum::response::Response;
use contract_core::Caller;
use contract_core::wire::{Frame, Limits, Message, read_frame};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::conversation::{Conversation, Taken};
use super::event_log::Events;
use super::headers::{Owner, Revision, accepts, authorization, revision, session_id};
use super::meta::{Way, way};
use super::reply::{self, KEEP_ALIVE, Refused};
use super::{Endpoint, LONGEST_BODY};
use crate::serve::http::body::{self, Held};
use crate::serve::http::media;

pub(super) async fn answer(endpoint: &Endpoint, headers: &HeaderMap, body: Body) -> Result<Response, Refused> {
    media::judge(headers)?;
    if !accepts(headers, "application", "json") || !accepts(headers, "text", "event-stream") {
        let message = "`Accept` must have both application/json and text/event-stream";
        return Err(Refused::new(StatusCode::NOT_ACCEPTABLE, message));
    }
    let (caller, owner) = who(endpoint, headers).await?;
    let room = if caller.is_anonymous() { &endpoint.room_for_strangers } else { &endpoint.room };
    let (body, held) = body::read(body, LONGEST_BODY, room).await?.into_parts();
    let limits = Limits { size: LONGEST_BODY, ..Limits::default() };
    let frame = read_frame(&body, &limits);
    match &frame {
        Frame::Reply(reply) => Ok(reply::text(StatusCode::BAD_REQUEST, reply.as_str().to_owned())),
        Frame::Nothing(None) => Err(Refused::new(StatusCode::BAD_REQUEST, "the body is empty; send one message in it")),
        Frame::Nothing(Some(fault)) => Err(Refused::new(StatusCode::BAD_REQUEST, fault.message().to_owned())),
        Frame::Message(Message::Request(request)) => {
            let id = request.id().raw().to_owned();
            let answered = match way(request, headers) {
                Ok(Way::Alone) => alone(endpoint, frame, caller, held).await,
                Ok(Way::Opens) => open(endpoint, headers, frame, caller, held, owner).await,
                Ok(Way::InSession) => in_session(endpoint, headers, frame, caller, held, &owner).await,
                Err(refused) => Err(refused),
            };
            answered.map_err(|refused| refused.about(id))
        }
        Frame::Message(Message::Notification(_)) => match revision(headers)? {
            Some(Revision::Unknown(_)) => Err(Refused::unknown_revision()),
            // There is nothing that it could be about: the end of a connection says that a request is cancelled.
            Some(Revision::WithoutSessions) => Ok(reply::empty(StatusCode::ACCEPTED)),
            Some(Revision::WithSessions) | None => in_session(endpoint, headers, frame, caller, held, &owner).await,
        },
        Frame::Message(Message::Response(_)) => in_session(endpoint, headers, frame, caller, held, &owner).await,
    }
}

/// Who sends a request, and whose sessions that one may use.
pub(super) async fn who(endpoint: &Endpoint, headers: &HeaderMap) -> Result<(Caller, Owner), Refused> {
    let authorization = authorization(headers)?;
    let caller = endpoint.identify.identify(authorization).await.map_err(Refused::from)?;
    let owner = Owner::of(&caller, authorization);
    Ok((caller, owner))
}

/// Answers a request that stands alone. Dropping what this returns, at any time, cancels it.
async fn alone(endpoint: &Endpoint, frame: Frame<'_>, caller: Caller, held: Held) -> Result<Response, Refused> {
    let conversation = Conversation::open(&endpoint.begin);
    let mut events = match conversation.take(frame, caller, held).await {
        Taken::Asked(events) => events.ending(conversation),
        Taken::Refused(reply) => return Ok(reply::text(StatusCode::BAD_REQUEST, reply.into_string())),
        Taken::Nothing => return Ok(reply::empty(StatusCode::ACCEPTED)),
    };
    let first = events.next().await.ok_or_else(Refused::unanswered)?;
    if !first.is_answer() {
        events.again(&first);
        return Ok(reply::events(events, KEEP_ALIVE, None));
    }
    let status = match first.error() {
        // What the revision has an intermediary see without reading bodies.
        Some(reply::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(reply::UNKNOWN_REVISION | reply::HEADER_MISMATCH | reply::MISSING_CAPABILITY) => StatusCode::BAD_REQUEST,
        Some(_) | None => StatusCode::OK,
    };
    Ok(reply::text(status, first.into_text()))
}

/// Answers an `initialize`, with a session if it succeeds.
async fn open(
    endpoint: &Endpoint,
    headers: &HeaderMap,
    frame: Frame<'_>,
    caller: Caller,
    held: Held,
    owner: Owner,
) -> Result<Response, Refused> {
    if let Some(id) = session_id(headers)? {
        let known = endpoint.sessions.find(id, &owner).is_some();
        return Err(if known {
            Refused::new(StatusCode::BAD_REQUEST, "this session is open already")
        } else {
            Refused::unknown_session()
        });
    }
    let conversation = Conversation::open(&endpoint.begin);
    let mut events: Events = match conversation.take(frame, caller, held).await {
        Taken::Asked(events) => events,
        Taken::Refused(reply) => return Ok(reply::text(StatusCode::OK, reply.into_string())),
        Taken::Nothing => return Ok(reply::empty(StatusCode::ACCEPTED)),
    };
    let answer = events.next().await.ok_or_else(Refused::unanswered)?;
    let failed = answer.error().is_some();
    let mut response = reply::text(StatusCode::OK, answer.into_text());
    if !failed {
        drop(events);
        let session = endpoint.sessions.open(owner, conversation)?;
        let id = HeaderValue::from_str(session.id()).map_err(|_| Refused::unanswered())?;
        response.headers_mut().insert("mcp-session-id", id);
    }
    Ok(response)
}

/// Takes a message of a session. Its answer is a stream from the start, so that a client whose connection breaks knows where
/// to go on.
async fn in_session(
    endpoint: &Endpoint,
    headers: &HeaderMap,
    frame: Frame<'_>,
    caller: Caller,
    held: Held,
    owner: &Owner,
) -> Result<Response, Refused> {
    if let Some(Revision::Unknown(_)) = revision(headers)? {
        return Err(Refused::unknown_revision());
    }
    let id = session_id(headers)?.ok_or_else(Refused::no_session)?;
    let session = endpoint.sessions.find(id, owner).ok_or_else(Refused::unknown_session)?;
    match session.take(frame, caller, held).await? {
        Taken::Asked(events) => Ok(reply::events(events.resumable_from_here(), KEEP_ALIVE, None)),
        Taken::Refused(reply) => Ok(reply::text(StatusCode::OK, reply.into_string())),
        Taken::Nothing => Ok(reply::empty(StatusCode::ACCEPTED)),
    }
}
