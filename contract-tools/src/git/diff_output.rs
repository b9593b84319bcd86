//! Parses the output of `git diff-index -z --raw --numstat`: first a line of facts per file, then its line counts.
//!
//! The two halves name the files in the same order, and the second leaves out files whose contents turn out to be the
//! same, so one walk joins them. Paths are bytes and stay bytes.

use super::narrative::NotablePaths;

/// Files kept, to be listed and to be looked at again where git has only seen a stale time stamp; further ones are only counted,
/// so that a hundred thousand changed files take no more memory than these.
const MOST_FILES_KEPT: usize = 20_000;
/// Path bytes kept, for the same reason.
const MOST_PATH_BYTES_KEPT: usize = 6 * 1024 * 1024;

/// One file that git says differs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) path: Box<[u8]>,
    pub(super) previous_path: Option<Box<[u8]>>,
    pub(super) letter: u8,
    pub(super) old_mode: Mode,
    pub(super) new_mode: Mode,
    pub(super) old_id: Box<[u8]>,
    /// Git has only seen that the file's time stamp is stale, and has not compared contents yet.
    pub(super) unverified: bool,
    /// The contents are in the working tree and git has not hashed them yet.
    pub(super) unhashed: bool,
    pub(super) lines: Lines,
}

/// What the line counts say of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Nothing: the contents are the same.
    Absent,
    /// Text.
    Counted { added: u64, deleted: u64 },
    /// Not text, or too large.
    Uncounted,
    /// Nobody could look: an old version is not in this clone.
    Unavailable,
    /// Nobody may look, or there is nothing to look at: a pipe, say.
    Unreadable,
}

/// The kind of thing that a path holds, with its permission to execute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Nothing,
    File,
    Executable,
    SymbolicLink,
    Submodule,
    Other,
}

/// Files beyond what is kept.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overflow {
    pub(super) files: u64,
    pub(super) additions: u64,
    pub(super) deletions: u64,
    pub(super) uncounted_files: u64,
    /// What they may mean for continuous integration.
    pub(super) notable: NotablePaths,
}

/// Takes the records of the output one by one.
#[derive(Debug, Default)]
pub(super) struct DiffOutput {
    pub(super) differences: Vec<Difference>,
    pub(super) overflow: Overflow,
    path_bytes: usize,
    unkept: u64,
    full: bool,
    cursor: usize,
    expecting: Expecting,
}

#[derive(Debug, Default)]
enum Expecting {
    #[default]
    Header,
    Path(Header),
    SecondPath(Header, Box<[u8]>),
    CountsPreviousPath(Lines),
    CountsPath(Lines),
}

#[derive(Debug)]
struct Header {
    letter: u8,
    old_mode: Mode,
    new_mode: Mode,
    old_id: Box<[u8]>,
    new_id_is_zero: bool,
}

impl DiffOutput {
    /// Takes the next record.
    pub(super) fn take(&mut self, record: &[u8]) {
        self.expecting = match std::mem::take(&mut self.expecting) {
            Expecting::Header if record.starts_with(b":") => header(record).map_or(Expecting::Header, Expecting::Path),
            Expecting::Header => self.counts(record),
            Expecting::Path(header) if matches!(header.letter, b'R' | b'C') => {
                Expecting::SecondPath(header, record.into())
            }
            Expecting::Path(header) => self.keep(header, None, record),
            Expecting::SecondPath(header, previous) => self.keep(header, Some(previous), record),
            Expecting::CountsPreviousPath(lines) => Expecting::CountsPath(lines),
            Expecting::CountsPath(lines) => self.join(lines, record),
        };
    }

    /// Takes back the file that was just read, for a reader who wants each once and keeps none.
    pub(super) fn hand_over(&mut self) -> Option<Difference> {
        self.path_bytes = 0;
        self.differences.pop()
    }

    /// Marks every file as one whose lines nobody could count, and says why.
    pub(super) fn without_lines(mut self, why: Lines) -> Self {
        for difference in &mut self.differences {
            difference.lines = why;
        }
        self.overflow.files = self.unkept;
        self.overflow.uncounted_files = self.unkept;
        self
    }

    /// Forgets the files whose contents and mode turned out to be the same.
    pub(super) fn drop_unchanged(&mut self) {
        self.differences.retain(|difference| !(difference.unverified && difference.lines == Lines::Absent));
    }

    fn keep(&mut self, header: Header, previous_path: Option<Box<[u8]>>, path: &[u8]) -> Expecting {
        self.path_bytes += path.len();
        self.full |= self.differences.len() >= MOST_FILES_KEPT || self.path_bytes > MOST_PATH_BYTES_KEPT;
        if self.full {
            self.unkept += 1;
            self.overflow.notable.note(path);
            if let Some(path) = &previous_path {
                self.overflow.notable.note(path);
            }
        } else {
            let unverified = header.letter == b'M' && header.new_id_is_zero && header.old_mode == header.new_mode;
            self.differences.push(Difference {
                path: path.into(),
                previous_path,
                letter: header.letter,
                old_mode: header.old_mode,
                new_mode: header.new_mode,
                unhashed: header.new_id_is_zero,
                old_id: if unverified { header.old_id } else { Box::default() },
                unverified: unverified && header.new_mode != Mode::Submodule,
                lines: Lines::Absent,
            });
        }
        Expecting::Header
    }

