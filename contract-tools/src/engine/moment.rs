//! Moments: records carry them as texts that others wrote, so that reading one may fail.

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat, Utc};

/// A point in time. Rules get the present one passed in.
pub type Moment = DateTime<Utc>;

/// Milliseconds of a day.
pub const DAY_MILLISECONDS: i64 = 86_400_000;

/// The moment that an ISO 8601 text names. A text without a zone means UTC, and a date alone its first moment.
pub fn parse(text: &str) -> Option<Moment> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.with_timezone(&Utc));
    }
    let date = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    let without_zone = || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f").ok();
    date().or_else(without_zone).map(|moment| moment.and_utc())
}

/// The text of a moment, as reports spell it.
pub fn text(moment: Moment) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Whole days from `earlier` to `now`; negative when `earlier` is still to come.
pub fn days_since(earlier: Moment, now: Moment) -> i64 {
    now.signed_duration_since(earlier).num_milliseconds().div_euclid(DAY_MILLISECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_texts_are_moments() {
        let noon = parse("2026-06-15T12:00:00.000Z").unwrap();
        assert_eq!(parse("2026-06-15T14:00:00+02:00"), Some(noon));
        assert_eq!(parse("2026-06-15T12:00:00"), Some(noon));
        assert_eq!(text(parse("2026-06-15").unwrap()), "2026-06-15T00:00:00.000Z");
        for no_moment in ["", "nope", "2026-13-01", "2026-06-15T25:00:00Z", "15.6.2026"] {
            assert_eq!(parse(no_moment), None, "{no_moment}");
        }
    }

    #[test]
    fn days_are_whole_and_may_be_negative() {
        let now = parse("2026-06-15T12:00:00Z").unwrap();
        let days = |text| days_since(parse(text).unwrap(), now);
        assert_eq!(days("2026-06-14T12:00:00Z"), 1);
        assert_eq!(days("2026-06-14T12:00:00.001Z"), 0);
        assert_eq!(days("2026-06-15T12:00:00.001Z"), -1);
    }
}
