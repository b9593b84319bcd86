//! One repository, from its own record to the last check: what is asked in which order, and what the store is told of it.

use std::cell::{Cell, RefCell};

use super::client::{Answer, Client};
use super::listing::{Extent, Listing, Walked, records};
use super::run::{self, Marks, Run};
use super::{News, RepositoryReport, SegmentReport, Settings, SyncFailure, Watch};
use crate::engine::moment::{self, Moment};
use crate::engine::records::{SegmentKind, SegmentStatus, SyncSegment, SyncState, SyncStatus};
use crate::forge::{Applied, Change, ForgeError, RepoName, Which, WritableForge};

/// Listings overlap by this much, since GitHub's clock and ours may differ.
const OVERLAP: chrono::TimeDelta = chrono::TimeDelta::minutes(2);

/// More than a repository has open.
pub(super) const ALL: usize = 1_000_000;

/// The copy of one repository while it is made.
pub(super) struct Copying<'s> {
    pub(super) forge: &'s WritableForge,
    pub(super) settings: &'s Settings,
    pub(super) client: &'s Client<'s>,
    watch: &'s dyn Watch,
    asked: RepoName,
    /// The name that the store and GitHub know it by.
    pub(super) repo: RepoName,
    run: RefCell<Run>,
    /// Whether the store says by now that a copy is made.
    has_begun: Cell<bool>,
    current: Cell<Option<SegmentKind>>,
    skipped: Cell<u64>,
    applied: Cell<Applied>,
    warnings: RefCell<Vec<String>>,
    segments: RefCell<Vec<SegmentReport>>,
    last_completed_at: RefCell<Option<String>>,
}

impl<'s> Copying<'s> {
    pub(super) fn new(
        forge: &'s WritableForge,
        settings: &'s Settings,
        client: &'s Client<'s>,
        repo: &RepoName,
        watch: &'s dyn Watch,
    ) -> Self {
        let run = Run { started_at: String::new(), until: None, since: None, done: Vec::new() };
        Self {
            forge,
            settings,
            client,
            watch,
            asked: repo.clone(),
            repo: repo.clone(),
            run: RefCell::new(run),
            has_begun: Cell::new(false),
            current: Cell::new(None),
            skipped: Cell::new(0),
            applied: Cell::new(Applied::default()),
            warnings: RefCell::new(Vec::new()),
            segments: RefCell::new(Vec::new()),
            last_completed_at: RefCell::new(None),
        }
    }

    /// Makes the copy and says what came of it.
    pub(super) async fn run(mut self) -> RepositoryReport {
        let outcome = self.copy().await;
        let (status, failure) = match outcome {
            Ok(status) => (status, None),
            Err(failure) => {
                // When the store fails as well, the first failure is still what is told.
                let _ = self.note_failure(&failure);
                (failure.status(), Some(failure))
            }
        };
        let (answers, unchanged) = self.client.counts();
        RepositoryReport {
            asked: self.asked,
            name: self.repo,
            status,
            failure,
            warnings: self.warnings.into_inner(),
            segments: self.segments.into_inner(),
            applied: self.applied.get(),
            answers,
            unchanged,
        }
    }

    async fn copy(&mut self) -> Result<SyncStatus, SyncFailure> {
        self.metadata().await?;
        self.labels().await?;
        self.issues().await?;
        self.pull_requests().await?;
        self.closed_pull_requests().await?;
        self.belongings().await?;
        self.manifests().await?;
        self.totals().await?;
        self.finish()
    }

