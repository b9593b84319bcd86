//! One connection: its stream gives up on a client that reads nothing, its requests say when it is idle.
//!
//! Idle is whoever costs nothing but a seat: a client that asks nothing, one whose request has not arrived whole, one that only
//! listens. Each of them could wait for ever, so each may lose its seat to a client that has something to ask.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::service::Service;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::{Sleep, sleep};

use super::half_close::{Debt, HeldEnd, Owed};
use super::seats::{Idle, Seat};

/// A stream whose writes have to get somewhere: a client that stops reading would hold its connection for ever.
pub(super) struct Restless {
    reader: Arc<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    end: HeldEnd,
}

impl Restless {
    pub(super) fn new(
        (reader, writer): (Arc<OwnedReadHalf>, OwnedWriteHalf),
        patience: Duration,
        end: HeldEnd,
    ) -> Self {
        Self { reader, writer, patience, stalled: None, end }
    }

    /// As a stream of one owner reads; this one is watched for its end as well.
    fn read(&self, task: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<usize>> {
        let stream: &TcpStream = (*self.reader).as_ref();
        loop {
            ready!(stream.poll_read_ready(task))?;
            match stream.try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read),
            }
        }
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
        if !self.end.is_there() {
            let had_room = buffer.remaining() > 0;
            let read = ready!(self.read(task, buffer))?;
            if read > 0 || !had_room {
                return Poll::Ready(Ok(()));
            }
        }
        self.end.poll(task).map(Ok)
    }
}

impl AsyncWrite for Restless {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.writer).poll_write(task, bytes);
        self.judge(task, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.writer).poll_write_vectored(task, parts);
        self.judge(task, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.writer.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_shutdown(task)
    }
}

/// A service that keeps its connection's seat up to date.
pub(super) struct Seated<S> {
    service: S,
    place: Arc<Place>,
}

/// The seat, and whether its connection is idle.
struct Place {
    // Dropped first: a seat that is free must not be in the row of those that may be taken away.
    idle: Mutex<Option<Idle>>,
    seat: Seat,
    debt: Debt,
}

impl Place {
    fn rest(&self) {
        let idle = self.seat.idle();
        *self.idle.lock().unwrap_or_else(PoisonError::into_inner) = Some(idle);
    }

    fn work(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl<S> Seated<S> {
    pub(super) fn new(service: S, seat: Seat, debt: Debt) -> Self {
        let place = Place { idle: Mutex::new(Some(seat.idle())), seat, debt };
        Self { service, place: Arc::new(place) }
    }
}

impl<S> Service<Request<Incoming>> for Seated<S>
where
    S: Service<Request<Arriving>, Response = Response<axum::body::Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<SeatedBody>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let answering = Answering(Arc::clone(&self.place));
        self.place.debt.is(Owed::Answer);
        let request = request.map(|body| Arriving::new(body, &self.place));
        let response = self.service.call(request);
        Box::pin(async move {
            let response = response.await?;
            if response.extensions().get::<Listens>().is_some() {
                answering.0.rest();
            }
            let is_stream =
                response.headers().get(CONTENT_TYPE).is_some_and(|it| it.as_bytes() == b"text/event-stream");
            if is_stream && response.extensions().get::<HasEnd>().is_none() {
                answering.0.debt.is(Owed::Stream);
            }
            Ok(response.map(|body| SeatedBody { body, _answering: answering }))
        })
    }
}

/// Among an answer's extensions: its client only listens, and may come back when it has to leave.
#[derive(Clone, Copy)]
pub(super) struct Listens;

/// Among the extensions of a stream of events: it ends with an answer, so a client that has closed its side may wait for it.
#[derive(Clone, Copy)]
pub(super) struct HasEnd;

/// The body of a request; the connection is at work from when it is there.
pub(super) struct Arriving {
    body: Incoming,
    place: Option<Arc<Place>>,
}

impl Arriving {
    fn new(body: Incoming, place: &Arc<Place>) -> Self {
        let mut arriving = Self { body, place: Some(Arc::clone(place)) };
        if !arriving.is_there() {
            place.rest();
        }
        arriving
    }

    fn is_there(&mut self) -> bool {
        let is_there = self.body.is_end_stream();
        if is_there && let Some(place) = self.place.take() {
            place.work();
        }
        is_there
    }
}

impl Body for Arriving {
    type Data = bytes::Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(task));
        if !self.is_there()
            && frame.is_none()
            && let Some(place) = self.place.take()
        {
            place.work();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// That a request of the connection is being answered; the end of it makes the connection idle.
struct Answering(Arc<Place>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.debt.is(Owed::Nothing);
        self.0.rest();
    }
}

/// The body of an answer, which ends when it is sent or given up.
pub(super) struct SeatedBody {
    body: axum::body::Body,
    _answering: Answering,
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
