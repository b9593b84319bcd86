//! Texts that are private only together: a term that begins in one and ends in another.

use std::ops::RangeInclusive;

use super::matcher::Matcher;
use super::secrets::Secrets;

/// The texts that hold something private together, in order and apart from each other; `between` tells what stands behind
/// each of them.
///
/// Each character is looked at once: behind what was found, reading begins anew with the next text.
pub fn spread(texts: &[&str], between: impl Fn(usize) -> &'static str) -> Vec<RangeInclusive<usize>> {
    let mut found = Vec::new();
    let mut reading = Reading::default();
    for (index, text) in texts.iter().enumerate() {
        if let Some(first) = reading.read(index, text, between(index)) {
            found.push(first..=index);
            reading = Reading::default();
        }
    }
    if let Some(hit) = reading.matcher.finish() {
        found.push(reading.text_at(hit.start)..=texts.len().saturating_sub(1));
    }
    found
}

struct Reading {
    matcher: Matcher,
    secrets: Secrets,
    /// Where each text that was read begins, and which one it is.
    begins: Vec<(usize, usize)>,
    position: usize,
}

impl Default for Reading {
    fn default() -> Self {
        Self { matcher: Matcher::new(), secrets: Secrets::default(), begins: Vec::new(), position: 0 }
    }
}

impl Reading {
    /// Reads a text; tells which one that begins in that ends here.
    fn read(&mut self, index: usize, text: &str, between: &str) -> Option<usize> {
        self.begins.push((self.position, index));
        for character in text.chars().chain(between.chars()) {
            let at = self.position;
            self.position += character.len_utf8();
            let term = self.matcher.feed(at, character).map(|hit| hit.start);
            let secret = self.secrets.feed(at, character);
            if let Some(start) = term.into_iter().chain(secret).min() {
                return Some(self.text_at(start));
            }
        }
        None
    }

    fn text_at(&self, position: usize) -> usize {
        let behind = self.begins.partition_point(|(begins, _)| *begins <= position);
        self.begins.get(behind.saturating_sub(1)).map_or(0, |(_, index)| *index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], between: &'static str, expect: &[RangeInclusive<usize>]) {
        assert_eq!(spread(texts, |_| between), expect, "{texts:?}");
    }

    #[test]
    fn what_is_private_together_is_found_once() {
        check(&[], " ", &[]);
        check(&["fine"], " ", &[]);
        check(&["fine", "wal", "let", "too", "wal", "let"], " ", &[1..=2, 4..=5]);
        check(&["w", "a", "l", "l", "e", "t"], "/", &[0..=5]);
        check(&["a hot", "key"], " ", &[0..=1]);
        check(&["a hot", "keyboard"], " ", &[]);
        // The name of a scheme is shown.
        check(&["use bearer", "abcdefghijklmnop1"], " ", &[1..=1]);
        check(&["wal", "", "", "", "", "let", "x"], " ", &[0..=5]);
    }
}
