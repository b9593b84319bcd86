//! `cli-config`: three small questions, told apart by what a vector asks with.

use std::fs;
use std::path::Path;

use contract_tests::vectors::Vector;
use contract_tools::config::{Environment, Profile, api_url, canonical_profile_name, config_path, read_document};
use serde_json::{Value, json};

use super::World;

pub(crate) fn cli_config(world: &World, vector: &Vector) -> Result<Value, String> {
    let input = &vector.input;
    if let Some(name) = input.get("profileName") {
        return Ok(json!({ "canonical": canonical_profile_name(name.as_str()) }));
    }
    let environment: Environment = serde_json::from_value(input["env"].clone()).map_err(|error| error.to_string())?;
    if let Some(config) = input.get("config") {
        let home = world.home();
        let file = home.path().join("config.json");
        fs::write(&file, config.to_string()).map_err(|error| error.to_string())?;
        let document = read_document(&file).map_err(|problem| format!("the file cannot be used: {problem:?}"))?;
        let own = input["profile"]["apiUrl"].as_str().map(str::to_owned);
        let profile = Profile { api_url: own, session: None };
        return Ok(json!({ "apiUrl": api_url(&environment, &document, Some(&profile)) }));
    }
    Ok(json!({ "path": config_path(&environment, input["homeDir"].as_str().map(Path::new)) }))
}
