//! What a tool is about: the one vocabulary that a user may widen, since no code depends on its words.

use super::words::{position, refuse_text, refuse_word_of};

/// A list of category words, checked while it compiles.
///
/// ```
/// use contract_core::vocabulary::Categories;
///
/// /// LoopOver's words and ours.
/// pub const CATEGORIES: Categories = Categories::DEFAULT.with(&["billing"]);
/// assert!(CATEGORIES.contains("billing") && CATEGORIES.contains("review"));
/// ```
///
/// A tool names its list with `categories = CATEGORIES`; without that key it is [`Categories::DEFAULT`].
#[derive(Clone, Copy, Debug)]
pub struct Categories {
    base: &'static [&'static str],
    own: &'static [&'static str],
}

impl Categories {
    /// Core's own words.
    pub const DEFAULT: Self = Self { base: crate::loopover::CATEGORIES, own: &[] };

    /// A list of `words` alone.
    ///
    /// # Panics
    /// When a word is empty, repeated, or holds anything but lower-case letters, digits and `-`; in const context that is a
    /// compile error.
    #[must_use]
    #[track_caller]
    pub const fn new(words: &'static [&'static str]) -> Self {
        Self { base: &[], own: &[] }.with(words)
    }

    /// This list and `words`.
    ///
    /// # Panics
    /// As [`Categories::new`], and when this list was widened before: state all words of one crate in one place.
    #[must_use]
    #[track_caller]
    pub const fn with(self, words: &'static [&'static str]) -> Self {
        assert!(self.own.is_empty(), "a category list is widened once: state all its words in one `with`");
        let mut at = 0;
        while at < words.len() {
            if !well_formed(words[at].as_bytes()) {
                refuse_text("category ", words[at], " must be lower-case letters, digits and `-`");
            }
            if position(words[at], self.base).is_some() || position(words[at], words.split_at(at).0).is_some() {
                refuse_text("category ", words[at], " is listed twice");
            }
            at += 1;
        }
        Self { base: self.base, own: words }
    }

    /// Whether `word` is in the list.
    #[must_use]
    pub const fn contains(&self, word: &str) -> bool {
        position(word, self.base).is_some() || position(word, self.own).is_some()
    }

    /// Every word, in declared order.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.base.iter().chain(self.own).copied()
    }

    #[doc(hidden)]
    #[track_caller]
    pub const fn check(&self, word: &str) {
        if !self.contains(word) {
            refuse_word_of("category", word, self.base, self.own);
        }
    }
}

const fn well_formed(word: &[u8]) -> bool {
    let mut at = 0;
    while at < word.len() {
        if !matches!(word[at], b'a'..=b'z' | b'0'..=b'9' | b'-') {
            return false;
        }
        at += 1;
    }
    !word.is_empty()
}

#[cfg(test)]
mod tests {
    use super::Categories;

    #[test]
    fn a_widened_list_keeps_the_words_it_had() {
        const OURS: Categories = Categories::DEFAULT.with(&["billing"]);
        OURS.check("billing");
        OURS.check("fleet");
        assert_eq!(OURS.words().last(), Some("billing"));
        assert!(!OURS.contains("Billing"));
    }

    #[test]
    #[should_panic(expected = "`review` is listed twice")]
    fn a_repeated_word_is_refused() {
        let _ = Categories::DEFAULT.with(&["review"]);
    }

    #[test]
    #[should_panic(expected = "`Two words` must be lower-case")]
    fn a_word_with_a_space_is_refused() {
        let _ = Categories::new(&["Two words"]);
    }

    #[test]
    #[should_panic(expected = "`tenant`, `billing`; did you mean `utility`?")]
    fn a_widened_list_is_named_whole() {
        Categories::DEFAULT.with(&["billing"]).check("utlity");
    }

    #[test]
    #[should_panic(expected = "did you mean `billing`?")]
    fn an_unknown_word_names_the_nearest() {
        Categories::new(&["billing"]).check("biling");
    }
}
