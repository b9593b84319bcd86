//! Reads a list of MCP tool definitions out of the documents in which one is found.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde_json::{Map, Value};

use super::dialect::kind;
use super::digits::{self, Written};
use super::telling;

/// Tools by name, as a server lists them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolList {
    tools: Vec<Map<String, Value>>,
    /// Of each tool, the numbers that its values do not keep as they were written.
    written: BTreeMap<String, Written>,
}

/// Why a document is no list of tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAToolList(String);

impl fmt::Display for NotAToolList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAToolList {}

impl ToolList {
    /// Takes `{"tools":[…]}`, a bare array, or a JSON-RPC reply that holds the first.
    ///
    /// Of a whole number beyond 64 bits, and of a fraction beyond a double, a value keeps another one: two such numbers may be
    /// one here. Where there is a text, [`ToolList::read_text`] sees that they differ.
    ///
    /// # Errors
    /// When it is none of these or one page of a longer list, a tool has no name or a schema that is no object, or two have the
    /// same name.
    ///
    /// ```
    /// use contract_core::evolution::ToolList;
    /// use serde_json::json;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let list = ToolList::read(&json!({ "tools": [{ "name": "add", "inputSchema": { "type": "object" } }] }))?;
    /// assert_eq!(list.names().collect::<Vec<_>>(), ["add"]);
    /// let error = ToolList::read(&json!({ "error": { "code": -32601, "message": "no" } })).unwrap_err();
    /// assert!(error.to_string().contains("an error"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn read(document: &Value) -> Result<Self, NotAToolList> {
        let tools = listed(document)?.tools.iter().enumerate().map(|(place, tool)| whole_tool(place, tool));
        let list = Self { tools: tools.collect::<Result<Vec<_>, _>>()?, written: BTreeMap::new() };
        let mut places = HashMap::new();
        for (place, name) in list.names().enumerate() {
            if let Some(before) = places.insert(name, place) {
                return Err(NotAToolList(format!(
                    "tools[{before}] and tools[{place}] are both called `{}`; each tool has a name of its own: rename one, \
                     or leave one out",
                    telling::cut(name)
                )));
            }
        }
        Ok(list)
    }

    /// Takes the text of such a document. A number that its values do not keep as it is written is kept beside them, and where
    /// two lists differ in one the change is undecided.
    ///
    /// # Errors
    /// Those of [`read_document`] and of [`ToolList::read`], and when very many numbers are written so.
    ///
    /// ```
    /// use contract_core::evolution::{AnyMetadata, ToolList, Verdict, compare};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let list = |most: &str| {
    ///     let input = format!(r#"{{"properties":{{"a":{{"maximum":{most}}}}}}}"#);
    ///     ToolList::read_text(&format!(r#"[{{"name":"add","inputSchema":{input}}}]"#))
    /// };
    /// let report = compare(&list("18446744073709551616")?, &list("18446744073709551617")?, &AnyMetadata);
    /// assert_eq!(report.verdict(), Verdict::Undecided);
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_text(text: &str) -> Result<Self, NotAToolList> {
        let document = read_document(text)?;
        let mut list = Self::read(&document)?;
        let Some(unkept) = digits::unkept(text) else {
            return Err(NotAToolList(format!(
                "it has more than {} numbers of more digits than readers keep",
                digits::MOST
            )));
        };
        let pointer = listed(&document)?.pointer;
        for (place, number) in unkept {
            let inside = place.strip_prefix(pointer).and_then(|rest| rest.strip_prefix('/')).and_then(|rest| {
                let (tool, inside) = rest.split_once('/')?;
                Some((list.tools.get(tool.parse::<usize>().ok()?)?, inside))
            });
            if let Some((tool, inside)) = inside {
                list.written.entry(name(tool).to_owned()).or_default().insert(format!("/{inside}"), number);
            }
        }
        Ok(list)
    }

    /// The tools, in their order.
    pub fn tools(&self) -> &[Map<String, Value>] {
        &self.tools
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(name)
    }

    /// The numbers of a tool that its values do not keep as they were written.
    pub(super) fn written(&self, name: &str) -> &Written {
        static NONE: Written = Written::new();
        self.written.get(name).unwrap_or(&NONE)
    }

    /// The tools by name.
    pub(super) fn by_name(&self) -> BTreeMap<&str, &Map<String, Value>> {
        self.tools.iter().map(|tool| (name(tool), tool)).collect()
    }
}

