//! The words by which titles are compared.

use std::borrow::Cow;
use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::units::cut_units;
use super::unseen::is_unseen;

const TITLE_UNITS: usize = 300;
const MOST_LABELS: usize = 50;
const LABEL_UNITS: usize = 100;
const MOST_FILES: usize = 200;
const FILE_UNITS: usize = 300;

/// Words that say that something changes and not what.
const STOP_WORDS: [&str; 16] = [
    "the", "and", "for", "with", "from", "this", "that", "when", "into", "issue", "pull", "request", "add", "fix",
    "update", "improve",
];

/// A set of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(BTreeSet<String>);

/// How much two sets of words have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// How many words both have.
    pub shared: usize,
    /// The same as a part of the smaller set; zero when one of them is empty.
    pub score: f64,
}

impl Overlap {
    /// Whether it is enough to take two items for the same work.
    pub fn is_match(self) -> bool {
        self.score >= 0.58 && self.shared >= 2
    }
}

impl Terms {
    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The words in their order as text.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether `term` is one of the words.
    pub fn contains(&self, term: &str) -> bool {
        self.0.contains(term)
    }

    /// The words that both sets have.
    pub fn shared<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        self.0.intersection(&other.0).map(String::as_str)
    }

    /// How much the two sets have in common.
    #[expect(clippy::cast_precision_loss, reason = "sets of words are far smaller than 2^52")]
    pub fn overlap(&self, other: &Self) -> Overlap {
        let smaller = self.len().min(other.len());
        if smaller == 0 {
            return Overlap::default();
        }
        let shared = self.shared(other).count();
        Overlap { shared, score: shared as f64 / smaller as f64 }
    }
}

/// The words of a text: of at least three letters or digits, or two in a script other than Latin, which says more with
/// fewer.
pub fn terms(text: &str) -> Terms {
    let text = folded(text);
    Terms(words(&text).filter(|word| is_term(word)).map(str::to_owned).collect())
}

/// The words of a title alone.
pub fn title_terms(title: &str) -> Terms {
    terms(&seen(title, TITLE_UNITS))
}

/// The words of an issue or a pull request, of the paths it touches too when they are given. Its body is never read.
pub fn item_terms(title: &str, labels: &[String], changed_files: Option<&[String]>) -> Terms {
    let labels = labels.iter().take(MOST_LABELS).map(|label| seen(label, LABEL_UNITS));
    let files = changed_files.unwrap_or_default().iter().take(MOST_FILES).map(|file| seen(file, FILE_UNITS));
    let pieces: Vec<Cow<'_, str>> = std::iter::once(seen(title, TITLE_UNITS)).chain(labels).chain(files).collect();
    terms(&pieces.join(" "))
}

/// A title in one spelling, so that titles that differ in case, width, punctuation or what nobody sees are equal. A title
/// without a term, like `C++`, is little more than its signs, so that these count too. Empty when there is nothing to see, or
/// nothing but words like `Fix`, which is nobody's title in particular.
pub fn normalized_title(title: &str) -> String {
    let title = folded(&seen(title, TITLE_UNITS));
    if words(&title).any(is_term) {
        return words(&title).collect::<Vec<_>>().join(" ");
    }
    if words(&title).next().is_some() && words(&title).all(|word| STOP_WORDS.contains(&word)) {
        return String::new();
    }
    let with_signs = title.split(|character| !is_part(character) && !is_sign(character));
    let with_signs = with_signs.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if with_signs.is_empty() { title.split_whitespace().collect::<Vec<_>>().join(" ") } else { with_signs }
}

/// The beginning of a text with at most `most` units, without what nobody sees.
fn seen(text: &str, most: usize) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(cut_units(text, most));
    }
    let mut units = 0;
    let is_within = |character: &char| {
        units += character.len_utf16();
        units <= most
    };
    Cow::Owned(text.chars().filter(|character| !is_unseen(*character)).take_while(is_within).collect())
}

/// One spelling for what is the same text, in lower case. The dot that lower case leaves above an `İ` is no letter of its
/// own.
fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let text = text.chars().filter(|character| !is_unseen(*character));
    text.nfkc().collect::<String>().to_lowercase().replace("i\u{307}", "i").nfkc().collect()
}

fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|character| !is_part(character)).filter(|word| !word.is_empty())
}

fn is_part(character: char) -> bool {
    character.is_alphanumeric() || is_combining_mark(character)
}

/// Whether a character is neither a part of a word nor punctuation nor a space: a symbol, an emoji, or one of the two that
/// make other names of a letter.
fn is_sign(character: char) -> bool {
    match character {
        '+' | '#' => true,
        '\0'..='\u{A0}'
        | '¡'
        | '§'
        | '«'
        | '¶'
        | '·'
        | '»'
        | '¿'
        | '\u{2000}'..='\u{206F}'
        | '\u{3000}'..='\u{303F}' => false,
        _ => !is_part(character) && !character.is_whitespace(),
    }
}

