//! A stream of JSON cut into its records, one in memory at a time: lists are opened, and lists of lists, whether they stand
//! alone or one behind the other. Whether a record is JSON is not decided here but by whoever reads it; where a broken
//! one ends is.

use std::io::{self, ErrorKind, Read};

/// What is read at once.
const CHUNK: usize = 128 << 10;

/// A longer record is passed over without being kept.
pub(super) const LONGEST: usize = 16 << 20;

/// How deep brackets may stand in each other inside a record; deeper ones are no record of anybody's.
const DEEPEST: usize = 512;

/// What was found at a place of the stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// How many bytes stand before it.
    pub(super) offset: u64,
    pub(super) found: Found,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Something that stands where records stand.
    Record(String),
    /// One that cannot be JSON: its brackets, or what stands in their place.
    Broken,
    /// A mark as pages have them.
    Page,
    /// One whose bytes are no UTF-8.
    NotUtf8,
    /// One that is longer than any is.
    TooLong,
    /// The stream ends in the middle.
    CutOff,
}

/// Cuts a stream.
pub(super) struct Splitter<R> {
    reader: R,
    chunk: Box<[u8]>,
    next: usize,
    filled: usize,
    /// Bytes that were handed out.
    offset: u64,
    /// Lists that are open around records.
    lists: u64,
    longest: usize,
    is_over: bool,
}

impl<R: Read> Splitter<R> {
    pub(super) fn new(reader: R) -> Self {
        Self::with_longest(reader, LONGEST)
    }

    fn with_longest(reader: R, longest: usize) -> Self {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        Self { reader, chunk, next: 0, filled: 0, offset: 0, lists: 0, longest, is_over: false }
    }

    /// Bytes that were read so far.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next piece; none at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        while let Some(byte) = self.peek()? {
            let offset = self.offset;
            match byte {
                b'[' => self.lists += 1,
                b']' if self.lists > 0 => self.lists -= 1,
                // White space, what stands between records, the mark before texts of Windows, and that of RFC 7464.
                b' ' | b'\t' | b'\r' | b'\n' | b',' | 0xEF | 0xBB | 0xBF | 0x1E => {}
                b'{' => return self.object(offset).map(Some),
                b'"' => return self.text(offset).map(Some),
                b']' | b'}' => {
                    self.skip();
                    return Ok(Some(Piece { offset, found: Found::Broken }));
                }
                _ => return self.word(offset).map(Some),
            }
            self.skip();
        }
        if self.lists > 0 && !self.is_over {
            self.is_over = true;
            return Ok(Some(Piece { offset: self.offset, found: Found::CutOff }));
        }
        Ok(None)
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        while self.next == self.filled {
            self.next = 0;
            self.filled = match self.reader.read(&mut self.chunk) {
                Ok(0) => {
                    self.filled = 0;
                    return Ok(None);
                }
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => 0,
                Err(error) => {
                    self.filled = 0;
                    return Err(error);
                }
            };
        }
        Ok(Some(self.chunk[self.next]))
    }

    fn skip(&mut self) {
        self.next += 1;
        self.offset += 1;
    }

    fn object(&mut self, offset: u64) -> io::Result<Piece> {
        let mut record = Record::new(self.longest);
        while let Some(byte) = self.peek()? {
            match record.meets(byte) {
                Step::Goes => {
                    record.keep(byte);
                    self.skip();
                }
                Step::Ends => {
                    record.keep(byte);
                    self.skip();
                    return Ok(Piece { offset, found: record.into_found() });
                }
                // The byte is left for what comes next.
                Step::Breaks => return Ok(Piece { offset, found: Found::Broken }),
            }
        }
        self.is_over = true;
        Ok(Piece { offset, found: Found::CutOff })
    }

    /// A text where a record should be.
    fn text(&mut self, offset: u64) -> io::Result<Piece> {
        let mut is_escaped = false;
        self.skip();
        while let Some(byte) = self.peek()? {
            self.skip();
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => return Ok(Piece { offset, found: Found::Record("\"\"".to_owned()) }),
                b'\n' => return Ok(Piece { offset, found: Found::Broken }),
                _ => {}
            }
        }
        self.is_over = true;
        Ok(Piece { offset, found: Found::CutOff })
    }

    /// A number, `null`, or what is nothing at all.
    fn word(&mut self, offset: u64) -> io::Result<Piece> {
        let mut is_one = true;
        let is_page = self.peek()? == Some(b'<');
        while let Some(byte) = self.peek()? {
            if b" \t\r\n,[]{}\"".contains(&byte) {
                break;
            }
            is_one &= byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
            self.skip();
        }
        let found = match (is_page, is_one) {
            (true, _) => Found::Page,
            (false, true) => Found::Record("null".to_owned()),
            (false, false) => Found::Broken,
        };
        Ok(Piece { offset, found })
    }
}

/// What a byte does to a record.
enum Step {
    Goes,
    Ends,
    Breaks,
}

