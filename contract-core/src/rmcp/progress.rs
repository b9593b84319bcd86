//! A handler's reports on their way to the client: few are kept, none is waited for.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use crate::context::ProgressReport;

/// As many wait for a slow client; after that a new report takes the place of the newest that waits.
const MOST: usize = 16;

/// The reports of one call that have not been sent.
#[derive(Clone, Default)]
pub(super) struct Reports(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    reports: VecDeque<ProgressReport>,
    /// What the newest report said; the protocol has progress grow.
    done: Option<f64>,
    waker: Option<Waker>,
}

impl Reports {
    /// Adds a report; one that does not go beyond the last, or that JSON cannot write, is passed over.
    pub(super) fn push(&self, report: ProgressReport) {
        let mut waiting = self.lock();
        if !report.done.is_finite() || waiting.done.is_some_and(|done| report.done <= done) {
            return;
        }
        waiting.done = Some(report.done);
        if waiting.reports.len() == MOST {
            waiting.reports.pop_back();
        }
        waiting.reports.push_back(report);
        if let Some(waker) = waiting.waker.take() {
            waker.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<ProgressReport> {
        self.lock().reports.pop_front()
    }

    /// Runs `call` and gives its reports to `tell`, in order, all of them before the answer.
    pub(super) async fn tell_during<T, Told: Future<Output = ()>>(
        &self,
        call: impl Future<Output = T>,
        mut tell: impl FnMut(ProgressReport) -> Told,
    ) -> T {
        enum Step<T> {
            Report(ProgressReport),
            Answer(T),
        }
        let mut call = pin!(call);
        loop {
            let step = poll_fn(|task| {
                if let Poll::Ready(answer) = call.as_mut().poll(task) {
                    return Poll::Ready(Step::Answer(answer));
                }
                let mut waiting = self.lock();
                if let Some(report) = waiting.reports.pop_front() {
                    return Poll::Ready(Step::Report(report));
                }
                waiting.waker = Some(task.waker().clone());
                Poll::Pending
            });
            match step.await {
                Step::Report(report) => tell(report).await,
                Step::Answer(answer) => {
                    while let Some(report) = self.take() {
                        tell(report).await;
                    }
                    return answer;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::{MOST, Reports};
    use crate::context::ProgressReport;
    use crate::testing::block_on;

    fn told(reports: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let waiting = Reports::default();
        for done in reports {
            waiting.push(ProgressReport { done, total: None, message: None });
        }
        let mut told = Vec::new();
        let tell = |report: ProgressReport| {
            told.push(report.done);
            ready(())
        };
        block_on(waiting.tell_during(ready(()), tell));
        told
    }

    #[test]
    fn reports_that_do_not_grow_are_passed_over() {
        assert_eq!(told([1.0, 1.0, 0.5, f64::NAN, f64::INFINITY, 2.0]), [1.0, 2.0]);
    }

    #[test]
    fn a_flood_keeps_its_start_and_its_newest() {
        let told = told((0..1_000).map(f64::from));
        assert_eq!(told.len(), MOST);
        assert_eq!((told[0], told[MOST - 1]), (0.0, 999.0));
    }
}
