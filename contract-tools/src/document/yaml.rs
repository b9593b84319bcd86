//! YAML to a document, strictly: what is ambiguous or could grow makes the whole file unreadable.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use granit_parser::{Event, Parser, ScalarStyle, Tag};

use super::node::{Mapping, Node};
use super::scalar::{Schema, resolve};

/// How often one anchor may be used. More would be a way to make a small file large.
const MOST_ALIASES: usize = 100;

/// Reads the only document of `text`; nothing when it cannot be read.
pub(super) fn read(text: &str) -> Option<Node> {
    let mut builder = Builder::default();
    let mut schema = Schema::Core;
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        match event.ok()?.0 {
            Event::DocumentStart(_, version) => {
                documents += 1;
                if documents > 1 {
                    return None;
                }
                if version.is_some_and(|version| (version.major, version.minor) == (1, 1)) {
                    schema = Schema::Old;
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                builder.add(anchor, scalar(&text, style, tag.as_deref(), schema))?;
            }
            Event::SequenceStart(_, anchor, _) => builder.open.push((anchor, Open::List(Vec::new()))),
            Event::MappingStart(_, anchor, _) => builder.open.push((anchor, Open::Mapping(OpenMapping::default()))),
            Event::SequenceEnd | Event::MappingEnd => builder.close()?,
            Event::Alias(anchor) => builder.add_alias(anchor)?,
            Event::UnresolvedAlias(_) => return None,
            _ => {}
        }
    }
    Some(builder.root.map_or(Node::Null, Rc::unwrap_or_clone))
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>, schema: Schema) -> Node {
    let is_core = |tag: &Tag| tag.is_yaml_core_schema() && tag.suffix() != "str";
    let is_resolved = tag.map_or(style == ScalarStyle::Plain, is_core);
    if is_resolved { resolve(text, schema) } else { Node::Text(text.to_owned()) }
}

/// What has begun and not ended, and what has a name.
#[derive(Default)]
struct Builder {
    open: Vec<(usize, Open)>,
    anchors: HashMap<usize, (Rc<Node>, usize)>,
    root: Option<Rc<Node>>,
}

enum Open {
    List(Vec<Rc<Node>>),
    Mapping(OpenMapping),
}

#[derive(Default)]
struct OpenMapping {
    members: Vec<(String, Rc<Node>)>,
    keys: HashSet<String>,
    /// A key that waits for its value.
    key: Option<Rc<Node>>,
}

impl Builder {
    fn add(&mut self, anchor: usize, node: Node) -> Option<()> {
        let node = Rc::new(node);
        if anchor > 0 {
            self.anchors.insert(anchor, (Rc::clone(&node), 0));
        }
        self.put(node)
    }

    /// An alias inside what it names is not there yet, and so unresolved.
    fn add_alias(&mut self, anchor: usize) -> Option<()> {
        let (node, uses) = self.anchors.get_mut(&anchor)?;
        *uses += 1;
        if *uses > MOST_ALIASES {
            return None;
        }
        let node = Rc::clone(node);
        self.put(node)
    }

    fn put(&mut self, node: Rc<Node>) -> Option<()> {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some((_, Open::List(items))) => items.push(node),
            Some((_, Open::Mapping(mapping))) => mapping.put(node)?,
        }
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        let (anchor, open) = self.open.pop()?;
        let node = match open {
            Open::List(items) => Node::List(items),
            Open::Mapping(mapping) => Node::Mapping(Mapping(mapping.members)),
        };
        self.add(anchor, node)
    }
}

impl OpenMapping {
    /// Takes a key, or the value of the key before. A key that stands twice has no meaning.
    fn put(&mut self, node: Rc<Node>) -> Option<()> {
        let Some(key) = self.key.take() else {
            if let Some(identity) = identity(&node)
                && !self.keys.insert(identity)
            {
                return None;
            }
            self.key = Some(node);
            return Some(());
        };
        if let Some(key) = key_text(&key) {
            self.members.push((key, node));
        }
        Some(())
    }
}

/// A key as JSON would write it; a collection as a key has no such form.
fn key_text(key: &Node) -> Option<String> {
    match key {
        Node::Null => Some(String::new()),
        Node::Bool(value) => Some(value.to_string()),
        Node::Number(value) => Some(value.to_string()),
        Node::Text(value) => Some(value.clone()),
        Node::List(_) | Node::Mapping(_) => None,
    }
}

/// What makes two scalar keys the same; collections are never the same key.
fn identity(key: &Node) -> Option<String> {
    match key {
        Node::Null => Some("null".to_owned()),
        Node::Bool(value) => Some(format!("bool {value}")),
        Node::Number(value) => Some(format!("number {value}")),
        Node::Text(value) => Some(format!("text {value}")),
        Node::List(_) | Node::Mapping(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, is_readable: bool) {
        assert_eq!(read(text).is_some(), is_readable, "{text:?}");
    }

    #[test]
    fn what_has_no_one_meaning_is_unreadable() {
        for text in [
            "a: 1\na: 2",
            "{a: 1, 'a': 2}",
            "a: *nowhere",
            "&a [*a]",
            "a:\n\tb: 1",
            "a: 1\n---\nb: 1",
            "a: 1\n...\nb: 1",
            "a: [1",
            "<<: {a: 1}\n<<: {b: 1}",
        ] {
            check(text, false);
        }
        for text in ["", "a: 1", "---\na: 1\n...\n", "1: a\n'1': b", "a: &x 1\nb: *x", "a:\t1"] {
            check(text, true);
        }
    }

    #[test]
    fn merge_keys_are_plain_members() {
        let Some(Node::Mapping(mapping)) = read("<<: {a: 1}\nb: 2") else { panic!("no mapping") };
        assert!(mapping.get("a").is_none() && mapping.get("<<").is_some());
    }

    #[test]
    fn a_tag_decides_what_a_scalar_is() {
        let Some(Node::List(items)) = read("[!!str 5, !!int '5', !own 5, '5', 5]") else { panic!("no list") };
        let five = Node::Text("5".to_owned());
        let items: Vec<Node> = items.into_iter().map(Rc::unwrap_or_clone).collect();
        assert_eq!(items, [five.clone(), Node::Number(5.0), five.clone(), five, Node::Number(5.0)]);
    }

    #[test]
    fn aliases_cannot_make_a_small_file_large() {
        let uses = |count: usize| format!("a: &a [x]\nb: [{}]", "*a, ".repeat(count));
        check(&uses(100), true);
        check(&uses(101), false);
        let level = |level: usize| format!("a{level}: &a{level} [{}]\n", format!("*a{}, ", level - 1).repeat(10));
        let bomb: String = std::iter::once("a0: &a0 [x]\n".to_owned()).chain((1..200).map(level)).collect();
        check(&bomb, true);
    }

    #[test]
    fn depth_is_bounded() {
        check(&"[".repeat(100_000), false);
        check(&"- ".repeat(60_000), false);
        check(&"{a: ".repeat(30_000), false);
    }
}
