//! `loopover contract diff`: where lists are read from, what is printed, and the exit codes.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use contract_tests::fake_server::{FakeServer, reply, write_json};
use contract_tests::workspace::root;
use serde_json::{Value, json};

use super::BINARY;

pub(super) fn list(most: u32, words: &str) -> Value {
    json!({ "tools": [{
        "name": "search",
        "description": words,
        "inputSchema": {
            "type": "object",
            "properties": { "limit": { "type": "integer", "description": "Rows.", "minimum": 1, "maximum": most } },
            "additionalProperties": false
        }
    }] })
}

pub(super) struct Lists {
    pub(super) directory: tempfile::TempDir,
}

impl Lists {
    pub(super) fn new() -> Self {
        let lists = Self { directory: tempfile::tempdir().unwrap() };
        lists.write("old.json", &list(100, "Search."));
        lists.write("new.json", &list(50, "Search."));
        lists.write("reworded.json", &list(100, "Search more."));
        lists
    }

    pub(super) fn write(&self, name: &str, document: &Value) {
        fs::write(self.directory.path().join(name), document.to_string()).unwrap();
    }

    fn run(&self, arguments: &[&str], stdin: &str) -> Output {
        run_in(self.directory.path(), arguments, stdin)
    }

    #[track_caller]
    pub(super) fn check(&self, arguments: &[&str], code: i32) -> (String, String) {
        said(self.run(arguments, ""), code)
    }
}

fn run_in(directory: &Path, arguments: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(BINARY)
        .args(["contract"])
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[track_caller]
fn said(output: Output, code: i32) -> (String, String) {
    let (said, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(code), "{said}{told}");
    (said, told)
}

#[test]
fn a_break_is_told_with_its_witness_and_exits_1() {
    let lists = Lists::new();
    let (text, _) = lists.check(&["diff", "old.json", "new.json"], 1);
    let expected = "search\n  breaking   input `limit`: maximum was 100 and is 50\n             used to be taken: {\"limit\":51}\n\
                    1 breaking; the version should move by: major\n";
    assert_eq!(text, expected);
    let (text, _) = lists.check(&["diff", "old.json", "new.json", "--format", "json"], 1);
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["changes"][0]["witness"], json!({ "limit": 51 }));
    assert_eq!((&document["verdict"], &document["bump"]), (&json!("breaking"), &json!("major")));
    let (text, _) = lists.check(&["diff", "old.json", "new.json", "--format", "github"], 1);
    assert!(text.starts_with("::error title=breaking change of search::input `limit`"), "{text}");
    let (text, _) = lists.check(&["diff", "old.json", "new.json", "--format", "markdown"], 1);
    assert!(text.contains("| `search` | breaking | bound |"), "{text}");
}

#[test]
fn what_breaks_nothing_exits_0() {
    let lists = Lists::new();
    let (text, _) = lists.check(&["diff", "new.json", "old.json"], 0);
    assert!(text.ends_with("1 compatible; the version should move by: minor\n"), "{text}");
    let (text, _) = lists.check(&["diff", "old.json", "reworded.json"], 0);
    assert!(text.ends_with("the version should move by: patch\n"), "{text}");
    assert_eq!(lists.check(&["diff", "old.json", "old.json"], 0).0, "nothing changed\n");
}

/// Two properties that use one definition.
pub(super) fn shared(most: u32) -> Value {
    let text = json!({ "$ref": "#/$defs/text" });
    json!({ "tools": [{ "name": "search", "inputSchema": {
        "type": "object",
        "properties": { "a": text, "b": text },
        "additionalProperties": false,
        "$defs": { "text": { "type": "string", "pattern": "^a*$", "maxLength": most } }
    } }] })
}

