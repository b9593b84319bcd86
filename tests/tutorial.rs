//! The tutorial is followed to the letter: an empty crate, its files and commands in their order, its server, its calls.
//!
//! A target of its own, since it compiles: beside the tests that watch the clock it would disturb them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use contract_tests::markdown::{Block, blocks, code_rows};
use contract_tests::workspace::root;
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use serde_json::Value;

/// Where the crate is made. What it depends on is compiled into the workspace's own target directory, so that most of it
/// is there already and the rest is compiled once.
struct Place {
    directory: PathBuf,
    target: PathBuf,
    /// Two runs in one checkout would follow the same page in the same place.
    _lock: File,
}

impl Place {
    fn new() -> Self {
        let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let directory = temporary.join("tutorial");
        fs::create_dir_all(&directory).unwrap();
        let lock = File::create(directory.join("lock")).unwrap();
        lock.lock().unwrap();
        for old in ["kitchen", "home"] {
            let _ = fs::remove_dir_all(directory.join(old));
        }
        let link = directory.join("loopover");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(root(), link).unwrap();
        // Without a root of its own the new crate would become a member of the workspace that surrounds it.
        let members = "[workspace]\nresolver = \"3\"\nmembers = [\"kitchen\"]\nexclude = [\"loopover\"]\n";
        fs::write(directory.join("Cargo.toml"), members).unwrap();
        // The versions that this workspace has are those that are here without a network.
        fs::copy(root().join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
        fs::create_dir(directory.join("home")).unwrap();
        Self { directory, target: temporary.parent().unwrap().to_owned(), _lock: lock }
    }

    /// Runs the lines as a shell does, and leaves it where they end.
    fn run(&self, lines: &str, at: &mut PathBuf) {
        let toolchain = Path::new(env!("CARGO")).parent().unwrap().display();
        let cargo_home =
            std::env::var("CARGO_HOME").unwrap_or_else(|_| format!("{}/.cargo", std::env::var("HOME").unwrap()));
        let output = Command::new("sh")
            .args(["-euc", &format!("{lines}pwd > \"$HOME/place\"")])
            .current_dir(&*at)
            .env("PATH", format!("{toolchain}:{}", std::env::var("PATH").unwrap()))
            .env("CARGO_HOME", cargo_home)
            .env("HOME", self.directory.join("home"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TARGET_DIR", &self.target)
            // As the workspace has it: dependencies that were compiled otherwise would be compiled again.
            .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{lines}{}{said}", String::from_utf8_lossy(&output.stdout));
        assert!(!said.contains("warning"), "{lines}{said}");
        *at = fs::read_to_string(self.directory.join("home/place")).unwrap().trim_end().into();
    }
}

#[test]
fn whoever_follows_the_tutorial_has_a_server_that_answers_as_it_says() {
    let page = fs::read_to_string(root().join("docs/tutorial.md")).unwrap();
    let place = Place::new();
    let mut at = place.directory.clone();
    let (mut files, mut commands, mut server) = (0, 0, None);
    for Block { language, text, before, .. } in blocks(&page) {
        let file = before.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
        match (language.as_str(), file) {
            ("rust" | "toml", Some(file)) => {
                files += 1;
                let path = at.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            ("sh", None) => {
                commands += 1;
                place.run(&text, &mut at);
                let link = at.join("target");
                if !link.exists() {
                    std::os::unix::fs::symlink(&place.target, link).unwrap();
                }
            }
            ("json", None) => server = Some(serde_json::from_str::<Value>(&text).unwrap()),
            other => panic!("a block of the tutorial that nobody follows: {other:?}\n{text}"),
        }
    }
    assert!(files >= 4 && commands >= 3, "{files} files and {commands} blocks of commands are no tutorial");
    let server = &server.expect("the tutorial says how a client starts the server")["mcpServers"]["kitchen"];
    let program = at.join(server["command"].as_str().unwrap());
    let calls: Vec<[String; 3]> = code_rows(&page);
    assert!(calls.len() >= 3, "{calls:?}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(answers(&program, &calls));
    fs::remove_dir_all(place.directory.join("kitchen")).unwrap();
}

/// Starts the server, makes each call as a client, and holds the answers against what the page says.
async fn answers(program: &Path, calls: &[[String; 3]]) {
    let mut child = tokio::process::Command::new(program)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    let client = ().serve(pipes).await.unwrap();
    assert_eq!(client.peer_info().unwrap().server_info.as_ref().unwrap().name, "kitchen");
    let listed: Vec<_> =
        client.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name.into_owned()).collect();
    assert_eq!(listed, ["count_plates", "look_in_pantry"]);
    for [tool, arguments, answer] in calls {
        let mut call = CallToolRequestParams::new(tool.clone());
        call.arguments = serde_json::from_str(arguments).unwrap();
        let said = client.call_tool(call).await.unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        let is_error = answer.get("error").is_some();
        assert_eq!(said.is_error.unwrap_or_default(), is_error, "{tool} {arguments}: {said:?}");
        let text = said.content[0].as_text().map(|text| text.text.clone()).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), answer, "{tool} {arguments}");
        assert_eq!(said.structured_content, (!is_error).then_some(answer), "{tool} {arguments}");
    }
    client.cancel().await.unwrap();
    assert!(child.wait().await.unwrap().success(), "the server ends with its client");
}
