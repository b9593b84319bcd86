//! The way in for files: GitHub's JSON as `gh api` prints it, webhook payloads, and the documents that operators write. A file
//! is read once from front to back, whatever its size; what is taken is committed in batches.

mod documents;
mod entries;
mod report;
mod split;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};

use contract_core::Clock;

use self::documents::Documents;
pub use self::report::{FileReport, Skipped};
use self::split::{Found, Splitter};
use super::github::{self, Reading, Skip};
use super::{Change, ForgeError, ForgeWriter, RepoName};

/// Changes that are committed together.
const BATCH: usize = 500;

/// A batch is committed earlier when the records that it is made of are larger than this.
const BATCH_BYTES: usize = 8 << 20;

/// Takes files into a store.
pub struct Importer<'f> {
    forge: &'f dyn ForgeWriter,
    home: Option<RepoName>,
    clock: Clock,
    documents: Documents,
}

/// How far an import has come, told after each commit: nothing of this can be lost any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// Records of this file.
    pub records: u64,
    /// Bytes of this file that these are made of.
    pub bytes: u64,
}

/// Why a file was not read to its end.
#[derive(Debug)]
pub enum ImportError {
    /// The store cannot be written.
    Forge(ForgeError),
    /// The file cannot be read.
    Read(io::ErrorKind),
}

impl<'f> Importer<'f> {
    /// Imports into this store. `home` is the repository of records that name none; what is later than `clock` says is no
    /// record yet.
    pub fn new(forge: &'f dyn ForgeWriter, home: Option<RepoName>, clock: Clock) -> Self {
        Self { forge, home, clock, documents: Documents::new() }
    }

    /// Takes what a file holds. `watch` hears of every commit.
    ///
    /// # Errors
    /// When the store cannot be written or the file not be read: what `watch` was told of is kept, and doing it again is
    /// harmless.
    pub fn take(&self, file: impl Read, watch: &mut dyn FnMut(Committed)) -> Result<FileReport, ImportError> {
        let mut splitter = Splitter::new(file);
        let mut report = FileReport::default();
        let mut batch = Batch::default();
        let mut unread = None;
        loop {
            let piece = match splitter.next() {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                Err(error) => {
                    unread = Some(error.kind());
                    break;
                }
            };
            report.records += u64::from(piece.found != Found::CutOff);
            let reading = match piece.found {
                Found::Record(text) => {
                    batch.bytes += text.len();
                    let mended = github::mended(&text);
                    if matches!(mended, Cow::Owned(_)) {
                        report.mend(piece.offset);
                    }
                    self.of_default_branch(self.read(&mended), &batch)?
                }
                Found::Broken => Reading::skip(Skip::NotJson),
                Found::Page => Reading::skip(Skip::Page),
                Found::NotUtf8 => Reading::skip(Skip::NotUtf8),
                Found::TooLong => Reading::skip(Skip::TooLong),
                Found::CutOff => {
                    report.is_cut_off = true;
                    continue;
                }
            };
            for (kind, change) in reading.taken {
                report.take(kind);
                batch.changes.push(change);
            }
            for skip in reading.skipped {
                report.skip(skip, piece.offset);
            }
            if batch.is_full() {
                self.commit(&mut batch, &mut report, splitter.offset(), watch)?;
            }
        }
        self.commit(&mut batch, &mut report, splitter.offset(), watch)?;
        unread.map_or(Ok(report), |kind| Err(ImportError::Read(kind)))
    }

    fn read(&self, text: &str) -> Reading {
        let reading = self.documents.read(text).unwrap_or_else(|| github::read(text, self.home.as_ref()));
        reading.as_of(self.clock.now().into())
    }

    /// Without manifests that are known to be of another branch, since GitHub names the branch of every file.
    fn of_default_branch(&self, mut reading: Reading, batch: &Batch) -> Result<Reading, ImportError> {
        let Some(branch) = reading.branch.take() else { return Ok(reading) };
        for (kind, change) in std::mem::take(&mut reading.taken) {
            let default = match &change {
                Change::Manifest(repo, _) => self.default_branch(repo, batch).map_err(ImportError::Forge)?,
                _ => Some(branch.clone()),
            };
            match default {
                Some(default) if default != branch && branch != "HEAD" => reading.skipped.push(Skip::OtherBranch),
                _ => reading.taken.push((kind, change)),
            }
        }
        Ok(reading)
    }

    fn default_branch(&self, repo: &RepoName, batch: &Batch) -> Result<Option<String>, ForgeError> {
        let said = batch.changes.iter().rev().find_map(|change| match change {
            Change::Repository(facts) if facts.name == *repo => facts.default_branch.clone(),
            _ => None,
        });
        match said {
            Some(branch) => Ok(Some(branch)),
            None => Ok(self.forge.read()?.repository(repo)?.and_then(|known| known.default_branch)),
        }
    }

    fn commit(
        &self,
        batch: &mut Batch,
        report: &mut FileReport,
        bytes: u64,
        watch: &mut dyn FnMut(Committed),
    ) -> Result<(), ImportError> {
        if !batch.changes.is_empty() {
            report.changed += self.forge.apply(&batch.changes).map_err(ImportError::Forge)?.changed;
        }
        *batch = Batch::default();
        watch(Committed { records: report.records, bytes });
        Ok(())
    }
}

/// What is committed next.
#[derive(Default)]
struct Batch {
    changes: Vec<Change>,
    bytes: usize,
}

impl Batch {
    fn is_full(&self) -> bool {
        self.changes.len() >= BATCH || self.bytes >= BATCH_BYTES
    }
}

impl fmt::Debug for Importer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Importer").field("home", &self.home).finish_non_exhaustive()
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forge(error) => error.fmt(f),
            Self::Read(io::ErrorKind::NotFound) => f.write_str("there is no such file; check its path"),
            Self::Read(io::ErrorKind::PermissionDenied) => f.write_str(
                "it may not be read (permission denied); check its permissions and those of its directories",
            ),
            Self::Read(io::ErrorKind::IsADirectory) => f.write_str("it is a directory; name the files in it"),
            Self::Read(io::ErrorKind::NotADirectory) => {
                f.write_str("what should be a directory on its path is a file; check its path")
            }
            Self::Read(_) => f.write_str("reading it failed in the middle; check the device, and import it again"),
        }
    }
}

impl std::error::Error for ImportError {}
