//! One attribute makes a type fit, in camelCase unless it says otherwise.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

use contract_core::serde_json::{json, to_value};

#[contract_type]
#[derive(Debug)]
struct Plain {
    /// A number.
    one_number: u32,
}

#[contract_type]
#[serde(rename_all = "snake_case")]
struct Kept {
    /// A number.
    one_number: u32,
}

#[contract_type(crate = contract_core)]
#[serde(tag = "kind")]
enum Tagged {
    /// One.
    OneThing {
        /// A number.
        one_number: u32,
    },
}

#[contract_type]
#[serde(rename_all_fields = "UPPERCASE")]
enum External {
    /// One.
    OneThing {
        /// A number.
        number: u32,
    },
}

#[contract_type]
enum Words {
    FirstWord,
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn ask(
    /// A word.
    word: Words,
) -> Out {
    let _ = word;
    Out { x: 1 }
}

fn main() {
    assert_eq!(to_value(Plain { one_number: 1 }).unwrap(), json!({ "oneNumber": 1 }));
    assert_eq!(to_value(Kept { one_number: 1 }).unwrap(), json!({ "one_number": 1 }));
    assert_eq!(to_value(Tagged::OneThing { one_number: 1 }).unwrap(), json!({ "kind": "oneThing", "oneNumber": 1 }));
    assert_eq!(to_value(External::OneThing { number: 1 }).unwrap(), json!({ "oneThing": { "NUMBER": 1 } }));
    let registry = Registry::collect().unwrap();
    let schema = to_value(registry.get("ask").unwrap().input_schema()).unwrap();
    assert_eq!(schema["properties"]["word"]["enum"], json!(["firstWord"]));
    let _ = ask(Words::FirstWord);
}
