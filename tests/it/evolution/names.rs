//! What may be a name in an object: by pattern, and by a schema of names.

use contract_core::evolution::{Change, Direction, Verdict, compare_schemas};
use contract_core::serde_json::{Value, json};

fn verdict(old: &Value, new: &Value) -> (Verdict, Vec<Change>) {
    let changes = compare_schemas(Direction::Input, old, new);
    (changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Compatible), changes)
}

/// Each narrow object is a wide one, and the other way round a value shows that it is not.
#[track_caller]
fn check(narrow: &Value, wide: &Value) {
    let (widened, changes) = verdict(narrow, wide);
    assert!(widened == Verdict::Compatible || widened == Verdict::Dangerous, "{narrow} to {wide}: {changes:?}");
    let (narrowed, changes) = verdict(wide, narrow);
    assert_eq!(narrowed, Verdict::Breaking, "{wide} to {narrow}: {changes:?}");
    assert!(changes.iter().any(|change| change.witness.is_some()), "{changes:?}");
}

#[test]
fn names_by_a_pattern_that_is_included_in_another_may_be_there() {
    let closed =
        |patterns: Value| json!({ "type": "object", "patternProperties": patterns, "additionalProperties": false });
    let number = || json!({ "type": "number" });
    check(&closed(json!({ "^\\d{1,3}$": number() })), &closed(json!({ "^\\d+$": number() })));
    check(&closed(json!({ "^x-": number(), "^y-\\d$": true })), &closed(json!({ "^x-": number(), "^y-": true })));
    check(&closed(json!({ "^x-": { "type": "integer" } })), &closed(json!({ "^x": number() })));
    check(
        &json!({ "type": "object", "properties": { "a1": number() }, "additionalProperties": false }),
        &closed(json!({ "^a\\d$": number() })),
    );
    // What has no declared name falls to the rest.
    check(
        &json!({ "type": "object", "patternProperties": { "^a+$": number() }, "additionalProperties": number() }),
        &json!({ "type": "object", "patternProperties": { "^aa?$": number() } }),
    );
}

#[test]
fn a_schema_of_names_counts_wherever_it_stands() {
    let by_reference = |name: Value| json!({ "type": "object", "propertyNames": { "$ref": "#/$defs/name" }, "$defs": { "name": name } });
    for (narrow, wide) in [
        (json!({ "maxLength": 3 }), json!({ "maxLength": 30 })),
        (json!({ "minLength": 12 }), json!({ "minLength": 2 })),
        (json!({ "pattern": "^k_[a-z]+$" }), json!({ "pattern": "^k_" })),
        (json!({ "enum": ["one", "two"] }), json!({ "enum": ["one", "two", "three"] })),
        (
            json!({ "allOf": [{ "pattern": "^k_" }, { "maxLength": 9 }] }),
            json!({ "allOf": [{ "pattern": "^k_" }, { "maxLength": 10 }] }),
        ),
    ] {
        check(&by_reference(narrow.clone()), &by_reference(wide.clone()));
        check(
            &json!({ "type": "object", "propertyNames": narrow }),
            &json!({ "type": "object", "propertyNames": wide }),
        );
    }
    let words = |count: usize| {
        by_reference(json!({ "enum": (0..count).map(|word| format!("word{word}")).collect::<Vec<_>>() }))
    };
    check(&words(19), &words(20));
}
