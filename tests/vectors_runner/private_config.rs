//! A deployment's private configuration: which files, what they say together, and one value over another.

use std::fs;
use std::path::Path;

use contract_tests::vectors::Vector;
use contract_tools::config::{PrivateAnswer, PrivateConfig, private_candidates};
use contract_tools::engine::config_layers::{Layer, overlay};
use serde_json::{Value, json};

use super::World;

pub(crate) fn candidates(_: &World, vector: &Vector) -> Result<Value, String> {
    let layer = match vector.input["layer"].as_str() {
        None => Layer::Repo,
        Some("global") => Layer::Global,
        Some("shared") => Layer::Shared,
        Some(other) => return Err(format!("{other} is no layer")),
    };
    Ok(json!(private_candidates(layer, vector.input["repoFullName"].as_str().unwrap_or_default())))
}

pub(crate) fn overlaid(_: &World, vector: &Vector) -> Result<Value, String> {
    let member = |name: &str| vector.input.get(name).cloned().ok_or_else(|| format!("the vector has no {name}"));
    Ok(overlay(member("base")?, member("override")?))
}

pub(crate) fn effective(world: &World, vector: &Vector) -> Result<Value, String> {
    let folder = world.home();
    let files = vector.input["files"].as_object().ok_or("the vector has no files")?;
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().ok_or("the file has no folder")?).map_err(|error| error.to_string())?;
        fs::write(path, text(vector, content)?).map_err(|error| error.to_string())?;
    }
    let config = PrivateConfig::new(Some(folder.path().to_owned()));
    let full_name = vector.input["repoFullName"].as_str().ok_or("the vector names no repository")?;
    let answer = config.effective(full_name).ok_or("nothing is configured")?;
    let one = |answer: Option<PrivateAnswer>| {
        answer.filter(|answer| answer.found).map(|answer| json!({ "path": answer.path }))
    };
    Ok(json!({
        "effective": if answer.found { told(folder.path(), files.keys(), &answer) } else { Value::Null },
        "global": one(config.global()),
        "repo": one(config.repo(full_name)),
    }))
}

/// A file's text; the large ones are described by their size.
fn text(vector: &Vector, content: &Value) -> Result<String, String> {
    if let Some(text) = content.as_str() {
        return Ok(text.to_owned());
    }
    let size = content["bytes"]
        .as_u64()
        .and_then(|size| usize::try_from(size).ok())
        .ok_or("a file has neither text nor size")?;
    let head = "b: 1\n#";
    let filler = if vector.case.starts_with("multibyte") { "ü" } else { "x" };
    let mut text = head.to_owned();
    while text.len() + filler.len() <= size {
        text.push_str(filler);
    }
    while text.len() < size {
        text.push('x');
    }
    Ok(text)
}

fn told<'a>(folder: &Path, paths: impl Iterator<Item = &'a String>, answer: &PrivateAnswer) -> Value {
    let content = answer.content.as_deref();
    let raw = paths.into_iter().find(|path| fs::read_to_string(folder.join(path)).ok().as_deref() == content);
    let merged: Option<Value> = match (raw, content) {
        (None, Some(content)) => serde_json::from_str(content).ok(),
        _ => None,
    };
    let order: Option<Vec<&String>> =
        merged.as_ref().and_then(Value::as_object).map(|members| members.keys().collect());
    let named: Vec<&str> = answer.warnings.iter().filter_map(|warning| warning.split(' ').next()).collect();
    let layer = |path: &&str| match path.split('/').next() {
        Some("_shared") => "shared",
        Some(first) if first.starts_with(".loopover.") => "global",
        _ => "repo",
    };
    json!({
        "contentIsRawTextOf": raw,
        "mergedJson": merged,
        "mergedKeyOrder": order,
        "sharedConfigSource": answer.shared_review,
        "warningLayers": named.iter().map(layer).collect::<Vec<_>>(),
        // The original does not name the shared file, and nobody relies on that.
        "warningNamesPath": named.iter().map(|path| (layer(path) != "shared").then_some(path)).collect::<Vec<_>>(),
    })
}
