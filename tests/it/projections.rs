//! What providers and agents are told: each form is a pure function of the definitions and within the provider's limits.

use contract_core::projection::{agent_index, anthropic, contract, gemini, markdown, mcp, openai, typescript};
use contract_core::{Registry, ToolDefinition, ToolFilter};
use serde_json::{Map, Value, json};

use crate::hand_made::{described, numbered};

/// Every tool that this binary links.
fn registry() -> Registry {
    Registry::collect().unwrap()
}

fn with_tools<T>(then: impl FnOnce(&[&ToolDefinition]) -> T) -> T {
    let registry = registry();
    then(&registry.list_tool_definitions(&ToolFilter::new()))
}

/// Calls `each` with every schema in a schema.
fn for_each_schema(schema: &Value, each: &mut impl FnMut(&Map<String, Value>)) {
    let node = schema.as_object().unwrap_or_else(|| panic!("a schema is an object: {schema}"));
    each(node);
    let properties = node.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
    let inner = ["items", "additionalProperties"].into_iter().filter_map(|keyword| node.get(keyword));
    let branches = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| node.get(keyword)?.as_array()).flatten();
    properties
        .chain(inner)
        .chain(branches)
        .filter(|value| !value.is_boolean())
        .for_each(|value| for_each_schema(value, each));
}

/// Calls `each` with every object in a document.
fn for_each_object(value: &Value, each: &mut impl FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            each(object);
            object.values().for_each(|value| for_each_object(value, each));
        }
        Value::Array(items) => items.iter().for_each(|value| for_each_object(value, each)),
        _ => {}
    }
}

#[test]
fn a_strict_object_is_closed_and_requires_every_member_and_an_optional_one_may_be_null() {
    let projection = with_tools(|tools| openai::strict_tools(tools).unwrap());
    let mut strict = 0;
    for tool in projection.document.as_array().unwrap() {
        if tool["function"]["strict"] == json!(false) {
            let name = tool["function"]["name"].as_str().unwrap();
            assert!(projection.losses.iter().any(|loss| loss.tool == name), "{name} is loose without a reason");
            continue;
        }
        strict += 1;
        for_each_schema(&tool["function"]["parameters"], &mut |node| {
            let says = ["type", "anyOf", "enum", "const"].iter().any(|keyword| node.contains_key(*keyword));
            assert!(says, "{node:?}");
            if node.contains_key("properties") || node.get("type") == Some(&json!("object")) {
                assert_eq!((&node["type"], &node["additionalProperties"]), (&json!("object"), &json!(false)));
                let names = node["properties"].as_object().unwrap().keys().map(|name| json!(name)).collect();
                assert_eq!(node["required"], Value::Array(names));
            }
            let formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
            assert!(node.get("format").is_none_or(|format| formats.contains(&format.as_str().unwrap())), "{node:?}");
            let unknown = ["default", "minLength", "maxLength", "uniqueItems", "oneOf", "examples"];
            assert!(unknown.iter().all(|keyword| !node.contains_key(*keyword)), "{node:?}");
        });
    }
    assert!(strict > 10);
    let list =
        projection.document.as_array().unwrap().iter().find(|tool| tool["function"]["name"] == "door_list_claims");
    let status = &list.unwrap()["function"]["parameters"]["properties"]["status"];
    assert_eq!(status["anyOf"][1], json!({ "type": "null" }), "{status}");
}

#[test]
fn no_form_has_a_schema_address_an_identifier_or_a_title() {
    with_tools(|tools| {
        let forms = [
            anthropic::tools(tools),
            anthropic::strict_tools(tools).document,
            openai::tools(tools).unwrap(),
            openai::responses_tools(tools).unwrap(),
            openai::strict_tools(tools).unwrap().document,
            gemini::function_declarations(tools).document,
        ];
        for form in forms {
            for_each_object(&form, &mut |node| {
                let is_schema = node.get("type").is_some_and(Value::is_string) || node.contains_key("anyOf");
                let banned = ["$schema", "$id", "$ref", "$defs", "title"];
                assert!(!is_schema || banned.iter().all(|keyword| !node.contains_key(*keyword)), "{node:?}");
            });
        }
    });
}

