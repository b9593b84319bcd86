//! One character as the letters that a reader takes it for.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

/// What a character is to the matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folded {
    /// A letter, as a plain small one.
    Letter(u8),
    /// Something that is not seen: it stands between nothing.
    Nothing,
    /// White space.
    Space,
    /// Anything else, letters of other scripts among it.
    Other,
}

/// Folds one character into `each`; with `leet`, digits and signs that are read as letters are letters. Most characters are
/// one thing; a ligature is as many letters as it shows.
pub(super) fn fold(character: char, leet: bool, mut each: impl FnMut(Folded)) {
    if character.is_control() && !character.is_whitespace() {
        return each(Folded::Nothing);
    }
    if character.is_ascii() {
        return each(one(character, leet));
    }
    if let Some(letter) = look_alike(character) {
        return each(Folded::Letter(letter));
    }
    if is_unseen(character) {
        return each(Folded::Nothing);
    }
    if is_combining_mark(character) {
        // Some stand beside their letter and look like one.
        let mut bytes = [0; 4];
        let mut seen = skeleton(character.encode_utf8(&mut bytes));
        let looks = seen.next().and_then(letter).filter(|_| seen.next().is_none());
        return each(looks.map_or(Folded::Nothing, Folded::Letter));
    }
    if character.is_whitespace() {
        return each(Folded::Space);
    }
    let parts = || std::iter::once(character).nfkd().filter(|part| !is_combining_mark(*part));
    if parts().any(|part| part.is_ascii() || one(part, leet) != Folded::Other) {
        return parts().for_each(|part| each(one(part, leet)));
    }
    // What is no form of a letter may look like one all the same, or like two.
    let mut bytes = [0; 4];
    let seen = skeleton(character.encode_utf8(&mut bytes)).filter(|part| !is_combining_mark(*part));
    let mut is_seen = false;
    for part in seen {
        is_seen = true;
        each(one(part, leet));
    }
    if !is_seen {
        each(Folded::Nothing);
    }
}

/// A text in which what is not ASCII is the letters that a reader takes it for, small; whatever else it is, it parts words.
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            plain.push(character);
            continue;
        }
        fold(character, false, |folded| match folded {
            Folded::Letter(letter) => plain.push(char::from(letter)),
            Folded::Nothing => {}
            Folded::Space => plain.push(' '),
            Folded::Other => plain.push('_'),
        });
    }
    Cow::Owned(plain)
}

fn one(character: char, leet: bool) -> Folded {
    if let Some(letter) = letter(character).or_else(|| look_alike(character)) {
        return Folded::Letter(letter);
    }
    let small = character.to_lowercase().next().unwrap_or(character);
    // Cherokee's capitals are the older letters, so it is they that are listed.
    let capital = character.to_uppercase().next().unwrap_or(character);
    let read = letter(small).or_else(|| look_alike(small)).or_else(|| look_alike(capital));
    let read = read.or_else(|| if leet { read_as(character) } else { None });
    match read {
        Some(letter) => Folded::Letter(letter),
        None if character.is_whitespace() => Folded::Space,
        None => Folded::Other,
    }
}

fn letter(character: char) -> Option<u8> {
    u8::try_from(character).ok().filter(u8::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase())
}

