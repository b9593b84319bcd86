//! Numbers of more digits than a reader keeps: whole ones beyond 64 bits, and fractions beyond a double.
//!
//! A parsed document holds them as doubles, of which one stands for many; so two texts that differ can be one document. What
//! was written is only in the text, and this keeps it.

use std::collections::BTreeMap;

use super::dialect::{Bearing, bearing, child, unescaped};
use super::references::shown;
use super::verdict::{Change, Direction, Rule, Verdict};

/// What numbers are written as, by their places in a document.
pub(super) type Written = BTreeMap<String, String>;

/// No list has to have more of them.
pub(super) const MOST: usize = 10_000;

/// The numbers in `text`, which is JSON, of which a reader keeps another one; none when they are more than [`MOST`].
pub(super) fn unkept(text: &str) -> Option<Written> {
    let mut reader = Reader { text, at: 0, around: Vec::new(), found: Written::new() };
    while let Some(byte) = text.as_bytes().get(reader.at) {
        reader.token(*byte);
        if reader.found.len() > MOST {
            return None;
        }
    }
    Some(reader.found)
}

/// What a value is in.
enum Around<'text> {
    /// An array, and how many values came before.
    Array(usize),
    /// An object: the key of the value that is read, as it is written, or none where a key comes next.
    Object(Option<&'text str>),
}

struct Reader<'text> {
    text: &'text str,
    at: usize,
    around: Vec<Around<'text>>,
    found: Written,
}

impl Reader<'_> {
    fn token(&mut self, byte: u8) {
        let start = self.at;
        self.at += 1;
        match byte {
            b'{' => self.around.push(Around::Object(None)),
            b'[' => self.around.push(Around::Array(0)),
            b'}' | b']' => {
                self.around.pop();
            }
            b',' => match self.around.last_mut() {
                Some(Around::Array(place)) => *place += 1,
                Some(Around::Object(key)) => *key = None,
                None => {}
            },
            b'"' => {
                self.skip_text();
                let text = &self.text[start..self.at];
                if let Some(Around::Object(key @ None)) = self.around.last_mut() {
                    *key = Some(text);
                }
            }
            b'-' | b'0'..=b'9' => {
                let rest = &self.text[start..];
                let is_end = |character: char| !character.is_ascii_digit() && !"+-.eE".contains(character);
                let number = rest.find(is_end).map_or(rest, |end| &rest[..end]);
                self.at = start + number.len();
                if !is_kept(number) {
                    self.found.insert(self.pointer(), number.to_owned());
                }
            }
            _ => {}
        }
    }

    /// Goes behind the end of a text, whose first quotation mark was read.
    fn skip_text(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            self.at += if *byte == b'\\' { 2 } else { 1 };
            if *byte == b'"' {
                return;
            }
        }
        self.at = bytes.len();
    }

    fn pointer(&self) -> String {
        self.around.iter().fold(String::new(), |pointer, around| match around {
            Around::Array(place) => child(&pointer, &place.to_string()),
            Around::Object(key) => {
                let name: Option<String> = key.and_then(|key| serde_json::from_str(key).ok());
                child(&pointer, &name.unwrap_or_default())
            }
        })
    }
}

/// Whether a reader that keeps whole numbers of 64 bits and doubles gives back `number` as it is written, but for its zeros.
fn is_kept(number: &str) -> bool {
    if number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return true;
    }
    // The shortest digits that mean the double.
    number.parse::<f64>().is_ok_and(|double| Digits::of(number) == Digits::of(&format!("{double:e}")))
}

/// A number as its digits without the zeros around them, and how many of them stand before the point.
#[derive(PartialEq, Eq)]
struct Digits {
    significant: String,
    before_the_point: Option<i64>,
    is_negative: bool,
}

