//! Setting up: what is pasted into clients, what the doctor says, completions. From outside, in machines made for it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::BINARY;

/// `loopover` in `directory`, with a home and nothing else of ours.
fn loopover(arguments: &[&str], directory: &Path, environment: &[(&str, &str)]) -> Output {
    Command::new(BINARY)
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .env("HOME", directory)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

/// The binary's path as it finds itself: with links resolved.
fn binary() -> String {
    std::fs::canonicalize(BINARY).unwrap().to_str().unwrap().to_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn every_client_is_given_a_text_that_it_reads_and_is_told_where_it_belongs() {
    let directory = tempfile::tempdir().unwrap();
    for (client, root) in [
        ("claude-code", "mcpServers"),
        ("claude-desktop", "mcpServers"),
        ("cursor", "mcpServers"),
        ("vscode", "servers"),
    ] {
        let output = loopover(&["client-config", client], directory.path(), &[]);
        assert!(output.status.success());
        let text: Value = serde_json::from_str(&said(&output)).unwrap();
        assert_eq!(text[root]["loopover"]["command"], binary(), "{client}");
        assert_eq!(text[root]["loopover"]["args"], json!(["stdio"]));
        assert!(String::from_utf8_lossy(&output.stderr).contains("paste this into"));
    }
    let text: toml::Table = said(&loopover(&["client-config", "codex"], directory.path(), &[])).parse().unwrap();
    assert_eq!(text["mcp_servers"]["loopover"]["command"].as_str(), Some(binary().as_str()));
    let output = loopover(&["client-config", "emacs"], directory.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("claude-code"));
}

/// The checks of the doctor by name, and its exit code.
fn doctor(directory: &Path, environment: &[(&str, &str)]) -> (Value, Option<i32>) {
    let output = loopover(&["doctor", "--format", "json"], directory, environment);
    let report: Value = serde_json::from_str(&said(&output)).unwrap();
    let checks = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| (check["name"].as_str().unwrap().to_owned(), check.clone()));
    (checks.collect::<serde_json::Map<_, _>>().into(), output.status.code())
}

#[test]
fn a_machine_in_order_is_told_so() {
    let directory = tempfile::tempdir().unwrap();
    let (checks, code) = doctor(directory.path(), &[]);
    assert_eq!(code, Some(0), "{checks:#}");
    for name in ["tools", "git", "working tree", "configuration", "forge store", "github token"] {
        assert_eq!(checks[name]["ok"], true, "{name}");
    }
    assert!(checks["git"]["detail"].as_str().unwrap().starts_with("git version"));
    assert!(checks["working tree"]["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
    let text = said(&loopover(&["doctor"], directory.path(), &[]));
    assert_eq!(text.lines().count(), 6, "{text}");
}

#[test]
fn what_is_wrong_is_named_with_what_to_do_and_no_secret() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join(".config/loopover");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.json"), "{\"token\": \"hush-hush\"").unwrap();
    let store = directory.path().join("store");
    std::fs::write(&store, "no database, and long enough to be seen as none: hush-hush".repeat(9)).unwrap();
    let environment = [
        ("PATH", "/no/such/folder"),
        ("LOOPOVER_API_TOKEN", "hush-hush"),
        ("LOOPOVER_STORE", store.to_str().unwrap()),
        ("GITHUB_TOKEN", "hush-hush hush-hush"),
    ];
    let (checks, code) = doctor(directory.path(), &environment);
    assert_eq!(code, Some(1));
    assert!(checks["git"]["detail"].as_str().unwrap().contains("install it"), "{checks:#}");
    assert!(checks["configuration"]["detail"].as_str().unwrap().contains("mend or remove it"), "{checks:#}");
    assert_eq!((&checks["forge store"]["ok"], &checks["github token"]["ok"]), (&false.into(), &false.into()));
    assert!(checks["forge store"]["detail"].as_str().unwrap().contains("no SQLite database"), "{checks:#}");
    assert!(!checks.to_string().contains("hush-hush"), "{checks:#}");
}

#[test]
fn every_shell_is_given_its_completions() {
    let directory = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = said(&loopover(&["completions", shell], directory.path(), &[]));
        assert!(script.contains("loopover") && script.contains("client-config"), "{shell}");
    }
}
