//! Accepts connections, few enough and for a bounded time, and ends them in good order.
//!
//! - Small writes leave at once (`TCP_NODELAY`): an answer in two packets otherwise waits 40 ms for an acknowledgement.
//! - A request's head has [`Limits::head`] to arrive, and a connection that asks nothing is closed after as long.
//! - When [`Limits::connections`] are open, a new one takes the place of whichever has been idle for longest; waiting for the
//!   rest of a request, and listening without a question, is idle.
//! - A client that closes its side gets the answer that it waits for, within [`Limits::half_closed`]; after that it has gone
//!   away, and what it asked for is cancelled. One that reads nothing for [`Limits::stall`] is taken for gone as well.
//! - At the end nothing new is accepted, what is being answered gets [`Limits::drain`], and then the rest is cut off.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::connection::{Arriving, Restless, Seated};
use super::half_close::{self, Debt, HeldEnd};
use super::seats::{Seat, Seats};

/// How long to wait when the system has no more descriptors to give.
const BREATH: Duration = Duration::from_millis(50);

/// How much longer a half-closed client is kept than its end is held back: what is told of that end still reaches it.
const LAST_WORD: Duration = Duration::from_secs(2);

/// What is read of a connection before anybody asks for it, and the longest head; hyper would take 400 KiB of each.
const READ_AHEAD: usize = 64 * 1024;

/// What a listener grants.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once; fewer than a process may usually have descriptors.
    pub connections: usize,
    /// How long a request's head may take, and how long a connection may be idle.
    pub head: Duration,
    /// How long a client may read nothing of what is sent to it.
    pub stall: Duration,
    /// How long an answer is owed to a client that has closed its side.
    pub half_closed: Duration,
    /// How long what is being answered may go on when the server has to end.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            head: Duration::from_secs(30),
            stall: Duration::from_mins(1),
            half_closed: Duration::from_secs(10),
            drain: Duration::from_secs(10),
        }
    }
}

/// Serves `router` on `listener` until `ending` fires and what was accepted is answered. Handlers that never end by
/// themselves, such as streams of events, should watch `ending` too.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, ending: CancellationToken) {
    let seats = Seats::new(limits.connections);
    // Fires when there is no time left for anybody.
    let cut = CancellationToken::new();
    loop {
        let accepted = tokio::select! {
            () = ending.cancelled() => break,
            accepted = accept(&listener, &seats) => accepted,
        };
        match accepted {
            Ok((stream, peer, seat)) => {
                let connection = connection(stream, peer, seat, router.clone(), limits, ending.clone());
                let cut = cut.clone();
                tokio::spawn(async move { cut.run_until_cancelled(connection).await });
            }
            Err(_) => sleep(BREATH).await,
        }
    }
    drop(listener);
    if timeout(limits.drain, seats.empty()).await.is_err() {
        cut.cancel();
    }
}

async fn accept(listener: &TcpListener, seats: &Seats) -> io::Result<(TcpStream, SocketAddr, Seat)> {
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, seats.take().await))
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    seat: Seat,
    router: Router,
    limits: Limits,
    ending: CancellationToken,
) {
    // A socket that is gone already fails at its first read as well.
    let _ = stream.set_nodelay(true);
    let leave = seat.leave();
    let router = router.map_request(move |mut request: http::Request<Arriving>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request
    });
    let debt = Debt::default();
    let service = Seated::new(TowerToHyperService::new(router), seat, debt.clone());
    let (reader, writer) = stream.into_split();
    let reader = Arc::new(reader);
    let gone = {
        let (reader, debt) = (Arc::clone(&reader), debt.clone());
        async move {
            half_close::closed(&reader).await;
            debt.outlived(limits.half_closed + LAST_WORD).await;
        }
    };
    let end = HeldEnd::new(debt, limits.half_closed);
    let stream = TokioIo::new(Restless::new((reader, writer), limits.stall, end));
    let mut connection = std::pin::pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(READ_AHEAD)
            .serve_connection(stream, service)
    );
    // What a client did wrong on its connection is its own to know.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = leave.cancelled() => {}
        () = gone => {}
        () = ending.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
