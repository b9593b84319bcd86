//! Lines out of chunks, with bounded memory whatever arrives.

use std::{fmt, mem};

/// More than this is given back once the line that needed it is over.
const USUAL: usize = 64 * 1024;

/// One line, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'bytes> {
    /// All of it.
    Whole(&'bytes [u8]),
    /// The start of a line that is longer than the limit, as soon as that is known; the rest of it is passed over. For
    /// [`read_too_long`](super::read_too_long), which may find the id in it.
    TooLong(&'bytes [u8]),
}

/// Cuts a stream that arrives in chunks into lines.
///
/// ```
/// use contract_core::wire::{Line, LineBuffer};
///
/// let mut buffer = LineBuffer::new(8);
/// let mut lines = Vec::new();
/// for mut chunk in [&b"one\ntw"[..], b"o\nthree\nfar too long", b" a line\nlast"] {
///     while let Some(line) = buffer.next_line(&mut chunk) {
///         lines.push(match line {
///             Line::Whole(line) => String::from_utf8_lossy(line).into_owned(),
///             Line::TooLong(start) => format!("{}...", String::from_utf8_lossy(start)),
///         });
///     }
/// }
/// assert_eq!(lines, ["one", "two", "three", "far too ..."]);
/// assert_eq!(buffer.end(), Some(Line::Whole(b"last")));
/// ```
pub struct LineBuffer {
    limit: usize,
    /// The start of a line whose end has not arrived.
    kept: Vec<u8>,
    /// Whether `kept` has been handed out, and is over.
    handed_out: bool,
    /// Whether the rest of a line that was too long is being passed over.
    skipping: bool,
}

impl LineBuffer {
    /// For lines of up to `limit` bytes, their ends not counted.
    pub const fn new(limit: usize) -> Self {
        Self { limit, kept: Vec::new(), handed_out: false, skipping: false }
    }

    /// The next line that ends within `chunk`, whose start is moved past it; none when `chunk` is used up.
    pub fn next_line<'line, 'chunk: 'line>(&'line mut self, chunk: &mut &'chunk [u8]) -> Option<Line<'line>> {
        self.forget_handed_out();
        loop {
            let Some(end) = chunk.iter().position(|&byte| byte == b'\n') else {
                let rest = mem::take(chunk);
                if self.skipping || self.keep(rest) {
                    return None;
                }
                self.skipping = true;
                self.handed_out = true;
                return Some(Line::TooLong(&self.kept));
            };
            let (line, rest) = (&chunk[..end], &chunk[end + 1..]);
            *chunk = rest;
            if mem::take(&mut self.skipping) {
                continue;
            }
            // Most lines arrive whole and are never copied.
            if self.kept.is_empty() {
                return Some(if line.len() > self.limit {
                    Line::TooLong(&line[..self.limit])
                } else {
                    Line::Whole(line)
                });
            }
            let fits = self.keep(line);
            self.handed_out = true;
            return Some(if fits { Line::Whole(&self.kept) } else { Line::TooLong(&self.kept) });
        }
    }

    /// The last line, when the stream stopped without ending it.
    pub fn end(&mut self) -> Option<Line<'_>> {
        self.forget_handed_out();
        self.skipping = false;
        if self.kept.is_empty() {
            return None;
        }
        self.handed_out = true;
        Some(Line::Whole(&self.kept))
    }

    /// Adds as much of `part` as the limit allows, and says whether that is all of it.
    fn keep(&mut self, part: &[u8]) -> bool {
        let room = self.limit - self.kept.len();
        self.kept.extend_from_slice(&part[..part.len().min(room)]);
        part.len() <= room
    }

    fn forget_handed_out(&mut self) {
        if mem::take(&mut self.handed_out) {
            self.kept.clear();
            self.kept.shrink_to(USUAL);
        }
    }
}

impl fmt::Debug for LineBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineBuffer").field("limit", &self.limit).field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, LineBuffer};

    fn shown(line: Line<'_>) -> String {
        match line {
            Line::Whole(line) => String::from_utf8_lossy(line).into_owned(),
            Line::TooLong(start) => format!("{}…", String::from_utf8_lossy(start)),
        }
    }

    /// All lines of `bytes`, which arrive `step` at a time.
    fn lines(bytes: &[u8], step: usize) -> Vec<String> {
        let mut buffer = LineBuffer::new(4);
        let mut lines = Vec::new();
        for mut chunk in bytes.chunks(step) {
            while let Some(line) = buffer.next_line(&mut chunk) {
                lines.push(shown(line));
            }
        }
        lines.extend(buffer.end().map(shown));
        assert_eq!(buffer.end(), None);
        lines
    }

    #[test]
    fn lines_do_not_depend_on_how_they_arrive() {
        for step in 1..40 {
            assert_eq!(
                lines(b"a\n\nbc\r\n12345\n1234\n123456789\nx\n\nlast", step),
                ["a", "", "bc\r", "1234…", "1234", "1234…", "x", "", "last"],
                "{step}"
            );
        }
    }

    #[test]
    fn a_line_that_never_ends_is_said_once_and_the_next_line_is_read() {
        let mut buffer = LineBuffer::new(1 << 20);
        let chunk = vec![b'x'; 1 << 16];
        let mut seen = 0;
        for _ in 0..(1 << 10) {
            let mut chunk = chunk.as_slice();
            while let Some(line) = buffer.next_line(&mut chunk) {
                assert!(matches!(line, Line::TooLong(kept) if kept.len() == 1 << 20));
                seen += 1;
            }
            assert!(buffer.kept.capacity() <= 2 << 20);
        }
        assert_eq!(seen, 1);
        let mut chunk = &b"tail\nping\n"[..];
        assert_eq!(buffer.next_line(&mut chunk), Some(Line::Whole(b"ping")));
        assert!(buffer.kept.capacity() <= super::USUAL);
    }

    #[test]
    fn a_stream_that_stops_in_a_line_that_was_too_long_has_no_last_line() {
        assert_eq!(lines(b"12345678", 3), ["1234…"]);
        assert_eq!(lines(b"", 1), [""; 0]);
        assert_eq!(lines(b"\n", 1), [""]);
    }
}
