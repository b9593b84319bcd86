//! Mutated frames through `contract_core::wire`, and mutated arguments through the door: no panic, and a message, a reply or
//! silence as the protocol says.
//!
//! The corpus is `tests/fuzz/wire`, one frame a file. `FUZZ_INPUTS=1000000 cargo test -p contract-tests wire_fuzz` runs more
//! mutations than the usual ones; every run makes the same inputs from the same count.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime};

use contract_core::rmcp::{Incoming, Relay};
use contract_core::serde_json::{self, Value};
use contract_core::testing::block_on;
use contract_core::wire::{Frame, Id, Limits, Line, LineBuffer, Message, ReadyReply, read_frame};
use contract_core::{
    Arguments, CallContext, CallRequest, Caller, Clock, ErrorCode, Registry, ToolFilter, TrustProcessOwner,
};
use serde::de::IgnoredAny;

/// What mutations put anywhere: signs that decide something.
const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b"\\u",
    b" ",
    b"\r",
    b"\n",
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"0",
    b"-",
    b".5",
    b"[[[[[[[[",
    b"]]]]]]]]",
];

/// What they put where a member may stand.
const MEMBERS: &[&[u8]] = &[
    b"\"jsonrpc\":\"2.0\",",
    b"\"id\":1,",
    b"\"id\":\"a\",",
    b"\"i\\u0064\":2,",
    b"\"method\":\"tools/call\",",
    b"\"method\":\"x\",",
    b"\"params\":{},",
    b"\"params\":{\"name\":\"t\"},",
    b"\"name\":\"t\",",
    b"\"arguments\":{\"a\":1,\"a\":2},",
    b"\"result\":{},",
    b"\"error\":{},",
    b"\"_meta\":{\"a\":[1]},",
    b"\"a\":1e400,",
    b"\"\\ud800\":1,",
    b"\"\xff\":\"\xff\",",
];

/// What they put where a value stands.
const VALUES: &[&[u8]] = &[
    b"null",
    b"true",
    b"0",
    b"-0",
    b"-7",
    b"1.5",
    b"1e400",
    b"18446744073709551616",
    b"\"\"",
    b"\"2.0\"",
    b"\"tools/call\"",
    b"\"\\ud800\"",
    b"\"\xef\xbf\xbd\"",
    b"\"\xff\"",
    b"{}",
    b"[]",
    b"{\"a\":1}",
    b"{\"a\":1,\"a\":2}",
    b"[[[[[[[[[]]]]]]]]]",
];

/// A generator that needs no crate: the same numbers on every machine.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, or 0.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).expect("a length fits");
        usize::try_from(self.next() % bound).expect("it is below a length")
    }

    fn pick<'all, T: ?Sized>(&mut self, all: &'all [impl AsRef<T>]) -> &'all T {
        all[self.below(all.len())].as_ref()
    }
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/wire");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the corpus").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() > 40, "the corpus is not all there");
    files.iter().map(|file| fs::read(file).expect("a file of the corpus")).collect()
}

fn mutate(frame: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut SplitMix) {
    for _ in 0..=random.below(3) {
        let at = random.below(frame.len() + 1);
        let end = (at + random.below(12)).min(frame.len());
        let after = |sign: u8| frame[at..].iter().position(|&byte| byte == sign).map(|found| at + found + 1);
        match random.below(16) {
            0 if at < frame.len() => frame[at] ^= 1 << random.below(8),
            1 => drop(frame.splice(at..at, random.pick::<[u8]>(PIECES).iter().copied())),
            2 => drop(frame.drain(at..end)),
            3 => {
                let other = random.pick::<[u8]>(corpus);
                let from = random.below(other.len() + 1);
                let part = other[from..(from + random.below(60)).min(other.len())].to_vec();
                drop(frame.splice(at..end, part));
            }
            4 => frame.truncate(at),
            5..=9 => {
                let at = after(b'{').or_else(|| frame.iter().position(|&byte| byte == b'{').map(|found| found + 1));
                let at = at.unwrap_or(frame.len());
                drop(frame.splice(at..at, random.pick::<[u8]>(MEMBERS).iter().copied()));
            }
            _ => {
                let Some(at) = after(b':') else { continue };
                let length = frame[at..].iter().position(|byte| b",}".contains(byte)).unwrap_or(0);
                drop(frame.splice(at..at + length, random.pick::<[u8]>(VALUES).iter().copied()));
            }
        }
    }
}

