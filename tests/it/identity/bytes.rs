//! One call through the door, through the server, and through a client's program in front of the server: the same bytes. And
//! whichever member of an answer a server changes, the client's program names it.

use std::sync::{Arc, Mutex};

use contract_core::testing::block_on;
use contract_core::{
    Arguments, CallContext, CallRequest, Caller, Clock, Provided, Registry, ToolFilter, TrustProcessOwner,
};
use contract_tests::fake_server::{FakeServer, reply, write_json};
use contract_tests::http_client::{Ask, HttpServer};
use contract_tests::stdio_client::StdioClient;
use contract_tools::config::{Environment, PrivateConfig};
use contract_tools::forge;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{World, arguments, credential, now, outcome, remote_tools};

/// The answer of the door itself.
fn through_door(world: &World, tool: &str, arguments: &Value) -> String {
    let provided =
        Provided::new().with(forge::reading(&world.store())).with(PrivateConfig::from_environment(&Environment::new()));
    let context = CallContext::new(Clock::frozen(now())).with_provided(provided);
    let request = CallRequest {
        tool: tool.to_owned(),
        arguments: Arguments::Text(arguments.to_string()),
        caller: Caller::anonymous(),
        policy: Arc::new(TrustProcessOwner),
    };
    let call = Registry::collect().unwrap().call(&ToolFilter::new(), request, context);
    block_on(call).unwrap().text()
}

/// The bytes of `structuredContent` in a response.
fn structured(response: &str) -> String {
    #[derive(serde::Deserialize)]
    struct Response<'text> {
        #[serde(borrow)]
        result: Content<'text>,
    }
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Content<'text> {
        #[serde(borrow)]
        structured_content: Option<&'text RawValue>,
    }
    let response: Response<'_> = serde_json::from_str(response).unwrap_or_else(|error| panic!("{error}: {response}"));
    response.result.structured_content.unwrap_or_else(|| panic!("an error")).get().to_owned()
}

fn through_server(server: &HttpServer, token: &str, tool: &str, arguments: &Value) -> String {
    let answer = credential(Ask::call(server, tool, arguments), Some(token)).answer(server);
    let text = answer.text();
    let body = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).rfind(|data| !data.is_empty());
    structured(body.unwrap_or(&text))
}

fn client(world: &World, url: &str, token: &str) -> StdioClient {
    let mut command = world.program(&[("LOOPOVER_API_URL", url), ("LOOPOVER_TOKEN", token)]);
    command.arg("stdio");
    let mut client = StdioClient::start_command(command);
    client.initialize();
    client
}

fn through_client(client: &mut StdioClient, tool: &str, arguments: &Value) -> String {
    let call = json!({ "jsonrpc": "2.0", "id": tool, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    client.send(&call.to_string());
    structured(&client.next_line())
}

#[test]
fn every_way_in_gives_the_same_bytes() {
    let world = World::new();
    let variables = [
        ("LOOPOVER_API_TOKEN", "the-api-token"),
        ("LOOPOVER_MCP_ADMIN_TOKEN", "the-admin-token"),
        ("LOOPOVER_MCP_ADMIN_ENABLED", "yes"),
    ];
    let server = world.serve(&variables, &[]);
    let mut client = client(&world, &format!("http://{}", server.address), "the-api-token");
    let listed = client.request("tools/list", &json!({}))["result"]["tools"].to_string();
    let registry = Registry::collect().unwrap();
    for tool in remote_tools(&registry) {
        let (name, arguments) = (tool.name(), arguments(tool.name(), "kim"));
        let is_admin = tool.category() == "admin";
        let door = through_door(&world, name, &arguments);
        let token = if is_admin { "the-admin-token" } else { "the-api-token" };
        assert_eq!(through_server(&server, token, name, &arguments), door, "{name}");
        // Administrative tools are for who is at the server.
        assert_eq!(listed.contains(name), !is_admin, "{name}");
        if !is_admin {
            assert_eq!(through_client(&mut client, name, &arguments), door, "{name}");
        }
    }
}

#[test]
fn what_the_server_refuses_is_refused_through_the_client_in_the_same_words() {
    let world = World::new();
    let server = world.serve(&[], &[]);
    let token = &world.sessions["stranger"];
    let mut client = client(&world, &format!("http://{}", server.address), token);
    for tool in ["loopover_get_repo_context", "loopover_get_pr_reviewability", "loopover_predict_gate"] {
        let arguments = arguments(tool, "rui");
        let direct = credential(Ask::call(&server, tool, &arguments), Some(token)).answer(&server).json();
        assert_eq!(outcome(&direct), "forbidden");
        assert_eq!(client.call(tool, &arguments)["content"], direct["result"]["content"], "{tool}");
    }
}

#[test]
fn a_server_that_drifts_in_any_required_member_is_named_it() {
    let world = World::new();
    let registry = Registry::collect().unwrap();
    let drifted: Arc<Mutex<Value>> = Arc::default();
    let answered = Arc::clone(&drifted);
    let server = FakeServer::of_tools(move |request, stream| {
        let answer = answered.lock().unwrap().clone();
        let result = json!({ "resultType": "complete", "content": [], "structuredContent": answer });
        write_json(stream, &reply(request, &result));
    });
    let mut client = client(&world, &server.url(), "any");
    for tool in remote_tools(&registry).into_iter().filter(|tool| tool.category() != "admin") {
        let arguments = arguments(tool.name(), "kim");
        let good: Value = serde_json::from_str(&through_door(&world, tool.name(), &arguments)).unwrap();
        let required = tool.output_schema()["required"].as_array().unwrap();
        for member in required.iter().filter_map(Value::as_str) {
            for other in [None, Some(json!([[7]]))] {
                let mut answer = good.clone();
                match other {
                    Some(other) => answer[member] = other,
                    None => drop(answer.as_object_mut().unwrap().remove(member)),
                }
                *drifted.lock().unwrap() = answer;
                let said = client.call(tool.name(), &arguments);
                assert_eq!(outcome(&json!({ "result": said })), "upstream_error", "{} {member}", tool.name());
                let text = said["content"][0]["text"].as_str().unwrap();
                assert!(text.contains(&format!("/{member}")), "{}: {text}", tool.name());
            }
        }
    }
}
