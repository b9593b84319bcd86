//! The only writer to stdout, and the only one to stderr.

use std::io::{self, ErrorKind, IsTerminal as _, Write};

use serde_json::Value;

use super::escape;

/// Where a command's result goes. A reader that stops reading (`| head`) ends the writing, not the program.
pub(crate) struct Output<W> {
    writer: W,
}

impl Output<io::Stdout> {
    pub(crate) fn stdout() -> Self {
        Self { writer: io::stdout() }
    }
}

impl<W: Write> Output<W> {
    /// Writes `text` and, when it has none, a final newline.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        let written = write!(self.writer, "{text}{newline}").and_then(|()| self.writer.flush());
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    /// Writes `value` as JSON, two spaces a level.
    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        self.text(&format!("{value:#}"))
    }
}

/// Tells the person at the terminal; there is nobody to tell when that fails.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "loopover: {}", escape::lines(message));
}

/// `text` between the codes of a terminal that shows colours.
pub(crate) fn painted(text: &str, code: &str, color: bool) -> String {
    if color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// Whether stdout is a terminal that shows colours, and nobody asked for none (<https://no-color.org>).
pub(crate) fn wants_color() -> bool {
    let is_unset = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
    io::stdout().is_terminal() && is_unset("NO_COLOR") && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}