#[test]
fn every_format_tells_all_places() {
    let lists = Lists::new();
    lists.write("old.json", &shared(5));
    lists.write("new.json", &shared(3));
    lists.write("allow.json", &json!([{ "tool": "search", "place": "a", "reason": "short is enough" }]));
    let told =
        |format: &str| lists.check(&["diff", "old.json", "new.json", "--allow", "allow.json", "--format", format], 1).0;
    let document: Value = serde_json::from_str(&told("json")).unwrap();
    let change = &document["changes"][0];
    assert_eq!((&change["place"], &change["also_at"]), (&json!("a"), &json!(["b"])));
    assert!(change.get("allowed").is_none(), "{change}");
    let text = told("github");
    assert!(text.starts_with("::error title=breaking change of search::input `a`"), "{text}");
    assert!(text.contains("%0Aalso at `b`%0A") && text.contains("not allowed at `b`"), "{text}");
    let text = told("markdown");
    assert!(text.contains("<br>also at `b`<br>") && text.contains("not allowed at `b`"), "{text}");
}

#[test]
fn a_number_of_more_digits_than_are_kept_is_undecided_where_it_differs() {
    let lists = Lists::new();
    let write = |name: &str, number: &str| {
        let text = shared(3).to_string().replace("\"maxLength\":3", &format!("\"maximum\":{number}"));
        assert!(text.contains(number), "{text}");
        fs::write(lists.directory.path().join(name), text).unwrap();
    };
    for (old, new) in [
        ("18446744073709551616", "18446744073709551617"),
        ("10000000000000000000000000", "10000000000000000000000001"),
        ("0.1", "0.10000000000000000001"),
    ] {
        write("old.json", old);
        write("new.json", new);
        let (text, _) = lists.check(&["diff", "old.json", "new.json"], 0);
        let place = "undecided  input: the number at `/inputSchema/$defs/text/maximum` ";
        assert!(text.contains(place) && text.contains(new) && text.contains("it hangs on `maximum`"), "{text}");
        lists.check(&["diff", "old.json", "new.json", "--strict"], 1);
        lists.check(&["diff", "new.json", "old.json", "--strict"], 1);
        assert_eq!(lists.check(&["diff", "new.json", "new.json"], 0).0, "nothing changed\n");
    }
    // The same number, in other words.
    write("old.json", "10000000000000000000000000");
    write("new.json", "1e25");
    assert_eq!(lists.check(&["diff", "old.json", "new.json"], 0).0, "nothing changed\n");
}

#[test]
fn strict_fails_on_what_is_dangerous() {
    let lists = Lists::new();
    let mut hinted = list(100, "Search.");
    hinted["tools"][0]["annotations"] = json!({ "readOnlyHint": true });
    lists.write("hinted.json", &hinted);
    lists.check(&["diff", "old.json", "hinted.json"], 0);
    let (text, _) = lists.check(&["diff", "old.json", "hinted.json", "--strict"], 1);
    assert!(text.contains("dangerous  readOnlyHint true is new"), "{text}");
}

#[test]
fn lists_are_read_from_stdin_replies_arrays_and_git() {
    let lists = Lists::new();
    let whole = list(100, "Search.");
    let reply = json!({ "jsonrpc": "2.0", "id": 1, "result": whole });
    for form in [&whole, &whole["tools"], &reply] {
        let output = lists.run(&["diff", "-", "new.json"], &form.to_string());
        assert!(said(output, 1).0.contains("maximum was 100 and is 50"));
    }
    let git = |arguments: &[&str]| {
        let run = Command::new("git")
            .args(["-c", "user.name=T", "-c", "user.email=t@example.com"])
            .args(arguments)
            .current_dir(lists.directory.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "first"]);
    lists.write("old.json", &list(50, "Search."));
    let (text, _) = lists.check(&["diff", "git:HEAD:old.json", "old.json"], 1);
    assert!(text.contains("maximum was 100 and is 50"), "{text}");
}

