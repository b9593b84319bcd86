//! Secrets as what is left of them: a SHA-256, compared in constant time, and the one moment in which a new token is shown.

use std::fmt;
use std::fmt::Write as _;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// How long a session lasts.
pub const SESSION_LIFETIME: Duration = Duration::from_hours(7 * 24);

/// What every session token begins with, so that a leaked one is recognised.
const SESSION_PREFIX: &str = "gts_";

/// The SHA-256 of a token: what is kept of a secret and compared.
#[derive(Clone, Copy)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of `token`.
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// Of a configured secret, without the white space around it; a blank one is as good as none.
    pub(super) fn of_configured(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        (!secret.is_empty()).then(|| Self::of(secret))
    }

    /// As stores keep it.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// In lower-case hexadecimal.
    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }
}

impl PartialEq for TokenHash {
    /// Takes the same time wherever the two differ.
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash([redacted])")
    }
}

/// Whether two secrets are the same, in a time that tells nothing about either. An empty one is the same as none.
pub fn same_secret(presented: &str, expected: &str) -> bool {
    let same = TokenHash::of(presented) == TokenHash::of(expected);
    same && !presented.is_empty() && !expected.is_empty()
}

/// A new session's token, in the one moment in which it is known.
pub struct SessionToken(String);

impl SessionToken {
    /// A token of 32 bytes that the operating system made up.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{SESSION_PREFIX}{}", hex(&bytes))))
    }

    /// The token itself, to be shown once to the person it is for.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken([redacted])")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_sha_256_in_hexadecimal() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(TokenHash::of("abc").to_hex(), expected);
    }

    #[test]
    fn a_new_token_has_the_promised_form_and_is_new() {
        let (one, other) = (SessionToken::generate().unwrap(), SessionToken::generate().unwrap());
        for token in [&one, &other] {
            let digits = token.expose().strip_prefix("gts_").unwrap();
            assert!(digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
        }
        assert_ne!(one.hash(), other.hash());
    }

    #[test]
    fn nothing_shows_a_secret() {
        let token = SessionToken::generate().unwrap();
        assert_eq!(format!("{token:?} {:?}", token.hash()), "SessionToken([redacted]) TokenHash([redacted])");
    }

    #[test]
    fn blank_secrets_match_nothing() {
        assert!(TokenHash::of_configured(" \n").is_none());
        assert_eq!(TokenHash::of_configured(" a\n"), Some(TokenHash::of("a")));
        assert!(!same_secret("", "") && !same_secret("x", "y") && same_secret("x", "x"));
    }
}
