//! Takes the token out of an `Authorization` header. Nothing else carries a credential: no cookie, no query.

const SCHEME: &str = "bearer";

/// The token of a header value in the form `Bearer TOKEN`; none if it has another form.
///
/// The scheme is read in any case and must stand first; the token may hold spaces, not line ends.
pub fn bearer_token(authorization: &str) -> Option<&str> {
    let (scheme, rest) = authorization.split_at_checked(SCHEME.len())?;
    let token = rest.trim_start();
    let is_line_end = |c: char| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    if !scheme.eq_ignore_ascii_case(SCHEME) || token.len() == rest.len() || token.contains(is_line_end) {
        return None;
    }
    let token = token.trim_end();
    (!token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::bearer_token;

    #[test]
    fn the_scheme_stands_first_and_a_token_follows_it() {
        for (header, token) in [
            ("Bearer abc", Some("abc")),
            ("bEARER \t abc  ", Some("abc")),
            ("Bearer a b", Some("a b")),
            ("Bearerabc", None),
            ("Bearer", None),
            ("Bearer  ", None),
            (" Bearer abc", None),
            ("Bearer abc\n", None),
            ("Basic abc", None),
            ("Bearér abc", None),
            ("", None),
        ] {
            assert_eq!(bearer_token(header), token, "{header:?}");
        }
    }
}
