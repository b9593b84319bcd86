//! Judges one issue: what speaks against it, what speaks for it, and whether to work on it.

use super::facts::IssueFacts;
use super::lifecycle::{IssueLifecycle, STALE_DAYS};
use super::{IssueQualityEntry, IssueQualityStatus};
use crate::engine::bounty::BountyLifecycle;
use crate::engine::collision_report::Risk;
use crate::engine::lane_advice::Lane;
use crate::engine::records::Issue;

/// A text shorter than this says too little.
const THIN_BODY: usize = 80;

/// A text of this length says enough to count for it.
const FULL_BODY: usize = 200;

/// Days without a change after which the score falls once more.
const VERY_OLD_DAYS: i64 = 180;

/// A score below this is not ready.
const LEAST_SCORE: i64 = 45;

pub(super) fn judge(issue: &Issue, facts: &IssueFacts, lane: Lane) -> IssueQualityEntry {
    let (warnings, reasons) = (warnings(facts, lane), reasons(facts));
    let count = |list: &[String]| i64::try_from(list.len()).unwrap_or(i64::MAX);
    let very_old = if facts.age > VERY_OLD_DAYS { 15 } else { 0 };
    let score = (100 - 18 * count(&warnings) + 5 * count(&reasons) - very_old).clamp(0, 100);
    IssueQualityEntry { number: issue.number, status: status(facts, score), score, warnings, reasons }
}

/// What speaks against an issue, a sentence each.
fn warnings(facts: &IssueFacts, lane: Lane) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut warn = |applies: bool, text: &dyn Fn() -> String| {
        if applies {
            warnings.push(text());
        }
    };
    let bounty = |wanted: BountyLifecycle| facts.bounty == Some(wanted);
    warn(facts.body_length < THIN_BODY, &|| {
        format!("The description is thin: {} characters, fewer than {THIN_BODY}", facts.body_length)
    });
    warn(facts.linked_pull_requests > 0, &|| {
        format!("Pull requests are already linked to it: {}", facts.linked_pull_requests)
    });
    warn(facts.linked_merged > 0, &|| format!("Work on it was merged lately: {}", facts.linked_merged));
    warn(facts.named_pull_requests > 0 && facts.linked_pull_requests + facts.linked_merged == 0, &|| {
        format!("Its text names pull requests that are not known here: {}", facts.named_pull_requests)
    });
    warn(facts.overlap.is_some(), &|| "It is about the same as other open work".to_owned());
    warn(facts.age > STALE_DAYS, &|| format!("Nothing has changed for {} days", facts.age));
    warn(facts.lifecycle != IssueLifecycle::Open, &|| {
        format!("It stands as {}", facts.lifecycle.word().replace('_', " "))
    });
    warn(lane == Lane::DirectPr, &|| {
        "The repository takes pull requests, and finding issues counts for nothing".to_owned()
    });
    warn(bounty(BountyLifecycle::Completed), &|| "Its bounty was earned already".to_owned());
    warn(bounty(BountyLifecycle::Cancelled), &|| "Its bounty was called off".to_owned());
    warn(bounty(BountyLifecycle::Historical), &|| "Its bounty is kept for the record".to_owned());
    warn(bounty(BountyLifecycle::Stale), &|| "Nothing has changed about its bounty for long".to_owned());
    warn(bounty(BountyLifecycle::Ambiguous), &|| "It is unclear whether its bounty can be earned".to_owned());
    warn(facts.is_by_maintainer && !facts.is_maintainer_wip, &|| "A maintainer opened it".to_owned());
    warn(facts.is_maintainer_wip, &|| "A maintainer opened it and marks it as being worked on".to_owned());
    warnings
}

/// What speaks for an issue, a sentence each.
fn reasons(facts: &IssueFacts) -> Vec<String> {
    [
        (facts.body_length >= FULL_BODY, "The description is detailed"),
        (facts.has_labels, "It has labels"),
        (!facts.has_linked_work(), "Nobody is known to work on it"),
        (facts.bounty == Some(BountyLifecycle::Active), "Its bounty is active"),
    ]
    .into_iter()
    .filter(|(applies, _)| *applies)
    .map(|(_, reason)| reason.to_owned())
    .collect()
}

/// Whether to work on an issue. The lane plays no part: a repository that takes pull requests wants its issues linked.
fn status(facts: &IssueFacts, score: i64) -> IssueQualityStatus {
    let bounty_is = |some: &[BountyLifecycle]| facts.bounty.is_some_and(|bounty| some.contains(&bounty));
    let do_not_use = facts.has_linked_work()
        || facts.overlap == Some(Risk::High)
        || bounty_is(&[BountyLifecycle::Completed, BountyLifecycle::Cancelled, BountyLifecycle::Historical])
        || facts.lifecycle.is_over();
    let needs_proof = facts.is_maintainer_wip
        || facts.body_length < THIN_BODY
        || facts.age > STALE_DAYS
        || bounty_is(&[BountyLifecycle::Stale, BountyLifecycle::Ambiguous]);
    if do_not_use {
        IssueQualityStatus::DoNotUse
    } else if needs_proof {
        IssueQualityStatus::NeedsProof
    } else if score < LEAST_SCORE {
        IssueQualityStatus::Hold
    } else {
        IssueQualityStatus::Ready
    }
}
