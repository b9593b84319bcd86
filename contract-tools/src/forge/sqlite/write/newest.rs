//! Which of two claims about one thing counts: the newer one, and of one moment the one with the higher tie. A tie is made
//! of what is claimed, so that two claims have the same order wherever and whenever they meet.

use sha2::{Digest as _, Sha256};

use crate::engine::moment;

/// A moment's milliseconds since 1970; what has none is older than everything.
pub(super) fn milliseconds(text: Option<&str>) -> i64 {
    text.and_then(moment::parse).map_or(0, |moment| moment.timestamp_millis())
}

/// The higher one counts: first by `rank`, which says what comes later by its nature, then by a digest of the parts.
pub(super) fn tie(rank: u8, parts: &[&str]) -> i64 {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.as_bytes());
        // Ends each part: no text holds this byte.
        digest.update([0xFF]);
    }
    let [first, second, third, fourth, fifth, sixth, seventh, ..] = <[u8; 32]>::from(digest.finalize());
    i64::from_be_bytes([rank & 0x7F, first, second, third, fourth, fifth, sixth, seventh])
}

/// A text that may be missing, as a part of a tie.
pub(super) fn part(text: Option<&String>) -> &str {
    text.map_or("\u{0}", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_order_by_rank_and_then_by_content() {
        assert!(tie(1, &["a"]) > tie(0, &["b"]) && tie(0, &["a"]) >= 0);
        assert_ne!(tie(0, &["ab", "c"]), tie(0, &["a", "bc"]));
        assert_ne!(tie(0, &[part(None)]), tie(0, &[part(Some(&String::new()))]));
        assert_eq!(tie(3, &["x", "y"]), tie(3, &["x", "y"]));
    }

    #[test]
    fn what_has_no_moment_is_old() {
        assert_eq!(milliseconds(Some("1970-01-01T00:00:01Z")), 1000);
        assert_eq!((milliseconds(None), milliseconds(Some("nope"))), (0, 0));
    }
}
