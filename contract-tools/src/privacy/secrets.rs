//! What looks like a secret, whatever it is called: tokens by their prefixes, private keys by their header. As the terms are,
//! it is found in a text that comes one character at a time.

const PREFIXES: [&str; 10] = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "sk-", "phc_", "gts_", "xoxb-"];

/// A token has at least this many letters and digits behind its prefix.
const SHORTEST: usize = 16;

const KEY_BEGINS: &str = "-----BEGIN ";
const KEY_HEADER_ENDS: &str = "PRIVATE KEY";
/// No kind of key has a longer name.
const LONGEST_HEADER: usize = 40;
const KEY_ENDS: &str = "-----END ";
const DASHES: usize = 5;

/// The byte ranges of a whole text that look like a secret, in order.
pub fn secret_ranges(text: &str) -> Vec<(usize, usize)> {
    let mut secrets = Secrets::default();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, character) in text.char_indices() {
        if let Some(start) = secrets.feed(at, character) {
            found.push((start, start));
        }
        if secrets.is_inside()
            && let Some(last) = found.last_mut()
        {
            last.1 = at + character.len_utf8();
        }
    }
    found
}

/// Keeps what may still become a secret, and how far one goes that has begun.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets {
    tokens: Vec<Token>,
    headers: Vec<Header>,
    inside: Inside,
    /// Whether a word can begin: the character before is neither letter, digit nor underscore.
    is_in_word: bool,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    prefix: &'static str,
    matched: usize,
    body: usize,
    start: usize,
}

#[derive(Clone, Debug)]
struct Header {
    start: usize,
    read: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Nothing,
    Token,
    /// A private key, and how much of its footer was read.
    Key {
        matched: usize,
        dashes: usize,
    },
}

impl Secrets {
    /// Takes the next character, which begins at byte `at`; tells where a secret begins that is found by now.
    pub(super) fn feed(&mut self, at: usize, character: char) -> Option<usize> {
        let was_in_word = std::mem::replace(&mut self.is_in_word, character.is_alphanumeric() || character == '_');
        match &mut self.inside {
            Inside::Nothing => {}
            Inside::Token => {
                if is_body(character) || matches!(character, '_' | '-') {
                    return None;
                }
                self.inside = Inside::Nothing;
            }
            Inside::Key { matched, dashes } => {
                if *dashes == DASHES {
                    self.inside = Inside::Nothing;
                } else {
                    footer(matched, dashes, character);
                    return None;
                }
            }
        }
        if !was_in_word {
            let begins = PREFIXES.iter().filter(|prefix| prefix.starts_with(character));
            self.tokens.extend(begins.map(|prefix| Token { prefix, matched: 0, body: 0, start: at }));
        }
        if character == '-' {
            self.headers.push(Header { start: at, read: String::new() });
        }
        let token = self.token(character);
        let key = self.header(character);
        self.inside = match (token, key) {
            (_, Some(_)) => Inside::Key { matched: 0, dashes: 0 },
            (Some(_), None) => Inside::Token,
            (None, None) => return None,
        };
        self.tokens.clear();
        self.headers.clear();
        token.into_iter().chain(key).min()
    }

    /// Whether the character that was fed last belongs to a secret.
    pub(super) fn is_inside(&self) -> bool {
        self.inside != Inside::Nothing
    }

    /// The first byte that may still turn out to belong to a secret.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        let tokens = self.tokens.iter().map(|token| token.start);
        tokens.chain(self.headers.iter().map(|header| header.start)).min()
    }

    fn token(&mut self, character: char) -> Option<usize> {
        let mut found = None;
        self.tokens.retain_mut(|token| {
            if token.matched < token.prefix.len() {
                token.matched += 1;
                return token.prefix[token.matched - 1..].starts_with(character);
            }
            token.body += 1;
            if token.body == SHORTEST && is_body(character) {
                found = Some(found.map_or(token.start, |start: usize| start.min(token.start)));
            }
            is_body(character)
        });
        found
    }

    fn header(&mut self, character: char) -> Option<usize> {
        let mut found = None;
        self.headers.retain_mut(|header| {
            header.read.push(character);
            if header.read.len() <= KEY_BEGINS.len() {
                return KEY_BEGINS.starts_with(&header.read);
            }
            let name = &header.read[KEY_BEGINS.len()..];
            if name.ends_with(KEY_HEADER_ENDS) {
                found = Some(found.map_or(header.start, |start: usize| start.min(header.start)));
            }
            name.len() <= LONGEST_HEADER && !name.contains("-----")
        });
        found
    }
}

fn is_body(character: char) -> bool {
    character.is_ascii_alphanumeric()
}

fn footer(matched: &mut usize, dashes: &mut usize, character: char) {
    if *matched == KEY_ENDS.len() {
        *dashes = if character == '-' { *dashes + 1 } else { 0 };
    } else if KEY_ENDS[*matched..].starts_with(character) {
        *matched += 1;
    } else if character == '-' {
        // More dashes than five may stand in front.
        *matched = if *matched == DASHES { DASHES } else { 1 };
    } else {
        *matched = 0;
    }
}
