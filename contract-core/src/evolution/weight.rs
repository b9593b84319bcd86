//! What a pattern costs to be made into a machine, told from its text: a repetition is written out as often as it says, and one
//! around another as often as both.

/// What any pattern costs, and the most that one is said to cost: a machine that would be larger is not made.
const ANY: u64 = 400;
const MOST: u64 = 400_000;

/// What each repetition of a character or a class costs, and how much more work those within others are.
const PER_REPETITION: u64 = 8;
const WITHIN: u64 = 16;

/// The steps to make `pattern`.
pub(super) fn weight(pattern: &str) -> u64 {
    let bytes = pattern.as_bytes();
    let (mut alone, mut around) = (pattern.len() as u64, 1_u64);
    for (place, _) in pattern.match_indices('{') {
        let times = repetitions(&bytes[place + 1..]);
        if place > 0 && bytes[place - 1] == b')' {
            around = around.saturating_mul(times.max(1));
        } else {
            alone = alone.saturating_add(times.saturating_mul(PER_REPETITION));
        }
    }
    let within = if around > 1 { around.saturating_mul(WITHIN) } else { 1 };
    alone.saturating_mul(within).saturating_add(ANY).min(MOST)
}

/// The larger number of `n}`, `n,}` or `n,m}`; none is none.
fn repetitions(text: &[u8]) -> u64 {
    let text = text.split(|byte| *byte == b'}').next().unwrap_or_default();
    let numbers = text.split(|byte| *byte == b',').filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    numbers.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{ANY, MOST, weight};

    #[test]
    fn repetitions_within_each_other_multiply() {
        assert_eq!(weight("^a+$"), ANY + 4);
        assert!(weight("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}$") < 2 * ANY);
        assert!(weight("^((a{0,9}){0,9}){0,9}$") > 100_000);
        assert_eq!(weight("(a{1000}){1000}"), MOST);
        assert_eq!(weight("{"), ANY + 1);
        assert_eq!(weight("(é){99999999999999999999}"), ANY + 26);
    }
}
