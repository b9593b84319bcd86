//! What belongs to each pull request: files, reviews, checks. Asked for a few pull requests at once, written in their order.

use futures_util::{StreamExt as _, stream};
use reqwest::Url;

use super::client::Answer;
use super::listing::{Records, records};
use super::repository::Copying;
use super::run::{self, Cursor, Marks, PullMark};
use super::{News, SyncFailure};
use crate::engine::records::{PullRequest, SegmentKind, SegmentStatus};
use crate::forge::{Change, Which};

const OPEN: &str = "belongings";
const MERGED: &str = "merged-files";

/// A list of this length may go on behind its page, whether or not a next one is named.
const FULL_PAGE: u64 = 100;

/// All pages of a list.
pub(super) enum Pages {
    /// What they say, and the `ETag` of the only page when there is but one.
    All(Records, Option<String>),
    Unchanged,
    Absent,
    Refused,
}

/// What was found about one pull request.
struct Belongings {
    number: u64,
    changes: Vec<Change>,
    skipped: u64,
    refused: Refused,
}

/// What the token may not see.
#[derive(Clone, Copy, Default)]
struct Refused {
    files: bool,
    reviews: bool,
    checks: bool,
}

impl Copying<'_> {
    /// Files, reviews and checks of what is open, and the files of what was merged.
    pub(super) async fn belongings(&self) -> Result<(), SyncFailure> {
        let mut open = self.forge.read()?.pull_requests(&self.repo, Which::Open, super::repository::ALL)?;
        open.sort_unstable_by_key(|pull| pull.number);
        let count = open.len() as u64;
        let mut refused = self.each(OPEN, SegmentKind::PullRequestFiles, open, true).await?;
        let most = usize::try_from(self.settings.closed).unwrap_or(usize::MAX);
        let merged = self.merged_without_files(most)?;
        refused.files |= self.each(MERGED, SegmentKind::PullRequestFiles, merged, false).await?.files;
        for (kind, is_refused, what) in [
            (SegmentKind::PullRequestFiles, refused.files, "files of pull requests"),
            (SegmentKind::PullRequestReviews, refused.reviews, "reviews"),
            (SegmentKind::CheckSummaries, refused.checks, "checks"),
        ] {
            if is_refused {
                self.warn(&format!("the token may not see {what}"));
                self.end(kind, SegmentStatus::Skipped, 0, None)?;
            } else {
                self.end(kind, SegmentStatus::Complete, count, Some(count))?;
            }
        }
        Ok(())
    }

    /// Merged pull requests whose files are unknown, oldest first.
    fn merged_without_files(&self, most: usize) -> Result<Vec<PullRequest>, SyncFailure> {
        let reader = self.forge.read()?;
        let mut found = Vec::new();
        for merged in reader.recent_merged(&self.repo, most)? {
            if merged.changed_files.is_none() {
                found.extend(reader.pull_request(&self.repo, merged.number)?);
            }
        }
        found.sort_unstable_by_key(|pull| pull.number);
        Ok(found)
    }

    /// Goes through pull requests in the order of their numbers.
    async fn each(
        &self,
        step: &'static str,
        kind: SegmentKind,
        pulls: Vec<PullRequest>,
        is_open: bool,
    ) -> Result<Refused, SyncFailure> {
        let mut refused = Refused::default();
        if self.is_done(step) {
            return Ok(refused);
        }
        self.begin(kind);
        let marks = Marks::of(self.forge, &self.repo)?;
        let cursor = marks.cursor(step)?;
        let reached: u64 = cursor.as_ref().and_then(|cursor| cursor.next.parse().ok()).unwrap_or_default();
        let mut fetched = cursor.map_or(0, |cursor| cursor.fetched);
        let mut wanted = Vec::new();
        for pull in pulls.into_iter().filter(|pull| pull.number > reached) {
            let mark = marks.pull(pull.number)?;
            wanted.push((pull, mark));
        }
        drop(marks);
        let asked = wanted.iter().map(|(pull, mark)| self.of_one(pull, mark.clone(), is_open));
        let mut answers = stream::iter(asked).buffered(self.settings.jobs.get());
        while let Some(found) = answers.next().await {
            let Belongings { number, mut changes, skipped, refused: of_this } = found?;
            fetched += 1;
            self.skip(skipped);
            refused.files |= of_this.files;
            refused.reviews |= of_this.reviews;
            refused.checks |= of_this.checks;
            let cursor = Cursor { next: number.to_string(), fetched, etag: None };
            changes.push(run::set_cursor(&self.repo, step, Some(&cursor)));
            self.apply(&changes)?;
            self.tell(News::Segment { segment: kind, fetched });
        }
        self.apply(&self.done(step))?;
        Ok(refused)
    }

    async fn of_one(&self, pull: &PullRequest, mut mark: PullMark, is_open: bool) -> Result<Belongings, SyncFailure> {
        let number = pull.number;
        let mut found = Belongings { number, changes: Vec::new(), skipped: 0, refused: Refused::default() };
        let page = [("per_page", "100")];
        let has_new_head = pull.head_sha.is_some() && mark.head != pull.head_sha;
        if has_new_head {
            let url = self.at(&format!("pulls/{number}/files"), &page);
            found.refused.files = found.add(self.pages(url, None).await?);
            // What is known of checks is known of the old head.
            mark = PullMark { head: pull.head_sha.clone(), reviews: mark.reviews, ..PullMark::default() };
        }
        if is_open && (pull.updated_at.is_none() || mark.reviews != pull.updated_at) {
            let url = self.at(&format!("pulls/{number}/reviews"), &page);
            found.refused.reviews = found.add(self.pages(url, None).await?);
            mark.reviews.clone_from(&pull.updated_at);
        }
        if let Some(head) = pull.head_sha.as_deref().filter(|_| is_open) {
            for (list, etag) in [("check-runs", &mut mark.checks), ("statuses", &mut mark.statuses)] {
                let url = self.at(&format!("commits/{head}/{list}"), &page);
                let pages = self.pages(url, etag.as_deref()).await?;
                if let Pages::All(_, new) = &pages {
                    etag.clone_from(new);
                }
                found.refused.checks |= found.add(pages);
            }
        }
        found.changes.push(run::set_pull(&self.repo, number, &mark));
        Ok(found)
    }

    /// Every page of a list that is short enough to be taken whole.
    pub(super) async fn pages(&self, first: Url, etag: Option<&str>) -> Result<Pages, SyncFailure> {
        let mut all = Records::default();
        let mut only = None;
        let mut next = Some((first, etag));
        let mut count = 0;
        while let Some((url, etag)) = next.take() {
            match self.client.get(url, etag, &|news| self.tell(news)).await? {
                Answer::Page(page) => {
                    let found = records(&page.body, &self.repo, self.now());
                    only = page.etag.filter(|_| count == 0 && page.next.is_none() && found.taken < FULL_PAGE);
                    count += 1;
                    all.extend(found);
                    next = page.next.map(|url| (url, None));
                }
                Answer::Unchanged if count == 0 => return Ok(Pages::Unchanged),
                Answer::Absent(_) if count == 0 => return Ok(Pages::Absent),
                Answer::Refused if count == 0 => return Ok(Pages::Refused),
                Answer::Unchanged => return Err(SyncFailure::Unexpected(304)),
                Answer::Absent(status) => return Err(SyncFailure::Unexpected(status)),
                Answer::Refused => return Err(SyncFailure::Forbidden),
            }
        }
        Ok(Pages::All(all, only))
    }
}

impl Belongings {
    /// Takes what a list says; whether the token may not see it. A commit or a pull request that is not there any more has
    /// nothing.
    fn add(&mut self, pages: Pages) -> bool {
        match pages {
            Pages::All(records, _) => {
                self.changes.extend(records.changes);
                self.skipped += records.skipped;
                false
            }
            Pages::Unchanged | Pages::Absent => false,
            Pages::Refused => true,
        }
    }
}
