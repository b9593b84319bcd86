//! Names, titles and values that try to command a terminal, a workflow run or a page: in each form they only say themselves.

use serde_json::{Value, json};

use super::contract_diff::Lists;

const NASTY: &str = "::error::a\n::set-output name=x::b\r\u{1b}[31m\u{202e}\u{85}\u{2028}%0A##[error]|`<img src=x>`\\|[l](http://a.example)@me";

/// Lists in which every text of a tool is `NASTY`, before and after some changes.
fn write(lists: &Lists) {
    let tool = |name: &str, title: &str, limit: Value| {
        json!({
            "name": name, "title": title, "description": title,
            "inputSchema": { "type": "object", "properties": { NASTY: limit }, "required": [NASTY] },
            "_meta": { NASTY: title }
        })
    };
    let old = json!([
        tool(NASTY, "one", json!({ "enum": [NASTY, "b"] })),
        tool("gone\n::error::gone", "one", json!({ "format": NASTY })),
        tool("renamed\n::warning::renamed", "one", json!({ "enum": [NASTY], "title": "a" })),
    ]);
    let new = json!([
        tool(NASTY, NASTY, json!({ "enum": ["b"] })),
        tool("named\n::warning::named", "one", json!({ "enum": [NASTY], "title": "a" })),
    ]);
    lists.write("nasty-old.json", &old);
    lists.write("nasty-new.json", &new);
    let reason = format!("it is meant{NASTY}");
    lists.write(
        "nasty-allow.json",
        &json!([
            { "tool": NASTY, "rule": "enum", "reason": reason }, { "tool": format!("absent{NASTY}"), "reason": reason }
        ]),
    );
}

/// Nothing in what is shown moves what stands around it.
#[track_caller]
fn is_plain(shown: &str) {
    let commands = |other: char| other != '\n' && (other.is_control() || "\u{202e}\u{2028}".contains(other));
    assert!(!shown.contains(commands), "{shown:?}");
}

fn report(lists: &Lists, format: &str) -> (String, String) {
    let arguments = ["diff", "nasty-old.json", "nasty-new.json", "--allow", "nasty-allow.json", "--format", format];
    let (text, told) = lists.check(&arguments, 1);
    is_plain(&text);
    is_plain(&told);
    assert!(!told.lines().any(|line| line.trim_start().starts_with("::")), "{told}");
    (text, told)
}

#[test]
fn a_terminal_shows_them_and_does_nothing() {
    let lists = Lists::new();
    write(&lists);
    let (text, told) = report(&lists, "text");
    assert!(text.contains("\\n::set-output name=x::b\\r\\u{1b}[31m\\u{202e}"), "{text}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "no line is a workflow command: {text}");
    assert!(told.contains("--allow names a change that is not there"), "{told}");
    for list in ["nasty-old.json", "nasty-new.json"] {
        let (text, _) = lists.check(&["lint", list], 1);
        is_plain(&text);
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{text}");
    }
    lists.write("twice.json", &json!([{ "name": NASTY }, { "name": NASTY }]));
    let (_, told) = lists.check(&["diff", "twice.json", "old.json"], 2);
    is_plain(&told);
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[test]
fn json_says_them_to_the_letter() {
    let lists = Lists::new();
    write(&lists);
    let (text, _) = report(&lists, "json");
    let document: Value = serde_json::from_str(&text).unwrap();
    let changes = document["changes"].as_array().unwrap();
    assert!(changes.iter().any(|change| change["tool"] == NASTY && change["witness"][NASTY] == NASTY), "{text}");
    let (text, _) = lists.check(&["lint", "nasty-old.json", "--format", "json"], 1);
    is_plain(&text);
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["findings"][0]["tool"], NASTY);
}

#[test]
fn a_workflow_run_reads_our_commands_alone() {
    let lists = Lists::new();
    write(&lists);
    let (text, _) = report(&lists, "github");
    let titles = ["breaking change of", "dangerous change of", "undecided change of", "contract::"];
    for line in text.lines() {
        let rest =
            ["::error title=", "::warning title=", "::notice title="].iter().find_map(|lead| line.strip_prefix(lead));
        let rest = rest.unwrap_or_else(|| panic!("another command: {line}"));
        assert!(titles.iter().any(|title| rest.starts_with(title)), "{line}");
        let (title, message) = rest.split_once("::").unwrap();
        assert!(!title.contains([':', ',']), "a property ends early: {line}");
        // What a stranger escaped stays escaped: only our own line breaks are read as such.
        assert!(!message.replace("%0A", "").contains("%0") && !title.contains("%0A"), "{line}");
    }
    assert!(text.contains("%250A"), "{text}");
}

#[test]
fn a_table_keeps_its_cells() {
    let lists = Lists::new();
    write(&lists);
    let (text, _) = report(&lists, "markdown");
    let rows: Vec<&str> = text.lines().skip(4).collect();
    assert!(rows.len() > 3, "{text}");
    for row in rows {
        assert!(row.starts_with("| ") && row.ends_with(" |"), "{row}");
        assert_eq!(row.matches('|').count(), 5, "{row}");
        let outside: String = row.split('`').step_by(2).collect();
        assert_eq!(row.matches('`').count() % 2, 0, "{row}");
        let tags = outside.replace("<br>", "").replace("<code>", "").replace("</code>", "");
        assert!(!tags.contains(['<', '>', '@', '[']), "{row}");
        assert!(!tags.contains("://"), "{row}");
    }
}