/// Limits that are met often, one of them at a time.
fn limits(random: &mut SplitMix) -> Limits {
    let usual = Limits::default();
    match random.below(8) {
        0 => Limits { size: random.below(120), ..usual },
        1 => Limits { depth: random.below(6), ..usual },
        2 => Limits { values: random.below(20), ..usual },
        _ => usual,
    }
}

/// Holds what came out of `bytes` against what `serde_json` makes of them, and says what kind of thing it was.
fn check(bytes: &[u8], limits: &Limits) -> &'static str {
    let frame = read_frame(bytes, limits);
    let text = str::from_utf8(bytes).ok().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text).trim_ascii());
    // Nothing is known of a frame that is longer than its reader reads, or that plain serde_json does not take.
    let value: Option<Value> =
        text.filter(|text| text.len() <= limits.size).and_then(|text| serde_json::from_str(text).ok());
    let has = |key: &str| value.as_ref().is_some_and(|value| value.get(key).is_some());
    let is_object = value.as_ref().is_some_and(Value::is_object);
    check_relay(bytes, limits);
    let is_response = is_object && (has("result") || has("error")) && !has("method");
    match frame {
        Frame::Message(message) => {
            check_message(&message, value.as_ref());
            match message {
                Message::Request(request) => {
                    if let Some(call) = request.call() {
                        check_arguments("door_audit_feed", call.to_arguments());
                    }
                    "request"
                }
                Message::Notification(_) => "notification",
                Message::Response(_) => "response",
            }
        }
        Frame::Reply(reply) => {
            check_reply(&reply, bytes, value.as_ref());
            assert!(!is_response, "a response is answered");
            assert!(!is_object || has("id"), "a notification is answered");
            if reply.as_str().contains(r#""id":null,"#) { "reply to nobody" } else { "reply" }
        }
        Frame::Nothing(None) => {
            assert!(text.is_some_and(str::is_empty), "silence about something");
            "empty"
        }
        Frame::Nothing(Some(_)) => {
            assert!(!is_object || is_response || !has("id"), "a request is not answered");
            assert!(value.is_none() || is_object, "a batch or a bare value is not answered");
            "silence"
        }
    }
}

fn check_message(message: &Message<'_>, value: Option<&Value>) {
    match message {
        Message::Request(request) => {
            let raw = request.id().raw();
            assert_eq!(Id::read(raw).as_ref(), Some(request.id()));
            assert!(request.text().contains(raw));
            let relayed: Value = serde_json::from_str(&request.relayed(-5)).expect("a relayed request is JSON");
            assert_eq!(relayed["id"], -5);
            assert_eq!(relayed["method"], request.method());
            assert_eq!(relayed["params"].is_object(), request.params().is_some());
            if let Some(call) = request.call() {
                assert_eq!(relayed["params"]["name"], *call.name);
                assert!(call.arguments.is_none_or(|text| text.starts_with('{')));
                assert!(call.arguments.is_none_or(|text| serde_json::from_str::<IgnoredAny>(text).is_ok()));
            } else {
                assert!(value.is_some(), "a request that serde_json does not take");
            }
            assert!(value.is_none_or(|value| value["jsonrpc"] == "2.0"));
            assert!(request.id().as_i64().is_none_or(|id| value.is_none_or(|value| value["id"] == id)));
            assert!(request.id().as_str().is_none_or(|id| value.is_none_or(|value| value["id"] == id)));
        }
        Message::Notification(notification) => {
            // Its arguments, if it wrongly calls a tool, are nobody's to read.
            assert!(value.is_none_or(|value| value.get("id").is_none() && value["method"] == *notification.method));
            assert!(value.is_some() || notification.method == "tools/call");
        }
        Message::Response(response) => {
            assert!(value.is_none_or(|value| value.get("method").is_none()));
            assert!(serde_json::from_str::<IgnoredAny>(response.text).is_ok());
        }
    }
}

