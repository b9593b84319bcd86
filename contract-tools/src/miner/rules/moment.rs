//! Times as the stores write them, and as people do.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

/// Milliseconds since 1970 of an ISO 8601 time; without an offset it is meant in UTC, and a day begins there.
pub fn milliseconds(text: &str) -> Option<i64> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.timestamp_millis());
    }
    if let Ok(moment) = text.parse::<NaiveDateTime>() {
        return Some(moment.and_utc().timestamp_millis());
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(day.and_time(NaiveTime::MIN).and_utc().timestamp_millis())
}

/// Milliseconds since 1970 of a clock's time.
pub fn since_1970(now: SystemTime) -> i64 {
    match now.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |before| -before),
    }
}
