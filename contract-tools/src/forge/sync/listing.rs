//! Walks a listing page by page and writes each page together with the place of the next one.

use reqwest::Url;
use serde_json::value::RawValue;

use super::client::Answer;
use super::repository::Copying;
use super::run::{self, Cursor, Marks};
use super::{News, SyncFailure};
use crate::engine::moment::{self, Moment};
use crate::engine::records::{SegmentKind, SegmentStatus};
use crate::forge::github::{self, RecordKind};
use crate::forge::{Change, RepoName};

/// How far a listing is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// To its end.
    Whole,
    /// It is sorted by change, newest first: as far as what changed since then.
    Since(Moment),
    /// As far as so many records.
    First(u64),
}

/// One listing.
pub(super) struct Listing {
    /// What tells it from others of the repository.
    pub(super) name: &'static str,
    /// The kind of data that it is, for the store and for whoever watches.
    pub(super) segment: SegmentKind,
    pub(super) first: Url,
    pub(super) extent: Extent,
    /// Whether its first page, when it is as before, says that everything is.
    pub(super) is_conditional: bool,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// Where it should.
    Through,
    /// An attempt before this one did.
    Before,
    /// At once: everything is as before.
    Unchanged,
    /// At once: there is no such listing.
    Absent(u16),
    /// At once: the token may not see it.
    Refused,
}

/// What a page says.
#[derive(Default)]
pub(super) struct Records {
    pub(super) changes: Vec<Change>,
    /// Records that were taken.
    pub(super) taken: u64,
    /// Records of which nothing was.
    pub(super) skipped: u64,
    /// When the one that changed longest ago did.
    pub(super) oldest: Option<Moment>,
    /// Names of labels, where it is a page of them.
    pub(super) labels: Vec<String>,
}

impl Records {
    pub(super) fn extend(&mut self, other: Self) {
        self.changes.extend(other.changes);
        self.taken += other.taken;
        self.skipped += other.skipped;
        self.labels.extend(other.labels);
        self.oldest = self.oldest.into_iter().chain(other.oldest).min();
    }
}

impl Copying<'_> {
    /// Walks a listing from its beginning, or from where an attempt before this one stopped.
    pub(super) async fn walk(&self, listing: Listing) -> Result<Walked, SyncFailure> {
        let name = listing.name;
        if self.is_done(name) {
            return Ok(Walked::Before);
        }
        self.begin(listing.segment);
        let (mut cursor, noted) = {
            let marks = Marks::of(self.forge, &self.repo)?;
            (marks.cursor(name)?, marks.etag(name)?)
        };
        // A place on another host is no place of ours.
        let place = cursor.as_ref().and_then(|cursor| Url::parse(&cursor.next).ok());
        let place = place.filter(|url| self.settings.address.owns(url));
        if place.is_none() {
            cursor = None;
        }
        let mut etag = noted.filter(|_| listing.is_conditional && cursor.is_none());
        let mut next = place.unwrap_or_else(|| listing.first.clone());
        let mut fetched = cursor.as_ref().map_or(0, |cursor| cursor.fetched);
        let mut is_first = cursor.is_none();
        let mut may_begin_again = !is_first;
        let mut first_etag = cursor.and_then(|cursor| cursor.etag);
        loop {
            let page = match self.client.get(next, etag.take().as_deref(), &|news| self.tell(news)).await? {
                Answer::Page(page) => page,
                Answer::Unchanged => return self.end_listing(&listing, None).map(|()| Walked::Unchanged),
                Answer::Absent(status) if is_first => {
                    return self.end_listing(&listing, None).map(|()| Walked::Absent(status));
                }
                Answer::Absent(_) if may_begin_again => {
                    // A place that somebody left long ago may be none any more.
                    next = listing.first.clone();
                    (fetched, first_etag, is_first, may_begin_again) = (0, None, true, false);
                    continue;
                }
                Answer::Absent(status) => return Err(SyncFailure::Unexpected(status)),
                Answer::Refused if is_first => return self.end_listing(&listing, None).map(|()| Walked::Refused),
                Answer::Refused => return Err(SyncFailure::Forbidden),
            };
            may_begin_again = false;
            let mut records = records(&page.body, &self.repo, self.now());
            fetched += records.taken;
            self.skip(records.skipped);
            if is_first {
                first_etag = page.etag;
                is_first = false;
            }
            let is_over = match listing.extent {
                Extent::Whole => false,
                Extent::Since(boundary) => records.oldest.is_some_and(|oldest| oldest < boundary),
                Extent::First(most) => fetched >= most,
            };
            let changes = &mut records.changes;
            if let Some(url) = page.next.filter(|_| !is_over) {
                let cursor = Cursor { next: url.to_string(), fetched, etag: first_etag.clone() };
                changes.push(run::set_cursor(&self.repo, name, Some(&cursor)));
                changes.push(self.segment(listing.segment, SegmentStatus::Running, fetched, None));
                self.apply(changes)?;
                self.tell(News::Segment { segment: listing.segment, fetched });
                next = url;
            } else {
                self.apply(changes)?;
                self.tell(News::Segment { segment: listing.segment, fetched });
                self.end_listing(&listing, first_etag.as_deref())?;
                return Ok(Walked::Through);
            }
        }
    }

    /// Notes that a listing came to its end.
    fn end_listing(&self, listing: &Listing, etag: Option<&str>) -> Result<(), SyncFailure> {
        let mut changes = self.done(listing.name);
        if listing.is_conditional && etag.is_some() {
            changes.push(run::set_etag(&self.repo, listing.name, etag));
        }
        self.apply(&changes)
    }
}

/// What a page says: a list of records, or one.
pub(super) fn records(body: &str, repo: &RepoName, now: Moment) -> Records {
    let body = github::mended(body);
    let items: Vec<&RawValue> = match serde_json::from_str(&body) {
        Ok(items) => items,
        Err(_) => serde_json::from_str(&body).map(|one| vec![one]).unwrap_or_default(),
    };
    let mut records = Records::default();
    for item in items {
        let reading = github::read(item.get(), Some(repo)).as_of(now);
        if reading.taken.is_empty() && !reading.skipped.is_empty() {
            records.skipped += 1;
        }
        for (kind, change) in reading.taken {
            records.taken += 1;
            let changed = match &change {
                Change::Issue(issue) => issue.updated_at.as_deref(),
                Change::PullRequest(pull) => pull.updated_at.as_deref(),
                Change::Label(_, label) if kind == RecordKind::Label => {
                    records.labels.push(label.name.clone());
                    None
                }
                _ => None,
            };
            if let Some(changed) = changed.and_then(moment::parse) {
                records.oldest = Some(records.oldest.map_or(changed, |oldest| oldest.min(changed)));
            }
            records.changes.push(change);
        }
    }
    records
}
