//! What reading, rmcp and writing share: the relay, and how much is on its way. Reading waits here.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contract_core::rmcp::{Incoming, Relay};
use contract_core::wire::{Frame, ReadyReply};
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::{Notify, mpsc};

/// While so many requests are being worked on, no further one is read.
const MOST_REQUESTS: usize = 256;

/// The same in bytes.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// While more than this waits to be written, nothing is read.
const MOST_UNWRITTEN: usize = 1024 * 1024;

/// The state of the conversation.
#[derive(Default)]
pub(super) struct Link {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    relay: Relay,
    /// Bytes of lines that are ready and not yet written.
    unwritten: usize,
}

impl Link {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn incoming(&self, frame: Frame<'_>) -> Incoming {
        self.lock().relay.incoming(frame)
    }

    fn outgoing(&self, message: TxJsonRpcMessage<RoleServer>) -> Option<String> {
        let mut state = self.lock();
        let line = state.relay.outgoing(message);
        state.unwritten += line.as_ref().map_or(0, String::len);
        drop(state);
        self.changed.notify_one();
        line
    }

    /// Sends a reply that rmcp has no part in.
    pub(super) async fn reply(&self, reply: ReadyReply, lines: &mpsc::Sender<String>) {
        let line = reply.into_string();
        self.lock().unwritten += line.len();
        // When the writer is gone the process is about to end.
        let _ = lines.send(line).await;
    }

    /// Answers all that will not be answered otherwise.
    pub(super) async fn abandon(&self, lines: &mpsc::Sender<String>) {
        let replies = self.lock().relay.abandon();
        for reply in replies {
            self.reply(reply, lines).await;
        }
    }

    /// A line of this length, without its end, is written.
    pub(super) fn written(&self, length: usize) {
        self.lock().unwritten -= length;
        self.changed.notify_one();
    }

    /// Waits until the next frame may be read.
    pub(super) async fn room(&self) {
        self.until(|State { relay, unwritten }| {
            let few = relay.in_flight() < MOST_REQUESTS && relay.held() < MOST_BYTES;
            few && *unwritten < MOST_UNWRITTEN && !relay.is_opening()
        })
        .await;
    }

    /// Waits until every request is answered and every answer written.
    pub(super) async fn answered(&self) {
        self.until(|state| state.relay.in_flight() == 0 && state.unwritten == 0).await;
    }

    /// Waits until every answer that is ready is written.
    pub(super) async fn written_all(&self) {
        self.until(|state| state.unwritten == 0).await;
    }

    /// One task waits at a time, so one stored notice is enough.
    async fn until(&self, holds: impl Fn(&State) -> bool) {
        while !holds(&self.lock()) {
            self.changed.notified().await;
        }
    }
}

/// What rmcp takes for its transport.
pub(super) struct Wire {
    link: Arc<Link>,
    messages: mpsc::Receiver<Box<RxJsonRpcMessage<RoleServer>>>,
    lines: mpsc::Sender<String>,
}

impl Wire {
    /// The transport, and where its messages come from; it closes when that is dropped.
    pub(super) fn new(
        link: Arc<Link>,
        lines: mpsc::Sender<String>,
    ) -> (Self, mpsc::Sender<Box<RxJsonRpcMessage<RoleServer>>>) {
        let (sender, messages) = mpsc::channel(1);
        (Self { link, messages, lines }, sender)
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = self.link.outgoing(message);
        let lines = self.lines.clone();
        async move {
            match line {
                Some(line) => lines.send(line).await.map_err(|_| io::ErrorKind::BrokenPipe.into()),
                None => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.messages.recv().await.map(|message| *message)
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
