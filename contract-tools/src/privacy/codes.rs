//! Characters that are written as codes: entities, percent codes, escapes, and the bytes that mail programs and shells write.

use super::markup::Progress::{self, Begun, Is, Nothing};
use super::markup::{begun, last};

/// Entities and escapes are no longer.
const LONGEST: usize = 32;

/// Whether this character may begin a code.
pub(super) fn begins(character: char) -> bool {
    matches!(character, '&' | '%' | '\\' | '=') || hidden(character).is_some()
}

/// What the characters so far come to.
pub(super) fn progress(pending: &str) -> Progress {
    match pending.as_bytes()[0] {
        b'&' => entity(pending),
        b'%' => percent(pending),
        b'\\' => escape(pending),
        b'=' => quoted(pending),
        _ => Nothing,
    }
}

/// ASCII that is written in characters which nobody sees.
pub(super) fn hidden(character: char) -> Option<char> {
    match character {
        '\u{e0020}'..='\u{e007e}' => char::from_u32(u32::from(character) - 0xe_0000),
        _ => None,
    }
}

/// What stands here though nothing ends it: a browser reads a number without its semicolon too, and bytes that are no UTF-8
/// are characters of older sets.
pub(super) fn cut_short(pending: &str) -> Option<Vec<char>> {
    if let Some(number) = pending.strip_prefix("&#") {
        return numbered(number).map(|shown| vec![shown]);
    }
    let shown = |bytes: Vec<u8>| bytes.into_iter().map(char::from).collect();
    match (coding(pending)?.read(pending), OCTAL.read(pending)) {
        // `\033` may be the beginning of `\0141`.
        (Read::Whole(bytes), _) | (Read::Begun, Read::Whole(bytes)) => Some(shown(bytes)),
        _ => None,
    }
}

fn entity(pending: &str) -> Progress {
    let last = last(pending);
    if last == ';' {
        let name = &pending[1..pending.len() - 1];
        return match name.strip_prefix('#') {
            Some(number) => numbered(number).map_or(Nothing, |shown| Is(Some(shown))),
            None if name.is_empty() => Nothing,
            None => Is(Some(named(name))),
        };
    }
    let is_allowed = match pending.as_bytes() {
        [b'&', b'#'] | [b'&', b'#', b'x' | b'X'] => true,
        [b'&', b'#', b'x' | b'X', ..] => last.is_ascii_hexdigit(),
        [b'&', b'#', ..] => last.is_ascii_digit(),
        [b'&', _] => last.is_ascii_alphabetic(),
        _ => last.is_ascii_alphanumeric(),
    };
    begun(pending, LONGEST, is_allowed)
}

/// The number of a character as an entity writes it.
fn numbered(number: &str) -> Option<char> {
    let number = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    number.ok().and_then(char::from_u32)
}

/// The character that a named entity is. Those count that are not seen, that are space, or that are a letter in another form,
/// with something on it or of another alphabet; any other one is a sign.
fn named(name: &str) -> char {
    match name {
        "shy" | "zwj" | "zwnj" | "lrm" | "rlm" | "NoBreak" | "ZeroWidthSpace" | "InvisibleTimes" | "InvisibleComma"
        | "ic" | "it" | "af" | "ApplyFunction" => '\u{200b}',
        "nbsp" | "ensp" | "emsp" | "thinsp" | "hairsp" | "NonBreakingSpace" | "Tab" | "NewLine" => ' ',
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "percnt" => '%',
        "bsol" => '\\',
        "equals" => '=',
        "alpha" | "acy" | "xx" => 'a',
        "epsi" | "epsilon" | "epsiv" | "iecy" => 'e',
        "inodot" | "imath" | "iota" | "iukcy" => 'i',
        "kappa" | "kcy" | "kgreen" => 'k',
        "ell" => 'l',
        "eta" | "pcy" => 'n',
        "omicron" | "ocy" | "order" => 'o',
        "rho" | "rcy" | "thorn" => 'p',
        "scy" => 'c',
        "tau" | "tcy" => 't',
        "upsi" | "upsilon" => 'u',
        "nu" => 'v',
        "omega" => 'w',
        "gamma" | "ucy" => 'y',
        _ => {
            let forms = [
                "acute", "grave", "circ", "uml", "tilde", "ring", "cedil", "macr", "breve", "caron", "ogon", "dot",
                "strok", "slash", "scr", "fr", "opf",
            ];
            let mut letters = name.chars();
            let letter = letters.next().unwrap_or_default();
            if forms.contains(&letters.as_str()) { letter } else { '\u{b7}' }
        }
    }
}