    /// The repository itself; from here on its name is known, and that a copy is made.
    async fn metadata(&mut self) -> Result<(), SyncFailure> {
        self.current.set(Some(SegmentKind::Metadata));
        let known = self.forge.read()?.repository(&self.asked)?;
        if let Some(known) = known.and_then(|known| RepoName::parse(&known.full_name)) {
            // GitHub gives names that became free to others: what is known here is known by its newest name.
            self.repo = known;
        }
        let (etag, resumed, complete) = {
            let marks = Marks::of(self.forge, &self.repo)?;
            (marks.etag("metadata")?, marks.run()?, marks.complete()?)
        };
        *self.last_completed_at.borrow_mut() =
            self.forge.read()?.sync_state(&self.repo)?.and_then(|state| state.last_completed_at);
        // An attempt that is gone on with says what it would have said at once.
        let etag = etag.filter(|_| resumed.is_none());
        let url = self.at("", &[]);
        let answer = self.client.get(url, etag.as_deref(), &|news| self.tell(news)).await?;
        let mut changes = Vec::new();
        let mut status = SegmentStatus::Complete;
        match answer {
            Answer::Page(page) => {
                changes = records(&page.body, &self.repo, self.now()).changes;
                let name = changes.iter().find_map(|change| match change {
                    Change::Repository(facts) => Some(facts.name.clone()),
                    _ => None,
                });
                let name = name.ok_or(SyncFailure::NoRepository)?;
                if name != self.repo {
                    changes.insert(0, Change::Renamed { from: self.repo.clone(), to: name.clone() });
                    self.tell(News::Renamed { from: &self.repo, to: &name });
                }
                self.repo = name;
                changes.push(run::set_etag(&self.repo, "metadata", page.etag.as_deref()));
            }
            Answer::Unchanged => status = SegmentStatus::NotModified,
            Answer::Absent(404) => return Err(SyncFailure::NotFound),
            Answer::Absent(status) => return Err(SyncFailure::Gone(status)),
            Answer::Refused => return Err(SyncFailure::Forbidden),
        }
        let run = self.begin_run(resumed, complete);
        changes.push(run::set_run(&self.repo, Some(&run)));
        self.run.replace(run);
        self.has_begun.set(true);
        changes.push(self.state(SyncStatus::Running, None));
        self.apply(&changes)?;
        self.end(SegmentKind::Metadata, status, 1, Some(1))
    }

    /// The attempt that is gone on with, or a new one.
    fn begin_run(&self, resumed: Option<Run>, complete: Option<Moment>) -> Run {
        let since = self.settings.since.map(moment::text);
        if let Some(run) = resumed.filter(|run| run.since == since) {
            self.tell(News::Resumed { started_at: &run.started_at });
            return run;
        }
        let until = self.settings.since.or_else(|| complete.map(|at| at - OVERLAP)).map(moment::text);
        Run { started_at: moment::text(self.now()), until, since, done: Vec::new() }
    }

    async fn issues(&self) -> Result<(), SyncFailure> {
        let listing = match self.until() {
            None => self.listing("open-issues", SegmentKind::OpenIssues, "issues", "open", Extent::Whole),
            Some(until) => {
                self.listing("changed-issues", SegmentKind::OpenIssues, "issues", "all", Extent::Since(until))
            }
        };
        let walked = self.walk(listing).await?;
        if walked == Walked::Absent(410) {
            self.warn("issues are turned off in this repository");
            return self.end(SegmentKind::OpenIssues, SegmentStatus::Complete, 0, Some(0));
        }
        let count = self.forge.read()?.issues(&self.repo, Which::Open, ALL)?.len();
        self.end_walk(SegmentKind::OpenIssues, walked, "issues", count)
    }

    async fn pull_requests(&self) -> Result<(), SyncFailure> {
        let kind = SegmentKind::OpenPullRequests;
        let listing = match self.until() {
            None => self.listing("open-pulls", kind, "pulls", "open", Extent::Whole),
            Some(until) => self.listing("changed-pulls", kind, "pulls", "all", Extent::Since(until)),
        };
        let walked = self.walk(listing).await?;
        let count = self.forge.read()?.pull_requests(&self.repo, Which::Open, ALL)?.len();
        self.end_walk(kind, walked, "pull requests", count)
    }

    /// What was closed lately; later copies see it among what changed.
    async fn closed_pull_requests(&self) -> Result<(), SyncFailure> {
        let kind = SegmentKind::RecentMergedPullRequests;
        let mut walked = Walked::Through;
        if self.until().is_none() && self.settings.closed > 0 {
            let extent = Extent::First(self.settings.closed);
            walked = self.walk(self.listing("closed-pulls", kind, "pulls", "closed", extent)).await?;
        }
        let count = self.forge.read()?.recent_merged(&self.repo, ALL)?.len();
        self.end_walk(kind, walked, "closed pull requests", count)
    }

