//! The list explains exactly what it says it explains.

use serde_json::json;

use super::*;

const LIST: &str = r#"
[[case]]
file = "f"
case = "one"
defect = "miner-1"
reason = "It differs"
expect = '{ "/a": null }'
absent = ["/b"]

[[cases]]
file = "f"
glob = "group-*"
defect = "gate-2"
reason = "They differ"
expect = '{ "/a": [2] }'
at = ["/c"]

[[not_built]]
file = "later-*"
reason = "It comes later"

[[not_built]]
file = "f"
glob = ["waits-*"]
reason = "Its tool comes later"
"#;

fn vector(case: &str) -> Vector {
    Vector { case: case.to_owned(), input: json!({}), expect: json!({"a": [1], "b": 1, "c": {"d": 1}}) }
}

#[track_caller]
fn judge(case: &str, answer: Value) -> Verdict {
    Deviations::parse(LIST).unwrap().judge("f", &vector(case), Some(Ok(answer)))
}

#[track_caller]
fn unexplained(case: &str, answer: Value, says: &str) {
    let verdict = judge(case, answer);
    let Verdict::Unexplained(lines) = &verdict else { panic!("{verdict:?}") };
    assert!(lines.join("\n").contains(says), "{lines:?}");
}

#[test]
fn an_equal_answer_is_equal_unless_a_difference_is_listed() {
    let same = vector("").expect;
    assert_eq!(judge("other", same.clone()), Verdict::Equal);
    assert_eq!(judge("group-1", same.clone()), Verdict::Equal);
    unexplained("one", same, "no longer differs");
}

#[test]
fn a_listed_case_differs_exactly_as_listed() {
    assert_eq!(judge("one", json!({"a": null, "c": {"d": 1}})), Verdict::Deviating);
    unexplained("one", json!({"a": 3, "c": {"d": 1}}), "/a: expected null, got 3");
    unexplained("one", json!({"a": null, "c": {"d": 2}}), "/c/d: expected 1, got 2");
    unexplained("one", json!({"a": null, "b": 1, "c": {"d": 1}}), "/b: expected nothing, got 1");
}

#[test]
fn a_group_excuses_its_places_and_values_alone() {
    assert_eq!(judge("group-1", json!({"a": [2], "b": 1, "c": {"d": 9}})), Verdict::Deviating);
    assert_eq!(judge("group-1", json!({"a": [1], "b": 1, "c": 0})), Verdict::Deviating);
    unexplained("group-1", json!({"a": [3], "b": 1, "c": {"d": 1}}), "/a/0: expected 1, got 3");
    unexplained("group-1", json!({"a": [2], "b": 2, "c": {"d": 1}}), "/b: expected 1, got 2");
    unexplained("other", json!({"a": [2], "b": 1, "c": {"d": 1}}), "/a/0");
}

const EFFECTS: [Effect; 1] = [Effect {
    name: "doubled",
    of: |_, mut expected, answer| {
        if answer["b"] == json!(0) {
            return Err("b is never 0".to_owned());
        }
        expected["b"] = json!(expected["b"].as_i64().unwrap_or_default() * 2);
        Ok(expected)
    },
}];

#[test]
fn an_effect_says_exactly_what_holds_instead() {
    let entry = "[[cases]]\nfile = 'f'\nglob = 'effect-*'\ndefect = 'gate-1'\nreason = 'Twice'\neffect = 'doubled'\n";
    let list = Deviations::parse(entry).unwrap().with_effects(&EFFECTS);
    let judge = |answer| list.judge("f", &vector("effect-1"), Some(Ok(answer)));
    assert_eq!(judge(json!({"a": [1], "b": 2, "c": {"d": 1}})), Verdict::Deviating);
    assert!(list.needless().is_empty() && list.faults().is_empty());
    for answer in [json!({"a": [1], "b": 3, "c": {"d": 1}}), json!({"a": [2], "b": 2, "c": {"d": 1}}), json!({"b": 0})]
    {
        assert!(matches!(judge(answer), Verdict::Unexplained(_)));
    }
    assert!(matches!(judge(vector("").expect), Verdict::Unexplained(_)), "the fix is gone");
    assert_eq!(Deviations::parse(entry).unwrap().faults().len(), 1, "there is no such effect");
    let vague = Deviations::parse(&format!("{entry}at = ['/b']")).unwrap().with_effects(&EFFECTS);
    assert_eq!(vague.faults().len(), 1);
}

#[test]
fn what_has_no_runner_is_listed_or_unexplained() {
    let list = Deviations::parse(LIST).unwrap();
    assert_eq!(list.judge("later-x", &vector("x"), None), Verdict::NotBuilt("It comes later".to_owned()));
    assert!(matches!(list.judge("new", &vector("x"), None), Verdict::Unexplained(_)));
    let runs_now = list.judge("later-x", &vector("x"), Some(Err("it is gone".to_owned())));
    assert!(matches!(runs_now, Verdict::Unexplained(_)), "a file with a runner no longer waits");
    let failed = list.judge("f", &vector("x"), Some(Err("it is gone".to_owned())));
    assert_eq!(failed, Verdict::Unexplained(vec!["it is gone".to_owned()]));
}

#[test]
fn a_case_of_a_file_with_a_runner_waits_until_it_is_equal() {
    let waits = Verdict::NotBuilt("Its tool comes later".to_owned());
    let list = Deviations::parse(LIST).unwrap();
    assert_eq!(judge("waits-1", json!({})), waits);
    assert_eq!(list.judge("f", &vector("waits-1"), Some(Err("there is no tool".to_owned()))), waits);
    unexplained("waits-1", vector("").expect, "built and equal");
}

#[test]
fn groups_that_excuse_nothing_are_needless() {
    let list = Deviations::parse(LIST).unwrap();
    assert_eq!(list.needless().len(), 3);
    list.judge("f", &vector("group-1"), Some(Ok(vector("").expect)));
    assert_eq!(list.needless().len(), 3, "an equal case needs no excuse");
    list.judge("f", &vector("group-1"), Some(Ok(json!({"a": [2], "b": 1, "c": {"d": 1}}))));
    list.judge("later-x", &vector("x"), None);
    list.judge("f", &vector("waits-1"), Some(Ok(json!({}))));
    assert_eq!(list.needless(), Vec::<String>::new());
}

#[test]
fn a_defect_has_a_number_of_a_known_family_or_is_a_choice() {
    for defect in ["context-17", "gate-4", "miner-20", "choice:unknown argument keys"] {
        assert!(is_defect(defect), "{defect}");
    }
    for defect in ["", "miner", "miner-", "miner-0", "miner-2b", "other-1", "choice:", "choice:taste", "#4"] {
        assert!(!is_defect(defect), "{defect}");
    }
    let list = Deviations::parse(&LIST.replace("miner-1", "bug-1").replace("They differ", " ")).unwrap();
    assert_eq!(list.faults().len(), 2);
    assert_eq!(Deviations::parse(LIST).unwrap().faults(), Vec::<String>::new());
}

#[test]
fn a_list_of_another_form_is_refused() {
    for (from, to) in [
        ("expect = '{ \"/a\": null }'", "expect = '{ \"a\": null }'"),
        ("expect = '{ \"/a\": null }'", "expect = 'a'"),
        ("expect = '{ \"/a\": null }'", ""),
        ("[[not_built]]", "[[notbuilt]]"),
        ("at = [\"/c\"]", "where = [\"/c\"]"),
    ] {
        assert!(LIST.contains(from) && Deviations::parse(&LIST.replace(from, to)).is_err(), "{to}");
    }
}
