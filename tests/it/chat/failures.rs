//! Sessions that fail: each is one error in our own words, and `done`.

use std::fs;

use serde_json::{Value, json};

use super::server::{Miner, kinds, only_error, text, write};

#[track_caller]
fn check(miner: &Miner, plan: &str, code: &str, part: &str) {
    write(&miner.place, "plan", plan);
    let (found, message) = only_error(&miner.events());
    assert_eq!(found, code, "{plan}");
    assert!(message.contains(part), "{plan}: {message}");
    for internal in ["planted", "/home", "10.0.0.1", "API Error"] {
        assert!(!message.contains(internal), "{plan}: {message}");
    }
}

#[test]
fn a_program_that_is_not_there_or_does_not_start() {
    let miner = Miner::with("").entered();
    check(&miner, "echo 'error: unknown option planted' >&2; exit 1", "chat_cli_unavailable", "claude");
    check(&miner, "exit 0", "chat_cli_unavailable", "claude");
    check(&miner, "kill -KILL $$", "chat_cli_unavailable", "claude");
    check(&miner, "echo no JSON; exit 1", "chat_cli_unavailable", "claude");
    fs::remove_file(miner.place.join("claude")).unwrap();
    check(&miner, "", "chat_cli_unavailable", "search path");
    fs::create_dir(miner.place.join("claude")).unwrap();
    check(&miner, "", "chat_cli_unavailable", "search path");
    fs::remove_dir(miner.place.join("claude")).unwrap();
    std::os::unix::fs::symlink("/dev/null", miner.place.join("claude")).unwrap();
    check(&miner, "", "chat_cli_unavailable", "search path");
    fs::remove_file(miner.place.join("claude")).unwrap();
    // Executable, and no program.
    std::os::unix::fs::symlink(miner.place.join("broken"), miner.place.join("claude")).unwrap();
    fs::write(miner.place.join("broken"), [0x7f, b'E', b'L', b'F', 0, 0]).unwrap();
    fs::set_permissions(miner.place.join("broken"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    check(&miner, "", "chat_cli_unavailable", "by hand");
    miner.expect_nothing_left(std::time::Duration::from_secs(5));
}

#[test]
fn a_session_that_has_nowhere_to_be() {
    let variables = [("MINER_CODING_AGENT_PROVIDER", "agent-sdk"), ("TMPDIR", "/no/such/directory")];
    let miner = Miner::start("init; text fine; result", &[], &variables).entered();
    let (code, message) = only_error(&miner.events());
    assert_eq!(code, "chat_cli_unavailable");
    assert!(message.contains("TMPDIR") && !message.contains("/no/such"), "{message}");
    assert!(!miner.has_started());
}

#[test]
fn a_session_that_ends_too_early() {
    let miner = Miner::with("").entered();
    check(&miner, "init; exit 1", "chat_grounding_failed", "before the answer was complete");
    check(&miner, "init; kill -TERM $$", "chat_grounding_failed", "before the answer was complete");
    check(&miner, "init; result", "chat_grounding_failed", "no answer");
    write(&miner.place, "plan", "init; text 'half of'; exit 0");
    let events = miner.events();
    assert_eq!(kinds(&events), ["text", "error", "done"]);
    assert_eq!(text(&events), "half of", "what was said stays");
}

#[test]
fn each_class_of_failure_has_its_words() {
    let miner = Miner::with("").entered();
    let plan = |error: &str, marks: &str| {
        format!(
            "init; say '{{\"type\":\"assistant\",\"error\":\"{error}\",\"is_api_error_message\":true,\"message\":{{\"model\":\"<synthetic>\",\"content\":[{{\"type\":\"text\",\"text\":\"API Error 10.0.0.1 planted\"}}]}}}}'; \
             say '{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,\"result\":\"API Error 10.0.0.1 planted\"{marks}}}'; exit 1"
        )
    };
    for (error, marks, part) in [
        ("authentication_failed", ",\"api_error_status\":401", "log in"),
        ("rate_limit", ",\"api_error_status\":429", "too often"),
        ("server_error", ",\"api_error_status\":529", "overloaded"),
        ("server_error", "", "overloaded"),
        ("invalid_request", ",\"terminal_reason\":\"prompt_too_long\",\"api_error_status\":400", "too long"),
        ("model_not_found", ",\"api_error_status\":404", "model"),
        ("max_output_tokens", "", "cut off"),
        ("invalid_request", ",\"stop_reason\":\"refusal\"", "declined"),
        ("unknown", ",\"api_error_status\":400", "did not answer"),
    ] {
        check(&miner, &plan(error, marks), "chat_grounding_failed", part);
    }
    let turns = "init; say '{\"type\":\"result\",\"subtype\":\"error_max_turns\",\"is_error\":true}'; exit 1";
    check(&miner, turns, "chat_grounding_failed", "calling tools");
}

#[test]
fn what_the_program_says_of_an_error_is_for_the_log_alone() {
    let said = |model: &str, text: &str| {
        let message = json!({ "model": model, "content": [{ "type": "text", "text": text }] });
        json!({ "type": "assistant", "error": "unknown", "message": message })
    };
    let end = r#"{"type":"result","subtype":"success","is_error":true,"result":"planted"}"#;
    let plan = |error: &Value| format!("init; say '{error}'; say '{end}'; exit 1");
    let miner = Miner::with("").entered();
    let error = format!("API Error at 10.0.0.1 of account 7. Its wallet is 42. {}", "É".repeat(4000));
    check(&miner, &plan(&said("m", "planted")), "chat_grounding_failed", "did not answer");
    check(&miner, &plan(&said("<synthetic>", &error)), "chat_grounding_failed", "did not answer");
    let started = std::time::Instant::now();
    let log = loop {
        let log = miner.said.lock().unwrap().clone();
        if log.contains("10.0.0.1") {
            break log;
        }
        assert!(started.elapsed() < contract_tests::stdio_client::ALIVE, "{log}");
        std::thread::yield_now();
    };
    assert!(log.contains("account 7. Its [redacted]. É") && !log.contains("planted"), "{log}");
    assert!(log.lines().all(|line| line.len() < 4096), "{log}");
}

#[test]
fn what_is_odd_but_harmless_is_passed_over() {
    let flood = "i=0; while [ $i -lt 3000 ]; do echo 'a complaint of a hundred characters or so, again and again, until the pipe is more than full' >&2; i=$((i+1)); done";
    let miner = Miner::with("").entered();
    for plan in [
        "say 'no JSON'; say '{\"type\":7}'; say '[]'; say ''; say '{\"type\":\"later\"}'; init; say '{\"type\":\"stream_event\"}'; text fine; result".to_owned(),
        "say '{\"type\":\"system\",\"subtype\":\"ui_invalidate\"}'; init; text fine; result; text more; result; say garbage".to_owned(),
        "init; printf '{\"type\":\"later\",\"x\":\"'; head -c 10000000 /dev/zero | tr '\\0' x; say '\"}'; text fine; result".to_owned(),
        format!("{flood}; init; text fine; {flood}; result"),
        "init; text fine; result; exit 3".to_owned(),
        "init; text fine; printf '%s' '{\"type\":\"result\",\"subtype\":\"success\"}'".to_owned(),
    ] {
        write(&miner.place, "plan", &plan);
        let events = miner.events();
        assert_eq!((text(&events).as_str(), kinds(&events)), ("fine", vec!["text", "done"]), "{plan}");
    }
}

/// A model's pieces may be cut anywhere, also between the halves of a pair of surrogates.
#[test]
fn what_is_no_character_is_replaced_and_nothing_around_it_is_lost() {
    let call = r#"{"type":"assistant","message":{"model":"m","content":[{"type":"tool_use","id":"1","name":"mcp__loopover-miner__loopover_miner_ping","input":{"a":"\ude00"}}]}}"#;
    let answer =
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","content":"x\ud83d"}]}}"#;
    let plan = format!(
        r#"init; say '{call}'; say '{answer}'; text 'a '; text 'b\ud83d'; text '\ude00c \ud83d\ude00'; text "$(printf '\377')"; say '{{"type":"result","subtype":"success","result":"\ud83d"}}'"#
    );
    let miner = Miner::with(&plan).entered();
    let events = miner.events();
    assert_eq!(kinds(&events), ["tool_call", "tool_result", "text", "done"], "{events:?}");
    assert_eq!(text(&events), "a b\u{fffd}\u{fffd}c \u{1f600}\u{fffd}");
    let [call, answer, ..] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((&call["input"]["a"], &answer["output"]), (&"\u{fffd}".into(), &"x\u{fffd}".into()));
    // What the session has is not guessed.
    let odd = r#"{"type":"system","subtype":"init","cwd":"\ud83d","tools":[]}"#;
    check(&miner, &format!("init; say '{odd}'; text fine; result"), "chat_tools_unavailable", "tools");
}

#[test]
fn a_line_without_end_ends_the_session() {
    let miner = Miner::with("init; head -c 20000000 /dev/zero | tr '\\0' x; text fine; result").entered();
    assert_eq!(only_error(&miner.events()).0, "chat_grounding_failed");
    miner.expect_nothing_left(std::time::Duration::from_secs(5));
}
