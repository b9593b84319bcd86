//! One connection: its stream gives up on a client that reads nothing, its requests say when it is idle.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::service::Service;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::seats::{Idle, Seat};

/// A stream whose writes have to get somewhere: a client that stops reading would hold its connection for ever.
pub(super) struct Restless {
    stream: TcpStream,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Restless {
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, stalled: None }
    }

    fn judge<T>(&mut self, task: &mut Context<'_>, write: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if write.is_ready() {
            self.stalled = None;
            return write;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(stalled.as_mut().poll(task));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Restless {
    fn poll_read(mut self: Pin<&mut Self>, task: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(task, buffer)
    }
}

impl AsyncWrite for Restless {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(task, bytes);
        self.judge(task, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(task, parts);
        self.judge(task, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(task)
    }
}

/// A service that keeps its connection's seat up to date.
pub(super) struct Seated<S> {
    service: S,
    place: Arc<Place>,
}

/// The seat, and whether its connection is idle.
struct Place {
    seat: Seat,
    idle: Mutex<Option<Idle>>,
}

impl<S> Seated<S> {
    pub(super) fn new(service: S, seat: Seat) -> Self {
        let place = Place { idle: Mutex::new(Some(seat.idle())), seat };
        Self { service, place: Arc::new(place) }
    }
}

impl<S> Service<Request<Incoming>> for Seated<S>
where
    S: Service<Request<Incoming>, Response = Response<axum::body::Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<SeatedBody>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let busy = Busy::new(&self.place);
        let response = self.service.call(request);
        Box::pin(async move { Ok(response.await?.map(|body| SeatedBody { body, _busy: busy })) })
    }
}

/// That a request of the connection is being answered; the end of it makes the connection idle.
struct Busy(Arc<Place>);

impl Busy {
    fn new(place: &Arc<Place>) -> Self {
        place.idle.lock().unwrap_or_else(PoisonError::into_inner).take();
        Self(Arc::clone(place))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let idle = self.0.seat.idle();
        *self.0.idle.lock().unwrap_or_else(PoisonError::into_inner) = Some(idle);
    }
}

/// The body of an answer, which ends when it is sent or given up.
pub(super) struct SeatedBody {
    body: axum::body::Body,
    _busy: Busy,
}

impl Body for SeatedBody {
    type Data = bytes::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(task)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