/// The first `count` characters and the rest.
fn split(text: &str, count: usize) -> (&str, &str) {
    text.split_at(text.char_indices().nth(count).map_or(text.len(), |(at, _)| at))
}

/// How a byte is written.
#[derive(Clone, Copy, Debug)]
struct Coding {
    lead: &'static str,
    radix: u32,
    digits: usize,
}

/// What bytes in a row come to.
enum Read {
    Whole(Vec<u8>),
    Begun,
    Other,
}

const PERCENT: Coding = Coding { lead: "%", radix: 16, digits: 2 };
const QUOTED: Coding = Coding { lead: "=", radix: 16, digits: 2 };
const HEXADECIMAL: Coding = Coding { lead: "\\x", radix: 16, digits: 2 };
const OCTAL: Coding = Coding { lead: "\\", radix: 8, digits: 3 };
/// As `echo` and `printf` have it.
const LONG_OCTAL: Coding = Coding { lead: "\\0", radix: 8, digits: 3 };

fn coding(pending: &str) -> Option<Coding> {
    let second = pending.as_bytes().get(1);
    Some(match (pending.as_bytes().first()?, second) {
        (b'%', _) => PERCENT,
        (b'=', _) => QUOTED,
        (b'\\', Some(b'x')) => HEXADECIMAL,
        (b'\\', Some(b'0')) => LONG_OCTAL,
        (b'\\', Some(b'1'..=b'7')) => OCTAL,
        _ => return None,
    })
}

impl Coding {
    fn read(self, pending: &str) -> Read {
        let mut bytes = Vec::new();
        let mut rest = pending;
        while !rest.is_empty() {
            let Some(coded) = rest.strip_prefix(self.lead) else {
                return if self.lead.starts_with(rest) { Read::Begun } else { Read::Other };
            };
            let (digits, behind) = split(coded, self.digits);
            if !digits.chars().all(|digit| digit.is_digit(self.radix)) {
                return Read::Other;
            }
            if digits.len() < self.digits {
                return Read::Begun;
            }
            let Ok(byte) = u8::from_str_radix(digits, self.radix) else { return Read::Other };
            bytes.push(byte);
            rest = behind;
        }
        Read::Whole(bytes)
    }

    /// The character that the bytes are; it may have up to four of them.
    fn progress(self, pending: &str) -> Progress {
        let bytes = match self.read(pending) {
            Read::Whole(bytes) => bytes,
            Read::Begun => return Begun,
            Read::Other => return Nothing,
        };
        match std::str::from_utf8(&bytes) {
            Ok(text) => Is(text.chars().next()),
            // It ends too early, and the rest may come.
            Err(error) if error.error_len().is_none() => Begun,
            Err(_) if bytes.len() == 1 => Is(bytes.first().copied().map(char::from)),
            Err(_) => Nothing,
        }
    }
}

/// `%61`, and `%u0061`, which browsers wrote.
fn percent(pending: &str) -> Progress {
    if pending.as_bytes().get(1) == Some(&b'u') { units(pending, "%u") } else { PERCENT.progress(pending) }
}

/// `=61`, and a line that was broken where it may not be any longer.
fn quoted(pending: &str) -> Progress {
    match pending {
        "=\r" => Begun,
        "=\n" | "=\r\n" => Is(None),
        _ => QUOTED.progress(pending),
    }
}

