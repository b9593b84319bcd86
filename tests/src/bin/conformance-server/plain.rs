//! Tools that answer by themselves.

use contract_core::{Caller, Progress, ToolError, loopover_tool};
#[expect(deprecated, reason = "the suites of the earlier revisions ask for it")]
use rmcp::model::LoggingMessageNotificationParam;
use serde_json::json;
use std::time::Duration;
use tokio::time::sleep;

use super::answer::{Answer, Block, Embedded, Holder, Medium, Text, talk};

/// A red dot.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/// No sound at all.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const PAUSE: Duration = Duration::from_millis(50);

fn image() -> Block {
    Block::Image(Medium { data: PNG.to_owned(), mime_type: "image/png".to_owned() })
}

fn resource(uri: &str, mime_type: &str, text: &str) -> Block {
    let resource = Embedded { uri: uri.to_owned(), mime_type: mime_type.to_owned(), text: text.to_owned() };
    Block::Resource(Holder { resource })
}

/// Answer with one sentence that never changes.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_simple_text() -> Answer {
    Answer::text("This is a simple text response for testing.")
}

/// Answer with a picture of a red dot.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_image_content() -> Answer {
    Answer { content: vec![image()], ..Answer::default() }
}

/// Answer with a sound that is silent.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_audio_content() -> Answer {
    let sound = Medium { data: WAV.to_owned(), mime_type: "audio/wav".to_owned() };
    Answer { content: vec![Block::Audio(sound)], ..Answer::default() }
}

/// Answer with a resource and what is in it.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_embedded_resource() -> Answer {
    let text = "This is an embedded resource content.";
    Answer { content: vec![resource("test://embedded-resource", "text/plain", text)], ..Answer::default() }
}

/// Answer with words, a picture and a resource.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_multiple_content_types() -> Answer {
    let words = Block::Text(Text { text: "Multiple content types test:".to_owned() });
    let text = r#"{"test":"data","value":123}"#;
    let resource = resource("test://mixed-content-resource", "application/json", text);
    Answer { content: vec![words, image(), resource], ..Answer::default() }
}

/// Fail, and say that this is meant.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
fn test_error_handling() -> Result<Answer, ToolError> {
    Err(ToolError::upstream_error("This tool intentionally returns an error for testing"))
}

/// Report progress in three steps, then answer.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
async fn test_tool_with_progress(#[inject] progress: Progress) -> Answer {
    for done in [0.0, 50.0, 100.0] {
        progress.report(done, Some(100.0), format!("{done} of 100"));
        sleep(PAUSE).await;
    }
    Answer::text("Progress was reported three times")
}

/// Log three times on the way to an answer.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
async fn test_tool_with_logging(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    log(&caller, "Tool execution started").await?;
    sleep(PAUSE).await;
    log(&caller, "Tool processing data").await?;
    sleep(PAUSE).await;
    log(&caller, "Tool execution completed").await?;
    Ok(Answer::text("The log was written three times"))
}

/// Log once, if the request asks for a log at all.
#[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
async fn test_logging_tool(#[inject] caller: Caller) -> Result<Answer, ToolError> {
    if talk(&caller)?.meta.log_level().is_some() {
        log(&caller, "This was asked for").await?;
    }
    Ok(Answer::text("Nothing was logged that nobody asked for"))
}

#[expect(deprecated, reason = "the suites of the earlier revisions ask for it")]
async fn log(caller: &Caller, text: &str) -> Result<(), ToolError> {
    let message: LoggingMessageNotificationParam = serde_json::from_value(json!({ "level": "info", "data": text }))
        .map_err(|_| ToolError::upstream_error("this is no message of a log"))?;
    // A client that does not listen misses it.
    let _ = talk(caller)?.peer.notify_logging_message(message).await;
    Ok(())
}