    /// A record such as `3<tab>1<tab>path`; for a rename the path is empty and two more records follow.
    fn counts(&mut self, record: &[u8]) -> Expecting {
        let mut parts = record.splitn(3, |byte| *byte == b'\t');
        let (Some(added), Some(deleted), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            return Expecting::Header;
        };
        let lines = match (number(added), number(deleted)) {
            (Some(added), Some(deleted)) => Lines::Counted { added, deleted },
            _ => Lines::Uncounted,
        };
        if path.is_empty() { Expecting::CountsPreviousPath(lines) } else { self.join(lines, path) }
    }

    fn join(&mut self, lines: Lines, path: &[u8]) -> Expecting {
        let ahead = self.differences[self.cursor..].iter().position(|difference| *difference.path == *path);
        if let Some(steps) = ahead {
            self.cursor += steps + 1;
            self.differences[self.cursor - 1].lines = lines;
            return Expecting::Header;
        }
        // Only the tail beyond what is kept is missing; not looking at the rest again keeps this one walk.
        if self.full {
            self.cursor = self.differences.len();
        }
        self.overflow.files += 1;
        match lines {
            Lines::Counted { added, deleted } => {
                self.overflow.additions += added;
                self.overflow.deletions += deleted;
            }
            Lines::Uncounted | Lines::Unavailable | Lines::Unreadable | Lines::Absent => {
                self.overflow.uncounted_files += 1;
            }
        }
        Expecting::Header
    }
}

impl Mode {
    /// The mode in git's octal spelling.
    pub(super) fn parse(text: &[u8]) -> Self {
        match text {
            b"000000" => Self::Nothing,
            b"100644" => Self::File,
            b"100755" => Self::Executable,
            b"120000" => Self::SymbolicLink,
            b"160000" => Self::Submodule,
            _ => Self::Other,
        }
    }
}

/// `:<old mode> <new mode> <old id> <new id> <letter><similarity>`
fn header(record: &[u8]) -> Option<Header> {
    let fields: Vec<&[u8]> = record.strip_prefix(b":")?.split(|byte| *byte == b' ').collect();
    let [old_mode, new_mode, old_id, new_id, status] = fields[..] else { return None };
    Some(Header {
        letter: *status.first()?,
        old_mode: Mode::parse(old_mode),
        new_mode: Mode::parse(new_mode),
        old_id: old_id.into(),
        new_id_is_zero: new_id.iter().all(|byte| *byte == b'0'),
    })
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: &str = "0000000000000000000000000000000000000000";
    const SOME: &str = "1111111111111111111111111111111111111111";

    fn parsed(records: &[String]) -> DiffOutput {
        let mut output = DiffOutput::default();
        for record in records {
            output.take(record.as_bytes());
        }
        output
    }

    #[test]
    fn counts_are_joined_across_renames_and_gaps() {
        let output = parsed(&[
            format!(":100644 100644 {SOME} {ZERO} M"),
            "stale".to_owned(),
            format!(":100644 100644 {SOME} {ZERO} R090"),
            "old\tname".to_owned(),
            "new\nname".to_owned(),
            format!(":000000 160000 {ZERO} {SOME} A"),
            ":odd".to_owned(),
            "2\t1\t".to_owned(),
            "old\tname".to_owned(),
            "new\nname".to_owned(),
            "-\t-\t:odd".to_owned(),
        ]);
        let lines: Vec<Lines> = output.differences.iter().map(|difference| difference.lines).collect();
        assert_eq!(lines, [Lines::Absent, Lines::Counted { added: 2, deleted: 1 }, Lines::Uncounted]);
        assert_eq!(output.differences[1].previous_path.as_deref(), Some(b"old\tname".as_slice()));
        assert_eq!(output.differences[2].new_mode, Mode::Submodule);
        assert_eq!(output.overflow, Overflow::default());
    }

    #[test]
    fn only_stale_files_with_the_same_contents_are_dropped() {
        let mut output = parsed(&[
            format!(":100644 100644 {SOME} {ZERO} M"),
            "stale".to_owned(),
            format!(":100644 100755 {SOME} {ZERO} M"),
            "executable".to_owned(),
            format!(":100644 100644 {SOME} {SOME} M"),
            "staged".to_owned(),
        ]);
        output.drop_unchanged();
        let paths: Vec<&[u8]> = output.differences.iter().map(|difference| &*difference.path).collect();
        assert_eq!(paths, [b"executable".as_slice(), b"staged".as_slice()]);
    }

    #[test]
    fn files_beyond_those_that_are_kept_are_counted_and_noted() {
        let name = |number: usize| if number == MOST_FILES_KEPT { "go.mod".to_owned() } else { format!("{number:05}") };
        let files = 0..=MOST_FILES_KEPT + 1;
        let named = files.clone().flat_map(|number| [format!(":000000 100644 {ZERO} {SOME} A"), name(number)]);
        let counted = files.map(|number| match number.checked_sub(MOST_FILES_KEPT) {
            Some(1) => format!("-\t-\t{}", name(number)),
            _ => format!("2\t1\t{}", name(number)),
        });
        let output = parsed(&named.chain(counted).collect::<Vec<_>>());
        assert_eq!(output.differences.len(), MOST_FILES_KEPT);
        assert!(output.differences.iter().all(|file| file.lines == Lines::Counted { added: 2, deleted: 1 }));
        let mut notable = NotablePaths::default();
        notable.note(b"go.mod");
        let expected = Overflow { files: 2, additions: 2, deletions: 1, uncounted_files: 1, notable };
        assert_eq!(output.overflow, expected);
        assert_eq!(output.without_lines(Lines::Unreadable).overflow.uncounted_files, 2);
    }

    #[test]
    fn nonsense_is_passed_over() {
        let output = parsed(&[":x".to_owned(), String::new(), "1\t2".to_owned()]);
        assert_eq!(output.differences, []);
    }
}
