//! Holds a token so that printing what contains it never prints it.

use std::fmt;

/// A secret that has to be asked for by name.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A token without the white space around it; none if nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The secret itself, for an `Authorization` header and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_does_not_print_itself() {
        let token = Token::new(" hush ").expect("a token");
        assert_eq!(token.expose(), "hush");
        assert_eq!(format!("{token:?} {:#?}", Some(&token)).matches("hush").count(), 0);
        assert_eq!(Token::new(" \n"), None);
    }
}
