//! What the store promises about its file.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use rusqlite::Connection;

use super::*;

#[test]
fn a_store_is_its_owners_alone() {
    let (_directory, path, _forge) = temporary();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn what_is_no_store_of_ours_is_refused_for_its_reason_and_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("text"), "not a database, but long enough to be looked at as one".repeat(20)).unwrap();
    fs::create_dir(at("directory")).unwrap();
    std::os::unix::fs::symlink(at("nothing"), at("dangling")).unwrap();
    Connection::open(at("foreign")).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    drop(open(&at("newer")).unwrap());
    let change =
        "PRAGMA journal_mode = DELETE; PRAGMA user_version = 99; ALTER TABLE issues RENAME COLUMN title TO name";
    Connection::open(at("newer")).unwrap().execute_batch(change).unwrap();
    drop(open(&at("cut")).unwrap());
    let whole = fs::read(at("cut")).unwrap();
    fs::write(at("cut"), &whole[..whole.len() / 2]).unwrap();

    // The same in its write-ahead form, with a log that nobody has taken in yet.
    drop(open(&at("logged")).unwrap());
    let writer = Connection::open(at("logged")).unwrap();
    writer.execute_batch("PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 99").unwrap();

    let expected = [
        ("logged", ForgeReason::TooNew),
        ("text", ForgeReason::NotADatabase),
        ("directory", ForgeReason::NotAFile),
        ("dangling", ForgeReason::NotAFile),
        ("foreign", ForgeReason::WrongSchema),
        ("newer", ForgeReason::TooNew),
    ];
    for (file, reason) in expected {
        let before = fs::read(at(file)).ok();
        let read = reading(&at(file)).read(|_| Ok(()));
        for error in [open(&at(file)).unwrap_err(), open_existing(&at(file)).unwrap_err(), read.unwrap_err()] {
            assert_eq!(error.reason, reason, "{file}");
            assert_eq!(error.versions, (reason == ForgeReason::TooNew).then_some((99, 1)));
        }
        assert_eq!(fs::read(at(file)).ok(), before, "{file}");
    }
    let read = open(&at("cut")).and_then(|forge| forge.read()?.issues(&name("a/b"), Which::Any, 1).map(drop));
    assert_eq!(read.unwrap_err().reason, ForgeReason::Corrupt);
    let read = reading(&at("cut")).read(|reader| reader.issues(&name("a/b"), Which::Any, 1));
    assert_eq!(read.unwrap_err().reason, ForgeReason::Corrupt);
    drop(writer);
    let left: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 7, "nothing was left beside them: {left:?}");

    assert!(open_existing(&at("missing/forge")).unwrap().is_none());
    let read = |file: &str| reading(&at(file)).read(|_| Ok(())).unwrap_err().reason;
    assert_eq!(read("missing/forge"), ForgeReason::Missing);
    assert!(!at("missing").exists());
    fs::write(at("empty"), "").unwrap();
    assert_eq!(read("empty"), ForgeReason::Missing);
    assert!(open(&at("empty")).is_ok());
    assert!(reading(&at("empty")).read(|_| Ok(())).is_ok());
}

#[test]
fn a_store_that_somebody_else_writes_to_is_busy_and_is_read_all_the_same() {
    let (_directory, path, forge) = temporary();
    forge.apply(&everything()).unwrap();
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(forge.apply(&everything()).unwrap_err().reason, ForgeReason::Busy);
    assert!(forge.read().unwrap().repository(&name("acme/widgets")).unwrap().is_some());
    writer.execute_batch("ROLLBACK").unwrap();
    assert!(forge.apply(&everything()).is_ok());
}

#[test]
fn a_file_that_takes_the_place_of_another_is_what_is_written_and_read_from_then_on() {
    let (directory, path, forge) = temporary();
    forge.apply(&everything()).unwrap();
    let reader = reading(&path);
    let repo = name("acme/widgets");
    let count = || reader.read(|reader| reader.issues(&repo, Which::Any, 9)).map(|issues| issues.len());
    assert_eq!(count(), Ok(2));
    let other = directory.path().join("other");
    drop(open(&other).unwrap());
    fs::rename(&other, &path).unwrap();
    for beside in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{beside}", path.display()));
    }
    assert_eq!(count(), Ok(0));
    forge.apply(&[Change::Issue(issue(1, "2026-03-01T00:00:00Z"))]).unwrap();
    assert_eq!(count(), Ok(1));
    fs::remove_file(&path).unwrap();
    for error in [count().unwrap_err(), forge.apply(&everything()).unwrap_err(), forge.read().err().unwrap()] {
        assert_eq!(error.reason, ForgeReason::Missing);
    }
    assert!(!path.exists());
}
