//! Where a bounty stands, read from a status that anybody may have worded and from how long nothing has changed.

use std::collections::BTreeMap;

use super::moment::{self, Moment};
use super::records::{Bounty, Issue};
use super::text::trim_spaces;

/// Where a bounty stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BountyLifecycle {
    /// Nothing is said about it.
    Unknown,
    /// It was called off.
    Cancelled,
    /// It was earned.
    Completed,
    /// It is kept for the record.
    Historical,
    /// Its status says nothing clear, or the issue is no longer open.
    Ambiguous,
    /// It is open, but nothing has changed for long.
    Stale,
    /// It is open.
    Active,
}

impl BountyLifecycle {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Cancelled => "cancelled",
            Self::Completed => "completed",
            Self::Historical => "historical",
            Self::Ambiguous => "ambiguous",
            Self::Stale => "stale",
            Self::Active => "active",
        }
    }
}

/// Beginnings of words that say that a bounty is over, and how; the first row with a hit counts.
const OVER: [(BountyLifecycle, &[&str]); 3] = [
    (BountyLifecycle::Cancelled, &["cancel", "void", "expired", "withdrawn", "rejected", "abandon"]),
    (
        BountyLifecycle::Completed,
        &["complete", "paid", "resolved", "rewarded", "awarded", "fulfil", "merged", "claimed", "done"],
    ),
    (BountyLifecycle::Historical, &["historical", "archived", "closed"]),
];

/// Beginnings of words that say that a bounty can be earned.
const OPEN: [&str; 14] = [
    "open",
    "active",
    "live",
    "available",
    "ready",
    "funded",
    "reward",
    "award",
    "inprogress",
    "in progress",
    "in_progress",
    "in-progress",
    "todo",
    "new",
];

/// The longest time without a change, in days, after which a bounty still counts as active.
const FRESH_DAYS: i64 = 45;

/// Where `bounty` stands at `now`. `issue` is what it is on, where that is known.
pub fn lifecycle(bounty: &Bounty, issue: Option<&Issue>, now: Moment) -> BountyLifecycle {
    let status = trim_spaces(&bounty.status).to_lowercase();
    if status.is_empty() {
        return BountyLifecycle::Unknown;
    }
    let says = |stems: &[&str]| stems.iter().any(|stem| has_word_beginning(&status, stem));
    if let Some((over, _)) = OVER.iter().find(|(_, stems)| says(stems)) {
        return *over;
    }
    if !says(&OPEN) || issue.is_some_and(|issue| !issue.is_open()) {
        return BountyLifecycle::Ambiguous;
    }
    let days = changed(bounty).map_or(0, |changed| moment::days_since(changed, now));
    if days > FRESH_DAYS { BountyLifecycle::Stale } else { BountyLifecycle::Active }
}

/// When a bounty last changed, as far as that can be read.
fn changed(bounty: &Bounty) -> Option<Moment> {
    bounty.updated_at.as_deref().or(bounty.discovered_at.as_deref()).and_then(moment::parse)
}

/// Whether a word of `text` begins with `stem`: `unpaid` is not paid, and `inactive` not active.
fn has_word_beginning(text: &str, stem: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.match_indices(stem).any(|(start, _)| start == 0 || !is_word(text.as_bytes()[start - 1]))
}

/// The bounties of one repository by the issue that they are on, each with where it stands.
#[derive(Debug, Clone, Default)]
pub struct BountyBook(BTreeMap<u64, BountyLifecycle>);

impl BountyBook {
    /// The bounties of `repository`, whose name may be in any case. Of several on one issue the one that changed last counts,
    /// and of those of one moment the one that can rather be earned, whatever the order of the list.
    pub fn new(repository: &str, bounties: &[Bounty], issues: &[Issue], now: Moment) -> Self {
        let is_here = |name: &str| name.eq_ignore_ascii_case(repository);
        let mut rows: BTreeMap<u64, &Issue> = BTreeMap::new();
        for issue in issues.iter().filter(|issue| is_here(&issue.repo_full_name)) {
            rows.entry(issue.number).or_insert(issue);
        }
        let here = bounties.iter().filter(|bounty| is_here(&bounty.repo_full_name));
        let standing = |bounty: &Bounty| lifecycle(bounty, rows.get(&bounty.issue_number).copied(), now);
        let mut book: BTreeMap<u64, (Option<Moment>, BountyLifecycle)> = BTreeMap::new();
        for bounty in here {
            let rank = (changed(bounty), standing(bounty));
            let newest = book.entry(bounty.issue_number).or_insert(rank);
            *newest = rank.max(*newest);
        }
        Self(book.into_iter().map(|(issue, (_, lifecycle))| (issue, lifecycle)).collect())
    }

