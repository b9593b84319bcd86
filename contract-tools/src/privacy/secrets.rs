//! What looks like a secret, whatever it is called: tokens by their prefixes, private keys by their header. As the terms are,
//! it is found in a text that comes one character at a time.

use std::borrow::Cow;

use super::MARK;
use super::fold::is_unseen;
use super::kinds::{Body, KINDS, Kind};

/// What is longer than this is no row of words, whether it has a digit or not.
const LONGER_THAN_WORDS: usize = 40;

/// How the second part of a token in parts begins.
const SECOND_PART: &str = ".eyJ";

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
            found.push((start, at));
        }
        if secrets.is_inside()
            && let Some(last) = found.last_mut()
        {
            last.1 = at + character.len_utf8();
        }
    }
    found
}

/// The text with a mark where something looks like a secret.
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    let found = secret_ranges(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    let mut reached = 0;
    for (start, end) in found {
        if start >= reached {
            shown.push_str(&text[reached..start]);
            shown.push_str(MARK);
        }
        reached = reached.max(end);
    }
    shown.push_str(&text[reached..]);
    Cow::Owned(shown)
}

/// Keeps what may still become a secret, and how far one goes that has begun.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets {
    tokens: Vec<Token>,
    headers: Vec<Header>,
    address: Address,
    inside: Inside,
    /// Whether a word can begin: the character before is neither letter, digit nor underscore.
    is_in_word: bool,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: &'static Kind,
    matched: usize,
    body: usize,
    has_digit: bool,
    /// How much of the second part's beginning was read.
    second: usize,
    start: usize,
}

/// `scheme://name:password@host`: what stands before the host.
#[derive(Clone, Copy, Debug, Default)]
struct Address {
    /// How much of `://` was read.
    slashes: usize,
    start: Option<usize>,
    length: usize,
    has_password: bool,
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
    Token {
        body: Body,
    },
    /// A private key, and how much of its footer was read.
    Key {
        matched: usize,
        dashes: usize,
    },
}

impl Secrets {
    /// Takes the next character, which begins at byte `at`; tells where a secret begins that is found by now.
    pub(super) fn feed(&mut self, at: usize, character: char) -> Option<usize> {
        // What is not seen stands between nothing.
        if is_unseen(character) {
            return None;
        }
        let was_in_word = std::mem::replace(&mut self.is_in_word, character.is_alphanumeric() || character == '_');
        match &mut self.inside {
            Inside::Nothing => {}
            Inside::Token { body } => {
                if goes_on(*body, character) {
                    return None;
                }
                self.inside = Inside::Nothing;
                self.address.goes_on_from(at);
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
            let begins = KINDS.iter().filter(|kind| kind.matches(0, character));
            let token = |kind| Token { kind, matched: 0, body: 0, has_digit: false, second: 0, start: at };
            self.tokens.extend(begins.map(token));
        }
        if character == '-' {
            self.headers.push(Header { start: at, read: String::new() });
        }
        let token = self.token(at, character);
        let key = self.header(character);
        let address = self.address.feed(at, character, was_in_word);
        self.inside = match (token, key) {
            (_, Some(_)) => Inside::Key { matched: 0, dashes: 0 },
            (Some((_, body)), None) => Inside::Token { body },
            (None, None) => return address,
        };
        self.tokens.clear();
        self.headers.clear();
        token.map(|(start, _)| start).into_iter().chain(key).min()
    }

    /// Whether the character that was fed last belongs to a secret.
    pub(super) fn is_inside(&self) -> bool {
        self.inside != Inside::Nothing
    }

    /// The first byte that may still turn out to belong to a secret.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        let tokens = self.tokens.iter().filter(|token| !token.is_only_named()).map(|token| token.start);
        let others = self.headers.iter().map(|header| header.start).chain(self.address.start);
        tokens.chain(others).min()
    }

