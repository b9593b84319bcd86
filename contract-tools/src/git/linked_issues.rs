//! Finds the issue numbers that a text mentions, in the words that GitHub closes issues by or after a bare `#`.

const KEYWORDS: [&[u8]; 9] =
    [b"closes", b"closed", b"close", b"fixes", b"fixed", b"fix", b"resolves", b"resolved", b"resolve"];

/// Larger numbers do not survive a JSON number in every client.
const LARGEST_NUMBER: u64 = (1 << 53) - 1;

/// Issue numbers in the order of the text, with repetitions.
///
/// A mention is one of the closing words or a bare `#`, then optional spaces, an optional `#` and digits. Zero and
/// numbers above 2^53 - 1 are no issue numbers.
pub fn linked_issue_numbers(text: &str) -> Vec<u64> {
    let bytes = text.as_bytes();
    let mut numbers = Vec::new();
    let mut position = 0;
    while position < bytes.len() {
        let Some(digits) = start_of_number(bytes, position) else {
            position += 1;
            continue;
        };
        position = skip(bytes, digits, |byte| byte.is_ascii_digit());
        let number = text[digits..position].parse::<u64>().ok();
        numbers.extend(number.filter(|number| (1..=LARGEST_NUMBER).contains(number)));
    }
    numbers
}

/// Where the digits begin of a mention that begins here.
fn start_of_number(bytes: &[u8], position: usize) -> Option<usize> {
    let introduced = if bytes[position] == b'#' { position + 1 } else { end_of_keyword(bytes, position)? };
    let spaced = skip(bytes, introduced, |byte| matches!(byte, b' ' | b'\t'));
    let marked = spaced + usize::from(bytes.get(spaced) == Some(&b'#'));
    bytes.get(marked)?.is_ascii_digit().then_some(marked)
}

fn end_of_keyword(bytes: &[u8], position: usize) -> Option<usize> {
    if position > 0 && is_word(bytes[position - 1]) {
        return None;
    }
    let rest = &bytes[position..];
    let ends_word = |length: usize| rest.get(length).is_none_or(|next| !is_word(*next));
    KEYWORDS
        .iter()
        .map(|keyword| keyword.len())
        .zip(KEYWORDS)
        .find(|(length, keyword)| {
            rest.get(..*length).is_some_and(|start| start.eq_ignore_ascii_case(keyword)) && ends_word(*length)
        })
        .map(|(length, _)| position + length)
}

fn skip(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> usize {
    from + bytes[from..].iter().take_while(|byte| wanted(**byte)).count()
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_the_exact_range_is_no_issue() {
        assert_eq!(
            linked_issue_numbers("#9007199254740991 #9007199254740992 #12345678901234567890 #3"),
            [9_007_199_254_740_991, 3]
        );
        assert_eq!(linked_issue_numbers("fixes #99999999999999999999999999"), Vec::<u64>::new());
    }

    #[test]
    fn words_are_bounded_and_text_may_be_any() {
        assert_eq!(linked_issue_numbers("fix16 _fix 3 préfix 4 FIXES#5 ##6"), [4, 5, 6]);
        assert_eq!(linked_issue_numbers("#"), Vec::<u64>::new());
        assert_eq!(linked_issue_numbers("日本 #8 é"), [8]);
    }
}
