//! What must not leave, in every dress, and sentences that only look like it.

use contract_tests::print_line;
use contract_tools::privacy::{MARK, Redactor, TERMS, is_private, redact};

/// The terms as people write them, and where each is two words.
const WORDS: [(&str, usize); 10] = [
    ("trustscore", 5),
    ("scoreability", 5),
    ("reward", 2),
    ("payout", 3),
    ("ranking", 4),
    ("privatescore", 7),
    ("privatescoring", 7),
    ("wallet", 3),
    ("hotkey", 3),
    ("coldkey", 4),
];

/// Each letter as something else, or as itself.
fn mapped(word: &str, table: &[(char, char)]) -> String {
    word.chars().map(|letter| table.iter().find(|(from, _)| *from == letter).map_or(letter, |(_, to)| *to)).collect()
}

/// Each letter moved to another row of Unicode.
fn row(word: &str, first: u32) -> String {
    word.chars().map(|letter| char::from_u32(first + u32::from(letter) - u32::from('a')).unwrap()).collect()
}

fn between(word: &str, separator: &str) -> String {
    word.chars().map(String::from).collect::<Vec<_>>().join(separator)
}

fn title(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

const CYRILLIC: [(char, char); 9] =
    [('a', 'а'), ('e', 'е'), ('o', 'о'), ('p', 'р'), ('c', 'с'), ('y', 'у'), ('i', 'і'), ('s', 'ѕ'), ('k', 'к')];
const GREEK: [(char, char); 6] = [('a', 'α'), ('o', 'ο'), ('i', 'ι'), ('u', 'υ'), ('t', 'τ'), ('k', 'κ')];
const LEET: [(char, char); 5] = [('a', '4'), ('e', '3'), ('o', '0'), ('t', '7'), ('s', '5')];
const SIGNS: [(char, char); 3] = [('a', '@'), ('s', '$'), ('l', '1')];
const SMALL_CAPITALS: [(char, char); 10] = [
    ('w', 'ᴡ'),
    ('a', 'ᴀ'),
    ('l', 'ʟ'),
    ('e', 'ᴇ'),
    ('t', 'ᴛ'),
    ('r', 'ʀ'),
    ('o', 'ᴏ'),
    ('k', 'ᴋ'),
    ('n', 'ɴ'),
    ('g', 'ɢ'),
];
const LISU: [(char, char); 8] =
    [('w', 'ꓪ'), ('a', 'ꓮ'), ('l', 'ꓡ'), ('e', 'ꓰ'), ('t', 'ꓔ'), ('r', 'ꓣ'), ('o', 'ꓳ'), ('k', 'ꓗ')];
const COPTIC: [(char, char); 5] = [('w', 'ⲱ'), ('a', 'ⲁ'), ('e', 'ⲉ'), ('o', 'ⲟ'), ('t', 'ⲧ')];
const FAUX: [(char, char); 4] = [('r', 'я'), ('n', 'и'), ('a', 'д'), ('u', 'ц')];
const CHEROKEE: [(char, char); 5] = [('w', 'Ꮃ'), ('a', 'Ꭺ'), ('e', 'Ꭼ'), ('t', 'Ꭲ'), ('p', 'Ꮲ')];

fn dresses(word: &str, split: usize) -> Vec<String> {
    let (one, other) = word.split_at(split);
    let inside = |text: &str| format!("{one}{text}{other}");
    let mut dressed = vec![
        word.to_owned(),
        word.to_uppercase(),
        title(word),
        format!("{word}s"),
        format!("{word}'s"),
        format!("{word}ed"),
        format!("{}{}", title(one), title(other)),
        format!("{one}{}", title(other)),
        format!("{one}{}s", title(other)),
    ];
    for separator in [
        " ",
        "-",
        "_",
        ".",
        "·",
        "/",
        "*",
        "~",
        "|",
        "\u{200b}",
        "\u{ad}",
        "\u{2060}",
        "\u{feff}",
        "\u{200d}",
        "\u{301}",
        "\u{fe0f}",
        "\u{202e}",
        " - ",
        ", ",
        "\u{1f642}",
        "\n",
        "\t",
        "\u{a0}",
        "\u{2003}",
        "\u{e0041}",
    ] {
        // A line break ends what is taken out, so a line for each letter shows those behind the term's own.
        if separator != "\n" || TERMS.iter().any(|term| term.letters == word) {
            dressed.push(between(word, separator));
        }
    }
    for gap in [
        "  ",
        "          ",
        "\n\n",
        " - ",
        " / ",
        "**",
        "******",
        "``",
        "__",
        "=",
        ":",
        "\u{2014}",
        "\u{2011}",
        "\u{3000}",
        "\u{180e}",
    ] {
        dressed.push(inside(gap));
    }
    for table in [&CYRILLIC[..], &GREEK, &LEET, &SIGNS, &SMALL_CAPITALS, &CHEROKEE] {
        dressed.push(mapped(word, table));
        dressed.push(
            mapped(&word[1..], table).chars().fold(word[..1].to_owned(), |all, letter| all + &letter.to_string()),
        );
    }
    for first in [0xff41, 0x1_d41a, 0x1_d44e + 52, 0x1_d5ba, 0x24d0, 0x1_f130, 0x1_f150, 0x1_f170, 0x1_f1e6] {
        dressed.push(row(word, first));
    }
    dressed.extend([
        format!("my{}", title(word)),
        format!("HTTP{}", title(word)),
        format!("my_{word}"),
        format!("{word}_address"),
        format!("{word}Address"),
        format!("{word}-connect"),
        format!("acme/{word}"),
        format!("\"{word}\": "),
        format!("`{word}`"),
        format!("**{word}**"),
        format!("({word})"),
        format!("1{word}"),
        format!("#{word}"),
        format!("@{word}"),
        format!("我的{word}余额"),
        format!("é{word}"),
    ]);
    dressed.extend(displayed(word, split));
    dressed
}

/// Look-alikes that are two letters or another one's capital, and what a browser does not show.
fn displayed(word: &str, split: usize) -> Vec<String> {
    let (one, other) = word.split_at(split);
    let inside = |text: &str| format!("{one}{text}{other}");
    vec![
        word.replace('l', "I"),
        word.replace('i', "l"),
        word.replace('w', "vv"),
        mapped(word, &[('d', '∂'), ('k', 'ĸ'), ('w', 'ɯ')]),
        inside("&#8203;"),
        inside("&shy;"),
        inside("&ZeroWidthSpace;"),
        inside("<wbr>"),
        inside("<!-- x -->"),
        format!("{one}<b>{}</b>{}", &other[..1], &other[1..]),
        format!("{one}&#{};{}", other.as_bytes()[0], &other[1..]),
        format!("&#x{:x};{}", word.as_bytes()[0], &word[1..]),
        format!("{}&#{};", &word[..word.len() - 1], word.as_bytes()[word.len() - 1]),
        inside("&period;"),
        inside("<span style='color: red; font-weight: bold; text-decoration: underline'></span>"),
        // Codes and escapes that somebody may read back.
        inside("%E2%80%8B"),
        inside("%20"),
        inside("\\u200b"),
        inside("\\n"),
        word.chars().map(|letter| format!("%{:02X}", u32::from(letter))).collect(),
        word.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect(),
        word.chars().map(|letter| format!("\\x{:02x}", u32::from(letter))).collect(),
        word.chars().map(|letter| format!("\\u{{{:x}}}", u32::from(letter))).collect(),
        format!("{one}\\u{:04x}{}", other.as_bytes()[0], &other[1..]),
        format!("{one}%{:02x}{}", other.as_bytes()[0], &other[1..]),
        format!("%2F{word}%3D5"),
        format!("line\\n{word}"),
        // Links and notes, of which only the text is shown.
        format!("{one}[{other}](https://a.example/b?c=d)"),
        format!("[{one}](https://a.example){other}"),
        format!("{one}[{other}][1]"),
        inside("[^1]"),
        inside("\\*"),
        inside("\n> "),
        // From right to left, and other alphabets.
        format!("\u{202e}{}\u{202c}", word.chars().rev().collect::<String>()),
        mapped(word, &LISU),
        mapped(word, &COPTIC),
        mapped(word, &FAUX),
        word.replace('w', "uu"),
    ]
}

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
