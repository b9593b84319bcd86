//! Prompts and resources, which the attribute has nothing to do with.

use rmcp::model::{ErrorData, GetPromptResponse};
use serde_json::{Map, Value, json};

use super::plain::PNG;
use super::server::{complete, input_required};

pub(crate) fn prompts() -> Value {
    let argument = |name: &str| json!({ "name": name, "description": "Any words", "required": true });
    json!({ "prompts": [
        { "name": "test_simple_prompt", "description": "A prompt without arguments" },
        {
            "name": "test_prompt_with_arguments",
            "description": "A prompt with two arguments",
            "arguments": [argument("arg1"), argument("arg2")],
        },
        {
            "name": "test_prompt_with_embedded_resource",
            "description": "A prompt with a resource in it",
            "arguments": [argument("resourceUri")],
        },
        { "name": "test_prompt_with_image", "description": "A prompt with a picture in it" },
        { "name": "test_input_required_result_prompt", "description": "A prompt that has to ask first" },
    ] })
}

pub(crate) fn prompt(
    name: &str,
    arguments: &Map<String, Value>,
    answers: &Map<String, Value>,
) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let says = |content: Value| json!({ "role": "user", "content": content });
    let text = |text: &str| says(json!({ "type": "text", "text": text }));
    let messages = match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1"), argument("arg2"));
            vec![text(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let resource = json!({
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            });
            let embedded = says(json!({ "type": "resource", "resource": resource }));
            vec![embedded, text("Please process the embedded resource above.")]
        }
        "test_prompt_with_image" => {
            let image = says(json!({ "type": "image", "data": PNG, "mimeType": "image/png" }));
            vec![image, text("Please analyze the image above.")]
        }
        "test_input_required_result_prompt" => {
            let context = answers.get("user_context").and_then(|answer| answer["content"]["context"].as_str());
            let Some(context) = context else {
                return input_required(&[question()], "").map(GetPromptResponse::InputRequired);
            };
            vec![text(&format!("Use this context: {context}"))]
        }
        _ => return Err(ErrorData::invalid_params("there is no such prompt", None)),
    };
    complete(json!({ "messages": messages })).map(GetPromptResponse::Complete)
}

/// What the last of the prompts has to ask first.
fn question() -> Value {
    let params = json!({
        "mode": "form",
        "message": "What context should the prompt use?",
        "requestedSchema": {
            "type": "object",
            "properties": { "context": { "type": "string" } },
            "required": ["context"],
        },
    });
    json!({ "key": "user_context", "method": "elicitation/create", "params": params.to_string() })
}

pub(crate) fn resources() -> Value {
    let resource = |uri: &str, description: &str, kind: &str| {
        let name = uri.trim_start_matches("test://");
        json!({ "uri": uri, "name": name, "description": description, "mimeType": kind })
    };
    json!({ "resources": [
        resource("test://static-text", "Words that never change", "text/plain"),
        resource("test://static-binary", "A red dot", "image/png"),
        resource("test://watched-resource", "Words that may be watched", "text/plain"),
    ] })
}

pub(crate) fn templates() -> Value {
    json!({ "resourceTemplates": [{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "Data by its identifier",
        "mimeType": "application/json",
    }] })
}

pub(crate) fn resource(uri: &str) -> Option<Value> {
    let text = |kind: &str, text: &str| Some(json!({ "uri": uri, "mimeType": kind, "text": text }));
    match uri {
        "test://static-text" => text("text/plain", "This is the content of the static text resource."),
        "test://watched-resource" => text("text/plain", "Nothing has changed here."),
        "test://static-binary" => Some(json!({ "uri": uri, "mimeType": "image/png", "blob": PNG })),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            text("application/json", &data.to_string())
        }
    }
}
