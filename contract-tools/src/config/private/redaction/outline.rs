//! Where the scalars of a text stand and what leads to each: keys, lists, aliases.
//!
//! It reads what the strict reader refuses as well, a key that stands twice or several documents, since such a file is
//! shown too.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use granit_parser::{Event, Parser, ScalarStyle};
use regex::Regex;

use super::names;
use crate::privacy::MARK;

/// A scalar: where it stands, and its value.
pub(super) struct Scalar {
    /// Its bytes in the text, quotation marks and the mark of a block included.
    pub(super) range: Range<usize>,
    /// The same without the mark of a block, behind which a comment may stand.
    text: Range<usize>,
    /// What it says.
    pub(super) value: String,
    /// Whether the line break behind it belongs to it.
    pub(super) ends_line: bool,
    /// Whether it stands without quotation marks.
    is_plain: bool,
}

enum Node {
    Scalar(Scalar),
    /// Items.
    List(Vec<usize>),
    /// Keys and values in turn.
    Mapping(Vec<usize>),
    /// The node that it names.
    Alias(Option<usize>),
}

/// The text's nodes.
pub(super) struct Outline {
    nodes: Vec<Node>,
}

impl Outline {
    /// Nothing when the text is no YAML; JSON is.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut anchors: HashMap<usize, usize> = HashMap::new();
        let mut open: Vec<usize> = Vec::new();
        let mut reached = 0;
        for event in Parser::new_from_str(text) {
            let (event, span) = event.ok()?;
            let (node, anchor, opens) = match event {
                Event::Scalar(value, style, anchor, _) => {
                    let range = span.start.byte_offset()?..span.end.byte_offset()?;
                    let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                    let whole = if is_block { block(text, reached, &range)? } else { range.clone() };
                    let scalar = Scalar {
                        text: range.start.max(whole.start)..whole.end,
                        ends_line: is_block && text.get(whole.clone())?.ends_with('\n'),
                        range: whole,
                        value: value.into_owned(),
                        is_plain: style == ScalarStyle::Plain,
                    };
                    reached = range.end;
                    (Node::Scalar(scalar), anchor, false)
                }
                Event::SequenceStart(_, anchor, _) => (Node::List(Vec::new()), anchor, true),
                Event::MappingStart(_, anchor, _) => (Node::Mapping(Vec::new()), anchor, true),
                Event::Alias(anchor) => (Node::Alias(anchors.get(&anchor).copied()), 0, false),
                Event::SequenceEnd | Event::MappingEnd => {
                    open.pop()?;
                    continue;
                }
                Event::UnresolvedAlias(_) => return None,
                _ => continue,
            };
            let index = nodes.len();
            if let Some(Node::List(children) | Node::Mapping(children)) = open.last().and_then(|at| nodes.get_mut(*at))
            {
                children.push(index);
            }
            nodes.push(node);
            if anchor > 0 {
                anchors.insert(anchor, index);
            }
            if opens {
                open.push(index);
            }
        }
        Some(Self { nodes })
    }

    /// The scalars that are there in writing, in the order of the text.
    pub(super) fn scalars(&self) -> impl Iterator<Item = (usize, &Scalar)> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| match node {
            Node::Scalar(scalar) if !scalar.range.is_empty() => Some((index, scalar)),
            _ => None,
        })
    }

    /// The scalars that are secret by what leads to them.
    pub(super) fn secrets(&self) -> BTreeSet<usize> {
        let mut open: Vec<(usize, bool)> = Vec::new();
        for node in &self.nodes {
            if let Node::Mapping(children) = node {
                let named = self.names_a_secret(children);
                for pair in children.chunks_exact(2) {
                    let key = self.text(pair[0]).unwrap_or_default();
                    if names::is_secret(key) || (named && is_value_key(key)) {
                        open.push((pair[1], names::is_amount(key)));
                    }
                }
            }
        }
        let mut secrets = BTreeSet::new();
        let mut seen = BTreeSet::new();
        while let Some((index, is_amount)) = open.pop() {
            if !seen.insert((index, is_amount)) {
                continue;
            }
            match &self.nodes[index] {
                Node::Scalar(scalar) => {
                    if !scalar.says_nothing(is_amount) && scalar.value != MARK {
                        secrets.insert(index);
                    }
                }
                Node::List(items) => open.extend(items.iter().map(|item| (*item, is_amount))),
                Node::Mapping(children) => {
                    for pair in children.chunks_exact(2) {
                        open.push((pair[1], is_amount));
                        // What stands where a name should be, or alone, may be the secret itself.
                        let is_alone = self.text(pair[1]).is_some_and(|value| matches!(value, "" | "~"));
                        if is_alone || !self.text(pair[0]).is_some_and(is_name) {
                            open.push((pair[0], false));
                        }
                    }
                }
                Node::Alias(target) => open.extend(target.map(|target| (target, is_amount))),
            }
        }
        secrets
    }

    /// A pair like `name: API_KEY` and `value: …` in one mapping.
    fn names_a_secret(&self, children: &[usize]) -> bool {
        children.chunks_exact(2).any(|pair| {
            let is_name = matches!(self.text(pair[0]), Some("name" | "key" | "id" | "header"));
            is_name && self.text(pair[1]).is_some_and(names::is_secret)
        })
    }

    fn text(&self, index: usize) -> Option<&str> {
        match self.nodes.get(index)? {
            Node::Scalar(scalar) => Some(&scalar.value),
            Node::Alias(target) => match self.nodes.get((*target)?)? {
                Node::Scalar(scalar) => Some(&scalar.value),
                _ => None,
            },
            Node::List(_) | Node::Mapping(_) => None,
        }
    }

    /// Where the comments of the text stand: behind a `#` that is in no scalar and in no word.
    pub(super) fn comments(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut scalars = self.scalars().map(|(_, scalar)| &scalar.text).peekable();
        let mut reached = 0;
        for (hash, _) in
            text.match_indices('#').filter(|(hash, _)| text[..*hash].ends_with(can_precede_comment) || *hash == 0)
        {
            while scalars.next_if(|range| range.end <= hash).is_some() {}
            if hash < reached || scalars.peek().is_some_and(|range| range.start <= hash) {
                continue;
            }
            reached = text[hash..].find('\n').map_or(text.len(), |line| hash + line);
            found.push(hash..reached);
        }
        found
    }
}

