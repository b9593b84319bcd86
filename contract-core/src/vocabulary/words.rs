//! Const helpers behind [`vocabulary!`](crate::vocabulary!): they run while the user's crate compiles, so they may use nothing
//! that is not `const`.

use serde::Deserialize as _;

use super::Vocabulary;

/// The place of `word` in `words`.
pub const fn position(word: &str, words: &[&str]) -> Option<usize> {
    let mut at = 0;
    while at < words.len() {
        if same(word.as_bytes(), words[at].as_bytes()) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Fails the compilation with a sentence that names the word, what is allowed, and the nearest allowed word.
///
/// # Panics
/// Always; that is how const code refuses.
#[track_caller]
pub const fn refuse_word(noun: &str, word: &str, words: &[&str]) -> ! {
    refuse_word_of(noun, word, words, &[])
}

/// As [`refuse_word`], where the allowed words are those of two lists.
#[track_caller]
pub(crate) const fn refuse_word_of(noun: &str, word: &str, words: &[&str], more: &[&str]) -> ! {
    let mut text = Text::new().push("unknown ").push(noun).push(" `").push(word).push("`, expected one of: ");
    let mut at = 0;
    while at < words.len() + more.len() {
        if at > 0 {
            text = text.push(", ");
        }
        text = text.push("`").push(if at < words.len() { words[at] } else { more[at - words.len()] }).push("`");
        at += 1;
    }
    if let Some(nearest) = nearest_word(word, words, more) {
        text = text.push("; did you mean `").push(nearest).push("`?");
    }
    panic!("{}", text.as_str())
}

/// Fails the compilation with `text` about the quoted `word`.
#[track_caller]
pub(crate) const fn refuse_text(before: &str, word: &str, after: &str) -> ! {
    let text = Text::new().push(before).push("`").push(word).push("`").push(after);
    panic!("{}", text.as_str())
}

/// The schema of a closed set: the words alone, since each carries its meaning in its vocabulary's docs.
pub fn schema_of_words(words: &[&'static str]) -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "enum": words })
}

/// Reads one word; the error lists the words, since it reaches people who write JSON by hand.
///
/// # Errors
/// When it is none of the vocabulary's words.
pub fn deserialize_word<'de, V: Vocabulary, D: serde::Deserializer<'de>>(deserializer: D) -> Result<V, D::Error> {
    let word = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
    V::from_word(&word).ok_or_else(|| serde::de::Error::unknown_variant(&word, V::WORDS))
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The word with the smallest edit distance, when it is near enough to be what was meant.
const fn nearest_word<'words>(word: &str, words: &[&'words str], more: &[&'words str]) -> Option<&'words str> {
    let mut best = None;
    let mut best_distance = word.len() / 3 + 2;
    let mut at = 0;
    while at < words.len() + more.len() {
        let candidate = if at < words.len() { words[at] } else { more[at - words.len()] };
        let distance = edit_distance(word.as_bytes(), candidate.as_bytes());
        if distance < best_distance {
            best = Some(candidate);
            best_distance = distance;
        }
        at += 1;
    }
    best
}

/// Levenshtein distance over bytes; words longer than the row are far from everything.
const fn edit_distance(one: &[u8], other: &[u8]) -> usize {
    const ROW: usize = 64;
    if one.len() >= ROW || other.len() >= ROW {
        return usize::MAX;
    }
    let mut row = [0; ROW];
    let mut column = 0;
    while column <= other.len() {
        row[column] = column;
        column += 1;
    }
    let mut line = 1;
    while line <= one.len() {
        let mut diagonal = row[0];
        row[0] = line;
        let mut column = 1;
        while column <= other.len() {
            let above = row[column];
            let substituted = diagonal + (one[line - 1] != other[column - 1]) as usize;
            row[column] = min(min(above, row[column - 1]) + 1, substituted);
            diagonal = above;
            column += 1;
        }
        line += 1;
    }
    row[other.len()]
}

const fn min(one: usize, other: usize) -> usize {
    if one < other { one } else { other }
}

/// A string under construction in const context; what does not fit is cut at a character border.
struct Text {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Text {
    const CAPACITY: usize = 1024;

    const fn new() -> Self {
        Self { bytes: [0; Self::CAPACITY], len: 0 }
    }

    const fn push(mut self, part: &str) -> Self {
        let part = part.as_bytes();
        let mut fits = part.len();
        if fits > Self::CAPACITY - self.len {
            fits = Self::CAPACITY - self.len;
            // A continuation byte (10xxxxxx) may not be the first one left out.
            while fits > 0 && part[fits] & 0b1100_0000 == 0b1000_0000 {
                fits -= 1;
            }
        }
        let mut at = 0;
        while at < fits {
            self.bytes[self.len] = part[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "unknown word",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Text, edit_distance, nearest_word};

    #[test]
    fn distance_counts_edits() {
        assert_eq!(edit_distance(b"review", b"review"), 0);
        assert_eq!(edit_distance(b"reviw", b"review"), 1);
        assert_eq!(edit_distance(b"", b"abc"), 3);
        assert_eq!(edit_distance(&[b'a'; 64], b"a"), usize::MAX);
    }

    #[test]
    fn a_far_word_has_no_nearest() {
        assert_eq!(nearest_word("maintaner", &["public"], &["maintainer"]), Some("maintainer"));
        assert_eq!(nearest_word("zzz", &["public", "maintainer"], &[]), None);
    }

    #[test]
    fn text_is_cut_at_a_character_border() {
        let long = "é".repeat(Text::CAPACITY);
        let text = Text::new().push("x").push(&long);
        assert_eq!(text.as_str().len(), Text::CAPACITY - 1, "the half of the last é is left out");
    }
}