#[test]
fn every_root_says_that_it_is_an_object_and_has_properties_also_when_there_are_none() {
    with_tools(|tools| {
        let strict = openai::strict_tools(tools).unwrap().document;
        let forms: [(Value, &[&str]); 6] = [
            (mcp::tools_list(tools)["tools"].clone(), &["inputSchema"]),
            (anthropic::tools(tools), &["input_schema"]),
            (anthropic::strict_tools(tools).document, &["input_schema"]),
            (openai::tools(tools).unwrap(), &["function", "parameters"]),
            (openai::responses_tools(tools).unwrap(), &["parameters"]),
            (strict, &["function", "parameters"]),
        ];
        for (form, path) in forms {
            let mut empty = 0;
            let listed = form.as_array().unwrap();
            assert_eq!(listed.len(), tools.len());
            for tool in listed {
                let root = path.iter().fold(tool, |value, member| &value[*member]);
                let properties = root["properties"].as_object().unwrap_or_else(|| panic!("no properties: {tool}"));
                assert_eq!(root["type"], "object", "{tool}");
                if properties.is_empty() {
                    empty += 1;
                    assert_eq!(root["additionalProperties"], json!(false), "{tool}");
                }
            }
            assert!(empty > 2, "tools without parameters are among them");
        }
    });
}

#[test]
fn no_root_is_a_union() {
    with_tools(|tools| {
        for tool in tools {
            for schema in [tool.input_schema(), tool.output_schema()] {
                assert_eq!(schema["type"], "object");
                let unions = ["oneOf", "anyOf", "allOf", "not", "enum", "if"];
                assert!(unions.iter().all(|keyword| !schema.contains_key(*keyword)), "{}", tool.name());
            }
        }
    });
}

#[test]
fn gemini_is_told_nothing_that_it_does_not_know_and_no_union_of_items() {
    let projection = with_tools(gemini::function_declarations);
    for declaration in projection.document["functionDeclarations"].as_array().unwrap() {
        let Some(parameters) = declaration.get("parameters") else { continue };
        for_each_object(parameters, &mut |node| {
            let unknown =
                ["additionalProperties", "const", "oneOf", "exclusiveMinimum", "multipleOf", "examples", "$ref"];
            assert!(unknown.iter().all(|keyword| !node.contains_key(*keyword)), "{node:?}");
            assert!(node.get("items").is_none_or(|items| items.get("anyOf").is_none()), "{node:?}");
        });
    }
}

#[test]
fn a_documented_optional_enum_keeps_its_words_and_its_description_everywhere() {
    with_tools(|tools| {
        let form = gemini::function_declarations(tools).document;
        let list =
            form["functionDeclarations"].as_array().unwrap().iter().find(|tool| tool["name"] == "door_list_claims");
        let status = &list.unwrap()["parameters"]["properties"]["status"];
        assert_eq!(status["enum"], json!(["active", "released", "expired"]));
        assert_eq!(status["description"], "Only claims of this status.");
    });
}

#[test]
fn more_tools_than_a_provider_takes_are_an_error_with_the_count() {
    let many = Registry::from_entries((0..129).map(numbered)).unwrap();
    let tools = many.list_tool_definitions(&ToolFilter::new());
    let error = openai::tools(&tools).unwrap_err().to_string();
    assert!(error.contains("128") && error.contains("129"), "{error}");
    assert!(openai::strict_tools(&tools).is_err() && openai::responses_tools(&tools).is_err());
    assert!(agent_index::agent_index(&tools, "http://127.0.0.1/mcp").is_err());
    assert_eq!(openai::tools(&tools[1..]).unwrap().as_array().map(Vec::len), Some(128));
}

#[test]
fn a_strict_budget_is_never_exceeded() {
    let many = Registry::from_entries((0..30).map(numbered)).unwrap();
    let projection = anthropic::strict_tools(&many.list_tool_definitions(&ToolFilter::new()));
    let strict = projection.document.as_array().unwrap().iter().filter(|tool| tool["strict"] == json!(true)).count();
    assert_eq!(strict, 20);
    assert_eq!(projection.losses.iter().filter(|loss| loss.message.contains("budget")).count(), 10);
}

