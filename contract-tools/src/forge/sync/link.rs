//! The header `Link`: where the next page is.

use http::HeaderMap;
use reqwest::Url;

/// The address of the next page.
pub(super) fn next(headers: &HeaderMap) -> Option<Url> {
    headers.get_all(http::header::LINK).iter().find_map(|value| relation(value.to_str().ok()?, "next"))
}

/// `<address>; rel="next", <address>; rel="last"`; an address may hold commas and semicolons.
fn relation(mut text: &str, wanted: &str) -> Option<Url> {
    loop {
        let (_, rest) = text.split_once('<')?;
        let (address, rest) = rest.split_once('>')?;
        let end = rest.find('<').unwrap_or(rest.len());
        let is_wanted = rest[..end].split([';', ',']).any(|parameter| {
            parameter.split_once('=').is_some_and(|(name, value)| {
                name.trim().eq_ignore_ascii_case("rel")
                    && value.trim().trim_matches('"').split(' ').any(|word| word.eq_ignore_ascii_case(wanted))
            })
        });
        if is_wanted {
            return Url::parse(address).ok();
        }
        text = &rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_found_among_the_others() {
        for (text, expected) in [
            (r#"<https://h/?page=1>; rel="prev", <https://h/?page=3>; rel="next""#, Some("https://h/?page=3")),
            (r#"<https://h/?a=1,2;3>; title="x"; rel="last next""#, Some("https://h/?a=1,2;3")),
            ("<https://h/>;rel=next", Some("https://h/")),
            (r#"<https://h/>; rel="last""#, None),
            ("<not an address>; rel=next", None),
            ("", None),
            ("<<<>>", None),
        ] {
            assert_eq!(relation(text, "next").as_ref().map(Url::as_str), expected, "{text}");
        }
    }
}
