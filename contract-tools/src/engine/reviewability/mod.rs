//! Whether a pull request is ready to be reviewed, and what should happen to it next.
//!
//! Both the repository and the pull request must be known: about what is not, there is nothing to judge.
//!
//! `evidence.rs` is what the records say, `noise.rs` what speaks against a review, and this file weighs both.

mod evidence;
mod noise;
mod role;

use serde::Serialize;

use super::moment::{self, Moment};
use super::records::{
    CheckSummary, ContributorProfile, Issue, PullRequest, PullRequestFile, RecentMergedPullRequest, Repository,
    RepositoryOutcome, Review,
};

pub use evidence::{Evidence, ReviewVerdict};
pub use noise::Noise;
pub use role::{Role, RoleSource};

/// What is known about a pull request and its surroundings.
#[derive(Debug, Clone, Copy)]
pub struct ReviewabilityInput<'a> {
    /// `owner/name`, as it was asked for.
    pub repo_full_name: &'a str,
    /// The repository.
    pub repository: &'a Repository,
    /// The pull request.
    pub pull_request: &'a PullRequest,
    /// Issues of the repository.
    pub issues: &'a [Issue],
    /// Pull requests of the repository, this one among them.
    pub pull_requests: &'a [PullRequest],
    /// Pull requests that were merged lately.
    pub recent_merged: &'a [RecentMergedPullRequest],
    /// The files that it changes.
    pub files: &'a [PullRequestFile],
    /// Its reviews.
    pub reviews: &'a [Review],
    /// Its checks, on whichever commit.
    pub checks: &'a [CheckSummary],
    /// Its author.
    pub profile: Option<&'a ContributorProfile>,
    /// What became of its author's pull requests, by repository.
    pub outcomes: &'a [RepositoryOutcome],
}

/// Whether a pull request is ready to be reviewed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reviewability {
    /// `owner/name`, as it was asked for.
    pub repo_full_name: String,
    /// Number of the pull request.
    pub pull_number: u64,
    /// When this was found.
    pub generated_at: String,
    /// How ready it is, from 0 to 100.
    pub score: u64,
    /// What should happen to it next.
    pub action: ReviewAction,
    /// What speaks against a review.
    pub noise_sources: Vec<Noise>,
    /// Why the action helps.
    pub why_this_helps: Vec<String>,
    /// What a maintainer does about it.
    pub maintainer_next_steps: Vec<String>,
    /// The report in a sentence, for those who maintain.
    pub private_summary: String,
}

/// What should happen to a pull request next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewAction {
    /// Review it.
    ReviewNow,
    /// Ask its author.
    NeedsAuthor,
    /// Compare it with what it may repeat.
    LikelyDuplicate,
    /// Close it, or send it elsewhere.
    CloseOrRedirect,
    /// Leave it to those who maintain.
    MaintainerLane,
    /// Wait.
    Watch,
}

/// Judges a pull request by its surroundings.
pub fn reviewability(input: &ReviewabilityInput<'_>, now: Moment) -> Reviewability {
    weigh(input, &Evidence::gather(input), now)
}

/// Judges a pull request by evidence that was gathered already.
pub fn weigh(input: &ReviewabilityInput<'_>, evidence: &Evidence, now: Moment) -> Reviewability {
    let noise = noise::noise(input.pull_request, evidence);
    let score = score(evidence, noise.len() as u64);
    let action = action(input.pull_request, evidence, score);
    let advice = advice(input.pull_request, action, Against::of(evidence, &noise));
    let mut steps = vec![advice.next_step.to_owned()];
    if action == ReviewAction::NeedsAuthor {
        steps.extend(noise.iter().take(3).map(ToString::to_string));
    }
    Reviewability {
        repo_full_name: input.repo_full_name.to_owned(),
        pull_number: input.pull_request.number,
        generated_at: moment::text(now),
        score,
        action,
        why_this_helps: vec![advice.why.to_owned()],
        maintainer_next_steps: steps,
        private_summary: format!(
            "#{}: {}, score {score}, noise sources: {}{}{}",
            input.pull_request.number,
            advice.word,
            noise.len(),
            if evidence.has_requested_changes() { ", changes are asked for" } else { "" },
            if evidence.is_approved() { ", approved" } else { "" },
        ),
        noise_sources: noise,
    }
}

/// 100, less what speaks against a review, from 0 to 100.
fn score(evidence: &Evidence, noise: u64) -> u64 {
    let against = [
        (14, noise),
        (12, evidence.collision_clusters),
        (18, evidence.failing_checks),
        (18, u64::from(evidence.is_broad())),
        (12, u64::from(evidence.has_requested_changes())),
    ];
    let against = against.into_iter().fold(0_u64, |sum, (weight, count)| sum.saturating_add(weight * count.min(100)));
    let bonus: u64 = if evidence.is_approved() { 12 } else { 0 };
    (100 + bonus).saturating_sub(against).min(100)
}

