//! What surrounds issues and pull requests: labels, the files that may be the manifest, GitHub's own counts.

use super::SyncFailure;
use super::client::Answer;
use super::details::Pages;
use super::listing::records;
use super::repository::Copying;
use super::run::{self, Marks};
use crate::engine::manifest::MANIFEST_PATHS;
use crate::engine::moment;
use crate::engine::records::{GithubTotals, SegmentKind, SegmentStatus};
use crate::forge::Change;

const LABELS: &str = "labels";

impl Copying<'_> {
    /// All labels at once, so that it is known which are gone.
    pub(super) async fn labels(&self) -> Result<(), SyncFailure> {
        let kind = SegmentKind::Labels;
        if self.is_done(LABELS) {
            return self.end_before(kind);
        }
        self.begin(kind);
        let etag = Marks::of(self.forge, &self.repo)?.etag(LABELS)?;
        let url = self.at("labels", &[("per_page", "100")]);
        let status = match self.pages(url, etag.as_deref()).await? {
            Pages::All(records, etag) => {
                let mut changes = records.changes;
                self.skip(records.skipped);
                // A label that could not be read is not gone.
                if records.skipped == 0 {
                    changes.push(Change::OnlyLabels(self.repo.clone(), records.labels));
                }
                changes.push(run::set_etag(&self.repo, LABELS, etag.as_deref()));
                changes.extend(self.done(LABELS));
                self.apply(&changes)?;
                SegmentStatus::Complete
            }
            Pages::Unchanged => SegmentStatus::NotModified,
            Pages::Absent | Pages::Refused => {
                self.warn("the token may not list labels");
                SegmentStatus::Skipped
            }
        };
        let count = self.forge.read()?.labels(&self.repo)?.len() as u64;
        self.end(kind, status, count, (status != SegmentStatus::Skipped).then_some(count))
    }

    /// Every file that may be the manifest, so that the store knows which is there and which is not.
    pub(super) async fn manifests(&self) -> Result<(), SyncFailure> {
        self.begin(SegmentKind::Metadata);
        for path in MANIFEST_PATHS {
            let name = format!("manifest/{path}");
            let etag = Marks::of(self.forge, &self.repo)?.etag(&name)?;
            let url = self.at(&format!("contents/{path}"), &[]);
            let changes = match self.client.get(url, etag.as_deref(), &|news| self.tell(news)).await? {
                Answer::Page(page) => {
                    let found = records(&page.body, &self.repo, self.now());
                    if found.taken == 0 {
                        self.warn(&format!("{path} is there and cannot be read as a file"));
                        continue;
                    }
                    let mut changes = found.changes;
                    changes.push(run::set_etag(&self.repo, &name, page.etag.as_deref()));
                    changes
                }
                Answer::Unchanged => continue,
                Answer::Absent(_) => {
                    vec![Change::NoManifest(self.repo.clone(), path.to_owned()), run::set_etag(&self.repo, &name, None)]
                }
                Answer::Refused => {
                    self.warn("the token may not read files, so the manifest is unknown");
                    break;
                }
            };
            self.apply(&changes)?;
        }
        Ok(())
    }

    /// GitHub's own counts, as its search gives them.
    pub(super) async fn totals(&self) -> Result<(), SyncFailure> {
        self.begin(SegmentKind::Metadata);
        let mut counts = [0; 4];
        let questions =
            ["type:issue state:open", "type:pr state:open", "type:pr is:merged", "type:pr is:unmerged state:closed"];
        for (count, question) in counts.iter_mut().zip(questions) {
            let query = format!("repo:{} {question}", self.repo);
            let url = self.settings.address.at("search/issues", &[("q", &query), ("per_page", "1")]);
            let found = match self.client.get(url, None, &|news| self.tell(news)).await {
                Ok(Answer::Page(page)) => total(&page.body),
                Ok(Answer::Unchanged | Answer::Absent(_) | Answer::Refused) => None,
                // Everything else is here by now, and counts are not worth losing that.
                Err(failure) if failure.is_about_one_answer() => None,
                Err(failure) => return Err(failure),
            };
            let Some(found) = found else {
                self.warn("GitHub's search did not count this repository, so its totals are unknown; what is open is counted here");
                return self.apply(&[Change::NoTotals(self.repo.clone(), moment::text(self.now()))]);
            };
            *count = found;
        }
        let [open_issues, open_pull_requests, merged, closed_unmerged] = counts;
        let totals = GithubTotals {
            fetched_at: moment::text(self.now()),
            open_issues_total: open_issues,
            open_pull_requests_total: open_pull_requests,
            merged_pull_requests_total: merged,
            closed_unmerged_pull_requests_total: closed_unmerged,
            labels_total: self.forge.read()?.labels(&self.repo)?.len() as u64,
        };
        self.apply(&[Change::Totals(self.repo.clone(), totals)])
    }
}

/// The count of a search; one that GitHub gave up on is none.
fn total(body: &str) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Found {
        total_count: u64,
        #[serde(default)]
        incomplete_results: bool,
    }
    serde_json::from_str::<Found>(body).ok().filter(|found| !found.incomplete_results).map(|found| found.total_count)
}