    fn token(&mut self, at: usize, character: char) -> Option<(usize, Body)> {
        let mut found: Option<(usize, Body)> = None;
        self.tokens.retain_mut(|token| {
            let goes = token.feed(at, character);
            if goes && token.is_one() && found.is_none_or(|(start, _)| token.start < start) {
                found = Some((token.start, token.kind.body));
            }
            goes
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

impl Token {
    /// Takes the next character; tells whether this may still be, or is, a token.
    fn feed(&mut self, at: usize, character: char) -> bool {
        let Kind { prefix, body, .. } = *self.kind;
        if self.matched < prefix.len() {
            self.matched += 1;
            return self.kind.matches(self.matched - 1, character);
        }
        if self.body == 0 && body.is_named() {
            self.start = at;
        }
        if body == Body::Parts && (character == '.' || self.second > 0) && self.second < SECOND_PART.len() {
            self.second += 1;
            return self.body >= self.kind.shortest && SECOND_PART[self.second - 1..].starts_with(character);
        }
        self.body += 1;
        self.has_digit |= character.is_ascii_digit();
        match body {
            Body::Plain => character.is_ascii_alphanumeric(),
            Body::Capitals => character.is_ascii_uppercase() || character.is_ascii_digit(),
            // A part that has no end is not waited for.
            Body::Parts => is_joined(character) && (self.body < LONGEST_PART || self.second > 0),
            Body::Joined => is_joined(character),
            Body::Header => is_in_header(character),
            Body::Path => is_in_path(character),
        }
    }

    /// Whether it is a token by now.
    fn is_one(&self) -> bool {
        match self.kind.body {
            Body::Parts => self.second == SECOND_PART.len(),
            Body::Plain | Body::Capitals | Body::Path => self.body == self.kind.shortest,
            // With so few characters it stands behind a name that says what it is.
            Body::Header if self.kind.shortest < 16 => self.body == self.kind.shortest,
            Body::Joined | Body::Header => {
                self.body >= self.kind.shortest && (self.has_digit || self.body > LONGER_THAN_WORDS)
            }
        }
    }

    /// Whether only what is shown of it was read.
    fn is_only_named(&self) -> bool {
        self.kind.body.is_named() && self.body == 0
    }
}

/// The first part of a token in parts is no longer.
const LONGEST_PART: usize = 1024;

/// Nobody's name and password are longer.
const LONGEST_LOGIN: usize = 1024;

impl Address {
    /// Takes the next character; tells where a name and a password begin that end before it.
    fn feed(&mut self, at: usize, character: char, was_in_word: bool) -> Option<usize> {
        let Some(start) = self.start else {
            self.slashes = match (self.slashes, character) {
                (0, ':') if was_in_word => 1,
                (1, '/') => 2,
                (2, '/') => {
                    *self = Self { start: Some(at + 1), ..Self::default() };
                    return None;
                }
                _ => 0,
            };
            return None;
        };
        self.length += 1;
        if character.is_whitespace() || "/?#\"'`<>".contains(character) || self.length > LONGEST_LOGIN {
            *self = Self::default();
            return None;
        }
        if character == '@' && self.has_password {
            // A password may have one too.
            self.start = Some(at + 1);
            return (start < at).then_some(start);
        }
        self.has_password |= character == ':';
        None
    }

    /// A part of it was found to be a secret already.
    fn goes_on_from(&mut self, at: usize) {
        self.start = self.start.map(|_| at);
    }
}

/// Whether a secret that was found goes on.
fn goes_on(body: Body, character: char) -> bool {
    match body {
        Body::Header => is_in_header(character),
        Body::Path => is_in_path(character),
        Body::Parts => is_joined(character) || character == '.',
        _ => is_joined(character),
    }
}

fn is_joined(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

fn is_in_header(character: char) -> bool {
    is_joined(character) || matches!(character, '.' | '~' | '+' | '/' | '=')
}

fn is_in_path(character: char) -> bool {
    is_in_header(character) || matches!(character, ':' | '%' | '?' | '&' | '@')
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
