//! The readiness score: six things that make a pull request easy to take, added up.

use crate::engine::preflight::{PreflightStatus, ReviewBurden};

/// What the score is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadinessFacts {
    /// Whether an issue is linked, or a reason given for why none is.
    pub is_traceable: bool,
    /// What else is being done about the same.
    pub related_work: RelatedWork,
    /// How much work a review would be.
    pub burden: ReviewBurden,
    /// How preflight ended.
    pub preflight: PreflightStatus,
    /// Whether preflight says that tests are missing.
    pub lacks_tests: bool,
    /// Whether the text says how the change was tested.
    pub has_validation_note: bool,
    /// The state of the pull request.
    pub state: PlannedState,
    /// Open pull requests in the repository.
    pub open_pull_requests: usize,
}

/// What else is being done about the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RelatedWork {
    /// Nothing that is known.
    None,
    /// Something is about the same subject.
    Overlaps,
    /// Another pull request is known to duplicate this one.
    Duplicates,
}

/// The state of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlannedState {
    /// Open and ready for review.
    Open,
    /// Open as a draft.
    Draft,
    /// Neither.
    Over,
}

/// One part of the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Component {
    /// Its name.
    pub name: &'static str,
    /// What it adds.
    pub score: u8,
    /// What it adds at most.
    pub most: u8,
}

/// A score with its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Readiness {
    /// The parts.
    pub components: [Component; 6],
}

impl Readiness {
    /// The parts added up, from 0 to 100.
    pub fn total(&self) -> u8 {
        self.components.iter().fold(0_u8, |total, part| total.saturating_add(part.score)).min(100)
    }
}

/// Scores a pull request.
pub fn readiness(facts: &ReadinessFacts) -> Readiness {
    let part = |name, most, score| Component { name, score, most };
    Readiness {
        components: [
            part("traceability", 15, if facts.is_traceable { 15 } else { 8 }),
            part("related_work", 20, related_work(facts.related_work)),
            part("change_scope", 20, change_scope(facts.burden)),
            part("validation", 25, validation(facts)),
            part("pr_state", 10, pr_state(facts.state)),
            part("queue_pressure", 10, queue_pressure(facts.open_pull_requests)),
        ],
    }
}

fn related_work(related: RelatedWork) -> u8 {
    match related {
        RelatedWork::None => 20,
        RelatedWork::Overlaps => 14,
        RelatedWork::Duplicates => 8,
    }
}

fn change_scope(burden: ReviewBurden) -> u8 {
    match burden {
        ReviewBurden::Low => 20,
        ReviewBurden::Medium => 14,
        ReviewBurden::High => 8,
    }
}

fn validation(facts: &ReadinessFacts) -> u8 {
    match (facts.preflight, facts.lacks_tests, facts.has_validation_note) {
        (PreflightStatus::Hold, _, _) => 5,
        (_, true, true) | (PreflightStatus::NeedsWork, false, false) => 12,
        (_, true, false) => 10,
        (_, false, true) => 25,
        (PreflightStatus::Ready, false, false) => 20,
    }
}

fn pr_state(state: PlannedState) -> u8 {
    match state {
        PlannedState::Open => 10,
        PlannedState::Draft => 6,
        PlannedState::Over => 3,
    }
}

fn queue_pressure(open_pull_requests: usize) -> u8 {
    match open_pull_requests {
        0..=4 => 10,
        5..=8 => 8,
        9..=13 => 5,
        _ => 3,
    }
}

/// Whether the code of a finding says that tests are missing: `missing` before or after `test`, or `no_test`.
pub fn says_that_tests_are_missing(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    let follows =
        |first: &str, second: &str| code.find(first).is_some_and(|start| code[start + first.len()..].contains(second));
    follows("missing", "test") || follows("test", "missing") || code.contains("no_test")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAN: ReadinessFacts = ReadinessFacts {
        is_traceable: true,
        related_work: RelatedWork::None,
        burden: ReviewBurden::Low,
        preflight: PreflightStatus::Ready,
        lacks_tests: false,
        has_validation_note: false,
        state: PlannedState::Open,
        open_pull_requests: 0,
    };

    #[test]
    fn the_anchors_hold() {
        assert_eq!(readiness(&CLEAN).total(), 95);
        assert_eq!(readiness(&ReadinessFacts { has_validation_note: true, ..CLEAN }).total(), 100);
        let nothing_linked = ReadinessFacts { is_traceable: false, preflight: PreflightStatus::NeedsWork, ..CLEAN };
        assert_eq!(readiness(&nothing_linked).total(), 80);
        let unregistered = ReadinessFacts { preflight: PreflightStatus::Hold, ..CLEAN };
        assert_eq!(readiness(&unregistered).total(), 80);
    }

    #[test]
    fn every_score_is_within_its_maximum() {
        let burdens = [ReviewBurden::Low, ReviewBurden::Medium, ReviewBurden::High];
        let ends = [PreflightStatus::Ready, PreflightStatus::NeedsWork, PreflightStatus::Hold];
        let works = [RelatedWork::None, RelatedWork::Overlaps, RelatedWork::Duplicates];
        let states = [PlannedState::Open, PlannedState::Draft, PlannedState::Over];
        for number in 0..3 * 3 * 3 * 3 * 8 {
            let facts = ReadinessFacts {
                burden: burdens[number % 3],
                preflight: ends[number / 3 % 3],
                related_work: works[number / 9 % 3],
                state: states[number / 27 % 3],
                is_traceable: number / 81 % 2 == 0,
                lacks_tests: number / 162 % 2 == 0,
                has_validation_note: number / 324 % 2 == 0,
                open_pull_requests: number,
            };
            let readiness = readiness(&facts);
            assert!(readiness.total() <= 100);
            for part in readiness.components {
                assert!(part.score <= part.most, "{part:?} of {facts:?}");
            }
        }
        assert_eq!(readiness(&CLEAN).components.iter().map(|part| u32::from(part.most)).sum::<u32>(), 100);
    }

    #[test]
    fn more_open_pull_requests_never_raise_the_score() {
        let scores: Vec<u8> = (0..20).map(queue_pressure).collect();
        assert!(scores.is_sorted_by(|one, other| one >= other));
    }

    #[test]
    fn a_code_says_that_tests_are_missing() {
        for code in ["missing_test_evidence", "manifest_missing_tests", "TEST_MISSING", "no_test", "x_missing-a-test"] {
            assert!(says_that_tests_are_missing(code), "{code}");
        }
        for code in ["missing_linked_issue", "test_evidence", "tes_missing", "nottest"] {
            assert!(!says_that_tests_are_missing(code), "{code}");
        }
    }
}
