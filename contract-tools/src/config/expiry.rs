//! Decides whether a login is over. A time that cannot be read counts as past: a token is only used while it is known good.

use std::time::SystemTime;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};

/// Whether the login ended at or before `now`. Without an end it goes on.
pub(super) fn is_over(expires_at: Option<&str>, now: SystemTime) -> bool {
    expires_at.is_some_and(|text| moment(text.trim()).is_none_or(|end| end <= DateTime::<Utc>::from(now)))
}

/// An ISO 8601 moment: with its offset, or in UTC when it names none, or a day, which begins in UTC.
fn moment(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.to_utc());
    }
    if let Ok(moment) = text.parse::<NaiveDateTime>() {
        return Some(moment.and_utc());
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(day.and_time(NaiveTime::MIN).and_utc())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    /// 2026-01-02T03:04:05Z
    fn now() -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_767_323_045)
    }

    #[test]
    fn a_login_is_over_at_its_end_and_not_before() {
        for over in [
            "2026-01-02T03:04:05Z",
            "2026-01-02T03:04:04.999Z",
            "2026-01-02T05:04:05+02:00",
            "2026-01-02",
            "1969-01-01",
        ] {
            assert!(is_over(Some(over), now()), "{over}");
        }
        for going_on in [
            "2026-01-02T03:04:05.001Z",
            "2026-01-02T02:04:06-01:00",
            "2026-01-02T03:04:06",
            "2026-01-03",
            " 2099-01-01T00:00:00Z ",
        ] {
            assert!(!is_over(Some(going_on), now()), "{going_on}");
        }
    }

    #[test]
    fn an_end_that_cannot_be_read_counts_as_past_and_none_as_never() {
        for text in ["", "soon", "2026-13-01T00:00:00Z", "4102444800"] {
            assert!(is_over(Some(text), now()), "{text}");
        }
        assert!(!is_over(None, now()));
    }
}