    fn listing(&self, name: &'static str, segment: SegmentKind, path: &str, state: &str, extent: Extent) -> Listing {
        // What is open is walked from the oldest on, so that what is opened meanwhile comes at the end; what changed from
        // the newest on, so that a change meanwhile repeats a record and hides none.
        let (sort, direction) = if extent == Extent::Whole { ("created", "asc") } else { ("updated", "desc") };
        let query = [("state", state), ("sort", sort), ("direction", direction), ("per_page", "100")];
        let first = self.at(path, &query);
        let is_conditional = matches!(extent, Extent::Since(_)) && self.settings.since.is_none();
        Listing { name, segment, first, extent, is_conditional }
    }

    fn end_walk(&self, kind: SegmentKind, walked: Walked, what: &str, count: usize) -> Result<(), SyncFailure> {
        let count = count as u64;
        let (status, expected) = match walked {
            Walked::Before => return self.end_before(kind),
            Walked::Through if self.is_partial() => (SegmentStatus::Partial, None),
            Walked::Through => (SegmentStatus::Complete, Some(count)),
            Walked::Unchanged => (SegmentStatus::NotModified, Some(count)),
            Walked::Refused => {
                self.warn(&format!("the token may not list {what}"));
                (SegmentStatus::Skipped, None)
            }
            Walked::Absent(status) => {
                self.warn(&format!("{what} cannot be listed: the API answers {status}"));
                (SegmentStatus::Skipped, None)
            }
        };
        self.end(kind, status, count, expected)
    }

    /// Whether only a part is copied, and no copy before made it whole.
    fn is_partial(&self) -> bool {
        self.run.borrow().since.is_some() && self.last_completed_at.borrow().is_none()
    }

    fn finish(&self) -> Result<SyncStatus, SyncFailure> {
        self.current.set(None);
        if self.skipped.get() > 0 {
            self.warn(&format!("{} records could not be read and were left out", self.skipped.get()));
        }
        let is_covered = |report: &SegmentReport| {
            matches!(report.status, SegmentStatus::Complete | SegmentStatus::NotModified | SegmentStatus::Sampled)
        };
        let is_whole = self.segments.borrow().iter().all(is_covered);
        let run = self.run.borrow().clone();
        let mut changes = vec![run::set_run(&self.repo, None)];
        // A date on the command line may leave a gap behind the last whole copy; then that stays the last one.
        let before = Marks::of(self.forge, &self.repo)?.complete()?;
        let until = run.until.as_deref().and_then(moment::parse);
        let has_gap = until.is_some_and(|until| before.is_none_or(|before| before < until));
        if has_gap {
            self.warn("only what changed since the given date was copied");
        } else {
            changes.push(run::set_complete(&self.repo, &run.started_at));
        }
        let status = if is_whole { SyncStatus::Success } else { SyncStatus::Partial };
        if is_whole {
            self.last_completed_at.replace(Some(moment::text(self.now())));
        }
        changes.push(self.state(status, None));
        self.apply(&changes)?;
        Ok(status)
    }

    /// Tells the store what went wrong. A repository that it does not know stays unknown.
    fn note_failure(&self, failure: &SyncFailure) -> Result<(), SyncFailure> {
        if matches!(failure, SyncFailure::Store(_)) || self.forge.read()?.repository(&self.repo)?.is_none() {
            return Ok(());
        }
        let mut changes = vec![self.state(failure.status(), Some(failure.to_string()))];
        if let Some(kind) = self.current.get().filter(|_| self.has_begun.get()) {
            let fetched = self.stored(kind)?.map_or(0, |segment| segment.fetched_count);
            changes.push(self.segment(kind, failure.segment_status(), fetched, None));
        }
        self.apply(&changes)
    }

    // What the steps share.

    pub(super) fn now(&self) -> Moment {
        self.client.pause().now().into()
    }

    /// An address below the repository.
    pub(super) fn at(&self, path: &str, query: &[(&str, &str)]) -> reqwest::Url {
        let slash = if path.is_empty() { "" } else { "/" };
        self.settings.address.at(&format!("repos/{}{slash}{path}", self.repo), query)
    }