/// An object on its way. It is followed just closely enough to see where it ends, or that it has no end: a line break inside a
/// text, or an object where no value may stand, which is most often the next record after one that was cut off.
struct Record {
    bytes: Vec<u8>,
    longest: usize,
    is_too_long: bool,
    /// The brackets that are open: whether each is a list's.
    open: Vec<bool>,
    is_in_text: bool,
    is_escaped: bool,
    /// The last byte outside texts that is no white space.
    last: u8,
}

impl Record {
    fn new(longest: usize) -> Self {
        Self {
            bytes: Vec::new(),
            longest,
            is_too_long: false,
            open: Vec::new(),
            is_in_text: false,
            is_escaped: false,
            last: 0,
        }
    }

    fn meets(&mut self, byte: u8) -> Step {
        if self.is_in_text {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.is_in_text = false,
                b'\n' => return Step::Breaks,
                _ => {}
            }
            return Step::Goes;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return Step::Goes,
            b'"' => self.is_in_text = true,
            b'{' | b'[' => {
                let may_stand = match self.open.last() {
                    None => true,
                    Some(true) => matches!(self.last, b'[' | b','),
                    Some(false) => self.last == b':',
                };
                if !may_stand || self.open.len() == DEEPEST {
                    return Step::Breaks;
                }
                self.open.push(byte == b'[');
            }
            b'}' | b']' => {
                if self.open.pop() != Some(byte == b']') {
                    return Step::Breaks;
                }
                if self.open.is_empty() {
                    return Step::Ends;
                }
            }
            _ => {}
        }
        self.last = byte;
        Step::Goes
    }

    fn keep(&mut self, byte: u8) {
        if self.bytes.len() == self.longest {
            self.is_too_long = true;
            self.bytes = Vec::new();
        }
        if !self.is_too_long {
            self.bytes.push(byte);
        }
    }

    fn into_found(self) -> Found {
        if self.is_too_long {
            return Found::TooLong;
        }
        String::from_utf8(self.bytes).map_or(Found::NotUtf8, Found::Record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let mut splitter = Splitter::with_longest(text.as_bytes(), 40);
        let mut pieces = Vec::new();
        while let Some(piece) = splitter.next().unwrap() {
            pieces.push(match piece.found {
                Found::Record(record) => record,
                other => format!("{other:?}@{}", piece.offset),
            });
        }
        assert_eq!(splitter.offset(), text.len() as u64);
        pieces
    }

    #[test]
    fn lists_objects_and_rows_of_both_are_their_records() {
        assert_eq!(split(""), [""; 0]);
        assert_eq!(split("[]\n[ ]"), [""; 0]);
        assert_eq!(
            split(r#"[{"a":1},{"b":[{}]}][{"c":"}]{\""}]"#),
            [r#"{"a":1}"#, r#"{"b":[{}]}"#, r#"{"c":"}]{\""}"#]
        );
        assert_eq!(split("\u{FEFF}{\"a\":1}\n{\"b\":2}\n"), [r#"{"a":1}"#, r#"{"b":2}"#]);
        assert_eq!(split(r#"[[{"a":1}],[{"b":2}]]"#), [r#"{"a":1}"#, r#"{"b":2}"#]);
        assert_eq!(split(r#"[1, "x\"y", null, {"a":1}]"#), ["null", "\"\"", "null", r#"{"a":1}"#]);
    }

    #[test]
    fn what_is_broken_does_not_take_the_next_one_along() {
        let cases = [
            ("{\"a\":1,\n{\"b\":2}", "Broken@0"),
            (
                "{\"a\":\n{\"b\":2}}",
                r#"{"a":
{"b":2}}"#,
            ),
            ("{\"a\":\"cut\n{\"b\":2}", "Broken@0"),
            ("{\"a\":[1,2}{\"b\":2}", "Broken@0"),
            ("{\"a\":[{\"x\":1},{\"b\":2}", "CutOff@0"),
        ];
        for (text, first) in cases {
            let pieces = split(text);
            assert_eq!(pieces[0], first, "{text}");
            if first.starts_with("Broken") {
                assert_eq!(pieces.last().map(String::as_str), Some(r#"{"b":2}"#), "{text}");
            }
        }
        assert_eq!(split("}{\"b\":2}"), ["Broken@0", r#"{"b":2}"#]);
        assert_eq!(split("<html>{\"b\":2}"), ["Page@0", r#"{"b":2}"#]);
    }

    #[test]
    fn an_end_in_the_middle_is_told() {
        assert_eq!(split(r#"[{"a":1}"#), [r#"{"a":1}"#, "CutOff@8"]);
        assert_eq!(split(r#"[{"a":1},{"b"#), [r#"{"a":1}"#, "CutOff@9"]);
        assert_eq!(split(r#"["a"#), ["CutOff@1"]);
    }

    #[test]
    fn a_record_that_is_too_long_is_passed_over() {
        let long = format!("[{{\"a\":\"{}\"}},{{\"b\":2}}]", "x".repeat(100));
        assert_eq!(split(&long), ["TooLong@1", r#"{"b":2}"#]);
        let deep = format!("{}{}", "{\"a\":[".repeat(300), "]}".repeat(300));
        assert!(split(&deep)[0].starts_with("Broken"));
    }
}
