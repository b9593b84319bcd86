//! `loopover session`: a token is shown once, kept as a digest, and counts until it is ended or over.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use contract_tools::forge;
use contract_tools::identity::{Authenticator, ForgeAccounts, Identity, Refusal, Settings};
use serde_json::Value;

use super::BINARY;

/// 2026-01-02T03:04:05Z.
const NOW: u64 = 1_767_323_045;

#[track_caller]
fn session(store: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let output = Command::new(BINARY)
        .args(["--now", "1767323045", "session"])
        .args(arguments)
        .arg("--store")
        .arg(store)
        .output()
        .unwrap();
    let (said, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}{told}");
    (said, told)
}

fn listed(store: &Path, arguments: &[&str]) -> Vec<Value> {
    let arguments = [&["list", "--format", "json"], arguments].concat();
    serde_json::from_str(&session(store, &arguments, 0).0).unwrap()
}

fn identify(store: &Path, token: &str, after: Duration) -> Result<Identity, Refusal> {
    let accounts = ForgeAccounts::new(forge::reading(store));
    let now = UNIX_EPOCH + Duration::from_secs(NOW) + after;
    Authenticator::new(Arc::new(Settings::default()), Arc::new(accounts)).identity(token, now)
}

#[test]
fn a_token_is_printed_alone_and_kept_by_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("forge.sqlite3");
    let (said, told) = session(&store, &["create", "Octo", "--user-id", "42"], 0);
    let token = said.strip_suffix('\n').unwrap();
    assert!(token.starts_with("gts_") && token.len() == 68 && !token.contains('\n'), "{said}");
    assert!(told.contains("session 1 of Octo") && told.contains("2026-01-09T03:04:05Z"), "{told}");
    for file in std::fs::read_dir(directory.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(token.len()).any(|part| part == token.as_bytes()));
    }
    let Ok(Identity::Session(octo)) = identify(&store, token, Duration::ZERO) else { panic!("a session") };
    assert_eq!((octo.login.as_str(), octo.user_id, octo.id.as_str()), ("Octo", Some(42), "1"));
    let day = Duration::from_hours(24);
    assert!(identify(&store, token, 6 * day).is_ok());
    assert_eq!(identify(&store, token, 7 * day), Err(Refusal::WrongCredential));
}

#[test]
fn sessions_are_listed_and_ended() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("forge.sqlite3");
    assert!(listed(&store, &[]).is_empty() && !store.exists(), "asking makes no store");
    session(&store, &["revoke", "1"], 1);
    let (_, told) = session(&store, &["revoke", "kim"], 2);
    assert!(told.contains("--login") && told.contains("session list"), "{told}");
    let tokens = ["octo", "hexa", "OCTO"].map(|login| session(&store, &["create", login], 0).0);
    assert_eq!(listed(&store, &[]).len(), 3);
    assert_eq!(listed(&store, &["--login", "octo"]).len(), 2);
    session(&store, &["revoke", "2"], 0);
    let (_, told) = session(&store, &["revoke", "2"], 1);
    assert!(told.contains("no session 2 goes on"), "{told}");
    session(&store, &["revoke", "--login", "Octo"], 0);
    assert!(listed(&store, &[]).iter().all(|it| it["state"] == "revoked"));
    for token in tokens {
        assert_eq!(identify(&store, token.trim(), Duration::ZERO), Err(Refusal::WrongCredential));
    }
    let (text, _) = session(&store, &["list"], 0);
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn what_cannot_be_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("forge.sqlite3");
    let (_, told) = session(&store, &["revoke"], 2);
    assert!(told.contains("<SESSION|--login <LOGIN>>"), "{told}");
    for arguments in [&["create", "a b"][..], &["create", ""], &["revoke"], &["create", "a", "--days", "0"]] {
        session(&store, arguments, 2);
    }
    assert!(!store.exists());
    let (_, told) = session(Path::new("postgres://user:secret@host/db"), &["list"], 2);
    assert!(told.contains("PostgreSQL") && !told.contains("secret"), "{told}");
}