/// What stands before rmcp forwards or answers each request, and forwards or ignores the rest; it answers nothing else.
fn check_relay(bytes: &[u8], limits: &Limits) {
    let frame = read_frame(bytes, limits);
    let (is_request, is_reply) = match &frame {
        Frame::Message(Message::Request(_)) => (true, false),
        Frame::Reply(_) => (false, true),
        Frame::Message(_) | Frame::Nothing(_) => (false, false),
    };
    let mut relay = Relay::new();
    match relay.incoming(frame) {
        Incoming::Forward(_) => assert!(!is_reply && relay.in_flight() == usize::from(is_request)),
        Incoming::Reply(reply) => {
            assert!(is_request || is_reply);
            assert!(serde_json::from_str::<IgnoredAny>(reply.as_str()).is_ok());
        }
        Incoming::Nothing => assert!(!is_request && !is_reply, "a request is dropped"),
    }
}

/// Tools whose inputs are of many shapes, each with arguments that it takes.
const INPUTS: [(&str, &[u8]); 5] = [
    ("door_audit_feed", br#"{"since":30,"limit":10,"type":"merge"}"#),
    ("door_list_claims", br#"{"repoFullName":"acme/api","status":null}"#),
    ("door_predict", br#"{"linkedIssues":[1,2.0,3],"attempt":1,"share":0.5}"#),
    (
        "door_variants",
        br#"{"variants":[{"repoFullName":"a/b","pendingCount":1}],"operation":{"kind":"compare","depth":2}}"#,
    ),
    ("door_variants", br#"{"variants":[],"operation":{"kind":"drop"},"labels":{"a":"b","\u00e9":"\ud83d\ude00"}}"#),
];

/// Calls a tool, and says what kind of answer it was. The door turns a panic into `unknown_error`, so that is none.
fn check_arguments(tool: &str, arguments: Arguments) -> &'static str {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::collect().expect("the tools make a registry"));
    let request = CallRequest {
        tool: tool.to_owned(),
        arguments,
        caller: Caller::anonymous(),
        policy: Arc::new(TrustProcessOwner),
    };
    let context = CallContext::new(Clock::frozen(SystemTime::UNIX_EPOCH));
    match block_on(REGISTRY.call(&ToolFilter::new(), request, context)) {
        Err(_) => "no object",
        Ok(reply) => match reply.into_result() {
            Ok(_) => "accepted",
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::InvalidInput, "{error}");
                assert!(!error.issues().is_empty(), "a refusal without a reason");
                "refused"
            }
        },
    }
}

#[test]
fn mutated_arguments_are_accepted_or_refused_with_a_reason() {
    let corpus: Vec<Vec<u8>> = INPUTS.iter().map(|(_, arguments)| arguments.to_vec()).collect();
    for (tool, arguments) in INPUTS {
        let text = str::from_utf8(arguments).expect("it is text").to_owned();
        assert_eq!(check_arguments(tool, Arguments::Text(text)), "accepted", "{tool}");
    }
    let count = inputs();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..count {
        let mut random = SplitMix(number);
        let (tool, arguments) = INPUTS[random.below(INPUTS.len())];
        let mut text = arguments.to_vec();
        mutate(&mut text, &corpus, &mut random);
        let text = String::from_utf8_lossy(&text).into_owned();
        let run = std::panic::catch_unwind(|| check_arguments(tool, Arguments::Text(text.clone())));
        let Ok(kind) = run else { panic!("input {number}: {tool}\n{text}") };
        *kinds.entry(kind).or_default() += 1;
    }
    for kind in ["accepted", "refused"] {
        let seen = kinds.get(kind).copied().unwrap_or(0);
        assert!(seen >= count / 200, "{kind}: {seen} of {count}; all: {kinds:?}");
    }
}

fn inputs() -> u64 {
    std::env::var("FUZZ_INPUTS").map_or(20_000, |count| count.parse().expect("FUZZ_INPUTS is a number"))
}

fn check_reply(reply: &ReadyReply, bytes: &[u8], value: Option<&Value>) {
    let text = reply.as_str();
    assert!(!text.contains(['\n', '\r']));
    let parsed: Value = serde_json::from_str(text).expect("a reply is JSON");
    assert_eq!(parsed["jsonrpc"], "2.0");
    assert!([-32700, -32600, -32602].contains(&parsed["error"]["code"].as_i64().expect("a code")));
    assert!(parsed["error"]["message"].as_str().is_some_and(|message| message.len() < 1_000));
    let raw = text.strip_prefix(r#"{"jsonrpc":"2.0","id":"#).expect("the id comes second");
    let (raw, _) = raw.split_once(r#","error":{"#).expect("the error comes third");
    if raw != "null" {
        assert!(Id::read(raw).is_some());
        assert!(bytes.windows(raw.len()).any(|window| window == raw.as_bytes()), "an id that was not sent");
        assert!(value.is_none_or(|value| value["id"] == parsed["id"]), "another id");
    }
}

/// Lines must not depend on the chunks in which they arrive.
fn check_lines(bytes: &[u8], random: &mut SplitMix) {
    let limit = 1 + random.below(80);
    let mut expected: Vec<(Vec<u8>, bool)> = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| (line[..line.len().min(limit)].to_vec(), line.len() <= limit))
        .collect();
    if expected.last().is_some_and(|(line, _)| line.is_empty()) {
        expected.pop();
    }
    let owned = |line: Line<'_>| match line {
        Line::Whole(line) => (line.to_vec(), true),
        Line::TooLong(start) => (start.to_vec(), false),
    };
    let mut buffer = LineBuffer::new(limit);
    let (mut found, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let (mut chunk, after) = rest.split_at(1 + random.below(rest.len()));
        while let Some(line) = buffer.next_line(&mut chunk) {
            found.push(owned(line));
        }
        rest = after;
    }
    found.extend(buffer.end().map(owned));
    assert_eq!(found, expected);
}

#[test]
fn mutated_frames_are_a_message_a_reply_or_silence_as_the_protocol_says() {
    let count = inputs();
    let corpus = corpus();
    for frame in &corpus {
        check(frame, &Limits::default());
    }
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..count {
        let mut random = SplitMix(number);
        let mut frame = random.pick::<[u8]>(&corpus).to_vec();
        mutate(&mut frame, &corpus, &mut random);
        let limits = limits(&mut random);
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            check_lines(&frame, &mut random);
            check(&frame, &limits)
        }));
        let Ok(kind) = run else { panic!("input {number}: {limits:?}\n{}", frame.escape_ascii()) };
        *kinds.entry(kind).or_default() += 1;
    }
    // Mutations that no longer reach a kind test nothing about it.
    for kind in ["request", "notification", "response", "reply", "reply to nobody", "silence"] {
        let seen = kinds.get(kind).copied().unwrap_or(0);
        assert!(seen >= count / 200, "{kind}: {seen} of {count}; all: {kinds:?}");
    }
}

