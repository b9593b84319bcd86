//! What a body is said to be: JSON in UTF-8, sent as it is. Whoever says something else, or two things, is not guessed at.

use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};

use super::Refusal;
use super::framing::only;

/// Judges what a body is said to be, before anything of it is read.
///
/// # Errors
/// It is not said to be JSON, is in another charset than UTF-8, or is packed.
pub fn judge(headers: &HeaderMap) -> Result<(), Refusal> {
    let unsupported = |message| Refusal { status: StatusCode::UNSUPPORTED_MEDIA_TYPE, message };
    let kind = only(headers, &CONTENT_TYPE)
        .map_err(|()| unsupported("`Content-Type` must be there once; send application/json alone"))?;
    let (essence, parameters) = kind.map(|kind| kind.split_once(';').unwrap_or((kind, ""))).unwrap_or_default();
    if !essence.trim().eq_ignore_ascii_case("application/json") {
        return Err(unsupported("`Content-Type` must be application/json"));
    }
    if !parameters.split(';').all(is_harmless) {
        return Err(unsupported("JSON is sent in UTF-8; leave `charset` out of `Content-Type`, or say utf-8"));
    }
    let encoding = only(headers, &CONTENT_ENCODING);
    if !encoding.is_ok_and(|encoding| encoding.is_none_or(|it| it.trim().eq_ignore_ascii_case("identity"))) {
        return Err(unsupported("`Content-Encoding` must be identity, or not there; send the body as it is"));
    }
    Ok(())
}

/// Whether a parameter leaves the body UTF-8, as JSON is (RFC 8259, 8.1). Other ones mean nothing here.
fn is_harmless(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let value = value.trim();
    let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    !name.trim().eq_ignore_ascii_case("charset") || value.eq_ignore_ascii_case("utf-8")
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::judge;

    #[track_caller]
    fn check(headers: &[(&'static str, &'static str)], refused: Option<&str>) {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        let message = judge(&map).err().map(|refusal| refusal.message);
        match (message, refused) {
            (None, None) => {}
            (Some(message), Some(part)) => assert!(message.contains(part), "{headers:?}: {message}"),
            (message, _) => panic!("{headers:?}: {message:?}"),
        }
    }

    #[test]
    fn a_body_is_json_in_utf_8_sent_as_it_is() {
        for kind in [
            "application/json",
            "APPLICATION/JSON ; Charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json;",
            "application/json; profile=x; charset=utf-8",
        ] {
            check(&[("content-type", kind)], None);
            check(&[("content-type", kind), ("content-encoding", "Identity")], None);
        }
        check(&[], Some("must be application/json"));
        for kind in
            ["text/plain", "application/jsonp", "application/json, text/plain", "text/plain; application/json", ""]
        {
            check(&[("content-type", kind)], Some("must be application/json"));
        }
        for kind in [
            "application/json; charset=utf-16",
            "application/json; charset=\"utf-16\"",
            "application/json; CHARSET = iso-8859-1",
            "application/json; charset=utf8",
            "application/json; charset=\"utf-8",
            "application/json; charset=",
            "application/json; charset",
            "application/json; charset=utf-8; charset=utf-16",
        ] {
            check(&[("content-type", kind)], Some("UTF-8"));
        }
        check(&[("content-type", "application/json"), ("content-type", "application/json")], Some("once"));
        for encoding in ["gzip", "identity, gzip", "br", ""] {
            check(&[("content-type", "application/json"), ("content-encoding", encoding)], Some("identity"));
        }
        let twice =
            [("content-type", "application/json"), ("content-encoding", "identity"), ("content-encoding", "gzip")];
        check(&twice, Some("identity"));
    }
}