/// `\u0061`, `\u{61}`, `\x61`, `\141`, and the line breaks and tabs that are written as letters.
fn escape(pending: &str) -> Progress {
    if pending.len() > LONGEST {
        return Nothing;
    }
    match &pending[1..] {
        "n" | "r" | "t" => return Is(Some('\n')),
        "e" | "E" => return Is(Some('\u{1b}')),
        "\\" => return Is(Some('\\')),
        "x" => return Begun,
        _ => {}
    }
    if let Some(digits) = pending.strip_prefix("\\u{").or_else(|| pending.strip_prefix("\\x{")) {
        return match digits.strip_suffix('}') {
            Some(digits) => coded(digits).map_or(Nothing, |shown| Is(Some(shown))),
            None => begun(pending, LONGEST, digits.chars().all(|digit| digit.is_ascii_hexdigit())),
        };
    }
    if let Some(coding) = coding(pending) {
        return coding.progress(pending);
    }
    if let Some(digits) = pending.strip_prefix("\\U") {
        return match digits.len() {
            _ if !digits.chars().all(|digit| digit.is_ascii_hexdigit()) => Nothing,
            // Eight of them, as C and Python have it; a small one has four.
            8 => coded(digits).map_or(Nothing, |shown| Is(Some(shown))),
            4 if !digits.starts_with("000") => units(&format!("\\u{digits}"), "\\u"),
            _ => Begun,
        };
    }
    if pending.starts_with("\\u") { units(pending, "\\u") } else { Nothing }
}

fn coded(digits: &str) -> Option<char> {
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

/// Four digits each; two of them may be the halves of one character.
fn units(pending: &str, lead: &str) -> Progress {
    let mut units = Vec::new();
    let mut rest = pending;
    while !rest.is_empty() {
        let Some(coded) = rest.strip_prefix(lead) else {
            return if lead.starts_with(rest) { Begun } else { Nothing };
        };
        let (digits, behind) = split(coded, 4);
        if !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Nothing;
        }
        match u16::from_str_radix(digits, 16) {
            Ok(unit) if digits.len() == 4 => units.push(unit),
            _ => return Begun,
        }
        rest = behind;
    }
    match char::decode_utf16(units.iter().copied()).next() {
        Some(Ok(shown)) => Is(Some(shown)),
        _ if units.len() == 1 && (0xd800..0xdc00).contains(&units[0]) => Begun,
        _ => Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, expect: Progress) {
        let whole = progress(code);
        assert_eq!(whole, expect, "{code}");
        for (at, _) in code.char_indices().skip(2).filter(|_| expect != Nothing) {
            assert_eq!(progress(&code[..at]), Begun, "{code} up to {at}");
        }
    }

    #[test]
    fn each_code_is_its_character_and_not_before_its_end() {
        for code in [
            "%61",
            "=61",
            "\\x61",
            "\\141",
            "\\0141",
            "\\u0061",
            "%u0061",
            "\\u{61}",
            "\\x{61}",
            "\\u{0000000061}",
            "\\U00000061",
            "\\U0061",
            "&#97;",
            "&#x61;",
            "&#00000000000000000097;",
            "&aacute;",
            "&alpha;",
        ] {
            check(code, Is(Some('a')));
        }
        for code in ["%E2%80%8B", "=E2=80=8B", "\\xE2\\x80\\x8b", "\\342\\200\\213", "\\u200b", "%u200B", "&#8203;"] {
            check(code, Is(Some('\u{200b}')));
        }
        for code in ["\\ud835\\udc30", "%ud835%udc30", "\\U0001d430", "\\u{1d430}", "%F0%9D%90%B0"] {
            check(code, Is(Some('\u{1d430}')));
        }
        check("=\n", Is(None));
        check("=\r\n", Is(None));
        check("\\e", Is(Some('\u{1b}')));
        check("\\\\", Is(Some('\\')));
        for code in
            ["%zz", "%6€", "=€", "\\x6g", "\\18", "\\777", "\\u00g", "%u006€", "\\ud835\\u0061", "\\udc30", "\\w", "&€"]
        {
            check(code, Nothing);
        }
        assert_eq!(cut_short("&#97"), Some(vec!['a']));
        assert_eq!(cut_short("%E0"), Some(vec!['\u{e0}']));
        assert_eq!(cut_short("\\033"), Some(vec!['\u{1b}']));
        assert_eq!([cut_short("%6"), cut_short("&al"), cut_short("\\u006"), cut_short("]")], [const { None }; 4]);
        assert_eq!(progress("%E0"), Begun);
        assert_eq!(progress("%BE"), Is(Some('\u{be}')));
    }
}
