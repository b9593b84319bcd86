//! A stranger's text as each kind of reader may be shown it: it says what it says, and commands nothing. One function a form.

use std::fmt::Write as _;

use serde_json::Value;

/// Whether a character moves what stands around it, or shows nothing where something is: a control character, a line break of
/// any kind, a change of direction, a tag.
fn is_commanding(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
        )
}

fn replaced(text: &str, keeps: &[char], write: impl Fn(&mut String, char)) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_commanding(character) && !keeps.contains(&character) {
            write(&mut shown, character);
        } else {
            shown.push(character);
        }
    }
    shown
}

/// One line for a terminal: `\n` for a line break, `\u{1b}` for an escape.
pub(super) fn line(text: &str) -> String {
    replaced(text, &[], |shown, character| shown.extend(character.escape_debug()))
}

/// Lines for a terminal, as whoever wrote them meant them.
pub(super) fn lines(text: &str) -> String {
    replaced(text, &['\n', '\t'], |shown, character| shown.extend(character.escape_debug()))
}

/// A name that starts a line: one that no program would take for a word of its own.
pub(super) fn heading(name: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "_.-/ ".contains(character);
    if name.chars().all(is_plain) { name.to_owned() } else { format!("`{}`", line(name)) }
}

/// A JSON document, two spaces a level: the same values, with nothing in them that a terminal would act on.
pub(super) fn json(document: &Value) -> String {
    // Outside of its texts a document has no such character but line breaks.
    replaced(&format!("{document:#}"), &['\n'], |shown, character| {
        let mut units = [0; 2];
        for unit in character.encode_utf16(&mut units) {
            // Writing to a String cannot fail.
            let _ = write!(shown, "\\u{unit:04x}");
        }
    })
}

/// The message of a GitHub workflow command: each of `parts` on a line of its own.
pub(super) fn workflow_message(parts: &[String]) -> String {
    parts.iter().map(|part| line(part).replace('%', "%25")).collect::<Vec<_>>().join("%0A")
}

/// A property of a GitHub workflow command.
pub(super) fn workflow_property(text: &str) -> String {
    line(text).replace('%', "%25").replace(':', "%3A").replace(',', "%2C")
}

/// Markdown on one line of a table: what stands between two backticks is code, and all the rest is text.
pub(super) fn markdown(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return entities(text);
    }
    let shown =
        parts.iter().enumerate().map(|(place, part)| if place % 2 == 0 { entities(part) } else { markdown_code(part) });
    shown.collect()
}

/// Code on one line of a table of markdown.
pub(super) fn markdown_code(text: &str) -> String {
    let text = line(text);
    if text.is_empty() {
        String::new()
    } else if text.contains(['`', '|', '\\', '<']) || text.trim() != text {
        format!("<code>{}</code>", entities(&text))
    } else {
        format!("`{text}`")
    }
}

/// Text of which nothing is HTML, a link, a mention or emphasis.
fn entities(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in line(text).chars() {
        if "&<>|`*_[]!\\~@#$".contains(character) {
            // Writing to a String cannot fail.
            let _ = write!(shown, "&#{};", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    // A bare address becomes a link.
    shown.replace("://", "&#58;//").replace("www.", "www&#46;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NASTY: &str = "a\n::error::b\r\u{1b}[31m\u{202e}\u{85}\u{2028}\u{7f}%0A|`<img src=x>`*[l](http://a)@me";

    #[test]
    fn nothing_commands_a_terminal() {
        let shown = line(NASTY);
        assert!(!shown.chars().any(is_commanding), "{shown:?}");
        assert!(shown.starts_with("a\\n::error::b\\r\\u{1b}[31m\\u{202e}\\u{85}\\u{2028}\\u{7f}"), "{shown}");
        assert_eq!(lines("a\n\tb\u{1b}"), "a\n\tb\\u{1b}");
        assert_eq!(line("né \u{200d}漢"), "né \u{200d}漢", "what people write stays");
        assert_eq!((heading("a_b-c.d").as_str(), heading("::error::x").as_str()), ("a_b-c.d", "`::error::x`"));
    }

    #[test]
    fn json_says_the_same_without_it() {
        let document = json!({ NASTY: [NASTY, "\u{e0041}"] });
        let shown = json(&document);
        assert!(!shown.chars().any(|character| is_commanding(character) && character != '\n'), "{shown:?}");
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), document);
    }

    #[test]
    fn a_workflow_command_stays_one() {
        let message = workflow_message(&[NASTY.to_owned(), "second".to_owned()]);
        assert!(!message.chars().any(is_commanding), "{message:?}");
        assert!(message.contains("%250A|") && message.ends_with("%0Asecond"), "{message}");
        let property = workflow_property(NASTY);
        assert!(!property.contains([':', ',', '\n']), "{property}");
    }

    #[test]
    fn a_cell_stays_a_cell() {
        for shown in [markdown(NASTY), markdown("`a|b` is <b>"), markdown_code("a|b`c"), markdown_code("x\\|y")] {
            assert!(!shown.contains(['|', '\n', '@']) && !shown.contains("<img") && !shown.contains("<b>"), "{shown}");
        }
        assert_eq!(markdown("input `limit`: it is 5"), "input `limit`: it is 5");
        assert_eq!(markdown_code("{\"a\": 1}"), "`{\"a\": 1}`");
        assert_eq!(markdown_code("a|b"), "<code>a&#124;b</code>");
        assert_eq!(markdown("![x](http://a)"), "&#33;&#91;x&#93;(http&#58;//a)");
    }
}
