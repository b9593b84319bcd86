//! What never leaves this program: a few kinds of money matters and standing, and whatever looks like a secret.
//!
//! One list of terms and one matcher, used at the source: text that comes out of a store is a [`Shown`] before it is
//! anything else, so no answer can hold what was not looked at. The matcher takes one character at a time and keeps what it
//! needs of the ones before, so that text can also be looked at as it comes.

mod fold;
mod terms;
mod matcher;
mod secrets;
mod shown;

pub use matcher::{Hit, Matcher};
pub use secrets::secret_ranges;
pub use shown::Shown;
pub use terms::TERMS;

/// What stands where something was taken out.
pub const MARK: &str = "[redacted]";

/// The text without what must not leave: from a term to the end of its sentence, and whatever looks like a secret.
pub fn redact(text: &str) -> String {
    let hidden = hidden_ranges(text);
    if hidden.is_empty() {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut position = 0;
    for (start, end) in hidden {
        let between = &text[position..start];
        // Two marks with nothing between them say no more than one.
        if position == 0 || !between.trim().is_empty() {
            kept.push_str(between);
            kept.push_str(MARK);
        }
        position = end;
    }
    kept.push_str(&text[position..]);
    kept
}

/// Whether the text holds anything that [`redact`] would take out.
pub fn is_private(text: &str) -> bool {
    !hidden_ranges(text).is_empty()
}

/// Byte ranges to take out: in order, apart from each other.
fn hidden_ranges(text: &str) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = secret_ranges(text);
    let mut matcher = Matcher::default();
    let mut reached = 0;
    for (at, character) in text.char_indices() {
        if let Some(hit) = matcher.feed(at, character)
            && hit.start >= reached
        {
            reached = sentence_end(text, at + character.len_utf8());
            ranges.push((hit.start, reached));
        }
    }
    ranges.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// Where the sentence that goes on at `from` ends: before its full stop, question or exclamation mark, or line break.
fn sentence_end(text: &str, from: usize) -> usize {
    let mut rest = text[from..].char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        let is_end = match character {
            '\n' | '\r' | '。' | '！' | '？' => true,
            '.' | '!' | '?' => rest.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if is_end {
            return from + at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(redact(text), expect, "{text:?}");
        assert_eq!(redact(expect), expect, "what was redacted stays as it is");
        assert_eq!(is_private(text), text != expect);
    }

    #[test]
    fn each_term_is_found_in_every_dress() {
        for text in [
            "trust score",
            "trustScore",
            "trust\u{a0}score",
            "trust-score",
            "trust_score",
            "TRUSTSCORE",
            "scoreability",
            "reward",
            "rewards",
            "rewarded",
            "payout",
            "payouts",
            "ranking",
            "rankings",
            "private scoring",
            "private-score",
            "wallet",
            "wallets",
            "wallet_address",
            "walletAddress",
            "myWallet",
            "my_hotkey",
            "hot key",
            "hot-key",
            "hotkeys",
            "coldkey",
            "cold key",
            "w a l l e t",
            "wa**ll**et",
            "wal\u{200b}let",
            "wal\u{ad}let",
            "w\u{430}llet",
            "ｗａｌｌｅｔ",
            "h0tkey",
            "wállet",
            "c0ldk3y",
            "1wallet",
            "rew@rd",
        ] {
            check(
                text,
                &match text {
                    "myWallet" => "my[redacted]".to_owned(),
                    "my_hotkey" => "my_[redacted]".to_owned(),
                    "1wallet" => "1[redacted]".to_owned(),
                    _ => MARK.to_owned(),
                },
            );
        }
    }

    #[test]
    fn what_only_looks_alike_passes() {
        for text in ["for ward", "are warding", "franking", "forward", "crewards", "score", "trust", "tao", "a key", ""]
        {
            check(text, text);
        }
    }

    #[test]
    fn the_rest_of_the_sentence_goes_and_the_next_one_stays() {
        check("Hello. Your wallet is 5xyz! More text.", "Hello. Your [redacted]! More text.");
        check("The payout\nnext line", "The [redacted]\nnext line");
        check("reward. payout. x", "[redacted]. [redacted]. x");
        check("acme/wallet-connect", "acme/[redacted]");
    }

    #[test]
    fn whatever_looks_like_a_secret_goes() {
        check("token ghp_0123456789abcdefXYZ end", "token [redacted] end");
        check("sk-0123456789abcdef0", MARK);
        check("phc_0123456789abcdefgh, and", "[redacted], and");
        check("-----BEGIN RSA PRIVATE KEY-----\nabc", "[redacted]");
        check("task-0123456789abcdef0123", "task-0123456789abcdef0123");
        check("ghp_short", "ghp_short");
    }
}
