//! How much one frame may hold.

use super::Fault;

/// Deeper than this no reader behind the frame goes: `serde_json` stops at 128 levels.
const DEEPEST: usize = 127;

/// How much one frame may hold.
///
/// ```
/// use contract_core::wire::Limits;
///
/// let limits = Limits { size: 64 * 1024, ..Limits::default() };
/// assert_eq!(limits.depth, 127);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes, white space around the message not counted; 16 MiB unless told.
    pub size: usize,
    /// Levels of nesting, the message itself being the first; 127 unless told, and never more.
    pub depth: usize,
    /// Values at all depths: a value costs two bytes to send and a hundred to hold. 250,000 unless told.
    pub values: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { size: 16 * 1024 * 1024, depth: DEEPEST, values: 250_000 }
    }
}

impl Limits {
    /// The limit of depth or values that `text` breaks, found in one pass that keeps nothing. What is no JSON may pass.
    pub(super) fn exceeded_by(&self, text: &str) -> Option<Fault> {
        let most = self.depth.min(DEEPEST);
        let (mut depth, mut values) = (0_usize, 1_usize);
        let mut bytes = text.bytes();
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' => skip_string(&mut bytes),
                b'{' | b'[' => {
                    depth += 1;
                    values += 1;
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                b',' => values += 1,
                _ => {}
            }
            if depth > most {
                return Some(Fault::invalid_request(format!(
                    "the message is nested too deeply; the limit is {most} levels"
                )));
            }
            if values > self.values {
                let limit = self.values;
                return Some(Fault::invalid_request(format!(
                    "the message holds too many values; the limit is {limit}"
                )));
            }
        }
        None
    }
}

/// Moves past the end of the string whose first quote was just read.
fn skip_string(bytes: &mut impl Iterator<Item = u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    #[track_caller]
    fn check(text: &str, exceeded: Option<&str>) {
        let limits = Limits { depth: 3, values: 10, ..Limits::default() };
        let message = limits.exceeded_by(text).map(|fault| fault.message().to_owned());
        match exceeded {
            None => assert_eq!(message, None),
            Some(part) => assert!(message.as_deref().is_some_and(|message| message.contains(part)), "{message:?}"),
        }
    }

    #[test]
    fn depth_is_counted_outside_strings_and_given_back() {
        check("[[[]],[[]]]", None);
        check("[[[[]]]]", Some("3 levels"));
        check(r#"["[[[[","\"[[[[","\\"]"#, None);
        check(r#"["\\",[[[]]]]"#, Some("3 levels"));
    }

    #[test]
    fn values_are_counted_at_all_depths() {
        check("[1,2,3,4,5]", None);
        check("[1,2,3,4,5,6,7,8,9,0]", Some("limit is 10"));
        check(r#"{"a":[[],[]],"b":[[],[],[]]}"#, Some("limit is 10"));
    }

    #[test]
    fn no_limit_lets_more_through_than_the_readers_behind_take() {
        let limits = Limits { depth: 1_000, ..Limits::default() };
        assert!(limits.exceeded_by(&"[".repeat(127)).is_none());
        assert!(limits.exceeded_by(&"[".repeat(128)).is_some());
    }
}
