//! What an import did with a file, for the person who asked for it.

use std::collections::BTreeMap;
use std::fmt;

use crate::forge::github::{RecordKind, Skip};

/// Different reasons that are told of one file; what goes beyond is counted.
const MOST_REASONS: usize = 20;

/// What came of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileReport {
    /// Records in it.
    pub records: u64,
    /// What was taken, by kind.
    pub taken: BTreeMap<RecordKind, u64>,
    /// What was not taken, by reason.
    pub skipped: BTreeMap<Skip, Skipped>,
    /// What was not taken for further reasons.
    pub skipped_otherwise: u64,
    /// Records in which half of a surrogate pair was made U+FFFD.
    pub mended: Option<Skipped>,
    /// How much of what was taken was new.
    pub changed: u64,
    /// It ends in the middle of a record or a list.
    pub is_cut_off: bool,
    /// Somewhere in it GitHub, or a server before it, says that it cannot answer: what was asked for then is missing.
    pub is_interrupted: bool,
}

/// How often something happened to records, such as that they were not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// How often.
    pub count: u64,
    /// Which record was the first, counted from 1.
    pub first_record: u64,
    /// How many bytes stand before that record.
    pub first_offset: u64,
}

impl FileReport {
    pub(super) fn take(&mut self, kind: RecordKind) {
        *self.taken.entry(kind).or_default() += 1;
    }

    pub(super) fn skip(&mut self, skip: Skip, offset: u64) {
        self.is_interrupted |= matches!(skip, Skip::Failure | Skip::Page);
        if !self.skipped.contains_key(&skip) && self.skipped.len() == MOST_REASONS {
            self.skipped_otherwise += 1;
            return;
        }
        let first = Skipped { count: 0, first_record: self.records, first_offset: offset };
        self.skipped.entry(skip).or_insert(first).count += 1;
    }

    pub(super) fn mend(&mut self, offset: u64) {
        let first = Skipped { count: 0, first_record: self.records, first_offset: offset };
        self.mended.get_or_insert(first).count += 1;
    }

    /// How much was taken.
    pub fn taken_count(&self) -> u64 {
        self.taken.values().sum()
    }

    /// Whether the file holds all that was meant: it has its end, no error stands where records should, and it is not so that
    /// nothing was taken and something in it is broken.
    pub fn is_whole(&self) -> bool {
        let is_broken = |skip: &Skip| match skip {
            Skip::NotJson
            | Skip::NotUtf8
            | Skip::TooLong
            | Skip::Failure
            | Skip::Page
            | Skip::Misfit(_)
            | Skip::MisfitEntry(_)
            | Skip::Member { .. }
            | Skip::NotBase64
            | Skip::NotText => true,
            Skip::NotAnObject
            | Skip::Unknown
            | Skip::Ahead { .. }
            | Skip::Homeless(_)
            | Skip::NoManifest
            | Skip::Listing
            | Skip::OtherBranch
            | Skip::Undated(_) => false,
        };
        let is_refused = self.taken.is_empty() && self.skipped.keys().any(is_broken);
        !(self.is_cut_off || self.is_interrupted || is_refused)
    }

    /// How much was not.
    pub fn skipped_count(&self) -> u64 {
        self.skipped.values().map(|skipped| skipped.count).sum::<u64>() + self.skipped_otherwise
    }
}

impl fmt::Display for FileReport {
    /// A line with counts, and one for each reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = self.taken.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        let (taken, changed, skipped) = (self.taken_count(), self.changed, self.skipped_count());
        write!(f, "{taken} taken{kinds}, {changed} new, {skipped} skipped")?;
        for (skip, told) in &self.skipped {
            let Skipped { count, first_record, first_offset } = told;
            write!(f, "\n  skipped {count}: {skip}; first record {first_record}, byte {first_offset}")?;
        }
        if self.skipped_otherwise > 0 {
            write!(f, "\n  skipped {} for further reasons", self.skipped_otherwise)?;
        }
        if let Some(Skipped { count, first_record, first_offset }) = self.mended {
            write!(
                f,
                "\n  changed {count}: a text holds half of a surrogate pair, such as \\ud83d alone, which is no character; it is \
                 U+FFFD now; first record {first_record}, byte {first_offset}"
            )?;
        }
        if self.is_interrupted {
            f.write_str("\n  it holds an error where records should stand: what was asked for there is missing")?;
        }
        if self.is_cut_off {
            f.write_str("\n  it ends in the middle: what was cut off is missing")?;
        }
        Ok(())
    }
}
