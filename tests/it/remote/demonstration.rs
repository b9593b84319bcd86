//! The demonstration's answers, golden and the same whichever way one asks.

use expect_test::expect_file;
use serde_json::Value;

use super::{Deployment, good_calls};

#[test]
fn the_prompt_the_door_and_http_give_the_same_bytes() {
    let deployment = Deployment::new();
    let server = deployment.serve();
    for (tool, arguments) in good_calls() {
        let prompt = deployment.at_the_prompt(tool, &arguments);
        assert_eq!(deployment.at_the_door(tool, &arguments).bytes(), prompt.bytes(), "{tool} at the door");
        assert_eq!(server.call(tool, &arguments).bytes(), prompt.bytes(), "{tool} over HTTP");
    }
}

#[test]
fn each_tool_has_something_to_say_about_the_demonstration() {
    let deployment = Deployment::new();
    let said: String = good_calls()
        .into_iter()
        .map(|(tool, arguments)| {
            let answer: Value = deployment.at_the_door(tool, &arguments).answer();
            format!("# {tool}\n{arguments}\n{answer:#}\n\n")
        })
        .collect();
    expect_file!["demonstration.txt"].assert_eq(&said);
}

#[test]
fn asking_changes_no_byte_of_the_store() {
    let deployment = Deployment::new();
    // What was written when it was filled is in the file before anybody asks.
    let bytes = || std::fs::read(deployment.store()).unwrap();
    let before = bytes();
    for (tool, arguments) in good_calls() {
        deployment.at_the_prompt(tool, &arguments).answer();
    }
    assert!(bytes() == before, "a tool that reads has written");
}
