//! JSON pointers: what lies at one, put something there, take it away.

use serde_json::Value;

/// Whether `pointer` is `outer` or lies below it.
pub(super) fn is_within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The pointer to a member of what lies at `pointer`.
pub(super) fn member(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Puts `replacement` at `pointer`, or takes away what lies there; false when there is nothing around the place.
pub(super) fn put(value: &mut Value, pointer: &str, replacement: Option<Value>) -> bool {
    let Some((outer, name)) = pointer.rsplit_once('/') else {
        let Some(replacement) = replacement.filter(|_| pointer.is_empty()) else { return false };
        *value = replacement;
        return true;
    };
    let name = name.replace("~1", "/").replace("~0", "~");
    match (value.pointer_mut(outer), replacement) {
        (Some(Value::Object(members)), Some(replacement)) => {
            members.insert(name, replacement);
            true
        }
        (Some(Value::Object(members)), None) => members.shift_remove(&name).is_some(),
        (Some(Value::Array(items)), Some(replacement)) => {
            let item = name.parse::<usize>().ok().and_then(|index| items.get_mut(index));
            item.map(|item| *item = replacement).is_some()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_place_is_replaced_added_or_taken_away() {
        let mut value = json!({"a": {"b": 1}, "c": [1, 2], "x/y": 0});
        assert!(put(&mut value, "/a/b", Some(json!(null))));
        assert!(put(&mut value, "/a/new", Some(json!(2))));
        assert!(put(&mut value, "/c/1", Some(json!(3))));
        assert!(put(&mut value, &member("", "x/y"), None));
        assert_eq!(value, json!({"a": {"b": null, "new": 2}, "c": [1, 3]}));
        assert!(!put(&mut value, "/nowhere/b", Some(json!(1))));
        assert!(!put(&mut value, "/c/2", Some(json!(1))));
        assert!(!put(&mut value, "/gone", None));
        assert!(put(&mut value, "", Some(json!([]))));
        assert_eq!(value, json!([]));
    }

    #[test]
    fn a_place_lies_within_itself_and_what_is_around_it() {
        assert!(is_within("/a/b", "/a") && is_within("/a", "/a") && is_within("/a", ""));
        assert!(!is_within("/ab", "/a") && !is_within("/a", "/a/b"));
    }
}
