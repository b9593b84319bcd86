//! The fixture as rmcp sees it: tools from the registry, with what their answers stand for put into MCP's forms.

use std::borrow::Cow;

use contract_core::rmcp::RegistryServer;
#[expect(deprecated, reason = "the suites of the earlier revisions ask for it")]
use rmcp::model::SetLevelRequestParams;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, ErrorCode,
    ErrorData, GetPromptRequestParams, GetPromptResponse, InputRequiredResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answer::Round;
use super::beside;

/// The tools by the door, the rest by hand.
#[derive(Clone)]
pub(crate) struct Fixture {
    pub(crate) tools: RegistryServer,
}

/// A result in the form that rmcp has for it, which takes off what an earlier revision does not know.
pub(crate) fn complete<T: DeserializeOwned>(mut value: Value) -> Result<T, ErrorData> {
    value["resultType"] = "complete".into();
    typed(value)
}

/// A value in the form that rmcp has for it.
fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// What came with a request that was asked something before.
pub(crate) fn answers(responses: impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(responses) {
        Ok(Value::Object(answers)) => answers,
        _ => Map::new(),
    }
}

/// What an answer that has to ask first is.
pub(crate) fn input_required(questions: &[Value], state: &str) -> Result<InputRequiredResult, ErrorData> {
    let mut requests = Map::new();
    for question in questions {
        let text = |member: &str| question[member].as_str().unwrap_or_default();
        let params: Value = serde_json::from_str(text("params")).unwrap_or_default();
        requests.insert(text("key").to_owned(), json!({ "method": text("method"), "params": params }));
    }
    let mut result = json!({ "resultType": "input_required", "inputRequests": requests });
    if !state.is_empty() {
        result["requestState"] = state.into();
    }
    typed(result)
}

/// What an answer stands for.
fn formed(mut result: CallToolResult) -> Result<CallToolResponse, ErrorData> {
    let Some(answer) = &result.structured_content else { return Ok(CallToolResponse::Complete(result)) };
    if let Some(refused) = answer["refused"].get(0) {
        let code = refused["code"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or_default();
        let data: Option<Value> = serde_json::from_str(refused["data"].as_str().unwrap_or_default()).ok();
        let message = refused["message"].as_str().unwrap_or_default().to_owned();
        return Err(ErrorData::new(ErrorCode(code), message, data.filter(|data| !data.is_null())));
    }
    if let Some(questions) = answer["questions"].as_array().filter(|questions| !questions.is_empty()) {
        let state = answer["state"].as_str().unwrap_or_default();
        return input_required(questions, state).map(CallToolResponse::InputRequired);
    }
    result.content = typed(answer["content"].clone())?;
    Ok(CallToolResponse::Complete(result))
}

#[expect(deprecated, reason = "the suites of the earlier revisions ask for subscriptions and log levels")]
impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.tools.get_info();
        let capabilities = json!({
            "tools": {}, "prompts": {}, "resources": { "subscribe": true }, "logging": {}, "completions": {},
        });
        info.capabilities = typed(capabilities).unwrap_or_default();
        info
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.tools.supported_protocol_versions()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.tools.list_tools(request, context).await
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let round = Round { answers: answers(&request.input_responses), state: request.request_state.clone() };
        context.extensions.insert(round);
        match self.tools.call_tool(request, context).await? {
            CallToolResponse::Complete(result) => formed(result),
            other => Ok(other),
        }
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.get_tool(name)
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::default())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        complete(beside::prompts())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = answers(&request.arguments);
        beside::prompt(&request.name, &arguments, &answers(&request.input_responses))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        complete(beside::resources())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        complete(beside::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = beside::resource(&request.uri).ok_or_else(|| {
            ErrorData::invalid_params("there is no such resource", Some(json!({ "uri": request.uri })))
        })?;
        complete(json!({ "contents": [contents] })).map(ReadResourceResponse::Complete)
    }

    /// Resources may be watched; the lists never change.
    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        accepted.resource_subscriptions.clone_from(&requested.resource_subscriptions);
        Some(accepted)
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }
}
