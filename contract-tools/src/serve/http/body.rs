//! Bodies of requests: all of one, or the reason why not.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use http_body::Body;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::time::timeout;

use super::Refusal;

/// How long a client may take to send a body.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Reads a body of up to `limit` bytes.
///
/// # Errors
/// When it is longer (as soon as that is known, whether or not the length is declared), does not arrive in time, or breaks
/// off.
pub async fn read<B>(body: B, limit: usize) -> Result<Bytes, Refusal>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let too_long = Refusal { status: StatusCode::PAYLOAD_TOO_LARGE, message: "the body is too long" };
    if body.size_hint().lower() > limit as u64 {
        return Err(too_long);
    }
    match timeout(PATIENCE, Limited::new(body, limit).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_long),
        Ok(Err(_)) => {
            Err(Refusal { status: StatusCode::BAD_REQUEST, message: "the body ended before it was complete" })
        }
        Err(_) => Err(Refusal { status: StatusCode::REQUEST_TIMEOUT, message: "the body did not arrive in time" }),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http_body_util::{BodyExt as _, Full, StreamBody};

    use super::read;

    #[tokio::test]
    async fn a_body_is_read_up_to_its_limit_and_no_further() {
        let body = |length| Full::new(Bytes::from(vec![b'x'; length]));
        assert_eq!(read(body(8), 8).await.unwrap().len(), 8);
        assert_eq!(read(body(9), 8).await.unwrap_err().status, 413);
    }

    #[tokio::test]
    async fn a_body_that_declares_no_length_is_cut_off_where_the_limit_is() {
        let endless = futures_util::stream::repeat_with(|| {
            Ok::<_, std::io::Error>(http_body::Frame::data(Bytes::from_static(&[b'x'; 1024])))
        });
        assert_eq!(read(StreamBody::new(endless).boxed(), 1_000_000).await.unwrap_err().status, 413);
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_is_a_bad_request() {
        let broken = futures_util::stream::iter([
            Ok(http_body::Frame::data(Bytes::from_static(b"{"))),
            Err(std::io::Error::other("gone")),
        ]);
        assert_eq!(read(StreamBody::new(broken), 8).await.unwrap_err().status, 400);
    }
}