    /// As of when what changed is copied; nothing for a first, full copy.
    pub(super) fn until(&self) -> Option<Moment> {
        self.run.borrow().until.as_deref().and_then(moment::parse)
    }

    pub(super) fn tell(&self, news: News<'_>) {
        if let (News::Waiting { .. }, Some(kind), true) = (&news, self.current.get(), self.has_begun.get()) {
            let fetched = self.stored(kind).ok().flatten().map_or(0, |segment| segment.fetched_count);
            // Whoever reads meanwhile sees that it waits; the wait itself does not depend on it.
            let _ = self.apply(&[self.segment(kind, SegmentStatus::WaitingRateLimit, fetched, None)]);
        }
        self.watch.hear(&self.repo, news);
    }

    pub(super) fn warn(&self, warning: &str) {
        self.warnings.borrow_mut().push(warning.to_owned());
    }

    pub(super) fn skip(&self, records: u64) {
        self.skipped.set(self.skipped.get() + records);
    }

    pub(super) fn begin(&self, kind: SegmentKind) {
        self.current.set(Some(kind));
    }

    pub(super) fn is_done(&self, step: &str) -> bool {
        self.run.borrow().done.iter().any(|done| done == step)
    }

    /// What notes that a step came to its end.
    pub(super) fn done(&self, step: &str) -> Vec<Change> {
        let mut run = self.run.borrow_mut();
        run.done.push(step.to_owned());
        vec![run::set_cursor(&self.repo, step, None), run::set_run(&self.repo, Some(&run))]
    }

    pub(super) fn apply(&self, changes: &[Change]) -> Result<(), SyncFailure> {
        let applied = self.forge.apply(changes)?;
        let mut all = self.applied.get();
        all.changed += applied.changed;
        all.known += applied.known;
        all.nameless += applied.nameless;
        self.applied.set(all);
        Ok(())
    }

    fn stored(&self, kind: SegmentKind) -> Result<Option<SyncSegment>, ForgeError> {
        let segments = self.forge.read()?.sync_segments(&self.repo)?;
        Ok(segments.into_iter().find(|segment| segment.segment == kind))
    }

    /// Notes that one kind of data is copied as far as it will be.
    pub(super) fn end(
        &self,
        kind: SegmentKind,
        status: SegmentStatus,
        fetched: u64,
        expected: Option<u64>,
    ) -> Result<(), SyncFailure> {
        self.apply(&[self.segment(kind, status, fetched, expected)])?;
        self.segments.borrow_mut().push(SegmentReport { segment: kind, status, fetched });
        self.current.set(None);
        Ok(())
    }

    /// The same where the attempt before this one did so.
    pub(super) fn end_before(&self, kind: SegmentKind) -> Result<(), SyncFailure> {
        if let Some(segment) = self.stored(kind)? {
            let (status, fetched) = (segment.status, segment.fetched_count);
            self.segments.borrow_mut().push(SegmentReport { segment: kind, status, fetched });
        }
        Ok(())
    }

    pub(super) fn segment(
        &self,
        segment: SegmentKind,
        status: SegmentStatus,
        fetched: u64,
        expected: Option<u64>,
    ) -> Change {
        let is_over = !matches!(
            status,
            SegmentStatus::Running
                | SegmentStatus::WaitingRateLimit
                | SegmentStatus::RateLimited
                | SegmentStatus::Error
                | SegmentStatus::Skipped
        );
        Change::SyncSegment(SyncSegment {
            repo_full_name: self.repo.as_str().to_owned(),
            segment,
            status,
            fetched_count: fetched,
            expected_count: expected,
            completed_at: is_over.then(|| moment::text(self.now())),
        })
    }

    fn state(&self, status: SyncStatus, error_summary: Option<String>) -> Change {
        Change::SyncState(SyncState {
            repo_full_name: self.repo.as_str().to_owned(),
            status,
            last_completed_at: self.last_completed_at.borrow().clone(),
            updated_at: Some(moment::text(self.now())),
            error_summary,
            warnings: self.warnings.borrow().clone(),
        })
    }
}
