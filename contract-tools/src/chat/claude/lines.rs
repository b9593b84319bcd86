//! Lines of a program's output, however long and however they arrive; only `\n` ends one.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// A longer line is not kept.
const LONGEST: usize = 16 << 20;
const CHUNK: usize = 64 << 10;

/// What a line came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// Reads them.
pub(super) struct Lines<R> {
    input: R,
    /// What was read.
    buffer: Vec<u8>,
    /// Before this it was returned.
    start: usize,
    /// Behind `start`, no line ends before this.
    looked: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), start: 0, looked: 0 }
    }

    /// The next line, without its end. A last line without an end is one too.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(length) = self.buffer[self.looked..].iter().position(|byte| *byte == b'\n') {
                let end = self.looked + length;
                let line = self.buffer[self.start..end].to_vec();
                self.start = end + 1;
                self.looked = self.start;
                return Ok(Some(Line::Whole(line)));
            }
            // Once for all lines of a chunk: moving the rest for each would take the square of their number.
            self.buffer.drain(..self.start);
            self.start = 0;
            self.looked = self.buffer.len();
            if self.looked > LONGEST {
                return Ok(Some(Line::TooLong));
            }
            self.buffer.reserve(CHUNK);
            if self.input.read_buf(&mut self.buffer).await? == 0 {
                let line = std::mem::take(&mut self.buffer);
                self.looked = 0;
                return Ok((!line.is_empty()).then_some(Line::Whole(line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(input: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(input);
        let mut read = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            let is_last = line == Line::TooLong;
            read.push(line);
            if is_last {
                break;
            }
        }
        read
    }

    fn whole(line: &[u8]) -> Line {
        Line::Whole(line.to_vec())
    }

    #[tokio::test]
    async fn only_a_newline_ends_a_line() {
        let read = lines("a\u{2028}b\u{85}\r\n\nlast".as_bytes()).await;
        assert_eq!(read, [whole("a\u{2028}b\u{85}\r".as_bytes()), whole(b""), whole(b"last")]);
        assert!(lines(b"").await.is_empty());
    }

    #[tokio::test]
    async fn lines_are_the_same_when_they_come_byte_by_byte() {
        let text = "{\"a\":\"é 日本 🙂\"}\r\n: a comment\r\n\r\ndata: one\ndata: two\n\nlast é".as_bytes();
        // A pipe that holds one byte: nothing else can be read from it at a time.
        let (mut written, read) = tokio::io::duplex(1);
        let writing = tokio::spawn(async move {
            tokio::io::AsyncWriteExt::write_all(&mut written, text).await.unwrap();
        });
        let mut cut = Lines::new(read);
        let mut seen = Vec::new();
        while let Some(line) = cut.next().await.unwrap() {
            seen.push(line);
        }
        writing.await.unwrap();
        assert_eq!(seen.len(), 7);
        assert_eq!(seen, lines(text).await);
    }

    #[tokio::test]
    async fn a_long_line_is_read_and_a_longer_one_is_not_kept() {
        let mut input = vec![b'x'; 10 << 20];
        input.extend(b"\nshort\n");
        let read = lines(&input).await;
        assert_eq!(read.len(), 2);
        assert_eq!(read[1], whole(b"short"));
        assert_eq!(lines(&vec![b'x'; LONGEST + CHUNK + 2]).await, [Line::TooLong]);
    }
}