fn can_precede_comment(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{FEFF}')
}

impl Scalar {
    /// Whether it is nothing, a truth value or an amount: those are no secrets.
    fn says_nothing(&self, is_amount: bool) -> bool {
        self.value.is_empty()
            || (self.is_plain && matches!(self.value.as_str(), "~" | "null" | "true" | "false"))
            || (self.is_plain && is_amount && self.value.parse::<f64>().is_ok())
    }
}

fn is_name(key: &str) -> bool {
    key.len() <= 40 && key.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.'))
}

fn is_value_key(key: &str) -> bool {
    matches!(key, "value" | "default" | "values")
}

/// `| # comment`, `>-` at the end of a line.
static BLOCK_MARK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[ \t])(?<mark>[|>][0-9+-]{0,2})(?:[ \t]+#.*)?$")
        .expect("a pattern of the code compiles; a test of its rule uses it")
});

/// A block scalar from its mark to its last line, when its text is at `range`: that leaves out the mark, and takes in the
/// indentation of what follows. `reached` is where the scalar before ends.
fn block(text: &str, reached: usize, range: &Range<usize>) -> Option<Range<usize>> {
    let before = text.get(reached..range.start)?;
    // The line of the mark is the last one that is not blank.
    let heading = before[..before.rfind('\n').unwrap_or(before.len())].trim_end();
    let line = heading.rfind('\n').map_or(0, |end| end + 1);
    let mark = BLOCK_MARK.captures(&heading[line..])?.name("mark")?;
    let end = match text[range.clone()].trim_end_matches([' ', '\t']) {
        cut if cut.ends_with('\n') => range.start + cut.len(),
        _ => range.end,
    };
    Some(reached + line + mark.start()..end)
}
