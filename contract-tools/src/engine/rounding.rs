//! Rounding, the same everywhere: to the nearest, halves upward.

/// `value` to the nearest at so many decimals.
pub fn round(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    let scaled = value * scale;
    let below = scaled.floor();
    let nearest = if scaled - below >= 0.5 { below + 1.0 } else { below };
    nearest / scale
}

/// The part that `count` is of `all`; nothing is no part of anything.
pub fn ratio(count: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { exact(count) / exact(all) }
}

/// A count as a number with a fraction. Counts beyond 2^53 do not occur in anything that is counted one by one.
#[expect(clippy::cast_precision_loss, reason = "see above")]
pub fn exact(count: u64) -> f64 {
    count as f64
}

/// A part as whole percent.
pub fn percent(part: f64) -> f64 {
    round(part * 100.0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "rounding is about exact values")]
    fn halves_go_up() {
        assert_eq!(round(0.125, 2), 0.13);
        assert_eq!(round(-0.125, 2), -0.12);
        assert_eq!(round(0.344_9, 2), 0.34);
        assert_eq!(round(1.0 - 0.9, 12), 0.1);
        assert_eq!(round(0.499_999_999_999_999_94, 0), 0.0);
        assert_eq!(percent(0.355), 36.0);
        assert_eq!(ratio(1, 0), 0.0);
    }
}
