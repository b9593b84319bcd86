//! Moments: records carry them as texts that others wrote, so that reading one may fail.

use chrono::{DateTime, NaiveDate, NaiveTime, SecondsFormat, TimeDelta, Utc};

/// A point in time. Rules get the present one passed in.
pub type Moment = DateTime<Utc>;

/// Milliseconds of a day.
pub const DAY_MILLISECONDS: i64 = 86_400_000;

/// The moment that an ISO 8601 text names. Seconds may be left out, and the colon of a zone; a text without a zone means
/// UTC, and a date alone its first moment.
pub fn parse(text: &str) -> Option<Moment> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.with_timezone(&Utc));
    }
    let (date, rest) = text.split_at_checked(10)?;
    let is_in_form =
        |(place, byte): (usize, u8)| if matches!(place, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    let date = date.bytes().enumerate().all(is_in_form).then(|| NaiveDate::parse_from_str(date, "%Y-%m-%d").ok())??;
    if rest.is_empty() {
        return Some(date.and_time(NaiveTime::MIN).and_utc());
    }
    let clock = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, zone) = clock.split_at(clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len()));
    let time = NaiveTime::parse_from_str(clock, "%H:%M:%S%.f").or_else(|_| NaiveTime::parse_from_str(clock, "%H:%M"));
    date.and_time(time.ok()?).and_utc().checked_sub_signed(offset(zone)?)
}

/// How far a zone is ahead of UTC: `Z`, `+02:00`, `+0200` or `+02`; nothing is UTC.
fn offset(zone: &str) -> Option<TimeDelta> {
    if matches!(zone, "" | "Z" | "z") {
        return Some(TimeDelta::zero());
    }
    let (sign, digits) = zone.split_at_checked(1)?;
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { "00" } else { minutes.strip_prefix(':').unwrap_or(minutes) };
    let number = |digits: &str, limit: i64| -> Option<i64> {
        let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse::<i64>().ok())?.filter(|number| *number < limit)
    };
    let minutes = number(hours, 24)? * 60 + number(minutes, 60)?;
    TimeDelta::try_minutes(if sign == "-" { -minutes } else { minutes })
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
    fn seconds_and_the_colon_of_a_zone_may_be_left_out() {
        let noon = parse("2026-06-15T12:00:00Z");
        for text in [
            "2026-06-15T12:00Z",
            "2026-06-15T12:00",
            "2026-06-15 12:00",
            "2026-06-15T14:00+02:00",
            "2026-06-15T14:00:00+0200",
            "2026-06-15T14:00:00.000+02",
            "2026-06-15T09:30:00-0230",
            "2026-06-16T00:00+1200",
        ] {
            assert_eq!(parse(text), noon, "{text}");
        }
        for no_moment in [
            "2026-06-15T12",
            "2026-06-15T12:00:00+2",
            "2026-06-15T12:00:00+02000",
            "2026-06-15T12:00:00+24:00",
            "2026-06-15T12:00:00+-200",
            "2026-06-15T12:00:00ZZ",
            "2026-06-15T",
            "+2026-6-15",
            "2026-6-015",
            "2026-06-1é",
        ] {
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