    /// Where the bounty on this issue stands, if there is one.
    pub fn on(&self, issue: u64) -> Option<BountyLifecycle> {
        self.0.get(&issue).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Moment {
        moment::parse("2026-07-01T00:00:00Z").unwrap()
    }

    fn bounty(status: &str) -> Bounty {
        Bounty {
            repo_full_name: "acme/widgets".to_owned(),
            issue_number: 7,
            status: status.to_owned(),
            updated_at: Some("2026-06-30T00:00:00Z".to_owned()),
            discovered_at: None,
        }
    }

    #[track_caller]
    fn check(status: &str, expected: BountyLifecycle) {
        assert_eq!(lifecycle(&bounty(status), None, now()), expected, "{status:?}");
    }

    #[test]
    fn the_first_row_with_a_hit_counts() {
        check(" Open ", BountyLifecycle::Active);
        check("open/expired", BountyLifecycle::Cancelled);
        check("closed-paid", BountyLifecycle::Completed);
        check("archived", BountyLifecycle::Historical);
        check("\u{FEFF} ", BountyLifecycle::Unknown);
        check("in progress", BountyLifecycle::Active);
        check("in  progress", BountyLifecycle::Ambiguous);
        check("paused", BountyLifecycle::Ambiguous);
    }

    /// gate-6: a status is read word by word.
    #[test]
    fn a_stem_starts_a_word() {
        for status in ["unpaid", "inactive", "unclaimed", "incomplete", "avoid", "undone", "not_paid", "prehistorical"]
        {
            check(status, BountyLifecycle::Ambiguous);
        }
        check("not paid", BountyLifecycle::Completed);
        check("no longer open", BountyLifecycle::Active);
    }

    #[test]
    fn what_is_open_grows_stale_after_45_days() {
        let aged = |updated: Option<&str>, discovered: Option<&str>| Bounty {
            updated_at: updated.map(str::to_owned),
            discovered_at: discovered.map(str::to_owned),
            ..bounty("open")
        };
        let of = |bounty: &Bounty| lifecycle(bounty, None, now());
        assert_eq!(of(&aged(Some("2026-05-17T00:00:00Z"), None)), BountyLifecycle::Active);
        assert_eq!(of(&aged(Some("2026-05-16T00:00:00Z"), None)), BountyLifecycle::Stale);
        assert_eq!(of(&aged(None, Some("2026-05-16T00:00:00Z"))), BountyLifecycle::Stale);
        assert_eq!(of(&aged(Some("nonsense"), Some("2026-05-16T00:00:00Z"))), BountyLifecycle::Active);
        assert_eq!(of(&aged(None, None)), BountyLifecycle::Active);
    }

    #[test]
    fn a_bounty_on_what_is_not_open_is_ambiguous() {
        let closed = Issue { state: "closed".to_owned(), ..Issue::default() };
        assert_eq!(lifecycle(&bounty("open"), Some(&closed), now()), BountyLifecycle::Ambiguous);
        assert_eq!(lifecycle(&bounty("paid"), Some(&closed), now()), BountyLifecycle::Completed);
    }

    #[test]
    fn of_several_bounties_on_one_issue_the_newest_counts_in_any_order() {
        let at = |status: &str, time: Option<&str>| Bounty { updated_at: time.map(str::to_owned), ..bounty(status) };
        let elsewhere = Bounty { repo_full_name: "acme/other".to_owned(), ..bounty("void") };
        let older = Some("2026-06-01T00:00:00Z");
        for (rows, expected) in [
            ([bounty("paid"), at("open", older), elsewhere.clone()], BountyLifecycle::Completed),
            ([bounty("open"), at("paid", None), elsewhere.clone()], BountyLifecycle::Active),
            ([bounty("open"), bounty("paid"), elsewhere.clone()], BountyLifecycle::Active),
            ([at("open", None), at("paid", None), elsewhere.clone()], BountyLifecycle::Active),
        ] {
            let backwards: Vec<Bounty> = rows.iter().rev().cloned().collect();
            for rows in [rows.as_slice(), &backwards] {
                let book = BountyBook::new("ACME/Widgets", rows, &[], now());
                assert_eq!((book.on(7), book.on(8)), (Some(expected), None), "{rows:?}");
            }
        }
    }

    #[test]
    fn a_long_status_costs_no_more_than_its_length() {
        for piece in ["in progres", "unpaid", "_open", "\u{200B}"] {
            check(&piece.repeat(100_000), BountyLifecycle::Ambiguous);
        }
    }
}
