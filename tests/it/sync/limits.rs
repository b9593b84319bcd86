//! GitHub's limits: waited for, said, and not waited for longer than somebody wants.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use contract_tests::github::{Fault, World};
use contract_tools::engine::records::{SegmentStatus, SyncStatus};
use contract_tools::forge::sync::{self, ApiAddress, ApiToken, News, Pause, RepositoryReport, Settings, Watch};
use contract_tools::forge::{RepoName, WritableForge};

use super::{NOW, Scene, TOKEN, widgets};

/// A clock that jumps over every wait and notes it.
struct Jumping {
    now: Cell<u64>,
    waits: RefCell<Vec<u64>>,
}

impl Jumping {
    fn new() -> Self {
        Self { now: Cell::new(NOW), waits: RefCell::new(Vec::new()) }
    }
}

impl Pause for Jumping {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.now.get())
    }

    fn pass(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        self.now.set(self.now.get() + duration.as_secs());
        self.waits.borrow_mut().push(duration.as_secs());
        Box::pin(std::future::ready(()))
    }
}

/// Notes how the store says that it waits, while it waits.
struct Looking<'f> {
    forge: &'f WritableForge,
    seen: RefCell<Vec<SegmentStatus>>,
}

impl Watch for Looking<'_> {
    fn hear(&self, _: &RepoName, news: News<'_>) {
        if matches!(news, News::Waiting { .. }) {
            let segments = self.forge.read().unwrap().sync_segments(&widgets()).unwrap();
            self.seen.borrow_mut().extend(segments.iter().map(|segment| segment.status));
        }
    }
}

fn copy(scene: &Scene, pause: &Jumping, patience: u64) -> (RepositoryReport, Vec<SegmentStatus>) {
    let forge = scene.forge();
    let settings = Settings {
        address: ApiAddress::parse(&scene.github.url()).unwrap(),
        token: ApiToken::new(TOKEN),
        since: None,
        closed: 100,
        jobs: NonZeroUsize::new(3).unwrap(),
        patience: Duration::from_secs(patience),
    };
    let watch = Looking { forge: &forge, seen: RefCell::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let report = runtime.block_on(sync::repository(&forge, &settings, &widgets(), pause, &watch));
    (report, watch.seen.into_inner())
}

#[test]
fn an_hour_is_waited_for_once_however_many_questions_are_open() {
    let scene = Scene::of(World::widgets());
    for _ in 0..3 {
        scene.github.fail("/reviews", Fault::Primary(NOW + 3599));
    }
    let pause = Jumping::new();
    let (report, seen) = copy(&scene, &pause, 4000);
    assert_eq!(report.status, SyncStatus::Success, "{report:?}");
    let waits = pause.waits.borrow();
    assert_eq!(waits.iter().filter(|wait| **wait == 3600).count(), 1, "{waits:?}");
    assert!(seen.contains(&SegmentStatus::WaitingRateLimit), "{seen:?}");
}

#[test]
fn the_last_question_that_is_allowed_is_waited_after() {
    let scene = Scene::of(World::widgets());
    scene.github.fail("/labels", Fault::LastOne(NOW + 60));
    scene.github.fail_after("/issues", 1, Fault::Secondary(30));
    let pause = Jumping::new();
    let (report, _) = copy(&scene, &pause, 4000);
    assert_eq!((report.status, pause.waits.borrow().as_slice()), (SyncStatus::Success, [61, 30].as_slice()));
    assert!(scene.github.asked().iter().all(|asked| asked.status != 403), "nothing was asked in vain");
}

#[test]
fn a_limit_on_and_on_ends_the_copy() {
    let scene = Scene::of(World::widgets());
    for _ in 0..30 {
        scene.github.fail("/labels", Fault::Secondary(1));
    }
    let (report, _) = copy(&scene, &Jumping::new(), 4000);
    assert_eq!(report.status, SyncStatus::RateLimited);
    assert!(scene.github.asked().len() < 30);
}

#[test]
fn the_status_line_says_which_limit_and_until_when() {
    let scene = Scene::of(World::widgets());
    scene.github.fail("/labels", Fault::Primary(NOW));
    scene.github.fail("/pulls?", Fault::Secondary(1));
    let said = scene.copy();
    assert!(
        said.errors.contains("GitHub's hourly limit is reached; going on at 00:00:01 UTC, in 1 s"),
        "{}",
        said.errors
    );
    assert!(said.errors.contains("GitHub asks to be asked more slowly; going on at"), "{}", said.errors);
}

#[test]
fn a_wait_that_is_too_long_ends_the_copy_which_can_be_gone_on_with() {
    let scene = Scene::of(World::widgets());
    scene.github.fail_after("/pulls?state=open", 1, Fault::Primary(NOW + 600));
    let said = scene.sync(&["acme/widgets", "other/one", "--max-wait", "5"]);
    assert_eq!((said.code, &said.report["status"]), (Some(1), &"rate_limited".into()), "{}", said.errors);
    assert!(said.errors.contains("limit is reached for another 10 min 1 s; run it again then"), "{}", said.errors);
    assert!(!scene.github.asked().iter().any(|asked| asked.target.contains("other/one")), "no other could do better");
    let segments = scene.forge().read().unwrap().sync_segments(&widgets()).unwrap();
    assert!(segments.iter().any(|segment| segment.status == SegmentStatus::RateLimited), "{segments:?}");
    assert!(scene.copy().errors.contains("going on with the copy"));
}