/// A frame that is hard to read, by its name, and of about a given size.
type Shape = (&'static str, fn(usize) -> String);

#[test]
fn time_grows_with_the_length_of_a_frame_whatever_is_in_it() {
    let shapes: [Shape; 6] = [
        ("openers", |size| format!(r#"{{"a":{}"#, "[".repeat(size))),
        ("duplicate keys", |size| format!(r#"{{"params":{{{}"a":1}}}}"#, r#""a":1,"#.repeat(size / 6))),
        ("keys", |size| (0..size / 8).map(|key| format!(r#""{key}":0,"#)).fold("{".to_owned(), |all, key| all + &key)),
        ("escapes", |size| format!(r#"{{"id":"{}"}}"#, r"\\".repeat(size / 2))),
        ("not UTF-8 in its reading", |size| format!(r#"{{"id":1,"x":"{}"#, "\u{fffd}".repeat(size / 3))),
        ("long keys over duplicates", |size| {
            let key = "k".repeat(size / 2);
            format!(r#"{{"id":1,"{key}":{{{}"a":1}}}}"#, r#""a":1,"#.repeat(size / 12))
        }),
    ];
    let limits = Limits { values: usize::MAX, ..Limits::default() };
    let time = |frame: &str| {
        let start = Instant::now();
        let _ = read_frame(frame.as_bytes(), &limits);
        start.elapsed()
    };
    for (name, shape) in shapes {
        let (small, large) = (shape(1 << 18), shape(1 << 21));
        let (short, long) = (time(&small), time(&large));
        // Eight times the length; what is quadratic takes sixty-four times as long.
        assert!(long < short * 24 + Duration::from_millis(500), "{name}: {short:?}, then {long:?}");
    }
}
