//! Labels by pattern: `*`, `?` and `[…]` over the whole label, without regard to case.

use super::units::cut_units;
use super::wildcards::Effort;

/// The longest pattern and the longest label that are compared, in units. A label has at most 50 characters where labels
/// are made, and comparing costs the one length times the other.
const MOST_UNITS: usize = 256;

/// Parts of a pattern that one step of an [`Effort`] looks at.
const PARTS_OF_A_STEP: usize = 32;

/// A pattern for labels, read once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelGlob {
    /// Nothing when no label can match.
    tokens: Option<Vec<Token>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// `*`: any run within a line, the empty one too.
    Run,
    /// `?`: one unit within a line.
    One,
    /// A unit that stands for itself.
    Unit(u16),
    /// `[…]`: one unit that is, or is not, within one of the ranges.
    Class { is_negated: bool, ranges: Vec<(u16, u16)> },
}

/// A label, read once to be compared with patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedLabel {
    /// Nothing when no pattern can match.
    units: Option<Vec<u16>>,
}

impl ComparedLabel {
    /// Reads a label.
    pub fn new(label: &str) -> Self {
        Self { units: lower_units(label) }
    }
}

impl LabelGlob {
    /// Reads a pattern; every text is one.
    pub fn new(pattern: &str) -> Self {
        Self { tokens: lower_units(pattern).and_then(|units| tokens(&units)) }
    }

    /// Whether the whole of `label` fits; nothing when the effort is used up before that is known. What is far longer than
    /// a label fits nothing.
    ///
    /// All ways to fit are followed at once, so that many stars cost no more than many letters.
    pub fn matches(&self, label: &ComparedLabel, effort: &mut Effort) -> Option<bool> {
        effort.take(1)?;
        let Some((tokens, units)) = self.tokens.as_ref().zip(label.units.as_ref()) else { return Some(false) };
        let steps = tokens.len().div_ceil(PARTS_OF_A_STEP) as u64;
        let mut reached = vec![false; tokens.len() + 1];
        let mut next = reached.clone();
        reached[0] = true;
        step_over_runs(tokens, &mut reached);
        for &unit in units {
            effort.take(steps)?;
            next.fill(false);
            let mut is_lost = true;
            for (place, token) in tokens.iter().enumerate() {
                if reached[place] && token.takes(unit) {
                    let follower = if *token == Token::Run { place } else { place + 1 };
                    next[follower] = true;
                    is_lost = false;
                }
            }
            if is_lost {
                return Some(false);
            }
            step_over_runs(tokens, &mut next);
            std::mem::swap(&mut reached, &mut next);
        }
        Some(reached[tokens.len()])
    }
}

/// The units of a text in lower case, if it is short enough to be compared.
fn lower_units(text: &str) -> Option<Vec<u16>> {
    if cut_units(text, MOST_UNITS).len() < text.len() {
        return None;
    }
    Some(text.to_lowercase().encode_utf16().collect())
}

/// A run may be empty: where it begins, what follows it is reached as well.
fn step_over_runs(tokens: &[Token], reached: &mut [bool]) {
    for (place, token) in tokens.iter().enumerate() {
        if reached[place] && *token == Token::Run {
            reached[place + 1] = true;
        }
    }
}

impl Token {
    fn takes(&self, unit: u16) -> bool {
        match self {
            Self::Run | Self::One => !is_line_end(unit),
            Self::Unit(own) => *own == unit,
            Self::Class { is_negated, ranges } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&unit)) != *is_negated
            }
        }
    }
}

fn is_line_end(unit: u16) -> bool {
    matches!(unit, 0x0A | 0x0D | 0x2028 | 0x2029)
}

const fn ascii(letter: u8) -> u16 {
    letter as u16
}