#[test]
fn a_live_server_is_asked() {
    let lists = Lists::new();
    let server = FakeServer::of_tools(|request, stream| {
        let mut listed = list(100, "Search.");
        listed["resultType"] = json!("complete");
        listed["ttlMs"] = json!(0);
        listed["cacheScope"] = json!("private");
        write_json(stream, &reply(request, &listed));
    });
    let (text, _) = lists.check(&["diff", &server.url(), "new.json"], 1);
    assert!(text.contains("maximum was 100 and is 50"), "{text}");
}

#[test]
fn what_cannot_be_compared_exits_2_and_says_why() {
    let lists = Lists::new();
    lists.write("strange.json", &json!({ "rows": [] }));
    lists.write("twice.json", &json!([{ "name": "a" }, { "name": "a" }]));
    lists.write("failed.json", &json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32601, "message": "no" } }));
    for (old, why) in [
        ("absent.json", "No such file"),
        ("strange.json", "no list of tools"),
        ("twice.json", "tools[0] and tools[1] are both called `a`"),
        ("failed.json", "reported an error"),
        ("git:HEAD:old.json", "git"),
        ("http://127.0.0.1:1/mcp", "127.0.0.1:1"),
    ] {
        let (text, told) = lists.check(&["diff", old, "new.json"], 2);
        assert!(text.is_empty() && told.contains(why), "{old}: {told}");
    }
    said(lists.run(&["diff", "-", "new.json"], "{"), 2);
}

/// What is wrong, where, and what would be right.
#[test]
fn what_cannot_be_read_is_told_in_words_that_help() {
    let lists = Lists::new();
    let tool = |input: Value| json!([{ "name": "fine", "inputSchema": {} }, { "name": "odd", "inputSchema": input }]);
    lists.write("null.json", &tool(Value::Null));
    lists.write("true.json", &tool(json!(true)));
    lists.write("number.json", &json!([{ "name": 7 }]));
    lists.write("page.json", &json!({ "tools": [], "nextCursor": "more" }));
    lists.write("reply.json", &json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [], "nextCursor": "more" } }));
    fs::write(lists.directory.path().join("deep.json"), "[".repeat(5_000)).unwrap();
    fs::write(lists.directory.path().join("text.json"), "tools").unwrap();
    let closed = FakeServer::start(|_, _| {});
    let web = FakeServer::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
    for (old, words) in [
        ("null.json", &["tools[1]", "`odd`", "inputSchema", "null", "{\"type\":\"object\"}"][..]),
        ("true.json", &["tools[1]", "`odd`", "a boolean", "{\"type\":\"object\"}"]),
        ("number.json", &["tools[0]", "`name`", "a number", "a text"]),
        ("page.json", &["one page", "`nextCursor`", "\"more\"", "URL"]),
        ("reply.json", &["one page", "`nextCursor`"]),
        ("deep.json", &["line 1, column 128", "128 arrays and objects deep"]),
        ("text.json", &["no JSON", "line 1"]),
        ("ftp://a.example/tools.json", &["ftp", "http://", "git:REVISION:PATH"]),
        ("git:x", &["git:REVISION:PATH", "./git:x"]),
        ("git::x", &["git:REVISION:PATH"]),
        ("http://127.0.0.1:1/mcp", &["http://127.0.0.1:1/mcp", "nobody answers there"]),
        ("http://127.0.0.1:99999/mcp", &["no URL", "port", "http://127.0.0.1:8787/mcp"]),
        ("", &["expected a file"]),
        (&closed.url(), &["ended the connection"]),
        (&web.url(), &["MCP", "Streamable HTTP"]),
    ] {
        let (text, told) = lists.check(&["diff", old, "new.json"], 2);
        assert!(text.is_empty(), "{old}: {text}");
        for word in words {
            assert!(told.contains(word), "{old}: no {word:?} in {told}");
        }
        assert!(!told.contains("rmcp") && !told.contains("Transport"), "{old}: {told}");
    }
    let (text, told) = said(lists.run(&["diff", "-", "-"], "[]"), 2);
    assert!(text.is_empty() && told.contains("can be read once") && told.contains("file"), "{told}");
}

