//! TypeScript declarations: what each tool takes and answers, for programs that call tools by name.
//!
//! The document depends on nothing and holds types alone. They are aliases and not interfaces, since only an alias's value
//! may be handed to a client that takes `Record<string, unknown>`.

mod comment;
mod shape;

use std::fmt::Write as _;

use serde_json::{Map, Value};

use self::comment::{comment, key};
use crate::definition::ToolDefinition;

/// A `.d.ts` of these tools: two types a tool, the union of the names, and a map from name to both types.
pub fn declarations(tools: &[&ToolDefinition]) -> String {
    let mut text = String::from(
        "// What the tools take and answer. Generated from their contract: a change made here is lost with the next export.\n\n",
    );
    for tool in tools {
        let name = tool.name();
        let pascal = type_name(name);
        text += &declaration(&format!("{pascal}Input"), &format!("What `{name}` takes."), tool.input_schema());
        text += &declaration(&format!("{pascal}Output"), &format!("What `{name}` answers."), tool.output_schema());
    }
    let names: Vec<String> = tools.iter().map(|tool| format!("\n  | \"{}\"", tool.name())).collect();
    let union = if names.is_empty() { " never".to_owned() } else { names.concat() };
    let contracts: String = tools.iter().map(|tool| contract(tool)).collect();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "/** The name of a tool. */\n\
         export type ToolName ={union};\n\n\
         /** What each tool takes and answers. */\n\
         export type ToolContracts = {{\n{contracts}}};\n\n\
         /** What a tool takes. */\n\
         export type InputOf<Name extends keyof ToolContracts> = ToolContracts[Name][\"input\"];\n\n\
         /** What a tool answers. */\n\
         export type OutputOf<Name extends keyof ToolContracts> = ToolContracts[Name][\"output\"];\n"
    );
    text
}

fn declaration(name: &str, words: &str, schema: &Map<String, Value>) -> String {
    format!("{}export type {name} = {};\n\n", comment(&[words.to_owned()], 0), shape::of(schema, 0))
}

/// One tool's place in the map, with the words that an editor shows beside its name.
fn contract(tool: &ToolDefinition) -> String {
    let pascal = type_name(tool.name());
    let mut words: Vec<String> = tool.description().lines().map(str::to_owned).collect();
    let (category, auth, locality) = (tool.category(), tool.auth(), tool.locality());
    words.extend([String::new(), format!("Category {category}, level {auth}, {locality}, {}.", tool.availability())]);
    words.extend(tool.deprecated().map(|advice| format!("@deprecated {advice}")));
    format!("{}  {}: {{ input: {pascal}Input; output: {pascal}Output }};\n", comment(&words, 1), key(tool.name()))
}

/// The tool's name as a type's. An underscore is kept where no letter follows it, so that two names never become one.
fn type_name(name: &str) -> String {
    let mut pascal = String::with_capacity(name.len());
    let mut characters = name.chars().peekable();
    pascal.extend(characters.next().map(|first| first.to_ascii_uppercase()));
    while let Some(character) = characters.next() {
        let letter = characters.next_if(|next| character == '_' && next.is_ascii_lowercase());
        pascal.push(letter.map_or(character, |letter| letter.to_ascii_uppercase()));
    }
    pascal
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{declarations, type_name};

    #[test]
    fn two_names_never_become_one_type() {
        let names = ["a_b", "a__b", "a_b1", "a_b_1", "ab", "a_b_", "ab_", "a_b__1", "tool", "tool_name"];
        let types: BTreeSet<String> = names.iter().map(|name| type_name(name)).collect();
        assert_eq!(types.len(), names.len(), "{types:?}");
        assert_eq!(type_name("loopover_miner_get_plan"), "LoopoverMinerGetPlan");
    }

    #[test]
    fn no_tools_are_a_module_without_names() {
        let text = declarations(&[]);
        assert!(text.contains("ToolName = never;") && text.contains("ToolContracts = {\n};"), "{text}");
    }
}
