//! One character as the letters that a reader takes it for.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// What a character is to the matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folded {
    /// A letter, as a plain small one where it has such a form.
    Letter(char),
    /// Something that is not seen: it stands between nothing.
    Nothing,
    /// Anything else.
    Other,
}

/// Folds one character; with `leet`, digits and signs that are read as letters are letters.
pub(super) fn fold(character: char, leet: bool) -> Folded {
    if is_unseen(character) || is_combining_mark(character) {
        return Folded::Nothing;
    }
    let base = if character.is_ascii() {
        character
    } else {
        std::iter::once(character).nfkd().find(|part| !is_combining_mark(*part)).unwrap_or(character)
    };
    let base = base.to_lowercase().next().unwrap_or(base);
    let base = look_alike(base).unwrap_or(base);
    match base {
        'a'..='z' => Folded::Letter(base),
        _ if leet && read_as(base).is_some() => read_as(base).map_or(Folded::Other, Folded::Letter),
        _ if base.is_alphabetic() => Folded::Letter(base),
        _ => Folded::Other,
    }
}

/// Format characters: joiners, soft hyphens, marks of direction, tags.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Letters of other scripts that cannot be told from Latin ones by eye.
fn look_alike(character: char) -> Option<char> {
    Some(match character {
        'а' | 'α' | 'ɑ' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' | 'э' => 'e',
        'һ' | 'н' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' | 'ⅼ' => 'l',
        'м' => 'm',
        'п' | 'η' => 'n',
        'о' | 'ο' | 'σ' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ѵ' | 'ν' => 'v',
        'ѡ' | 'ω' | 'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        _ => return None,
    })
}

fn read_as(character: char) -> Option<char> {
    Some(match character {
        '0' => 'o',
        '1' | '|' => 'l',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        '!' => 'i',
        _ => return None,
    })
}