/// The parts of a pattern, or nothing when a range in it runs downwards.
fn tokens(units: &[u16]) -> Option<Vec<Token>> {
    const STAR: u16 = ascii(b'*');
    const QUESTION: u16 = ascii(b'?');
    const OPEN: u16 = ascii(b'[');
    const CLOSE: u16 = ascii(b']');
    let mut tokens = Vec::new();
    let mut rest = units;
    // Without this, each `[` of a pattern without `]` would look for one to the end.
    let last_close = units.iter().rposition(|unit| *unit == CLOSE);
    while let [unit, after @ ..] = rest {
        let place = units.len() - after.len();
        rest = after;
        let body = match (*unit, last_close) {
            (OPEN, Some(last)) if last >= place => after.split(|unit| *unit == CLOSE).next(),
            _ => None,
        };
        match (*unit, body) {
            // Two stars take no more than one.
            (STAR, _) if tokens.last() == Some(&Token::Run) => {}
            (STAR, _) => tokens.push(Token::Run),
            (QUESTION, _) => tokens.push(Token::One),
            (_, Some(body)) if !body.is_empty() && body != [ascii(b'!')] => {
                tokens.push(class(body)?);
                rest = &after[body.len() + 1..];
            }
            (unit, _) => tokens.push(Token::Unit(unit)),
        }
    }
    Some(tokens)
}

/// What stands between `[` and `]`. A `-` makes a range only between two others.
fn class(body: &[u16]) -> Option<Token> {
    const DASH: u16 = ascii(b'-');
    const NOT: u16 = ascii(b'!');
    let is_negated = body.first() == Some(&NOT);
    let mut rest = if is_negated { &body[1..] } else { body };
    let mut ranges = Vec::new();
    loop {
        let (range, after) = match rest {
            [] => return Some(Token::Class { is_negated, ranges }),
            [first, DASH, last, after @ ..] => ((*first, *last), after),
            [only, after @ ..] => ((*only, *only), after),
        };
        if range.0 > range.1 {
            return None;
        }
        ranges.push(range);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, label: &str, expected: bool) {
        let fits = LabelGlob::new(pattern).matches(&ComparedLabel::new(label), &mut Effort::default());
        assert_eq!(fits, Some(expected), "{label:?} against {pattern:?}");
    }

    #[test]
    fn a_label_fits_as_a_whole_and_in_any_case() {
        check("type:*", "TYPE:Bug", true);
        check("type:*", "xtype:bug", false);
        check("É", "é", true);
        check("bug", " bug", false);
    }

    #[test]
    fn a_question_mark_is_one_unit() {
        check("?", "🐛", false);
        check("??", "🐛", true);
        check("na?ve", "naïve", true);
    }

    #[test]
    fn a_star_stays_within_its_line() {
        check("a*b", "a/b", true);
        check("a*b", "a\nb", false);
        check("*a*", "xa\ny", false);
    }

    #[test]
    fn a_class_has_members_and_ranges() {
        for (pattern, label, expected) in [
            ("[!b]ug", "fug", true),
            ("[^b]ug", "bug", true),
            ("[a-z-9]ug", "9ug", true),
            ("[a-z-9]ug", "-ug", true),
            ("[a-]", "-", true),
            ("[-a]", "-", true),
            ("[]ug", "[]ug", true),
            ("[!]ug", "[!]ug", true),
            ("[bug", "[bug", true),
            ("[bug", "bug", false),
            ("[z-a]ug", "zug", false),
            ("x[z-a]*", "x", false),
            ("[!z-a]ug", "bug", false),
        ] {
            check(pattern, label, expected);
        }
    }

    #[test]
    fn three_stars_match_like_any_others() {
        check("***", "abc", true);
        check("a*b*c*", "aXbYcZ", true);
        check("a*b*c*", "xaybz", false);
    }

    #[test]
    fn nested_wildcards_stay_cheap() {
        let label = "a".repeat(5_000);
        check(&format!("{}b", "*a".repeat(50)), &label, false);
        check(&"[".repeat(20_000), &"[".repeat(100), false);
        check(&"*a".repeat(500_000), &"a".repeat(1_000_000), false);
    }

    #[test]
    fn what_is_far_longer_than_a_label_fits_nothing() {
        check("a*", &"a".repeat(256), true);
        check("a*", &"a".repeat(257), false);
        check(&format!("{}*", "a".repeat(255)), &"a".repeat(256), true);
        check(&format!("{}*", "a".repeat(256)), &"a".repeat(256), false);
    }
}
