//! Where a session lives and what it is told of this machine: an empty directory of its own, and an environment that starts
//! from nothing.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::SERVER;
use crate::miner::MinerHome;
use crate::scratch::{Kind, Scratch};

/// What stands in a session's directory.
const WORK: &str = "work";
const SCRATCH: &str = "tmp";
const SERVERS: &str = "servers.json";

/// The directories of sessions.
pub(super) const SESSIONS: Kind = Kind { prefix: "loopover-chat-", holds: &[WORK, SCRATCH, SERVERS] };

/// A session's place.
pub(super) struct Place {
    /// All of it; gone when dropped.
    pub(super) root: Scratch,
    /// Where the session stands. Empty.
    pub(super) work: PathBuf,
    /// Where it may leave files.
    scratch: PathBuf,
    /// The file that names its one server. A file and no argument, since everybody can see those.
    pub(super) servers: PathBuf,
}

/// What the program needs of the person's environment: to be found, to be logged in, to reach its API.
const PASSED: [&str; 23] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "CLAUDE_CONFIG_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
];

/// What it is told on top. Attachments are what reads a file that a text mentions; the allow list keeps its own secrets from
/// the server that it starts.
const FIXED: [(&str, &str); 14] = [
    ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1"),
    ("CLAUDE_CODE_DISABLE_FILE_MENTIONS", "1"),
    ("CLAUDE_CODE_MCP_ALLOWLIST_ENV", "1"),
    ("ENABLE_TOOL_SEARCH", "false"),
    ("CLAUDE_CODE_MAX_RETRIES", "2"),
    ("MCP_TIMEOUT", "15000"),
    ("MCP_TOOL_TIMEOUT", "20000"),
    ("API_TIMEOUT_MS", "60000"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1"),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"),
];

/// Whose variables the miner's tools read.
const READ_BY_TOOLS: [&str; 3] = ["LOOPOVER_", "MINER_CODING_AGENT_", "XDG_"];
/// Variables that they only ask for whether they are set.
const ASKED_FOR: [&str; 3] = ["GITHUB_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_API_KEY"];
/// What a variable's name has in it when its value is a secret.
const SECRET_WORDS: [&str; 5] = ["TOKEN", "SECRET", "PASSWORD", "KEY", "CREDENTIAL"];

/// Makes a place for a session whose tools `program` serves.
pub(super) fn prepare(home: &MinerHome, program: &Path) -> io::Result<Place> {
    let root = SESSIONS.make()?;
    // The session names its directory to the model, and links would give it another name.
    let path = fs::canonicalize(root.path())?;
    let place = Place { work: path.join(WORK), scratch: path.join(SCRATCH), servers: path.join(SERVERS), root };
    for directory in [&place.work, &place.scratch] {
        fs::DirBuilder::new().mode(0o700).create(directory)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&place.servers)?;
    file.write_all(servers(home, program).to_string().as_bytes())?;
    Ok(place)
}

fn servers(home: &MinerHome, program: &Path) -> Value {
    let mut arguments = vec!["miner".to_owned(), "mcp".to_owned()];
    if let Some(current) = &home.current {
        arguments.extend(["--directory".to_owned(), current.to_string_lossy().into_owned()]);
    }
    let server = json!({
        "type": "stdio",
        "command": program.to_string_lossy(),
        "args": arguments,
        "env": server_environment(home),
    });
    json!({ "mcpServers": { SERVER: server } })
}

/// What the server needs to find the same stores as this process. It is started by the session, so no secret goes there:
/// the tools only tell whether one is set.
fn server_environment(home: &MinerHome) -> Map<String, Value> {
    let mut environment = Map::new();
    for (name, value) in &home.environment {
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else { continue };
        let is_asked_for = ASKED_FOR.contains(&name);
        let is_read = READ_BY_TOOLS.iter().any(|prefix| name.starts_with(prefix)) || name == "CODEX_HOME";
        let is_file = name.ends_with("_FILE");
        let is_secret = is_asked_for || (SECRET_WORDS.iter().any(|word| name.contains(word)) && !is_file);
        if (is_read || is_asked_for) && !(is_secret && value.is_empty()) {
            let value = if is_secret { "set" } else { value };
            environment.insert(name.to_owned(), Value::String(value.to_owned()));
        }
    }
    environment
}