impl Digits {
    fn of(number: &str) -> Self {
        let (is_negative, number) = number.strip_prefix('-').map_or((false, number), |number| (true, number));
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        if digits.is_empty() {
            return Self { significant: String::new(), before_the_point: Some(0), is_negative: false };
        }
        let place = i64::try_from(whole.len()).ok().zip(i64::try_from(all.len() - digits.len()).ok());
        let exponent = exponent.trim_start_matches('+').parse::<i64>().ok();
        let before_the_point =
            place.zip(exponent).and_then(|((whole, zeros), exponent)| exponent.checked_add(whole - zeros));
        Self { significant: digits.trim_end_matches('0').to_owned(), before_the_point, is_negative }
    }
}

/// What may be another number in `tool`, though the documents as they are read do not show by how much.
pub(super) fn compare(tool: &str, old: &Written, new: &Written) -> Vec<Change> {
    let places = old.keys().chain(new.keys().filter(|place| !old.contains_key(*place)));
    let differing = places.filter(|place| old.get(*place) != new.get(*place));
    differing.map(|place| change(tool, place, old.get(place), new.get(place))).collect()
}

fn change(tool: &str, place: &str, old: Option<&String>, new: Option<&String>) -> Change {
    let cut = |number: &String| super::telling::cut(number);
    let what = match (old.map(cut), new.map(cut)) {
        (Some(old), Some(new)) => format!("was {old} and is {new}"),
        (Some(old), None) => format!("was {old}"),
        (None, new) => format!("is {} now", new.unwrap_or_default()),
    };
    let message =
        format!("the number at {} {what}; readers keep fewer digits, so what that changes is not known", shown(place));
    let steps: Vec<String> = place.split('/').skip(1).map(unescaped).collect();
    let direction = match steps.first().map(String::as_str) {
        Some("inputSchema") => Some(Direction::Input),
        Some("outputSchema") => Some(Direction::Output),
        _ => None,
    };
    let keyword = steps.iter().rev().find(|step| bearing(step) == Bearing::Asserts).or(steps.last());
    let rule = if direction.is_some() { Rule::Keyword } else { Rule::Metadata };
    Change {
        direction,
        keywords: keyword.cloned().into_iter().collect(),
        ..Change::about(tool, rule, message, Verdict::Undecided)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, is_kept, unkept};

    #[test]
    fn a_number_is_kept_when_its_reader_gives_back_its_digits() {
        for kept in [
            "0",
            "-0",
            "0.0",
            "0e5",
            "1",
            "-1",
            "1.50",
            "1e2",
            "1E+2",
            "0.1",
            "1e25",
            "10000000000000000000000000",
            "18446744073709551615",
            "-9223372036854775808",
            "1.7976931348623157e308",
            "5e-324",
            "0.30000000000000004",
            "18446744073709552000",
            "1.0e0",
        ] {
            assert!(is_kept(kept), "{kept}");
        }
        for unkept in [
            "18446744073709551616",
            "18446744073709551617",
            "-9223372036854775809",
            "10000000000000000000000001",
            "0.10000000000000000001",
            "1.00000000000000001",
            "1e-400",
            "-1e-400",
            "123456789012345678901234567890",
            "1e-99999999999999999999",
        ] {
            assert!(!is_kept(unkept), "{unkept}");
        }
    }

    #[test]
    fn a_number_is_found_at_its_place() {
        let text = r#" {"a\"/~b": [1, "18446744073709551616", {"c": 18446744073709551616 , "": [[-1e-400]]}, true],
            "18446744073709551617": {"d": 18446744073709551617}, "e": {}, "f": [], "g": 10000000000000000000000001} "#;
        let found: Vec<(String, String)> = unkept(text).unwrap().into_iter().collect();
        let expected = [
            ("/18446744073709551617/d", "18446744073709551617"),
            ("/a\"~1~0b/2//0/0", "-1e-400"),
            ("/a\"~1~0b/2/c", "18446744073709551616"),
            ("/g", "10000000000000000000000001"),
        ];
        assert_eq!(found, expected.map(|(place, number)| (place.to_owned(), number.to_owned())));
        assert!(unkept("18446744073709551616").unwrap().contains_key(""));
        assert_eq!(unkept(&format!("[{}1e-400]", "1e-400,".repeat(MOST))), None);
    }
}
