//! However an answer is cut into pieces: what leaves is the same, nothing of it is private at any moment, and little is kept.

use contract_tools::privacy::{Redactor, is_private, redact};

use super::dresses::{WORDS, dresses};

/// Numbers that look like any, and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// Pushes the pieces; at no moment has anything left that must not.
#[track_caller]
fn check(pieces: &[String]) {
    let text = pieces.concat();
    let whole = redact(&text);
    let mut redactor = Redactor::default();
    let mut out = String::new();
    for piece in pieces {
        out.push_str(&redactor.push(piece));
        assert!(whole.starts_with(&out), "{pieces:?}: {out:?} is no beginning of {whole:?}");
        assert!(!is_private(&out), "{text:?} in {} pieces: {out:?}", pieces.len());
    }
    out.push_str(&redactor.finish());
    assert_eq!(out, whole, "{pieces:?}");
    assert_eq!(redact(&whole), whole, "{pieces:?}");
}

#[test]
fn random_texts_in_random_pieces_leave_as_one() {
    let innocent: Vec<&str> = include_str!("innocent.txt").lines().filter(|line| !line.is_empty()).collect();
    let evasions: Vec<String> = WORDS.iter().flat_map(|(word, split)| dresses(word, *split)).collect();
    let mut numbers = Numbers(9);
    for _ in 0..250 {
        let mut text = String::new();
        for _ in 0..=numbers.below(3) {
            text.push_str(innocent[numbers.below(innocent.len())]);
            text.push_str([" ", "\n", "\n\n", ""][numbers.below(4)]);
            text.push_str(&evasions[numbers.below(evasions.len())]);
            text.push_str([" ", ". ", " is 42.\n", "! No. 7? ", ": ", "\n- "][numbers.below(6)]);
        }
        let mut pieces = vec![String::new()];
        let most = 1 + numbers.below(12);
        for character in text.chars() {
            if numbers.below(most) == 0 {
                pieces.push(String::new());
            }
            pieces.last_mut().unwrap().push(character);
        }
        check(&pieces);
    }
}

#[test]
fn short_texts_leave_as_one_in_all_ways_to_cut_them() {
    for text in ["a wallet 5", "hot keys. a", "ewa∣∣et!", "w%61llet. b", "re ward 7\n", "wall et. Ok"] {
        let characters: Vec<char> = text.chars().collect();
        for cuts in 0..1_u32 << (characters.len() - 1) {
            let mut pieces = vec![String::new()];
            for (at, character) in characters.iter().enumerate() {
                if at > 0 && cuts >> (at - 1) & 1 == 1 {
                    pieces.push(String::new());
                }
                pieces.last_mut().unwrap().push(*character);
            }
            check(&pieces);
        }
    }
}

#[test]
fn what_is_held_back_stays_small_and_what_is_begun_for_ever_is_taken_out() {
    const MOST: usize = 12 << 10;
    let long = 1 << 20;
    let short = 64 << 10;
    for (begin, filler, length, is_hidden) in [
        ("w", "\u{200b}", long, true),
        ("", "a", long, false),
        ("", "w", long, false),
        ("", "w-", long, false),
        ("w", " ", short, true),
        ("wal", "\n", short, true),
        ("w", "-", short, true),
        ("hot key", "\u{ad}", short, true),
        ("ghp_", "\u{200d}", short, true),
        ("-----BEGIN ", "\u{2060}", short, true),
        ("a://", "\u{200b}", short, true),
        ("a wallet. ", " ", short, false),
        ("", "<a ", short, false),
        ("", "](", short, false),
        ("", "&#", short, false),
        ("", "%25", short, false),
        ("", "-----BEGIN ", short, false),
        ("", "eyJ", short, false),
        ("", "://a:", short, false),
        ("", "t r ", short, false),
    ] {
        let mut redactor = Redactor::default();
        let mut out = redactor.push(begin);
        let piece = filler.repeat(4096 / filler.len());
        for _ in 0..length / piece.len() {
            out.push_str(&redactor.push(&piece));
            assert!(redactor.held_back() <= MOST, "{begin:?} and {filler:?}: {}", redactor.held_back());
        }
        assert_eq!(out.trim_end().ends_with("[redacted]"), is_hidden, "{begin:?} and {filler:?}");
        let begun = format!("{begin}{}", filler.repeat(3 * MOST / filler.len()));
        assert_eq!(redact(&begun).trim_end().ends_with("[redacted]"), is_hidden, "whole: {begin:?} and {filler:?}");
    }
    // What would have become a term does not leave behind it, and the next sentence does.
    let text = format!("Your wal{}let is 42. Fine.", "\u{200b}".repeat(9000));
    assert_eq!(redact(&text), "Your [redacted]. Fine.");
    let spaced = format!("A wallet. {} A reward.", " ".repeat(2000));
    assert_eq!(redact(&spaced), format!("A [redacted]. {} A [redacted].", " ".repeat(2000)));
}
