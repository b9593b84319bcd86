//! Moves a readiness score by how often earlier predictions about the same contributor came true.

use crate::engine::records::Calibration;

/// Fewer known outcomes than this say nothing.
const FEWEST_OUTCOMES: f64 = 5.0;

/// How far a score moves at most, in either direction.
const FARTHEST: f64 = 10.0;

/// The score after calibration, from 0 to 100 and not rounded.
///
/// A rate of one half moves nothing. What cannot be counted counts as too few outcomes, and a rate that is no number as 0.
pub fn calibrated(score: f64, signal: Option<Calibration>) -> f64 {
    let Some(signal) = signal.filter(|signal| signal.sample_size.is_finite() && signal.sample_size >= FEWEST_OUTCOMES)
    else {
        return score;
    };
    let rate = if signal.agreement_rate.is_finite() { signal.agreement_rate.clamp(0.0, 1.0) } else { 0.0 };
    let adjustment = ((rate - 0.5) * 2.0 * FARTHEST).clamp(-FARTHEST, FARTHEST);
    (score + adjustment).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(score: f64, sample_size: f64, agreement_rate: f64, expected: f64) {
        let moved = calibrated(score, Some(Calibration { sample_size, agreement_rate }));
        assert!((moved - expected).abs() < 1e-12, "{score} with {sample_size} at {agreement_rate} became {moved}");
    }

    #[test]
    fn no_signal_and_too_few_outcomes_move_nothing() {
        assert!((calibrated(73.0, None) - 73.0).abs() < f64::EPSILON);
        check(73.0, 4.0, 1.0, 73.0);
        check(73.0, 4.9, 1.0, 73.0);
        check(73.0, f64::NAN, 1.0, 73.0);
        check(73.0, f64::INFINITY, 1.0, 73.0);
    }

    #[test]
    fn the_rate_moves_the_score_by_ten_at_most() {
        check(50.0, 5.0, 1.0, 60.0);
        check(50.0, 5.0, 0.0, 40.0);
        check(50.0, 5.0, 0.5, 50.0);
        check(50.0, 5.0, 7.0, 60.0);
        check(50.0, 5.0, f64::NAN, 40.0);
        check(97.0, 5.0, 1.0, 100.0);
        check(3.0, 5.0, 0.0, 0.0);
    }
}
