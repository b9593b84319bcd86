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
fn a_setting_that_cannot_be_used_is_a_problem_with_its_remedy() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("config.json");
    std::fs::write(&config, json!({"profiles": {"work": {"apiUrl": "https://work.example"}}}).to_string()).unwrap();
    let config = config.to_str().unwrap();
    for (variable, value, check, part) in [
        ("LOOPOVER_API_URL", "ftp://x", "configuration", "set LOOPOVER_API_URL"),
        ("LOOPOVER_API_URL", "http://192.0.2.2:9", "configuration", "write an https address"),
        ("LOOPOVER_CONFIG_PATH", "nofile", "configuration", "LOOPOVER_CONFIG_PATH names no file"),
        ("LOOPOVER_STORE", "postgres://x", "forge store", "give the path of a file"),
        ("LOOPOVER_STORE", "redis://x", "forge store", "give the path of a file"),
    ] {
        let (checks, code) = doctor(directory.path(), &[(variable, value)]);
        assert_eq!((code, &checks[check]["ok"]), (Some(1), &false.into()), "{value}: {checks:#}");
        assert!(checks[check]["detail"].as_str().unwrap().contains(part), "{value}: {checks:#}");
    }
    for (profile, mark) in [("foo", "note"), ("work", "ok"), ("", "ok")] {
        let environment = [("LOOPOVER_CONFIG_PATH", config), ("LOOPOVER_PROFILE", profile)];
        let text = said(&loopover(&["doctor"], directory.path(), &environment));
        let line = text.lines().find(|line| line.contains("configuration: ")).unwrap();
        assert!(line.trim_start().starts_with(mark), "{profile}: {line}");
        assert_eq!(line.contains("LOOPOVER_PROFILE names a profile"), mark == "note", "{line}");
    }
    assert_eq!(doctor(directory.path(), &[("LOOPOVER_API_URL", "http://localhost:9")]).1, Some(0));
}

#[test]
fn a_store_that_is_named_and_missing_is_unavailable_and_none_named_is_not_configured() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("empty"), "").unwrap();
    let ask = |arguments: &str, more: &[&str], environment: &[(&str, &str)]| {
        let line = [&["tools", "call", "loopover_get_repo_context", arguments], more].concat();
        let output = loopover(&line, directory.path(), environment);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let error = serde_json::from_str::<Value>(&said(&output)).unwrap()["error"].clone();
        (error["code"].as_str().unwrap().to_owned(), error["reason"].clone())
    };
    let repo = r#"{"owner":"me","repo":"x"}"#;
    let missing = ("store_unavailable".to_owned(), json!("missing"));
    assert_eq!(ask(repo, &["--store", "nowhere"], &[]), missing);
    assert_eq!(ask(repo, &[], &[("LOOPOVER_STORE", "empty")]), missing);
    assert_eq!(ask(repo, &[], &[]), ("not_configured".to_owned(), Value::Null));
    // What is wrong with the arguments goes first.
    for environment in [&[][..], &[("LOOPOVER_STORE", "empty")]] {
        assert_eq!(ask("{", &[], environment).0, "invalid_input");
        assert_eq!(ask("{}", &[], environment).0, "invalid_input");
    }
    assert!(!directory.path().join("nowhere").exists());
}

#[test]
fn a_slip_in_a_name_is_told_with_the_names_that_there_are() {
    let directory = tempfile::tempdir().unwrap();
    for (line, part) in [
        (&["contract", "export", "--format", "mcp", "--category", "kitchn"][..], "maintainer"),
        (&["tools", "list", "--category", "kitchn"], "maintainer"),
        (&["tools", "call", "nope"], "loopover_get_repo_context"),
        (&["tools", "call", "loopover_get_repo_contex"], "did you mean `loopover_get_repo_context`?"),
    ] {
        let output = loopover(line, directory.path(), &[]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(part), "{output:?}");
    }
}

#[test]
fn every_shell_is_given_its_completions() {
    let directory = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = said(&loopover(&["completions", shell], directory.path(), &[]));
        assert!(script.contains("loopover") && script.contains("client-config"), "{shell}");
    }
}
