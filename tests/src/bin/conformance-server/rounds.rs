//! Tools that need more than one round, as the revisions without sessions have it: what is missing is asked for in the answer.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

use contract_core::{Caller, ToolError, loopover_tool};
use serde_json::{Value, json};

use super::answer::{Answer, Question, Talk, talk};

/// Keyed anew for each process, so that nobody else can make a seal.
static SEAL: LazyLock<RandomState> = LazyLock::new(RandomState::new);

const INVALID_PARAMS: i32 = -32602;
const MISSING_CAPABILITY: i32 = -32021;

fn sealed(text: &str) -> String {
    format!("{text}.{:016x}", SEAL.hash_one(text))
}

/// What was sealed, when the seal is whole.
fn unsealed(state: &str) -> Option<&str> {
    let (text, _) = state.rsplit_once('.')?;
    (sealed(text) == state).then_some(text)
}

fn elicitation(key: &str, message: &str, property: &str, kind: &str) -> Question {
    let schema = json!({ "type": "object", "properties": { property: { "type": kind } }, "required": [property] });
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    Question { key: key.to_owned(), method: "elicitation/create".to_owned(), params: params.to_string() }
}

fn sampling(key: &str, text: &str, tokens: u32) -> Question {
    let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
    let params = json!({ "messages": [message], "maxTokens": tokens });
    Question { key: key.to_owned(), method: "sampling/createMessage".to_owned(), params: params.to_string() }
}

fn roots(key: &str) -> Question {
    Question { key: key.to_owned(), method: "roots/list".to_owned(), params: "{}".to_owned() }
}

/// What the person filled in, if they did.
fn filled<'talk>(talk: &'talk Talk, key: &str, property: &str) -> Option<&'talk Value> {
    let answer = talk.round.answers.get(key)?;
    (answer["action"] == "accept").then(|| answer["content"].get(property)).flatten()
}

/// Asks for a name until there is one.
pub(crate) fn name(talk: &Talk) -> Answer {
    match filled(talk, "user_name", "name").and_then(Value::as_str) {
        Some(name) => Answer::text(format!("Hello, {name}!")),
        None => Answer::ask([elicitation("user_name", "What is your name?", "name", "string")]),
    }
}

/// Greet the person by the name that they are asked for.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_input_required_result_elicitation(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    Ok(name(talk(&caller)?))
}

/// Tell what the client's model said to a question.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_input_required_result_sampling(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    let answer = talk(&caller)?.round.answers.get("capital_question");
    Ok(match answer.and_then(|answer| answer["content"]["text"].as_str()) {
        Some(text) => Answer::text(text),
        None => Answer::ask([sampling("capital_question", "What is the capital of France?", 100)]),
    })
}

/// Tell which folders the client exposes.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_input_required_result_list_roots(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    let answer = talk(&caller)?.round.answers.get("client_roots");
    Ok(match answer.and_then(|answer| answer["roots"].as_array()) {
        Some(found) => {
            let found: Vec<&str> = found.iter().filter_map(|root| root["uri"].as_str()).collect();
            Answer::text(format!("The roots are {}", found.join(", ")))
        }
        None => Answer::ask([roots("client_roots")]),
    })
}

/// Ask for a confirmation, and see that it comes back with what was sent along.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_input_required_result_request_state(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    Ok(confirmed(talk(&caller)?))
}

/// Ask for a confirmation, and refuse what was changed on the way.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_input_required_result_tampered_state(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    Ok(confirmed(talk(&caller)?))
}

fn confirmed(talk: &Talk) -> Answer {
    match talk.round.state.as_deref() {
        None => Answer::ask([elicitation("confirm", "Please confirm", "ok", "boolean")]).with_state(sealed("confirm")),
        Some(state) if unsealed(state) == Some("confirm") => Answer::text("state-ok"),
        Some(_) => broken_seal(),
    }
}

fn broken_seal() -> Answer {
    Answer::refuse(INVALID_PARAMS, "`requestState` is not what was given out", &Value::Null)
}

/// Ask the person, the model and the client at once.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_input_required_result_multiple_inputs(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    let talk = talk(&caller)?;
    let questions = [
        elicitation("user_name", "What is your name?", "name", "string"),
        sampling("greeting", "Generate a greeting", 50),
        roots("client_roots"),
    ];
    let all = questions.iter().all(|question| talk.round.answers.contains_key(&question.key));
    Ok(match talk.round.state.as_deref() {
        Some(state) if unsealed(state) != Some("three") => broken_seal(),
        Some(_) if all => Answer::text("All three were answered"),
        _ => Answer::ask(questions).with_state(sealed("three")),
    })
}

/// Ask for a name, then for a colour, then tell both.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_input_required_result_multi_round(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    let talk = talk(&caller)?;
    let step1 = || elicitation("step1", "Step 1: What is your name?", "name", "string");
    let step2 = || elicitation("step2", "Step 2: What is your favorite color?", "color", "string");
    let Some(state) = talk.round.state.as_deref() else {
        return Ok(Answer::ask([step1()]).with_state(sealed("step1")));
    };
    let Some(state) = unsealed(state) else { return Ok(broken_seal()) };
    let named = filled(talk, "step1", "name").and_then(Value::as_str);
    let coloured = filled(talk, "step2", "color").and_then(Value::as_str);
    Ok(match (state.strip_prefix("step2:"), named, coloured) {
        (Some(name), _, Some(color)) => Answer::text(format!("{name} likes {color}")),
        (Some(_), _, None) => Answer::ask([step2()]).with_state(sealed(state)),
        (None, Some(name), _) => Answer::ask([step2()]).with_state(sealed(&format!("step2:{name}"))),
        (None, None, _) => Answer::ask([step1()]).with_state(sealed("step1")),
    })
}

/// Ask only what the client says it can answer.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_input_required_result_capabilities(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    let talk = talk(&caller)?;
    let can = talk.meta.client_capabilities().unwrap_or_default();
    let questions = [
        can.elicitation.is_some().then(|| elicitation("user_name", "What is your name?", "name", "string")),
        can.sampling.is_some().then(|| sampling("greeting", "Generate a greeting", 50)),
        can.roots.is_some().then(|| roots("client_roots")),
    ];
    let questions: Vec<Question> = questions.into_iter().flatten().collect();
    let answered = questions.iter().all(|question| talk.round.answers.contains_key(&question.key));
    Ok(if answered { Answer::text("All that could be asked was answered") } else { Answer::ask(questions) })
}

/// Refuse a client that cannot ask its model.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_missing_capability(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    let can = talk(&caller)?.meta.client_capabilities().unwrap_or_default();
    if can.sampling.is_some() {
        return Ok(Answer::text("The client can ask its model"));
    }
    let data = json!({ "requiredCapabilities": { "sampling": {} } });
    Ok(Answer::refuse(MISSING_CAPABILITY, "the client must declare `sampling`", &data))
}