#[test]
fn a_schema_that_cannot_be_read_says_which_side_where_and_why() {
    let lists = Lists::new();
    let tool = |input: Value| json!([{ "name": "odd", "inputSchema": input }]);
    let under = |schema: Value| json!({ "type": "object", "properties": { "a": schema } });
    lists.write("old.json", &tool(under(json!({ "type": "string" }))));
    let deep = (0..40).fold(json!({}), |inner, _| json!({ "items": inner }));
    let text = tool(under(deep)).to_string();
    fs::write(lists.directory.path().join("nested.json"), text).unwrap();
    for (schema, words) in [
        (
            json!({ "$ref": "https://a.example/s.json" }),
            &["the new one", "`$ref`", "`/properties/a`", "nothing is fetched", "$defs"][..],
        ),
        (json!({ "$ref": "#/$defs/absent" }), &["the new one", "points at no schema", "`/properties/a`"]),
        (
            json!({ "properties": { "b": null } }),
            &["the new one", "null stands at `/properties/a/properties/b`", "an object, `true` or `false`"],
        ),
        (json!({ "type": "text" }), &["the new one", "\"text\"", "`/properties/a/type`"]),
        (json!({ "pattern": "(a{900}){900}" }), &["the new one", "`/properties/a"]),
        (json!({ "pattern": "(" }), &["the new one", "`/properties/a/pattern`"]),
    ] {
        lists.write("new.json", &tool(under(schema.clone())));
        let (text, _) = lists.check(&["diff", "old.json", "new.json"], 0);
        for word in words {
            assert!(text.contains(word), "{schema}: no {word:?} in {text}");
        }
    }
    let (text, _) = lists.check(&["diff", "nested.json", "old.json"], 1);
    assert!(text.contains("breaking"), "{text}");
}

#[test]
fn a_live_server_is_asked_for_every_page() {
    let lists = Lists::new();
    let server = FakeServer::of_tools(|request, stream| {
        let cursor = request.body["params"]["cursor"].as_str().unwrap_or("0").parse::<usize>().unwrap();
        let mut page = json!({ "tools": [{ "name": format!("tool_{cursor}"), "inputSchema": { "type": "object" } }] });
        page["resultType"] = json!("complete");
        page["ttlMs"] = json!(0);
        page["cacheScope"] = json!("private");
        if cursor < 2 {
            page["nextCursor"] = json!((cursor + 1).to_string());
        }
        write_json(stream, &reply(request, &page));
    });
    let tools: Vec<Value> =
        (0..3).map(|place| json!({ "name": format!("tool_{place}"), "inputSchema": { "type": "object" } })).collect();
    lists.write("whole.json", &json!({ "tools": tools }));
    let (text, _) = lists.check(&["diff", &server.url(), "whole.json"], 0);
    assert_eq!(text, "nothing changed\n");
}

#[test]
fn a_list_without_an_end_is_given_up_after_so_many_pages() {
    let lists = Lists::new();
    let server = FakeServer::of_tools(|request, stream| {
        let cursor = request.body["params"]["cursor"].as_str().unwrap_or("0").parse::<usize>().unwrap();
        let next = (cursor + 1).to_string();
        let page =
            json!({ "tools": [], "nextCursor": next, "resultType": "complete", "ttlMs": 0, "cacheScope": "private" });
        write_json(stream, &reply(request, &page));
    });
    for arguments in [&["diff", &server.url(), "old.json"][..], &["lint", &server.url()]] {
        let (_, told) = lists.check(arguments, 2);
        assert!(told.contains("goes on after 500 pages") && told.contains("`nextCursor`"), "{told}");
    }
}

#[test]
fn the_program_itself_is_the_new_list_by_default() {
    let committed = root().join("contract-tools/contract.json");
    let (text, _) = said(run_in(&root(), &["diff", committed.to_str().unwrap()], ""), 0);
    assert_eq!(text, "nothing changed\n");
}
