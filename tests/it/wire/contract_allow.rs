//! `loopover contract diff --allow`: a break that is meant is excused by name, place and reason, and nothing else is.

use std::fs;

use serde_json::{Value, json};

use super::contract_diff::{Lists, shared};

#[test]
fn a_break_that_is_meant_is_allowed_by_name_and_reason() {
    let lists = Lists::new();
    let allow = |entry: Value| lists.write("allow.json", &json!([entry]));
    let arguments = ["diff", "old.json", "new.json", "--allow", "allow.json"];
    allow(json!({ "tool": "search", "rule": "bound", "place": "limit", "reason": "fifty rows are what is shown" }));
    let (text, _) = lists.check(&arguments, 0);
    assert!(text.contains("allowed: fifty rows are what is shown"), "{text}");
    allow(json!({ "tool": "search", "rule": "enum", "reason": "another change" }));
    let (_, told) = lists.check(&arguments, 1);
    assert!(told.contains("--allow names a change that is not there: `search`, rule `enum`"), "{told}");
    for (entry, words) in [
        (
            json!({ "rule": "boundd" }),
            &["`search`", "the rule `boundd`", "did you mean `bound`?", "tool_removed", "metadata"][..],
        ),
        (json!({ "rule": "" }), &["the rule ``", "tool_removed", "metadata"]),
        (json!({ "direction": "inward" }), &["the direction `inward`", "possible: input, output"]),
    ] {
        let mut entry = entry;
        entry["tool"] = json!("search");
        entry["reason"] = json!("it is meant");
        allow(entry);
        let (text, told) = lists.check(&arguments, 2);
        assert!(text.is_empty(), "{text}");
        for word in words {
            assert!(told.contains(word), "no {word:?} in {told}");
        }
    }
    allow(json!({ "tool": "search", "reason": " " }));
    assert!(lists.check(&arguments, 2).1.contains("has no reason"));
    allow(json!({ "tool": "search" }));
    assert!(lists.check(&arguments, 2).1.contains("missing field `reason`"));
}

#[test]
fn a_file_of_allowed_changes_of_another_form_is_refused_with_its_place() {
    let lists = Lists::new();
    for (text, words) in [
        ("", "no JSON"),
        ("null", "no list"),
        (r#"{"tool":"search","reason":"it is meant"}"#, "no list"),
        ("[7]", "`/0` is no object"),
        (r#"[["search",null,null,null,"it is meant"]]"#, "`/0` is no object"),
        (
            r#"[{"tool":"search","reason":"it is meant"},{"tool":7,"reason":"it is meant"}]"#,
            "`/1`: invalid type: integer",
        ),
        (r#"[{"tool":"search","places":"limit","reason":"it is meant"}]"#, "unknown field `places`"),
        (r#"[{"tool":"search","tool":"other","reason":"it is meant"}]"#, "`/0/tool` is written twice"),
        (r#"[{"tool":"search","reason":"\u200b"}]"#, "has no reason"),
    ] {
        fs::write(lists.directory.path().join("allow.json"), text).unwrap();
        let (said, told) = lists.check(&["diff", "old.json", "new.json", "--allow", "allow.json"], 2);
        assert!(said.is_empty() && told.contains("allow.json") && told.contains(words), "{text}: {told}");
        assert!(!told.contains("struct"), "{told}");
    }
    #[cfg(unix)]
    for arguments in [&["diff", "/dev/zero", "new.json"][..], &["diff", "old.json", "new.json", "--allow", "/dev/zero"]]
    {
        assert!(lists.check(arguments, 2).1.contains("longer than"));
    }
}

#[test]
fn an_entry_with_a_place_excuses_a_shared_definition_there_alone() {
    let lists = Lists::new();
    lists.write("old.json", &shared(5));
    lists.write("new.json", &shared(3));
    let allow = |entries: Value| lists.write("allow.json", &entries);
    let entry = |place: &str, reason: &str| json!({ "tool": "search", "place": place, "reason": reason });
    let arguments = ["diff", "old.json", "new.json", "--allow", "allow.json"];
    allow(json!([entry("a", "short is enough")]));
    let (text, told) = lists.check(&arguments, 1);
    let expected = "search\n  breaking   input `a`: maxLength was 5 and is 3\n             also at `b`\n             \
                    used to be taken: {\"a\":\"aaaa\"}\n             \
                    not allowed at `b`: an entry with a `place` is for that place alone\n\
                    1 breaking; the version should move by: major\n";
    assert_eq!((text.as_str(), told.as_str()), (expected, ""));
    // The second place may be named as well as the first.
    allow(json!([entry("b", "short is enough")]));
    assert!(lists.check(&arguments, 1).0.contains("not allowed at `a`"));
    allow(json!([entry("a", "short is enough"), entry("b", "shorter as well")]));
    let (text, told) = lists.check(&arguments, 0);
    assert!(text.contains("allowed: short is enough; shorter as well\n") && told.is_empty(), "{text}{told}");
    allow(json!([{ "tool": "search", "reason": "short is enough" }]));
    assert!(lists.check(&arguments, 0).0.contains("allowed: short is enough\n"));
    allow(json!([entry("a", "short is enough"), entry("c", "it is not there")]));
    let (_, told) = lists.check(&arguments, 1);
    assert!(told.contains("--allow names a change that is not there: `search`, place `c`"), "{told}");
}
