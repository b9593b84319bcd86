//! A deployment's private configuration, read by a process of somebody who may not read every file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::wire::BINARY;

const READER: &str = env!("CARGO_BIN_EXE_private-config");

/// A command that runs as somebody who owns nothing here; as ourselves when we are not root, who is denied as well.
fn as_nobody(program: &Path) -> Command {
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(program);
    command
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Files are readable to everybody but the denied one, and the reader itself can be started by everybody.
fn check(denied: &str, look: impl Fn(&Value)) {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    let program = folder.path().join("reader");
    fs::copy(READER, &program).unwrap();
    let root = folder.path().join("config");
    for path in ["o__r/.loopover.yml", "o__r.yml", ".loopover.yml"] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("from: {}\n", path.strip_prefix(&root).unwrap().display())).unwrap();
        set_mode(path.parent().unwrap(), 0o755);
        set_mode(&path, 0o644);
    }
    set_mode(&root.join(denied), 0o000);

    // The control: the same somebody reads what is not denied, and is denied the rest.
    let reads = |path: &str| as_nobody(Path::new("/bin/cat")).arg(root.join(path)).output().unwrap().status.success();
    let inside = if root.join(denied).is_dir() { format!("{denied}/.loopover.yml") } else { denied.to_owned() };
    assert!(!reads(&inside), "{denied} is not denied, so this test shows nothing");
    assert!(reads("o__r.yml"), "nothing can be read, so this test shows nothing");

    let output = as_nobody(&program).arg(&root).arg("o/r").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    look(&serde_json::from_slice(&output.stdout).unwrap());
    set_mode(&root.join(denied), 0o755);
}

#[test]
fn a_denied_file_counts_as_absent_and_is_named() {
    check("o__r/.loopover.yml", |answers| {
        assert_eq!(answers["repo"]["path"], "o__r.yml");
        assert_eq!(answers["repo"]["content"], "from: o__r.yml\n");
        for scope in ["repo", "effective"] {
            let warnings = answers[scope]["warnings"].as_array().unwrap();
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].as_str().unwrap().starts_with("o__r/.loopover.yml may not be read"), "{warnings:?}");
        }
        assert_eq!(answers["global"]["warnings"], serde_json::json!([]));
    });
}

#[test]
fn a_denied_folder_hides_its_files_and_no_others() {
    check("o__r", |answers| {
        assert_eq!(answers["repo"]["path"], "o__r.yml");
        assert_eq!(answers["global"]["path"], ".loopover.yml");
        assert_eq!(answers["effective"]["content"], r#"{"from":"o__r.yml"}"#);
        assert_eq!(answers["repo"]["warnings"].as_array().map(Vec::len), Some(3), "{answers}");
    });
}

#[test]
fn addresses_of_hooks_and_names_in_any_dress_are_taken_out_on_the_wire() {
    const LINES: [&str; 13] = [
        "webhook: https://x.example/planted-a",
        "hook: planted-b",
        "slackWebhook: https://hooks.slack.com/services/T01234567/B01234567/planted-c",
        "discord: https://discord.com/api/webhooks/123456789/planted-d",
        "webhooks: [https://x.example/planted-e]",
        "auth: planted-f",
        "seed: planted-g",
        "\u{ff54}\u{ff4f}\u{ff4b}\u{ff45}\u{ff4e}: planted-h",
        "chat: https://HOOKS.slack.com/services/T01234567/B01234567/planted-i",
        "teams: https://acme.webhook.office.com/webhookb2/1234/IncomingWebhook/planted-j",
        "ci: https://ci.example.org/hooks/planted-k",
        "note: |\n  post to https://discord.com/api/webhooks/123456789/planted-l\n  or https://x.example/a?b=1&sig=planted-m",
        "# also https://hooks.slack.com/services/T01234567/B01234567/planted-n",
    ];
    // As YAML, and as a text that is none.
    for end in ["", "\nbroken: [1"] {
        let folder = tempfile::tempdir().unwrap();
        let mut text = LINES.join("\n") + "\nkept: in-plain-sight" + end + "\n";
        if !end.is_empty() {
            text = format!("broken: [1\n{text}");
        }
        fs::write(folder.path().join(".loopover.yml"), text).unwrap();
        let mut command = Command::new(BINARY);
        command.args(["tools", "call", "loopover_admin_get_config", r#"{"scope":"global"}"#]);
        command.env("LOOPOVER_MCP_ADMIN_ENABLED", "true").env("LOOPOVER_REPO_CONFIG_DIR", folder.path());
        let output = command.env("LOOPOVER_STORE", folder.path().join("none")).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("[redacted]") && said.contains("in-plain-sight"), "{said}");
        assert!(!said.contains("planted"), "{said}");
    }
}
