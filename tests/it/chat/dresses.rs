//! The terms in every dress that a sentence may hide them in.

use contract_tools::privacy::TERMS;

/// The terms as people write them, and where each is two words.
pub(super) const WORDS: [(&str, usize); 10] = [
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

pub(super) fn dresses(word: &str, split: usize) -> Vec<String> {
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
    dressed.extend(coded(word, split));
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
        format!("{one} ({other})"),
        format!("{one} [{other}]"),
        format!("{one} [{other}](x)"),
        inside(" = "),
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

/// Codes that shells, mail programs and old browsers write, codes of codes, orders to a terminal, and words in front.
fn coded(word: &str, split: usize) -> Vec<String> {
    let (one, other) = word.split_at(split);
    let inside = |text: &str| format!("{one}{text}{other}");
    let all = |code: fn(u32) -> String| word.chars().map(|letter| code(u32::from(letter))).collect::<String>();
    let first = |code: fn(u32) -> String| format!("{one}{}{}", code(u32::from(other.as_bytes()[0])), &other[1..]);
    let codes: [fn(u32) -> String; 17] = [
        |letter| format!("%u{letter:04x}"),
        |letter| format!("={letter:02X}"),
        |letter| format!("\\{letter:03o}"),
        |letter| format!("\\0{letter:03o}"),
        |letter| format!("\\x{{{letter:x}}}"),
        |letter| format!("\\U{letter:08X}"),
        |letter| format!("&#{letter:020};"),
        |letter| format!("%25{letter:02x}"),
        |letter| format!("%2525{letter:02x}"),
        |letter| format!("&amp;#{letter};"),
        |letter| format!("&percnt;{letter:02x}"),
        |letter| format!("%26%23{letter};"),
        |letter| format!("\\u0026#{letter};"),
        |letter| format!("\\\\u{letter:04x}"),
        |letter| format!("\\u005cx{letter:02x}"),
        |letter| char::from_u32(0xe_0000 + letter).unwrap().to_string(),
        |letter| format!("\u{1b}[1m{}", char::from_u32(letter).unwrap()),
    ];
    let mut dressed: Vec<String> = codes[..16].iter().map(|code| all(*code)).collect();
    dressed.extend(codes.iter().map(|code| first(*code)));
    let fillers = [
        "%u200B",
        "=E2=80=8B",
        "=\n",
        "=\r\n",
        "\\342\\200\\213",
        "\\xE2\\x80\\x8B",
        "%25%32%30",
        "&amp;shy;",
        "\u{1b}[0m",
        "\u{1b}[1;31m",
        "\u{9b}0m",
        "\u{1b}]8;;https://a.example\u{7}",
        "\\e[0m",
        "\\033[1m",
        "\\x1b[31m",
        "\\u001b[0m",
        "\u{34f}",
        "\u{1}\u{2}\u{3}\u{4}",
        "\u{2800}",
    ];
    dressed.extend(fillers.map(inside));
    // An end that never comes hides nothing.
    dressed.push(format!("]({}", first(|letter| format!("&#{letter};"))));
    dressed.push(format!("](x {}", inside("<b></b>")));
    dressed.push(format!("<a {}", first(|letter| format!("%{letter:02x}"))));
    let glued = ["my", "your", "e", "x", "the", "miner"].map(|before| format!("{before}{word}"));
    dressed.extend(glued.iter().flat_map(|glued| [glued.clone(), title(glued), glued.to_uppercase()]));
    dressed.extend([mapped(word, &[('l', '∣'), ('t', '𐌕')]), word.replace("ll", "‖"), word.replace('a', "&alpha;")]);
    dressed
}
