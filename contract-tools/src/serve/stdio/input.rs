//! Reads stdin: bytes to lines to frames, one at a time, and no further than there is room for.

use std::io::ErrorKind;
use std::time::Duration;

use contract_core::rmcp::Incoming;
use contract_core::wire::{Frame, Limits, Line, LineBuffer, read_frame, read_too_long};
use rmcp::RoleServer;
use rmcp::service::RxJsonRpcMessage;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::mpsc;

use super::link::Link;

const CHUNK: usize = 64 * 1024;

/// How much of a line that is too long is searched for its id.
const SEARCHED: usize = 1024 * 1024;

/// Reads until the end of `stdin`, which need not end its last line.
pub(super) async fn read(
    mut stdin: impl AsyncRead + Unpin,
    link: &Link,
    messages: &mpsc::Sender<Box<RxJsonRpcMessage<RoleServer>>>,
    lines: &mpsc::Sender<String>,
) {
    let limits = Limits::default();
    let mut buffer = LineBuffer::new(limits.size);
    let mut bytes = vec![0; CHUNK];
    loop {
        let length = match stdin.read(&mut bytes).await {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // Somebody who shares stdin made it non-blocking.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            }
            Err(_) => break,
        };
        let mut chunk = &bytes[..length];
        while let Some(incoming) = buffer.next_line(&mut chunk).map(|line| link.incoming(frame(line, &limits))) {
            pass_on(incoming, link, messages, lines).await;
        }
    }
    if let Some(incoming) = buffer.end().map(|line| link.incoming(frame(line, &limits))) {
        pass_on(incoming, link, messages, lines).await;
    }
}

fn frame<'line>(line: Line<'line>, limits: &Limits) -> Frame<'line> {
    match line {
        Line::Whole(line) => read_frame(line, limits),
        Line::TooLong(start) => read_too_long(&start[..start.len().min(SEARCHED)], limits),
    }
}

async fn pass_on(
    incoming: Incoming,
    link: &Link,
    messages: &mpsc::Sender<Box<RxJsonRpcMessage<RoleServer>>>,
    lines: &mpsc::Sender<String>,
) {
    match incoming {
        // rmcp stops listening only when the process is about to end.
        Incoming::Forward(message) => drop(messages.send(message).await),
        Incoming::Reply(reply) => link.reply(reply, lines).await,
        Incoming::Nothing => {}
    }
    link.room().await;
}