/// What a document lists, each as it stands there.
pub(crate) struct Listed<'document> {
    /// Where the list stands, as a JSON pointer.
    pub(crate) pointer: &'static str,
    pub(crate) tools: &'document [Value],
}

/// The list in `document`, whatever is in it.
///
/// # Errors
/// When there is none, or one page of a longer one.
pub(crate) fn listed(document: &Value) -> Result<Listed<'_>, NotAToolList> {
    if document.get("error").is_some() {
        let message = "this is the answer of a server that reported an error, not a list of tools";
        return Err(NotAToolList(message.to_owned()));
    }
    let result = document.get("result");
    let holder = result.unwrap_or(document);
    let named = holder.get("tools");
    let Some(tools) = named.unwrap_or(holder).as_array() else {
        let message =
            "no list of tools: expected {\"tools\":[…]}, a bare array of tools, or a JSON-RPC reply to tools/list";
        return Err(NotAToolList(message.to_owned()));
    };
    if let Some(cursor) = holder.get("nextCursor").filter(|cursor| !cursor.is_null()) {
        let cursor = telling::cut(&cursor.to_string());
        return Err(NotAToolList(format!(
            "this is one page of a list: `nextCursor` is {cursor}, so more tools follow; name the server's URL, where all \
             pages are asked for, or put the tools of all pages into one document without `nextCursor`"
        )));
    }
    let pointer = match (result.is_some(), named.is_some()) {
        (true, true) => "/result/tools",
        (true, false) => "/result",
        (false, true) => "/tools",
        (false, false) => "",
    };
    Ok(Listed { pointer, tools })
}

/// Reads the text of a document that should hold a list of tools, for [`ToolList::read`] and for the lint.
///
/// # Errors
/// When it is no JSON, or writes a key twice: of the two one reader takes the first and another the last, so nothing that is
/// said of the one is true of the other.
///
/// ```
/// use contract_core::evolution::read_document;
///
/// let error = read_document(r#"{"tools":[{"name":"a","name":"b"}]}"#).unwrap_err();
/// assert!(error.to_string().contains("`/tools/0/name`"), "{error}");
/// ```
pub fn read_document(text: &str) -> Result<Value, NotAToolList> {
    let document: Value = serde_json::from_str(text).map_err(|error| no_json(&error))?;
    let (_, twice) = crate::json::read(text).map_err(|issue| NotAToolList(format!("it {}", issue.message)))?;
    if let Some(first) = twice.first() {
        let more = if twice.len() > 1 { ", as are more keys" } else { "" };
        return Err(NotAToolList(format!(
            "the key at `{}` is written twice{more}; readers differ in which of the two they take, so write each once",
            first.pointer.escape_debug()
        )));
    }
    Ok(document)
}

/// Why a text is no document; its reader knows where, and calls its own bound recursion.
fn no_json(error: &serde_json::Error) -> NotAToolList {
    let (line, column) = (error.line(), error.column());
    if error.to_string().starts_with("recursion limit exceeded") {
        return NotAToolList(format!(
            "line {line}, column {column} lies more than 128 arrays and objects deep, which no list of tools has to be"
        ));
    }
    NotAToolList(format!("it is no JSON: {error}"))
}

/// `tool`, which stands at `place`, if it can be compared. A schema that is null is said to be missing by some servers' writers:
/// an output may be.
fn whole_tool(place: usize, tool: &Value) -> Result<Map<String, Value>, NotAToolList> {
    let fault = |what: String| Err(NotAToolList(format!("tools[{place}] {what}")));
    let Some(members) = tool.as_object() else {
        return fault(format!("is {}; expected an object with a `name` and an `inputSchema`", kind(tool)));
    };
    let mut members = members.clone();
    let name = match members.get("name") {
        Some(Value::String(name)) => name.clone(),
        Some(other) => return fault(format!("has a `name` that is {}; expected a text", kind(other))),
        None => return fault("has no `name`; expected a text that no other tool is called by".to_owned()),
    };
    if members.get("outputSchema").is_some_and(Value::is_null) {
        members.shift_remove("outputSchema");
    }
    for side in ["inputSchema", "outputSchema"] {
        if let Some(schema) = members.get(side).filter(|schema| !schema.is_object()) {
            return fault(format!(
                "(`{name}`) has an `{side}` that is {}; expected a JSON Schema object, such as {{\"type\":\"object\"}}",
                kind(schema)
            ));
        }
    }
    Ok(members)
}

/// The name of a tool.
pub(super) fn name(tool: &Map<String, Value>) -> &str {
    tool.get("name").and_then(Value::as_str).unwrap_or_default()
}
