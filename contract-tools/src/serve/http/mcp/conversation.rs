//! One client's conversation with rmcp: frames in, an event log for each request out.

use std::collections::BTreeMap;
use std::future::ready;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contract_core::Caller;
use contract_core::rmcp::{Incoming, Relay, subscription};
use contract_core::wire::{Frame, ReadyReply};
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, GetExtensions as _, GetMeta as _, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage, ServerNotification,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_directly};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::futures::Notified;
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use super::Sender;
use super::event_log::{EventLog, Events};
use crate::serve::http::body::Held;

/// What the server says that answers no request.
pub(super) const UNASKED: i64 = 0;

/// What reading, rmcp and answering share.
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Notify,
}

/// How far the conversation is.
pub(super) struct State {
    pub(super) relay: Relay,
    /// By the number that rmcp knows the request under.
    pub(super) logs: BTreeMap<i64, EventLog>,
    /// When a client last asked or read something.
    pub(super) used: Instant,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wake(&self) {
        self.changed.notify_waiters();
    }

    /// Ready when something has changed since it was asked for.
    pub(super) fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }

    fn outgoing(&self, message: ServerJsonRpcMessage) {
        let mut state = self.lock();
        let stream = state.stream_of(&message);
        let error = match &message {
            JsonRpcMessage::Error(error) => Some(error.error.code.0),
            _ => None,
        };
        let is_answer = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        // Nothing to send is an answer to a request that was cancelled.
        let Some(text) = state.relay.outgoing(message) else { return };
        if let Some(log) = state.logs.get_mut(&stream) {
            if is_answer { log.answer(text, error) } else { log.say(text) }
        }
        drop(state);
        self.wake();
    }
}

impl State {
    /// The log that a message of rmcp's belongs to.
    fn stream_of(&self, message: &ServerJsonRpcMessage) -> i64 {
        match message {
            JsonRpcMessage::Response(response) => number(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref().and_then(number),
            JsonRpcMessage::Request(request) => {
                request.request.extensions().get::<rmcp::service::OriginatingRequestId>().and_then(|id| number(&id.0))
            }
            JsonRpcMessage::Notification(notification) => match &notification.notification {
                ServerNotification::ProgressNotification(progress) => {
                    let token = &progress.params.progress_token;
                    let log = self.logs.iter().rev().find(|(_, log)| log.token.as_ref() == Some(token));
                    log.map(|(number, _)| *number)
                }
                notification => subscription(notification),
            },
        }
        .unwrap_or(UNASKED)
    }
}

fn number(id: &RequestId) -> Option<i64> {
    match id {
        RequestId::Number(number) => Some(*number),
        RequestId::String(_) => None,
    }
}

/// What a frame came to.
pub(super) enum Taken {
    /// A request is being worked on; this is its answer, as it comes.
    Asked(Events),
    /// It is answered already.
    Refused(ReadyReply),
    /// There is nothing to answer.
    Nothing,
}

/// How a conversation begins with whichever server this is; what is returned keeps it going, and ends it when it is dropped.
pub(super) type Begin = dyn Fn(Wire) -> Box<dyn Send + Sync> + Send + Sync;

/// Conversations with `server`.
pub(super) fn with<S: ServerHandler + Clone>(server: S) -> Box<Begin> {
    Box::new(move |wire| Box::new(serve_directly(server.clone(), wire, None)))
}

/// The conversation. What is being worked on is cancelled when it is dropped.
pub(super) struct Conversation {
    shared: Arc<Shared>,
    messages: mpsc::Sender<Box<RxJsonRpcMessage<RoleServer>>>,
    _running: Box<dyn Send + Sync>,
}

impl Conversation {
    pub(super) fn open(begin: &Begin) -> Self {
        let state = State { relay: Relay::new(), logs: BTreeMap::new(), used: Instant::now() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Notify::new() });
        let (messages, incoming) = mpsc::channel(1);
        let running = begin(Wire { shared: Arc::clone(&shared), incoming });
        Self { shared, messages, _running: running }
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Takes a frame that `caller` sent. A request keeps its room until it is answered.
    pub(super) async fn take(&self, frame: Frame<'_>, caller: Caller, held: Held) -> Taken {
        let incoming = self.shared.lock().incoming(frame, held);
        let mut message = match incoming {
            Incoming::Nothing => return Taken::Nothing,
            Incoming::Reply(reply) => return Taken::Refused(reply),
            Incoming::Forward(message) => message,
        };
        let mut events = None;
        if let ClientJsonRpcMessage::Request(request) = message.as_mut() {
            request.request.extensions_mut().insert(Sender(caller));
            events = number(&request.id).and_then(|number| Events::of(&self.shared, number, 0));
        }
        self.shared.wake();
        // rmcp stops listening only when the conversation is over.
        let _ = self.messages.send(message).await;
        events.map_or(Taken::Nothing, Taken::Asked)
    }
}

impl State {
    fn incoming(&mut self, frame: Frame<'_>, held: Held) -> Incoming {
        self.used = Instant::now();
        let incoming = self.relay.incoming(frame);
        if let Incoming::Forward(message) = &incoming {
            match message.as_ref() {
                ClientJsonRpcMessage::Request(request) => {
                    let token = request.request.get_meta().get_progress_token();
                    let log = EventLog::of(token, held);
                    self.logs.extend(number(&request.id).map(|number| (number, log)));
                }
                ClientJsonRpcMessage::Notification(notification) => {
                    if let ClientNotification::CancelledNotification(cancelled) = &notification.notification {
                        let log = cancelled.params.request_id.as_ref().and_then(number);
                        if let Some(log) = log.and_then(|number| self.logs.get_mut(&number)) {
                            log.end();
                        }
                    }
                }
                _ => {}
            }
        }
        incoming
    }
}

/// What rmcp takes for its transport.
pub(super) struct Wire {
    shared: Arc<Shared>,
    incoming: mpsc::Receiver<Box<RxJsonRpcMessage<RoleServer>>>,
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.shared.outgoing(message);
        ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.incoming.recv().await.map(|message| *message)
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
