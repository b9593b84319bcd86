//! `POST /api/chat`: what is wrong with a request is said as JSON; everything after that is a stream that ends with `done`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{self, Stream};
use http::{HeaderName, HeaderValue, StatusCode};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::timeout;

use super::ChatServer;
use super::gate::Gate;
use super::reply::Refused;
use crate::chat::agent::Agent;
use crate::chat::event::ChatEvent;
use crate::chat::failure::Failure;
use crate::chat::prompt::Prompt;
use crate::chat::request::{self, LONGEST_BODY};
use crate::serve::http::{Refusal, body};

/// How many events wait for a slow reader before the session waits too.
const MOST_WAITING: usize = 16;
/// How long a session may take to be gone after its chat, and so its seat to be free: that long one is waited for.
const LEAVING: Duration = Duration::from_secs(2);

pub(super) async fn chat(State((server, _)): State<(ChatServer, Arc<Gate>)>, request: Request) -> Response {
    let body = match body::read(request.into_body(), LONGEST_BODY, &server.room).await {
        Ok(body) => body,
        Err(refusal) => return unreadable(&refusal).into_response(),
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

fn unreadable(refusal: &Refusal) -> Refused {
    if refusal.status == StatusCode::PAYLOAD_TOO_LARGE {
        let message = format!("the body is longer than {LONGEST_BODY} bytes; send a shorter conversation");
        return Refused::new(refusal.status, "payload_too_large", message);
    }
    Refused::of(refusal, "unreadable_body")
}

/// What of a stream was sent.
enum Sent {
    Pieces,
    Error,
    Done,
}

/// The events as frames. Whatever a chat says or fails to say, its stream has at most one error, ends with `done` behind it, and
/// has nothing after that.
fn frames(events: Receiver<ChatEvent>) -> impl Stream<Item = Result<Event, axum::Error>> {
    stream::unfold((events, Sent::Pieces), |(mut events, sent)| async move {
        let event = match sent {
            Sent::Pieces => events.recv().await.unwrap_or_else(|| Failure::NoResult.event()),
            Sent::Error => ChatEvent::Done,
            Sent::Done => return None,
        };
        let sent = match event {
            ChatEvent::Text { .. } | ChatEvent::ToolCall { .. } | ChatEvent::ToolResult { .. } => Sent::Pieces,
            ChatEvent::Error { .. } => Sent::Error,
            ChatEvent::Done => Sent::Done,
        };
        Some((Event::default().json_data(&event), (events, sent)))
    })
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
        let failed = Failure::Other.event();
        let twice = play(vec![text("a"), failed.clone(), failed, text("late"), ChatEvent::Done]).await;
        assert_eq!(twice.len(), 3);
        assert!(twice[1].contains("error") && twice[2] == "data: {\"type\":\"done\"}", "{twice:?}");
    }
}
