//! A small invented repository with enough open and merged work that every tool has something to say about it. Its documents
//! are GitHub's own form, and they go in through `import` like anybody's.

use std::sync::LazyLock;

use chrono::TimeDelta;
use contract_core::Clock;
use regex::{Captures, Regex};

use super::import::{ImportError, Importer};
use super::{ForgeError, ForgeWriter};
use crate::engine::moment::{self, Moment};

/// The repository that everything is about.
pub const REPOSITORY: &str = "acme/widgets";

/// A moment is written as how long ago it was: `@-3d`, `@-2h`.
static MOMENT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#""@-([0-9]{1,4})([dh])""#).ok());

const DOCUMENTS: [&str; 7] = [
    include_str!("demo/repository.json"),
    include_str!("demo/operator.json"),
    include_str!("demo/issues.json"),
    include_str!("demo/pulls.json"),
    include_str!("demo/files.json"),
    include_str!("demo/reviews.json"),
    include_str!("demo/checks.json"),
];

/// Fills a store as of `now`.
///
/// # Errors
/// When it cannot be written.
pub fn fill(forge: &dyn ForgeWriter, now: Moment) -> Result<(), ForgeError> {
    let importer = Importer::new(forge, None, Clock::frozen(now.into()));
    for document in documents(now) {
        match importer.take(document.as_bytes(), &mut |_| ()) {
            Ok(_) => {}
            Err(ImportError::Forge(error)) => return Err(error),
            Err(ImportError::Read(_)) => unreachable!("a text in memory can be read"),
        }
    }
    forge.apply(&history::of(now)).map(drop)
}

/// The documents with their moments.
fn documents(now: Moment) -> impl Iterator<Item = String> {
    DOCUMENTS.into_iter().map(move |document| {
        let Some(moment) = &*MOMENT else { return document.to_owned() };
        let dated = moment.replace_all(document, |found: &Captures<'_>| {
            let count: i64 = found[1].parse().unwrap_or(0);
            let ago = if &found[2] == "d" { TimeDelta::days(count) } else { TimeDelta::hours(count) };
            format!("\"{}\"", moment::text(now - ago))
        });
        dated.into_owned()
    })
}

mod history;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge;
    use crate::forge::{RepoName, Which};

    #[test]
    fn every_record_is_taken_and_every_moment_has_passed() {
        let directory = tempfile::tempdir().unwrap();
        let store = forge::open(&directory.path().join("forge")).unwrap();
        let now = moment::parse("2026-06-15T12:00:00Z").unwrap();
        let importer = Importer::new(&*store, None, Clock::frozen(now.into()));
        for document in documents(now) {
            assert!(!document.contains("\"@"), "{document}");
            let report = importer.take(document.as_bytes(), &mut |_| ()).unwrap();
            assert!(report.taken_count() > 0 && report.skipped_count() == 0 && !report.is_cut_off, "{report}");
        }
        fill(&*store, now).unwrap();
        let reader = store.read().unwrap();
        let repo = RepoName::parse(REPOSITORY).unwrap();
        let repository = reader.repository(&repo).unwrap().unwrap();
        assert!(repository.is_registered && repository.is_installed);
        assert!(reader.pull_requests(&repo, Which::Open, 99).unwrap().len() >= 5);
        assert!(reader.recent_merged(&repo, 99).unwrap().len() >= 3);
        assert_eq!(reader.manifests(&repo).unwrap().len(), 1);
        assert!(reader.totals(&repo, 99).unwrap().len() >= 2);
    }
}