/// The first rule that applies decides.
fn action(pull_request: &PullRequest, evidence: &Evidence, score: u64) -> ReviewAction {
    if is_merged(pull_request) {
        ReviewAction::Watch
    } else if noise::is_closed(pull_request) {
        ReviewAction::CloseOrRedirect
    } else if evidence.role.is_maintainer_lane() {
        ReviewAction::MaintainerLane
    } else if is_draft(pull_request) {
        ReviewAction::NeedsAuthor
    } else if evidence.collision_clusters > 0 {
        ReviewAction::LikelyDuplicate
    } else {
        match score {
            75.. => ReviewAction::ReviewNow,
            45.. => ReviewAction::NeedsAuthor,
            _ => ReviewAction::Watch,
        }
    }
}

fn is_merged(pull_request: &PullRequest) -> bool {
    pull_request.state == "merged" || pull_request.merged_at.as_ref().is_some_and(|time| !time.is_empty())
}

fn is_draft(pull_request: &PullRequest) -> bool {
    pull_request.is_draft == Some(true)
}

/// What speaks against a review, as far as words depend on it: whatever takes something off the score is named.
#[derive(Clone, Copy)]
enum Against {
    Nothing,
    Noise,
    RequestedChanges,
    NoiseAndRequestedChanges,
}

impl Against {
    fn of(evidence: &Evidence, noise: &[Noise]) -> Self {
        match (noise.is_empty(), evidence.has_requested_changes()) {
            (true, false) => Self::Nothing,
            (false, false) => Self::Noise,
            (true, true) => Self::RequestedChanges,
            (false, true) => Self::NoiseAndRequestedChanges,
        }
    }
}

/// What is said about an action.
struct Advice {
    word: &'static str,
    why: &'static str,
    next_step: &'static str,
}

/// The words for an action. They claim no more than what speaks against a review allows.
fn advice(pull_request: &PullRequest, action: ReviewAction, against: Against) -> Advice {
    let (word, why, next_step) = match action {
        ReviewAction::ReviewNow => {
            let (why, next_step) = review_now(against);
            ("review now", why, next_step)
        }
        ReviewAction::NeedsAuthor if is_draft(pull_request) => (
            "needs its author",
            "A draft is not handed in yet, so a review now may be for nothing",
            "Wait until its author marks it as ready",
        ),
        ReviewAction::NeedsAuthor => (
            "needs its author",
            "Its author can settle these points faster than a reviewer",
            match against {
                Against::Nothing | Against::Noise => "Ask its author to settle these points",
                Against::RequestedChanges | Against::NoiseAndRequestedChanges => {
                    "Ask its author to make the changes that a reviewer asked for, and to settle these points"
                }
            },
        ),
        ReviewAction::LikelyDuplicate => (
            "likely duplicate",
            "Comparing comes before a review that may be done twice",
            "Compare it with the work that it may repeat, and choose one",
        ),
        ReviewAction::CloseOrRedirect => (
            "close or redirect",
            "It is not open, so a review would change nothing",
            "Leave it closed, or point its author to where the work goes on",
        ),
        ReviewAction::MaintainerLane => (
            "maintainer lane",
            "Its author maintains the repository, so the rules for contributors do not apply",
            "Treat it by the maintainers' own rules",
        ),
        ReviewAction::Watch if is_merged(pull_request) => {
            ("watch", "It is merged, so there is nothing left to review", "Watch for what it may have broken")
        }
        ReviewAction::Watch => (
            "watch",
            "So much speaks against a review that it would be spent too early",
            "Wait until there is less against it",
        ),
    };
    Advice { word, why, next_step }
}

/// Why to review now, and how.
fn review_now(against: Against) -> (&'static str, &'static str) {
    match against {
        Against::Nothing => {
            ("Nothing seen speaks against a review, so a reviewer's time is well spent", "Review it now")
        }
        Against::Noise => (
            "What speaks against a review is little enough to settle while reviewing",
            "Review it now, and settle the noise on the way",
        ),
        Against::RequestedChanges => (
            "All that speaks against a review is that a reviewer asked for changes, which another look can settle",
            "See whether the changes that were asked for are made, and review it again",
        ),
        Against::NoiseAndRequestedChanges => (
            "What speaks against a review, the changes that a reviewer asked for among it, is little enough to settle \
             while reviewing",
            "See whether the changes that were asked for are made, and settle the noise while reviewing it again",
        ),
    }
}

#[cfg(test)]
mod tests;
