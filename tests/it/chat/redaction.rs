//! What must not leave, in every dress, and sentences that only look like it.

use contract_tests::print_line;
use contract_tools::privacy::{MARK, Redactor, TERMS, is_private, redact};

use super::dresses::{WORDS, dresses};

/// What a stream makes of the text, cut after so many characters each time.
fn streamed(text: &str, width: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut redactor = Redactor::default();
    let mut out: String =
        characters.chunks(width).map(|piece| redactor.push(&piece.iter().collect::<String>())).collect();
    out.push_str(&redactor.finish());
    out
}

#[test]
fn no_dress_of_a_term_leaves_and_neither_does_what_is_said_of_it() {
    let mut count = 0;
    let mut leaks = Vec::new();
    for (word, split) in WORDS {
        for dressed in dresses(word, split) {
            count += 1;
            let text = format!("Note this: your {dressed} holds 42 units. The rest is fine.");
            let out = redact(&text);
            let hidden = out.strip_prefix("Note this: your ").and_then(|out| out.strip_suffix(". The rest is fine."));
            // What may stay of a dress is what stood in front of the term's first letter.
            let ahead = hidden.and_then(|hidden| hidden.strip_suffix(MARK));
            let is_hidden = ahead.is_some_and(|ahead| dressed.starts_with(ahead) && ahead.chars().count() <= 6);
            if !is_hidden || redact(&out) != out || !is_private(&text) {
                leaks.push(format!("{dressed:?}: {out:?}"));
            }
            for width in [1, 2, 3, 7] {
                assert_eq!(streamed(&text, width), out, "{text:?} cut every {width}");
            }
        }
    }
    print_line(&format!("{count} evasions, {} leaks", leaks.len()));
    assert!(count >= 300 && leaks.is_empty(), "{count}: {leaks:#?}");
    assert!(TERMS.iter().all(|term| WORDS.iter().any(|(word, _)| word.starts_with(term.letters))));
}

#[test]
fn a_figure_behind_markup_is_still_of_what_was_named_before_it() {
    let lines = ["-", "=", "|", " ", "\u{a0}", "\u{2014}"];
    let long =
        lines.iter().flat_map(|sign| [3, 29, 63, 64, 65, 127, 128, 129, 300, 2000].map(|count| sign.repeat(count)));
    let mut between: Vec<String> = long.map(|line| format!(".\n{line}\n")).collect();
    between.extend([29, 400].map(|count| format!(" |\n|{0}|{0}|\n| ", "-".repeat(count))));
    let short = [
        ".\n\n```text\n",
        ":\n~~~ rust\n",
        ". <b>",
        "! <td class=\"x\"><b>",
        ":\n&nbsp;&nbsp;&nbsp;",
        ".\n1. ",
        ".\n1) **",
        "。",
        "！ ",
        "？\n",
        ".\n\n",
        "s. ",
        "s.\n- ",
    ];
    between.extend(short.map(str::to_owned));
    for between in between {
        for behind in ["", "\n", " TAO", " TAO in all.", "|\n", "</b>", ". Fine."] {
            let text = format!("Your wallet{between}4242{behind}");
            for out in [redact(&text), streamed(&text, 1), streamed(&text, 5)] {
                assert!(!out.contains("42"), "{text:?}: {out:?}");
            }
        }
    }
}

#[test]
fn what_follows_a_declined_sentence_stays() {
    for (declined, rest) in [
        ("No tool exposes ", ".\n1. acme/api#42\n2. acme/web#7"),
        ("No tool knows ", ".\n\n1) **acme/api** is open\n2) acme/web"),
        ("No ", ".\n\n12 PRs are open:\n1. #3\n2. #4\n\nBye."),
        ("No ", ".\n- #3\n- #4"),
        ("No ", "\n\n#42 is open."),
        ("No ", ". You have 3 open claims."),
    ] {
        for term in ["rewards", "wallet", "payouts", "hotkeys"] {
            let text = format!("{declined}{term}{rest}");
            let expect = format!("{declined}{MARK}{rest}");
            assert_eq!(redact(&text), expect);
            for width in [1, 2, 5] {
                assert_eq!(streamed(&text, width), expect, "{text:?} cut every {width}");
            }
        }
    }
}

#[test]
fn what_the_original_blocked_is_blocked() {
    // The ten patterns, by what they match, with white space of every kind.
    for text in [
        "trust score",
        "trust\u{a0}\u{2003} \n score",
        "trust\u{feff}score",
        "TrustScore",
        "trustscore",
        "scoreability",
        "Reward",
        "payout",
        "RANKING",
        "private scor",
        "private\t\tscoring",
        "privatescores",
        "wallet",
        "wallet-connect",
        "hotkey",
        "coldkey",
        "(wallet)",
        "é wallet",
        "\u{212a}wallet",
        "9\nreward",
        "ho\u{74}key",
        "hot\u{212a}ey",
        "payout\u{17f}",
    ] {
        assert!(is_private(text), "{text:?}");
    }
}

#[test]
fn sentences_that_only_look_like_it_pass() {
    let sentences: Vec<&str> = include_str!("innocent.txt").lines().filter(|line| !line.is_empty()).collect();
    let wrong: Vec<&&str> = sentences.iter().filter(|sentence| redact(sentence) != **sentence).collect();
    let share =
        100.0 * f64::from(u32::try_from(wrong.len()).unwrap()) / f64::from(u32::try_from(sentences.len()).unwrap());
    print_line(&format!("{} innocent sentences, {} redacted ({share:.2} %): {wrong:#?}", sentences.len(), wrong.len()));
    assert!(sentences.len() >= 300 && share < 1.0);
    for sentence in sentences {
        assert_eq!(streamed(sentence, 1), redact(sentence));
    }
}

#[test]
fn a_stream_holds_back_little_and_not_for_long() {
    // Word by word, everything but the beginning of a possible term is out at once.
    let text: String =
        include_str!("innocent.txt").lines().filter(|line| !is_private(line)).map(|line| format!("{line}\n")).collect();
    let mut redactor = Redactor::default();
    let (mut fed, mut out) = (0, 0);
    for character in text.chars() {
        fed += character.len_utf8();
        out += redactor.push(character.encode_utf8(&mut [0; 4])).len();
        assert!(fed - out <= 24, "{} bytes are held back at {:?}", fed - out, &text[fed.saturating_sub(40)..fed]);
    }
}
