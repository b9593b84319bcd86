//! `POST /api/chat`: what is wrong with a request is said as JSON; everything after that is a stream that ends with `done`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{self, Stream};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::timeout;

use super::ChatServer;
use super::gate::Gate;
use super::reply::{Refused, wrong_method};
use crate::chat::agent::Agent;
use crate::chat::event::ChatEvent;
use crate::chat::failure::Failure;
use crate::chat::prompt::Prompt;
use crate::chat::request::{self, LONGEST_BODY};
use crate::serve::http::body;

/// How many events wait for a slow reader before the session waits too.
const MOST_WAITING: usize = 16;
/// How long a session may take to be gone after its chat, and so its seat to be free: that long one is waited for.
const LEAVING: Duration = Duration::from_secs(2);

pub(super) async fn chat(State((server, _)): State<(ChatServer, Arc<Gate>)>, request: Request) -> Response {
    if request.method() != Method::POST {
        return wrong_method("POST");
    }
    let body = match body::read(request.into_body(), LONGEST_BODY, &server.room).await {
        Ok(body) => body,
        Err(refusal) => return unreadable(refusal.status, refusal.message),
    };
    let messages = match request::read(&body) {
        Ok(messages) => messages,
        Err(error) => return Refused::new(StatusCode::BAD_REQUEST, error.code(), error.message()).into_response(),
    };
    let Ok(Ok(seat)) = timeout(LEAVING, Arc::clone(&server.seats).acquire_owned()).await else {
        let message = "as many chats are held as this server allows; wait for one to end";
        return Refused::new(StatusCode::TOO_MANY_REQUESTS, "too_many_chats", message).into_response();
    };
    let agent = Agent::of(&server.home);
    let prompt = Prompt::new(&messages, server.tools.iter().map(|(name, _)| name.as_str()));
    let (sender, receiver) = channel(MOST_WAITING);
    let conversations = server.conversations.clone();
    tokio::spawn(async move {
        conversations.hold(agent, prompt, sender, seat).await;
    });
    let keep_alive = KeepAlive::new().interval(server.keep_alive);
    let mut response = Sse::new(frames(receiver)).keep_alive(keep_alive).into_response();
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    response.headers_mut().insert(unbuffered, HeaderValue::from_static("no"));
    response
}

fn unreadable(status: StatusCode, message: &str) -> Response {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        let message = format!("the body is longer than {LONGEST_BODY} bytes; send a shorter conversation");
        return Refused::new(status, "payload_too_large", message).into_response();
    }
    Refused::new(status, "unreadable_body", message).into_response()
}

/// The events as frames. One that never came is made up for: `done` ends every stream.
fn frames(events: Receiver<ChatEvent>) -> impl Stream<Item = Result<Event, Infallible>> {
    let events = stream::unfold((events, Vec::new(), false), |(mut events, mut owed, is_done)| async move {
        if is_done {
            return None;
        }
        let next = if owed.is_empty() { events.recv().await } else { owed.pop() };
        let event = next.unwrap_or_else(|| {
            owed.push(ChatEvent::Done);
            Failure::NoResult.event()
        });
        let is_done = event == ChatEvent::Done;
        Some((event, (events, owed, is_done)))
    });
    futures_util::StreamExt::map(events, |event| Ok(Event::default().data(text(&event))))
}

/// An event as JSON; a map of strings and values always is some.
fn text(event: &ChatEvent) -> String {
    serde_json::to_string(event).unwrap_or_else(|_| r#"{"type":"done"}"#.to_owned())
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;

    use super::*;

    async fn play(events: Vec<ChatEvent>) -> Vec<String> {
        let (sender, receiver) = channel(MOST_WAITING);
        for event in events {
            sender.send(event).await.unwrap();
        }
        drop(sender);
        let response = Sse::new(frames(receiver)).into_response();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        body.split_terminator("\n\n").map(str::to_owned).collect()
    }

    #[tokio::test]
    async fn a_stream_ends_with_done_once_even_if_its_chat_broke_down() {
        let text = |text: &str| ChatEvent::Text { text: text.to_owned() };
        assert_eq!(
            play(vec![text("a\nb\u{2028}\r"), ChatEvent::Done, text("late")]).await,
            ["data: {\"type\":\"text\",\"text\":\"a\\nb\u{2028}\\r\"}", "data: {\"type\":\"done\"}"]
        );
        let broken = play(vec![text("a")]).await;
        assert_eq!(broken.len(), 3);
        assert!(broken[1].contains("chat_grounding_failed") && broken[2] == "data: {\"type\":\"done\"}", "{broken:?}");
        let (sender, receiver) = channel(1);
        drop(sender);
        assert_eq!(frames(receiver).count().await, 2);
    }
}
