//! Every character that Unicode lists as one that looks like a letter, in a term.

use contract_tests::print_line;
use contract_tools::privacy::redact;
use unicode_security::confusable_detection::skeleton;

use super::dresses::WORDS;

/// What the character looks like, where that is Latin letters.
fn look(character: char) -> Option<String> {
    let look: String = skeleton(&character.to_string()).collect();
    let is_latin = !look.is_empty() && look.chars().all(|letter| letter.is_ascii_alphabetic());
    is_latin.then(|| look.to_ascii_lowercase())
}

#[test]
fn no_letter_can_be_replaced_by_one_that_looks_like_it() {
    let mut count = 0;
    let mut leaks = Vec::new();
    for character in ('\u{80}'..=char::MAX).filter(|character| !character.is_control()) {
        let Some(look) = look(character) else { continue };
        for (word, _) in WORDS.iter().filter(|(word, _)| word.contains(&look)) {
            count += 1;
            let dressed = word.replace(&look, &character.to_string());
            let out = redact(&format!("Note this: your {dressed} holds 42 units. The rest is fine."));
            if out != "Note this: your [redacted]. The rest is fine." {
                leaks.push(format!("{character:?} ({look}) in {dressed}: {out}"));
            }
        }
    }
    print_line(&format!("{count} terms in look-alikes, {} leaks", leaks.len()));
    assert!(count >= 3000 && leaks.is_empty(), "{count}: {leaks:#?}");
}