fn is_term(word: &str) -> bool {
    let is_elsewhere = word.chars().any(|character| character.is_alphabetic() && !is_latin(character));
    let least = if is_elsewhere { 2 } else { 3 };
    word.chars().filter(|character| !is_combining_mark(*character)).take(least).count() == least
        && !STOP_WORDS.contains(&word)
}

/// Whether a letter is of the Latin script, by the blocks that hold it after normalisation.
fn is_latin(letter: char) -> bool {
    is_combining_mark(letter)
        || matches!(letter, '\0'..='\u{2AF}' | '\u{1D00}'..='\u{1DBF}' | '\u{1E00}'..='\u{1EFF}'
            | '\u{2C60}'..='\u{2C7F}' | '\u{A720}'..='\u{A7FF}' | '\u{AB30}'..='\u{AB6F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(terms(text).iter().collect::<Vec<_>>(), expected, "{text:?}");
    }

    #[test]
    fn words_are_lower_case_without_short_and_stop_words() {
        check("FIX: Login-Page crash (#404)", &["404", "crash", "login", "page"]);
        check("fix fixes update updates", &["fixes", "updates"]);
        check("v1.2.3 -> v2.0.0", &[]);
        check("snake_case don't", &["case", "don", "snake"]);
    }

    #[test]
    fn words_of_every_script_count() {
        check("日本語 タイトル", &["タイトル", "日本語"]);
        check("修正 を", &["修正"]);
        check("Ошибка на входе", &["входе", "на", "ошибка"]);
        check("हिन्दी", &["हिन्दी"]);
        check("résumé naïve", &["naïve", "résumé"]);
        check("été à", &["été"]);
    }

    #[test]
    fn one_text_in_two_spellings_is_one_term() {
        check("cafe\u{301} café ＣＡＦÉ", &["café"]);
        check("ｶﾞｲﾄﾞ ガイド", &["ガイド"]);
        check("İstanbul istanbul", &["istanbul"]);
    }

    #[test]
    fn non_latin_titles_match() {
        let overlap = title_terms("ошибка при входе").overlap(&title_terms("Ошибка при входе!"));
        assert!(overlap.is_match(), "{overlap:?}");
        assert_eq!(normalized_title("「ログイン」 修正"), normalized_title("ﾛｸﾞｲﾝ:修正"));
    }

    #[test]
    fn a_title_without_a_term_is_its_signs() {
        let same = [
            ("Fix CI", "fix: ci!"),
            ("C++", "c++"),
            ("🔥🔥🔥", "🔥🔥🔥\u{FE0F}"),
            ("???", " ??? "),
            ("Cra\u{200B}sh on start", "crash on start"),
        ];
        for (left, right) in same {
            assert_eq!(normalized_title(left), normalized_title(right));
            assert!(!normalized_title(left).is_empty());
        }
        for (left, right) in [("C++", "C#"), ("C", "C++"), ("🔥", "🔥🔥"), ("Fix CI", "Fix CD"), ("???", "!!!")] {
            assert_ne!(normalized_title(left), normalized_title(right));
        }
        for nobodys in [" \u{200B}\u{FEFF} ", "Fix", "Update this!"] {
            assert_eq!(normalized_title(nobodys), "");
        }
        check("Cra\u{200B}sh re\u{AD}port", &["crash", "report"]);
        assert_eq!(normalized_title(&format!("{}Crash", "\u{200B}".repeat(400))), "crash");
    }

    #[test]
    fn an_overlap_is_a_part_of_the_smaller_set() {
        let overlap = terms("alpha beta gamma").overlap(&terms("beta gamma delta epsilon"));
        assert_eq!(overlap.shared, 2);
        assert!((overlap.score - 2.0 / 3.0).abs() < 1e-12);
        assert!(overlap.is_match());
        assert_eq!(terms("alpha").overlap(&terms("")), Overlap::default());
    }

    #[test]
    fn an_item_is_its_title_labels_and_paths_within_their_limits() {
        let labels = vec!["area: parser".to_owned(); 50].into_iter().chain(["late".to_owned()]).collect::<Vec<_>>();
        let files = ["src/lexer.rs".to_owned()];
        let with = item_terms("title", &labels, Some(&files));
        assert_eq!(with.iter().collect::<Vec<_>>(), ["area", "lexer", "parser", "src", "title"]);
        assert!(!item_terms("title", &labels, None).contains("lexer"));
        let long = format!("{} beyond", "x".repeat(299));
        assert!(!item_terms(&long, &[], None).contains("beyond"));
    }

    #[test]
    fn adversarial_text_stays_linear() {
        assert_eq!(terms(&"x".repeat(1_000_000)).len(), 1);
        assert_eq!(terms(&"\u{200B}".repeat(300_000)).len(), 0);
        assert_eq!(terms(&format!("a{}", "\u{301}".repeat(300_000))).len(), 0);
    }
}
