//! Bodies of requests: all of one, or the reason why not. How much all of them may hold together is bounded as well.

use std::ops::Deref;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use http_body::Body;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::Refusal;

/// How long a client may take to send a body.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// So much of a body may arrive without room for it: who sends an ordinary request is not kept out by those who send long ones
/// and never end. How many bodies arrive at once is bounded by the connections.
const ORDINARY: usize = 64 * 1024;

/// Room for bodies: those that arrive and those that are worked on hold so much each. A client that withholds the end of its
/// body takes none from the work of others.
#[derive(Clone, Debug)]
pub struct Room {
    arriving: Arc<Semaphore>,
    working: Arc<Semaphore>,
}

impl Room {
    /// For so many bytes of each.
    pub fn new(bytes: usize) -> Self {
        Self { arriving: Arc::new(Semaphore::new(bytes)), working: Arc::new(Semaphore::new(bytes)) }
    }
}

/// The room that a body takes while it is worked on.
#[derive(Debug)]
pub struct Held(#[expect(dead_code, reason = "it is there to be dropped")] OwnedSemaphorePermit);

fn take(room: &Arc<Semaphore>, bytes: usize) -> Result<OwnedSemaphorePermit, Refusal> {
    let taken = u32::try_from(bytes).ok().and_then(|bytes| Arc::clone(room).try_acquire_many_owned(bytes).ok());
    taken.ok_or(Refusal {
        status: StatusCode::SERVICE_UNAVAILABLE,
        message: "the server has no room for a body of that length now; try again later, or send a shorter one",
    })
}

/// A body that is there.
#[derive(Debug)]
pub struct Whole {
    bytes: Vec<u8>,
    held: Held,
}

impl Whole {
    /// The bytes, and the room that they take.
    pub fn into_parts(self) -> (Vec<u8>, Held) {
        (self.bytes, self.held)
    }
}

impl Deref for Whole {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads a body of up to `limit` bytes into `room`.
///
/// # Errors
/// When it is longer (as soon as that is known, whether or not the length is declared), does not arrive in time, breaks
/// off, or there is no room for it.
pub async fn read<B>(body: B, limit: usize, room: &Room) -> Result<Whole, Refusal>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    if body.size_hint().lower() > limit as u64 {
        return Err(too_long());
    }
    timeout(PATIENCE, collect(body, limit, room))
        .await
        .unwrap_or(Err(Refusal { status: StatusCode::REQUEST_TIMEOUT, message: "the body did not arrive in time" }))
}

/// Copies what arrives: a frame may be a byte of a buffer that is kept for as long as the frame is.
async fn collect<B>(body: B, limit: usize, room: &Room) -> Result<Whole, Refusal>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // Not more than the body is said to have.
    let most =
        body.size_hint().upper().and_then(|most| usize::try_from(most).ok()).map_or(limit, |most| most.min(limit));
    let mut body = pin!(Limited::new(body, limit));
    let mut bytes = Vec::new();
    let mut arriving = take(&room.arriving, 0)?;
    while let Some(frame) = body.frame().await {
        let frame = match frame {
            Ok(frame) => frame,
            Err(error) if error.is::<LengthLimitError>() => return Err(too_long()),
            Err(_) => {
                let message = "the body ended before it was complete";
                return Err(Refusal { status: StatusCode::BAD_REQUEST, message });
            }
        };
        let Some(data) = frame.data_ref() else { continue };
        let needed = bytes.len() + data.len();
        if needed > bytes.capacity() {
            let capacity = needed.max((bytes.capacity() * 2).min(most));
            if capacity > ORDINARY {
                arriving.merge(take(&room.arriving, capacity - arriving.num_permits())?);
            }
            bytes.reserve_exact(capacity - bytes.len());
        }
        bytes.extend_from_slice(data);
    }
    // How much is worked on is not bounded by the connections: a session may ask much over one.
    let held = Held(take(&room.working, bytes.capacity())?);
    Ok(Whole { bytes, held })
}

fn too_long() -> Refusal {
    Refusal { status: StatusCode::PAYLOAD_TOO_LARGE, message: "the body is too long" }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use futures_util::FutureExt as _;
    use http_body::Frame;
    use http_body_util::{BodyExt as _, Full, StreamBody};

    use super::{ORDINARY, Room, read};

    const MEGABYTE: usize = 1024 * 1024;

    fn room() -> Room {
        Room::new(MEGABYTE)
    }

    /// So many bytes, and then nothing for ever.
    fn withheld(bytes: usize) -> impl http_body::Body<Data = Bytes, Error = std::io::Error> {
        let first = Ok(Frame::data(Bytes::from(vec![b'x'; bytes])));
        let rest = futures_util::stream::pending();
        StreamBody::new(futures_util::StreamExt::chain(futures_util::stream::iter([first]), rest))
    }

    #[tokio::test]
    async fn a_body_is_read_up_to_its_limit_and_no_further() {
        let body = |length| Full::new(Bytes::from(vec![b'x'; length]));
        assert_eq!(read(body(8), 8, &room()).await.unwrap().len(), 8);
        assert_eq!(read(body(9), 8, &room()).await.unwrap_err().status, 413);
    }

    #[tokio::test]
    async fn a_body_that_declares_no_length_is_cut_off_where_the_limit_is() {
        let endless = futures_util::stream::repeat_with(|| {
            Ok::<_, std::io::Error>(Frame::data(Bytes::from_static(&[b'x'; 1024])))
        });
        assert_eq!(read(StreamBody::new(endless).boxed(), 1_000_000, &room()).await.unwrap_err().status, 413);
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_is_a_bad_request() {
        let broken =
            futures_util::stream::iter([Ok(Frame::data(Bytes::from_static(b"{"))), Err(std::io::Error::other("gone"))]);
        assert_eq!(read(StreamBody::new(broken), 8, &room()).await.unwrap_err().status, 400);
    }

    #[tokio::test]
    async fn bodies_that_never_end_leave_room_for_ordinary_ones() {
        let room = room();
        let mut stalled: Vec<_> = (0..3).map(|_| Box::pin(read(withheld(MEGABYTE / 2), MEGABYTE, &room))).collect();
        assert!(stalled.iter_mut().take(2).all(|body| body.now_or_never().is_none()));
        assert_eq!(stalled[2].as_mut().now_or_never().unwrap().unwrap_err().status, 503);
        let body = |length| Full::new(Bytes::from(vec![b'x'; length]));
        assert!(read(body(ORDINARY), MEGABYTE, &room).await.is_ok());
        assert_eq!(read(body(ORDINARY + 1), MEGABYTE, &room).await.unwrap_err().status, 503);
        stalled.clear();
        assert!(read(body(MEGABYTE), MEGABYTE, &room).await.is_ok());
    }

    #[tokio::test]
    async fn what_is_worked_on_takes_room_until_it_is_done() {
        let room = room();
        let body = |length| Full::new(Bytes::from(vec![b'x'; length]));
        let (bytes, held) = read(body(MEGABYTE), MEGABYTE, &room).await.unwrap().into_parts();
        drop(bytes);
        assert_eq!(read(body(1), MEGABYTE, &room).await.unwrap_err().status, 503);
        drop(held);
        assert!(read(body(1), MEGABYTE, &room).await.is_ok());
    }
}