/// Format characters: joiners, soft hyphens, marks of direction, tags.
pub(crate) fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Letters of other alphabets that are used for Latin ones, though most can be told from them by eye; Unicode lists those that
/// cannot.
fn look_alike(character: char) -> Option<u8> {
    Some(match character {
        'а' | 'α' | 'ɑ' | 'ᴀ' | 'Ꭺ' | 'ꓮ' | 'ⲁ' | 'ᗩ' | 'ɐ' | '⍺' | 'д' => b'a',
        'в' | 'β' | 'Β' | 'ʙ' | 'Ᏼ' | 'ꓐ' | 'ᗷ' => b'b',
        'с' | 'ϲ' | 'Ϲ' | 'ᴄ' | 'Ꮯ' | 'ꓚ' | 'ⲥ' | 'ᑕ' => b'c',
        'ԁ' | 'ᴅ' | 'đ' | 'ɖ' | 'ɗ' | 'Ꭰ' | 'ꓓ' | 'ᗪ' => b'd',
        'е' | 'ε' | 'э' | 'є' | 'ᴇ' | 'ɛ' | 'ǝ' | 'Ꭼ' | 'ꓰ' | 'ⲉ' | 'ᗴ' | '℮' => b'e',
        'ɡ' | 'ɢ' | 'Ꮐ' | 'ց' | 'ꓖ' => b'g',
        'һ' | 'н' | 'Η' | 'ʜ' | 'ħ' | 'Ꮋ' | 'ꓧ' | 'ⲏ' | 'ᕼ' | 'ɥ' => b'h',
        'і' | 'ι' | 'ı' | 'ɩ' | 'ɪ' | 'Ꭵ' | 'ꓲ' | 'ⲓ' | '⍳' => b'i',
        'ј' | 'ᴊ' => b'j',
        'к' | 'κ' | 'ᴋ' | 'ĸ' | 'ƙ' | 'Ꮶ' | 'ꓗ' | 'ⲕ' | 'ʞ' => b'k',
        'ӏ' | 'Ӏ' | 'ⅼ' | 'ʟ' | 'ł' | 'ɭ' | 'Ꮮ' | 'ǀ' | 'ꓡ' | 'ᒪ' => b'l',
        'м' | 'ᴍ' | 'Ꮇ' => b'm',
        'п' | 'η' | 'Ν' | 'ɴ' | 'ո' | 'ꓠ' | 'ⲛ' | 'ᑎ' | 'и' => b'n',
        'о' | 'ο' | 'σ' | 'օ' | 'ᴏ' | 'ø' | 'Ꮎ' | 'ꓳ' | 'ⲟ' | 'ס' | '०' | '٥' | '۵' => b'o',
        'р' | 'ρ' | 'ᴘ' | 'Ꮲ' | 'þ' | 'ꓑ' | 'ⲣ' | 'ᑭ' | '⍴' => b'p',
        'г' | 'ʀ' | 'ɾ' | 'Ꮢ' | 'ꓣ' | 'ᖇ' | 'ɹ' | 'я' => b'r',
        'ѕ' | 'ꜱ' | 'Ꮪ' | 'ʂ' | 'ꓢ' | 'ᔕ' => b's',
        'т' | 'τ' | 'ᴛ' | 'ŧ' | 'Ꭲ' | 'ƭ' | 'ꓔ' | 'ⲧ' | 'ʇ' => b't',
        'υ' | 'ս' | 'ᴜ' | 'ʋ' | 'ꓴ' | 'ᑌ' | 'μ' | 'ц' => b'u',
        'ѵ' | 'ν' | 'ᴠ' | 'Ꮩ' | 'ꓦ' | 'ᐯ' => b'v',
        'ѡ' | 'ω' | 'ԝ' | 'ᴡ' | 'Ꮃ' | 'Ꮤ' | 'ա' | 'ш' | 'ɯ' | 'ʍ' | 'ꓪ' | 'ⲱ' | 'ᗯ' => b'w',
        'х' | 'χ' => b'x',
        'у' | 'γ' | 'Υ' | 'ʏ' | 'ү' | 'Ꮍ' | 'ꓬ' | 'ⲩ' | 'ʎ' | 'ч' => b'y',
        '\u{1f130}'..='\u{1f149}' => alphabet(character, 0x1_f130),
        '\u{1f150}'..='\u{1f169}' => alphabet(character, 0x1_f150),
        '\u{1f170}'..='\u{1f189}' => alphabet(character, 0x1_f170),
        '\u{1f1e6}'..='\u{1f1ff}' => alphabet(character, 0x1_f1e6),
        _ => return None,
    })
}

/// A row of Unicode that is the alphabet again.
fn alphabet(character: char, first: u32) -> u8 {
    u8::try_from(u32::from(character) - first).map_or(b'a', |offset| b'a' + offset % 26)
}

fn read_as(character: char) -> Option<u8> {
    Some(match character {
        '0' | '°' => b'o',
        '1' | '|' | '£' => b'l',
        '3' | '€' => b'e',
        '4' | '@' | '^' | 'Λ' | 'Δ' | '∆' => b'a',
        '5' | '$' | '§' => b's',
        '7' | '+' | '†' | '‡' => b't',
        '8' => b'b',
        '!' => b'i',
        '∂' => b'd',
        '¢' => b'c',
        '¥' => b'y',
        '₩' => b'w',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, leet: bool, expect: &str) {
        let mut read = String::new();
        for character in text.chars() {
            fold(character, leet, |folded| match folded {
                Folded::Letter(letter) => read.push(char::from(letter)),
                Folded::Nothing => {}
                Folded::Space => read.push(' '),
                Folded::Other => read.push('.'),
            });
        }
        assert_eq!(read, expect, "{text:?}");
    }

    #[test]
    fn what_is_read_as_a_letter_is_one() {
        check("aZ é ﬁ ſ\u{212a}", false, "az e fi sk");
        check("\u{ff37}\u{24d0}\u{1f1fc}\u{1f172}\u{1d54e} Η Ν", false, "wawcw h n");
        check("a\u{200b}b\u{301}c\u{a0}d", false, "abc d");
        check("h0t 我 ж", false, "h.t . .");
        check("h0t1", true, "hotl");
        check("∣ ‖ 𐌕 \u{34f}\u{1}\u{9b}", false, "l ll t ");
    }
}