/// The session's environment.
pub(super) fn environment(home: &MinerHome, place: &Place) -> BTreeMap<OsString, OsString> {
    let passed =
        PASSED.iter().chain(["AWS_REGION", "AWS_PROFILE", "CLOUD_ML_REGION", "ANTHROPIC_VERTEX_PROJECT_ID"].iter());
    let passed = passed.filter_map(|name| {
        let value = home.environment.get(OsStr::new(name))?;
        Some((OsString::from(name), value.clone()))
    });
    let fixed = FIXED.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let scratch = ["TMPDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME"];
    let scratch = scratch.iter().map(|name| (OsString::from(name), place.scratch.clone().into_os_string()));
    passed.chain(fixed).chain(scratch).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn home() -> MinerHome {
        let variables = [
            ("PATH", "/bin"),
            ("HOME", "/h"),
            ("ANTHROPIC_API_KEY", "planted-1"),
            ("GITHUB_TOKEN", "planted-2"),
            ("LOOPOVER_TOKEN", "planted-3"),
            ("LOOPOVER_API_TOKEN", ""),
            ("LOOPOVER_MINER_CONFIG_DIR", "state"),
            ("LOOPOVER_SOME_TOKEN_FILE", "/f"),
            ("MINER_CODING_AGENT_PROVIDER", "agent-sdk"),
            ("CLAUDE_CODE_SIMPLE", "1"),
            ("NODE_OPTIONS", "--require=evil"),
            ("LD_PRELOAD", "evil.so"),
            ("XDG_CACHE_HOME", "/cache"),
        ];
        let environment = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        MinerHome { environment, home: Some("/h".into()), current: Some("/w".into()) }
    }

    #[test]
    fn a_place_is_private_and_its_server_is_told_no_secret() {
        let place = prepare(&home(), Path::new("/bin/loopover")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(place.root.path()), mode(&place.work), mode(&place.servers)), (0o700, 0o700, 0o600));
        assert_eq!(fs::read_dir(&place.work).unwrap().count(), 0);
        let text = fs::read_to_string(&place.servers).unwrap();
        assert!(!text.contains("planted"), "{text}");
        let servers: Value = serde_json::from_str(&text).unwrap();
        let server = &servers["mcpServers"]["loopover-miner"];
        assert_eq!(server["command"], "/bin/loopover");
        assert_eq!(server["args"], json!(["miner", "mcp", "--directory", "/w"]));
        let expect = json!({
            "ANTHROPIC_API_KEY": "set",
            "GITHUB_TOKEN": "set",
            "LOOPOVER_MINER_CONFIG_DIR": "state",
            "LOOPOVER_SOME_TOKEN_FILE": "/f",
            "LOOPOVER_TOKEN": "set",
            "MINER_CODING_AGENT_PROVIDER": "agent-sdk",
            "XDG_CACHE_HOME": "/cache",
        });
        assert_eq!(server["env"], expect);
        let root = place.root.path().to_owned();
        drop(place);
        assert!(!root.exists());
    }

    #[test]
    fn the_environment_starts_from_nothing() {
        let place = prepare(&MinerHome { current: None, ..home() }, Path::new("/bin/loopover")).unwrap();
        let environment = environment(&home(), &place);
        let value = |name: &str| environment.get(OsStr::new(name)).and_then(|value| value.to_str());
        assert_eq!(
            (value("PATH"), value("HOME"), value("ANTHROPIC_API_KEY")),
            (Some("/bin"), Some("/h"), Some("planted-1"))
        );
        for absent in ["GITHUB_TOKEN", "LOOPOVER_TOKEN", "NODE_OPTIONS", "LD_PRELOAD", "CLAUDE_CODE_SIMPLE"] {
            assert_eq!(value(absent), None, "{absent}");
        }
        assert_eq!(value("CLAUDE_CODE_DISABLE_ATTACHMENTS"), Some("1"));
        assert!(Path::new(value("TMPDIR").unwrap()).starts_with(fs::canonicalize(place.root.path()).unwrap()));
        assert_eq!(value("XDG_CACHE_HOME"), value("TMPDIR"));
    }
}