#[test]
fn a_description_too_long_for_a_provider_is_refused_by_its_length_in_characters() {
    let error = Registry::from_entries([described("too_long", &"é".repeat(1500))]).unwrap_err().to_string();
    assert!(error.contains("has 1500 characters") && error.contains("20 to 1024"), "{error}");
    assert!(Registry::from_entries([described("too_short", "Too short.")]).is_err());
    assert!(Registry::from_entries([described("long_enough", &"é".repeat(1024))]).is_ok());
}

#[test]
fn projecting_changes_nothing_in_any_order_and_from_any_thread() {
    with_tools(|tools| {
        let all = || {
            [
                mcp::tools_list(tools).to_string(),
                openai::strict_tools(tools).unwrap().document.to_string(),
                gemini::function_declarations(tools).document.to_string(),
                anthropic::strict_tools(tools).document.to_string(),
                contract::canonical(tools),
                markdown::document(tools),
                typescript::declarations(tools),
            ]
        };
        let first = all();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(all)).collect();
            for thread in threads {
                assert_eq!(thread.join().unwrap(), first);
            }
        });
    });
}

#[test]
fn every_tool_is_projected_once_and_in_order_of_the_names() {
    with_tools(|tools| {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name()).collect();
        assert!(names.is_sorted());
        let listed = mcp::tools_list(tools);
        let listed: Vec<&str> =
            listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(listed, names);
    });
}

#[test]
fn an_unrelated_tool_changes_no_byte_of_another() {
    let one = described("one", "A tool that stands for itself alone.");
    let alone = Registry::from_entries([one]).unwrap();
    let together = Registry::from_entries([numbered(1), one, numbered(2)]).unwrap();
    let page = |registry: &Registry| contract::canonical(&[registry.get("one").unwrap()]);
    assert_eq!(page(&alone), page(&together));
}

#[test]
fn the_canonical_contract_sorts_its_keys_and_gives_back_its_roster() {
    with_tools(|tools| {
        let text = contract::canonical(tools);
        for_each_object(&serde_json::from_str(&text).unwrap(), &mut |object| {
            assert!(object.keys().is_sorted(), "{object:?}");
        });
        let names: Vec<String> = tools.iter().map(|tool| tool.name().to_owned()).collect();
        assert_eq!(contract::roster(&text).unwrap(), names);
        assert!(text.ends_with("}\n"));
    });
}

#[test]
fn a_page_tells_which_members_go_with_which_branch() {
    let page = with_tools(|tools| markdown::page(tools.iter().find(|tool| tool.name() == "door_variants").unwrap()));
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `operation")).collect();
    assert_eq!(
        rows,
        [
            "| `operation` | object or object | yes | What to do with them. |",
            "| `operation` as `kind` \"compare\" | object | | Compare them. |",
            "| `operation.depth` | integer, minimum 0, maximum 255 | yes | How closely. |",
            "| `operation` as `kind` \"drop\" | object | | Drop them. |",
        ]
    );
}

#[test]
fn a_page_shows_a_raw_identifier_by_its_plain_name() {
    for (tool, row) in [("door_audit_feed", "| `type` | string | "), ("golden_match", "| `type` | string | ")] {
        let page = with_tools(|tools| markdown::page(tools.iter().find(|one| one.name() == tool).unwrap()));
        assert!(page.lines().any(|line| line.starts_with(row)) && !page.contains("r#"), "{page}");
    }
}

#[test]
fn no_tools_are_empty_documents() {
    assert_eq!(openai::tools(&[]).unwrap(), json!([]));
    assert_eq!(anthropic::tools(&[]), json!([]));
    assert_eq!(mcp::tools_list(&[]), json!({ "tools": [] }));
    let index = agent_index::agent_index(&[], "http://127.0.0.1/mcp").unwrap();
    assert_eq!((&index["tools"], &index["openai"], &index["anthropic"]), (&json!([]), &json!([]), &json!([])));
    assert_eq!(markdown::document(&[]), "");
}
