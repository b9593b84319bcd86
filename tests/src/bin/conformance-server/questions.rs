//! Tools that ask the client while they run, as the revisions with sessions have it.

use contract_core::{Caller, ToolError, loopover_tool};
use rmcp::model::{ClientResult, ServerRequest};
use serde_json::{Value, json};

use super::answer::{Answer, talk};

/// Ask the client's model something, and tell what it said.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
async fn test_sampling(
    /// What to ask.
    #[arg(example = "What is two and two?")]
    prompt: String,
    #[inject] caller: Caller,
) -> Result<Answer, ToolError> {
    let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
    let answer = ask(&caller, "sampling/createMessage", json!({ "messages": [message], "maxTokens": 100 })).await?;
    Ok(Answer::text(format!("LLM response: {}", answer["content"]["text"].as_str().unwrap_or_default())))
}

/// Ask the person something, and tell what they said.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
async fn test_elicitation(
    /// What to ask.
    #[arg(example = "Who are you?")]
    message: String,
    #[inject] caller: Caller,
) -> Result<Answer, ToolError> {
    let properties = json!({
        "username": { "type": "string", "description": "User's response" },
        "email": { "type": "string", "description": "User's email address" },
    });
    let (action, content) = form(&caller, &message, properties, &["username", "email"]).await?;
    Ok(Answer::text(format!("User response: action={action}, content={content}")))
}

/// Ask the person for values that have defaults.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
async fn test_elicitation_sep1034_defaults(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    let properties = json!({
        "name": { "type": "string", "description": "Name", "default": "John Doe" },
        "age": { "type": "integer", "description": "Age", "default": 30 },
        "score": { "type": "number", "description": "Score", "default": 95.5 },
        "status": { "type": "string", "description": "Status", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "description": "Verified", "default": true },
    });
    let (action, content) = form(&caller, "Please check these values", properties, &[]).await?;
    Ok(Answer::text(format!("Elicitation completed: action={action}, content={content}")))
}

/// Ask the person to choose, in each form that a choice can have.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
async fn test_elicitation_sep1330_enums(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    let titled = |value: &str, title: &str| json!({ "const": value, "title": title });
    let of_three = |word: &str| {
        json!([
            titled("value1", &format!("First {word}")),
            titled("value2", &format!("Second {word}")),
            titled("value3", &format!("Third {word}")),
        ])
    };
    let options = json!(["option1", "option2", "option3"]);
    let properties = json!({
        "untitledSingle": { "type": "string", "enum": options },
        "titledSingle": { "type": "string", "oneOf": of_three("Option") },
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
        "titledMulti": { "type": "array", "items": { "anyOf": of_three("Choice") } },
    });
    let (action, content) = form(&caller, "Please choose", properties, &[]).await?;
    Ok(Answer::text(format!("Elicitation completed: action={action}, content={content}")))
}

/// Answer on a stream, on which the client is asked nothing.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_streaming_elicitation(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    Ok(super::rounds::name(talk(&caller)?))
}

async fn form(
    caller: &Caller,
    message: &str,
    properties: Value,
    required: &[&str],
) -> Result<(String, Value), ToolError> {
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    let answer =
        ask(caller, "elicitation/create", json!({ "mode": "form", "message": message, "requestedSchema": schema }))
            .await?;
    Ok((answer["action"].as_str().unwrap_or_default().to_owned(), answer["content"].clone()))
}

/// Sends a request to the client and waits for what it answers.
async fn ask(caller: &Caller, method: &str, params: Value) -> Result<Value, ToolError> {
    let request: ServerRequest = serde_json::from_value(json!({ "method": method, "params": params }))
        .map_err(|_| ToolError::upstream_error("this is no request that can be sent"))?;
    let answer: ClientResult = talk(caller)?
        .peer
        .send_request(request)
        .await
        .map_err(|_| ToolError::upstream_error("the client does not answer questions of this kind"))?;
    serde_json::to_value(answer).map_err(|_| ToolError::upstream_error("the client's answer cannot be read"))
}
