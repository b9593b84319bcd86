//! What a line of Markdown stands in: list items and quotations, whose marks come before its own text.

/// How deep they are followed. Nobody writes deeper, and every line is held against all of them.
const MOST: usize = 32;

/// The list items and quotations that are open, the outermost first.
#[derive(Debug, Default)]
pub(super) struct Containers(Vec<Container>);

#[derive(Debug, Clone, Copy)]
enum Container {
    /// `>` at the beginning of each line.
    Quotation,
    /// Lines that are indented so far.
    Item(usize),
}

impl Containers {
    /// What is left of a line behind the marks that keep open what is open, and whether it leaves one of them.
    pub(super) fn continued_by<'a>(&mut self, line: &'a str) -> (&'a str, bool) {
        let mut rest = line;
        for (depth, container) in self.0.iter().enumerate() {
            let inner = match container {
                Container::Quotation => quoted(rest),
                // An empty line ends no item.
                Container::Item(_) if rest.trim().is_empty() => Some(rest),
                Container::Item(width) => indented(rest, *width),
            };
            let Some(inner) = inner else {
                self.0.truncate(depth);
                return (rest, true);
            };
            rest = inner;
        }
        (rest, false)
    }

    /// Opens what the marks at the beginning of `content` open; gives what follows them.
    pub(super) fn opened_by<'a>(&mut self, content: &'a str) -> &'a str {
        let mut rest = content;
        while self.0.len() < MOST {
            if let Some(inner) = quoted(rest) {
                self.0.push(Container::Quotation);
                rest = inner;
            } else if let Some((width, inner)) = item(rest) {
                self.0.push(Container::Item(width));
                rest = inner;
            } else {
                break;
            }
        }
        rest
    }
}

/// What follows a `>` and the space behind it.
fn quoted(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    let inner = text.strip_prefix('>').filter(|_| line.len() - text.len() <= 3)?;
    Some(inner.strip_prefix(' ').unwrap_or(inner))
}

/// What follows so much white space.
fn indented(line: &str, width: usize) -> Option<&str> {
    let mut reached = 0;
    for (place, character) in line.char_indices() {
        if reached >= width {
            return Some(&line[place..]);
        }
        reached = match character {
            ' ' => reached + 1,
            '\t' => behind_tab(reached),
            _ => return None,
        };
    }
    (reached >= width).then_some("")
}

/// The width and the text of a list item that begins here: `-`, `+`, `*` or a number, and white space.
fn item(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    let indentation = line.len() - text.len();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let behind = match digits {
        0 => text.strip_prefix(['-', '+', '*']),
        1..=9 => text[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    let behind = behind.filter(|_| indentation <= 3)?;
    let mark = indentation + text.len() - behind.len();
    let inner = behind.trim_start_matches([' ', '\t']);
    let spaces = &behind[..behind.len() - inner.len()];
    let width = spaces.chars().fold(mark, |column, space| if space == '\t' { behind_tab(column) } else { column + 1 });
    match width - mark {
        0 if !inner.trim().is_empty() => None,
        // So much is code in the item, which begins behind one space.
        5.. => Some((mark + 1, &behind[1..])),
        0 => Some((mark + 1, inner)),
        _ => Some((width, inner)),
    }
}

/// The column behind a tab.
fn behind_tab(column: usize) -> usize {
    (column / 4 + 1) * 4
}
