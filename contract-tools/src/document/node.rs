//! A document before anything in it has a meaning: what JSON and YAML have in common.

use std::fmt;
use std::rc::Rc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// One value of a document. Children are shared, so that an alias costs nothing however large its target is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Rc<Node>>),
    Mapping(Mapping),
}

/// The members of a mapping, in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Mapping(pub(crate) Vec<(String, Rc<Node>)>);

impl Mapping {
    /// The value of `key`; the last one when there are several. A null is as good as none.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.0.iter().rfind(|(own, _)| own == key).map(|(_, node)| &**node).filter(|node| **node != Node::Null)
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "the document's numbers are doubles")]
    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "the document's numbers are doubles")]
    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element::<Node>()? {
            items.push(Rc::new(item));
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = access.next_entry::<String, Node>()? {
            members.push((key, Rc::new(value)));
        }
        Ok(Node::Mapping(Mapping(members)))
    }
}
