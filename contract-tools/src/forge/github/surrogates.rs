//! Texts with half of a surrogate pair: JSON can spell one (`\\ud83d` alone), but it is no character, and no text that is kept
//! can hold it.

use std::borrow::Cow;

/// Stands for what is no character.
const REPLACEMENT: &str = "\\ufffd";

/// JSON in which each such half is U+FFFD, as wherever else a text with one is written out; borrowed when there is none.
pub fn mended(json: &str) -> Cow<'_, str> {
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    let (mut mended, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(found) = json.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        let Some(unit) = unit(json, at) else {
            // An escape of one letter: what stands behind a backslash begins none.
            at += 2;
            while at < json.len() && !json.is_char_boundary(at) {
                at += 1;
            }
            continue;
        };
        let is_pair = is_high(unit) && self::unit(json, at + 6).is_some_and(is_low);
        if is_pair {
            at += 12;
            continue;
        }
        if is_high(unit) || is_low(unit) {
            mended += &json[kept..at];
            mended += REPLACEMENT;
            kept = at + 6;
        }
        at += 6;
    }
    if kept == 0 {
        return Cow::Borrowed(json);
    }
    mended += &json[kept..];
    Cow::Owned(mended)
}

/// The code unit that an escape at this place spells.
fn unit(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at.checked_add(6)?)?.strip_prefix("\\u")?;
    let is_spelt = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_spelt.then(|| u16::from_str_radix(digits, 16).ok())?
}

fn is_high(unit: u16) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

fn is_low(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_are_mended() {
        for whole in [r#"{"a":"\ud83d\ude00"}"#, r#""\\ud83d""#, r#""\u0041\n\"""#, "\"ü\\", "\"\\", "\"\\u12"] {
            assert_eq!(mended(whole), whole);
        }
        for (half, expected) in [
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (r#""\uDE00b""#, r#""\ufffdb""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\n\\\uD83Dü""#, r#""\ufffd\n\\\ufffdü""#),
            ("\"\\ud83d\\ü\\ud83d", "\"\\ufffd\\ü\\ufffd"),
        ] {
            assert_eq!(mended(half), expected);
        }
    }
}
