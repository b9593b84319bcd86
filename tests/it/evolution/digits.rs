//! Numbers of more digits than a reader keeps: where two lists differ in one, nobody says that nothing changed.

use contract_core::evolution::{AnyMetadata, Change, Direction, Rule, ToolList, Verdict, compare};

/// The members of the only tool of a list, as text.
fn list(members: &str) -> ToolList {
    ToolList::read_text(&format!(r#"{{"tools":[{{"name":"only",{members}}}]}}"#)).unwrap()
}

fn changes(old: &str, new: &str) -> Vec<Change> {
    compare(&list(old), &list(new), &AnyMetadata).changes
}

#[test]
fn a_bound_that_differs_beyond_what_is_kept_is_undecided() {
    for side in ["inputSchema", "outputSchema"] {
        let bound = |most: &str| format!(r#""{side}":{{"properties":{{"a":{{"maximum":{most}}}}}}}"#);
        let (old, new) = (bound("18446744073709551616"), bound("18446744073709551617"));
        let [change] = &changes(&old, &new)[..] else { panic!("{:?}", changes(&old, &new)) };
        assert_eq!((change.verdict, change.rule), (Verdict::Undecided, Rule::Keyword));
        assert_eq!(change.direction.map(Direction::as_str), side.strip_suffix("Schema"));
        assert_eq!(change.keywords, ["maximum"]);
        let words = format!("`/{side}/properties/a/maximum` was 18446744073709551616 and is 18446744073709551617;");
        assert!(change.message.contains(&words), "{}", change.message);
        assert_eq!(changes(&old, &old), []);
    }
}

#[test]
fn a_number_that_is_kept_on_one_side_alone_is_decided_and_doubted() {
    let bound = |most: &str| format!(r#""inputSchema":{{"properties":{{"a":{{"maximum":{most}}}}}}}"#);
    let (kept, unkept) = (bound("0.5"), bound("0.70000000000000000001"));
    let verdicts = |changes: Vec<Change>| -> Vec<Verdict> { changes.iter().map(|change| change.verdict).collect() };
    assert_eq!(verdicts(changes(&kept, &unkept)), [Verdict::Compatible, Verdict::Undecided]);
    assert_eq!(verdicts(changes(&unkept, &kept)), [Verdict::Breaking, Verdict::Undecided]);
}

#[test]
fn it_is_seen_in_lists_of_words_and_beside_the_schemas() {
    let words = |word: &str| format!(r#""inputSchema":{{"properties":{{"a":{{"enum":[1,{word}]}}}}}}"#);
    let found = changes(&words("10000000000000000000000000"), &words("10000000000000000000000001"));
    assert_eq!(found.iter().map(|change| change.verdict).collect::<Vec<_>>(), [Verdict::Undecided]);
    assert_eq!(found[0].keywords, ["enum"]);
    let meta = |number: &str| format!(r#""_meta":{{"limit":{number}}},"inputSchema":{{}}"#);
    let found = changes(&meta("10000000000000000000000000"), &meta("10000000000000000000000001"));
    assert_eq!((found[0].verdict, found[0].rule, found[0].direction), (Verdict::Undecided, Rule::Metadata, None));
}

#[test]
fn a_list_is_found_in_each_of_its_documents() {
    let tool = |number: &str| format!(r#"{{"name":"only","inputSchema":{{"maximum":{number}}}}}"#);
    let (old, new) = (tool("18446744073709551616"), tool("18446744073709551617"));
    for around in [("[", "]"), (r#"{"tools":["#, "]}"), (r#"{"result":{"tools":["#, "]}}"), (r#"{"result":["#, "]}")] {
        let read = |tool: &str| ToolList::read_text(&format!("{}{tool}{}", around.0, around.1)).unwrap();
        let report = compare(&read(&old), &read(&new), &AnyMetadata);
        assert_eq!(report.verdict(), Verdict::Undecided, "{around:?}");
    }
}

#[test]
fn more_of_them_than_any_list_has_are_refused() {
    let numbers = vec!["1e-400"; 10_001].join(",");
    let error = ToolList::read_text(&format!(r#"[{{"name":"a","inputSchema":{{"enum":[{numbers}]}}}}]"#)).unwrap_err();
    assert!(error.to_string().contains("more than 10000 numbers"), "{error}");
}
