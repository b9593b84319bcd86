//! What the headers of a request say, and that each says it once.

use contract_core::Caller;
use http::header::{ACCEPT, AUTHORIZATION};
use http::{HeaderMap, StatusCode};
use sha2::{Digest as _, Sha256};

use super::reply::Refused;

const PROTOCOL_VERSION: &str = "mcp-protocol-version";
const SESSION_ID: &str = "mcp-session-id";
const LAST_EVENT_ID: &str = "last-event-id";

/// The revisions whose conversations are sessions.
const WITH_SESSIONS: [&str; 2] = ["2025-06-18", "2025-11-25"];

/// What no header at all stands for. It is not served, and in a session the handshake has said what is.
const ASSUMED: &str = "2025-03-26";

/// The revision whose requests stand alone; the later ones, when there are any, too.
pub(super) const WITHOUT_SESSIONS: &str = "2026-07-28";

/// A revision, as far as HTTP cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Revision<'text> {
    /// One whose conversations are sessions.
    WithSessions,
    /// One whose requests stand alone.
    WithoutSessions,
    /// One that is not served.
    Unknown(&'text str),
}

impl<'text> Revision<'text> {
    pub(super) fn of(text: &'text str) -> Self {
        match text {
            WITHOUT_SESSIONS => Self::WithoutSessions,
            known if WITH_SESSIONS.contains(&known) => Self::WithSessions,
            other => Self::Unknown(other),
        }
    }
}

/// The value of a header that may be there once.
pub(super) fn only<'headers>(headers: &'headers HeaderMap, name: &str) -> Result<Option<&'headers str>, Refused> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().ok().filter(|_| values.next().is_none());
    text.map(Some)
        .ok_or_else(|| Refused::new(StatusCode::BAD_REQUEST, format!("`{name}` must be there once, in ASCII")))
}

/// The revision that the request names.
pub(super) fn revision(headers: &HeaderMap) -> Result<Option<Revision<'_>>, Refused> {
    Ok(revision_text(headers)?.map(Revision::of))
}

/// The same as it is written.
pub(super) fn revision_text(headers: &HeaderMap) -> Result<Option<&str>, Refused> {
    Ok(only(headers, PROTOCOL_VERSION)?.filter(|revision| *revision != ASSUMED))
}

/// The session that the request belongs to.
pub(super) fn session_id(headers: &HeaderMap) -> Result<Option<&str>, Refused> {
    only(headers, SESSION_ID)
}

/// The last event that arrived, as its stream and its place in it.
pub(super) fn last_event(headers: &HeaderMap) -> Result<Option<(i64, u64)>, Refused> {
    let Some(text) = only(headers, LAST_EVENT_ID)? else { return Ok(None) };
    let parts = text.split_once('-').and_then(|(stream, index)| Some((stream.parse().ok()?, index.parse().ok()?)));
    parts
        .map(Some)
        .ok_or_else(|| Refused::new(StatusCode::BAD_REQUEST, "`Last-Event-ID` is none that this server gave out"))
}

/// Whether one of the media ranges in `Accept` takes this type.
pub(super) fn accepts(headers: &HeaderMap, kind: &str, subtype: &str) -> bool {
    let ranges =
        headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    ranges.into_iter().any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let Some((range, sub_range)) = parts.next().and_then(|range| range.split_once('/')) else { return false };
        let refused = parts.any(|parameter| {
            let weight = parameter.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
            weight.is_some_and(|(_, weight)| weight.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0))
        });
        let covers = |range: &str, value: &str| range == "*" || range.eq_ignore_ascii_case(value);
        !refused && covers(range, kind) && covers(sub_range, subtype)
    })
}

/// The credential of the request.
pub(super) fn authorization(headers: &HeaderMap) -> Result<Option<&str>, Refused> {
    only(headers, AUTHORIZATION.as_str())
}

/// Whose session it is: a credential cannot use a session that another one opened. None for those without one.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner(Option<[u8; 32]>);

impl Owner {
    /// The holder of a credential, however its scheme is written.
    pub(super) fn of(caller: &Caller, authorization: Option<&str>) -> Self {
        let authorization = authorization.filter(|_| !caller.is_anonymous());
        Self(authorization.map(|authorization| {
            let (scheme, token) = authorization.split_once(' ').unwrap_or((authorization, ""));
            let mut hash = Sha256::new();
            hash.update(scheme.to_ascii_lowercase());
            hash.update(" ");
            hash.update(token.trim());
            hash.finalize().into()
        }))
    }

    pub(super) fn is_anonymous(&self) -> bool {
        self.0.is_none()
    }
}

#[cfg(test)]
mod tests {
    use contract_core::Caller;
    use http::{HeaderMap, HeaderValue};

    use super::{Owner, Revision, accepts, authorization, last_event, only};

    fn headers(entries: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in entries {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn media_ranges_count_as_the_standard_has_them() {
        for range in
            ["application/json", "text/html, APPLICATION/JSON;q=0.5", "*/*", "application/*", "application/json;q=abc"]
        {
            assert!(accepts(&headers(&[("accept", range)]), "application", "json"), "{range}");
        }
        for range in
            ["text/event-stream", "application/json;q=0", "application/json ; Q=0.000", "json", "application/jsonx", ""]
        {
            assert!(!accepts(&headers(&[("accept", range)]), "application", "json"), "{range}");
        }
        assert!(!accepts(&HeaderMap::new(), "application", "json"));
    }

    #[test]
    fn what_is_written_twice_is_not_chosen_from() {
        assert!(only(&headers(&[("mcp-session-id", "a"), ("mcp-session-id", "a")]), "mcp-session-id").is_err());
        let two = headers(&[("authorization", "Bearer a"), ("authorization", "Bearer b")]);
        assert!(authorization(&two).is_err());
    }

    #[test]
    fn events_and_revisions_are_those_that_were_given_out() {
        assert!(last_event(&headers(&[("last-event-id", "7-3")])).is_ok_and(|event| event == Some((7, 3))));
        for id in ["7", "7-", "a-b", "7-3-1", "-1--2"] {
            assert!(last_event(&headers(&[("last-event-id", id)])).is_err(), "{id}");
        }
        assert_eq!(Revision::of("2025-11-25"), Revision::WithSessions);
        assert_eq!(Revision::of("2025-03-26"), Revision::Unknown("2025-03-26"));
    }

    #[test]
    fn an_owner_is_who_holds_the_token() {
        let known = Caller::authenticated("known");
        let one = Owner::of(&known, Some("Bearer one"));
        assert!(one == Owner::of(&known, Some("bearer  one")) && one != Owner::of(&known, Some("Bearer One")));
        assert!(!Owner::of(&known, Some("")).is_anonymous());
        for authorization in [None, Some("Bearer one")] {
            assert!(Owner::of(&Caller::anonymous(), authorization).is_anonymous());
        }
    }
}
