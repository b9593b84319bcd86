//! What an answer says about GitHub's limits, and how long to wait for them.

use std::fmt;
use std::time::{Duration, SystemTime};

use http::{HeaderMap, StatusCode};

/// Which limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// So many questions an hour.
    Primary,
    /// Too many at once, or too fast.
    Secondary,
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Primary => "hourly limit",
            Self::Secondary => "limit on bursts",
        })
    }
}

/// A limit, and how long it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) kind: LimitKind,
    pub(super) wait: Duration,
}

/// The wait for a limit on bursts that GitHub does not say: a minute, as it asks for, and longer each time.
const UNTOLD: Duration = Duration::from_mins(1);

/// Clocks differ: a limit that ends this second is waited for one more.
const SLACK: Duration = Duration::from_secs(1);

/// The limit that an answer speaks of; none when it was refused for another reason. `before` is how often the same question
/// had to wait already.
pub(super) fn limit_of(
    status: StatusCode,
    headers: &HeaderMap,
    body: &str,
    now: SystemTime,
    before: u32,
) -> Option<Limit> {
    let may_be_one =
        matches!(status, StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    if !may_be_one {
        return None;
    }
    if let Some(seconds) = number(headers, "retry-after") {
        return Some(Limit { kind: LimitKind::Secondary, wait: Duration::from_secs(seconds) });
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        return None;
    }
    if let Some(wait) = used_up(headers, now) {
        return Some(Limit { kind: LimitKind::Primary, wait });
    }
    // Words are all that is left to tell a limit from a refusal.
    let speaks_of_limit = body.to_ascii_lowercase().contains("rate limit");
    (status == StatusCode::TOO_MANY_REQUESTS || speaks_of_limit)
        .then(|| Limit { kind: LimitKind::Secondary, wait: UNTOLD * 2u32.saturating_pow(before.min(6)) })
}

/// How long until more may be asked, when nothing is left.
pub(super) fn used_up(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    if number(headers, "x-ratelimit-remaining")? > 0 {
        return None;
    }
    let reset = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(number(headers, "x-ratelimit-reset")?))?;
    Some(reset.duration_since(now).unwrap_or_default().saturating_add(SLACK))
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[track_caller]
    fn check(status: u16, pairs: &[(&'static str, &str)], body: &str, expected: Option<(LimitKind, u64)>) {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1000);
        let limit = limit_of(StatusCode::from_u16(status).unwrap(), &headers(pairs), body, now, 1);
        assert_eq!(limit.map(|limit| (limit.kind, limit.wait.as_secs())), expected);
    }

    #[test]
    fn a_limit_says_how_long_it_takes() {
        use LimitKind::{Primary, Secondary};

        let none_left = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1600")];
        check(403, &none_left, "", Some((Primary, 601)));
        check(429, &none_left, "", Some((Primary, 601)));
        check(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "900")], "", Some((Primary, 1)));
        check(403, &[("retry-after", "30"), ("x-ratelimit-remaining", "0")], "", Some((Secondary, 30)));
        check(
            403,
            &[("x-ratelimit-remaining", "9")],
            "You have exceeded a secondary rate limit",
            Some((Secondary, 120)),
        );
        check(429, &[], "", Some((Secondary, 120)));
        check(503, &[("retry-after", "7")], "", Some((Secondary, 7)));
    }

    #[test]
    fn a_refusal_is_no_limit() {
        check(403, &[("x-ratelimit-remaining", "9")], "Resource not accessible by personal access token", None);
        check(503, &[], "", None);
        check(404, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1600")], "", None);
        check(403, &[("retry-after", "soon")], "", None);
    }
}
