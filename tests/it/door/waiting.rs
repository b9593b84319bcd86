//! Time: deadlines, cancellation, blocking handlers, observers.

use std::future::{pending, ready};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};

use contract_core::testing::block_on;
use contract_core::{
    Arguments, CallContext, Clock, ErrorCode, Observer, Outcome, ProgressReport, ToolFilter, TrustProcessOwner,
};

use super::{context, registry, request};

/// Keeps what an observer is told.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Observer for Heard {
    fn started(&self, tool: &str) {
        self.0.lock().unwrap().push(format!("{tool} started"));
    }

    fn ended(&self, tool: &str, outcome: Outcome, _: Option<&str>, duration: Duration) {
        self.0.lock().unwrap().push(format!("{tool} {outcome:?} after {}s", duration.as_secs()));
    }
}

impl Heard {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[test]
fn a_deadline_ends_a_call_that_waits() {
    let call = request("door_waits", Arguments::Absent, TrustProcessOwner);
    let reply = block_on(registry().call(&ToolFilter::new(), call, context().with_deadline(ready(())))).unwrap();
    assert_eq!(reply.into_result().unwrap_err().code(), ErrorCode::Timeout);
}

#[test]
fn a_deadline_that_is_not_reached_changes_nothing() {
    let call = request("door_ping", Arguments::Absent, TrustProcessOwner);
    let reply = block_on(registry().call(&ToolFilter::new(), call, context().with_deadline(pending()))).unwrap();
    assert!(!reply.is_error());
}

#[test]
fn a_blocking_handler_runs_where_the_server_says_and_hears_of_the_deadline() {
    let ended = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&ended);
    let (done, wait) = std::sync::mpsc::channel();
    let reports: Arc<Mutex<Vec<ProgressReport>>> = Arc::default();
    let reported = Arc::clone(&reports);
    let context = context()
        .with_blocking(move |job| {
            let (heard, done) = (Arc::clone(&heard), done.clone());
            std::thread::spawn(move || {
                job();
                heard.store(true, Ordering::Relaxed);
                done.send(()).unwrap();
            });
        })
        .with_progress(move |report| reported.lock().unwrap().push(report))
        .with_deadline(ready(()));
    let call = request("door_works", Arguments::Absent, TrustProcessOwner);
    let reply = block_on(registry().call(&ToolFilter::new(), call, context)).unwrap();
    assert_eq!(reply.into_result().unwrap_err().code(), ErrorCode::Timeout);
    // The handler loops until its flag is set, so that it ends at all is the proof.
    wait.recv_timeout(contract_tests::stdio_client::ALIVE).unwrap();
    assert!(ended.load(Ordering::Relaxed));
    let messages: Vec<Option<String>> = reports.lock().unwrap().iter().map(|report| report.message.clone()).collect();
    assert_eq!(messages, [Some("half".to_owned()), Some("cancelled".to_owned())]);
}

#[test]
fn a_blocking_handler_that_panics_elsewhere_still_answers() {
    let context = context().with_blocking(|job| drop(std::thread::spawn(job)));
    let call = request("door_panics_blocking", Arguments::Absent, TrustProcessOwner);
    let reply = block_on(registry().call(&ToolFilter::new(), call, context)).unwrap();
    assert_eq!(reply.into_result().unwrap_err().code(), ErrorCode::UnknownError);
}

#[test]
fn a_job_that_is_never_run_still_answers() {
    let call = request("door_ping", Arguments::Absent, TrustProcessOwner);
    let reply = block_on(registry().call(&ToolFilter::new(), call, context().with_blocking(drop))).unwrap();
    assert_eq!(reply.into_result().unwrap_err().code(), ErrorCode::UnknownError);
}

#[test]
fn an_observer_hears_start_end_code_and_duration_and_nothing_else() {
    let heard = Arc::new(Heard::default());
    let ticks = Mutex::new(0);
    let clock = Clock::new(move || {
        let mut ticks = ticks.lock().unwrap();
        *ticks += 3;
        SystemTime::UNIX_EPOCH + Duration::from_secs(*ticks)
    });
    let call = |tool: &str, arguments: &str| {
        let context = CallContext::new(clock.clone()).with_observer(Arc::clone(&heard) as Arc<dyn Observer>);
        let call = request(tool, Arguments::Text(arguments.to_owned()), TrustProcessOwner);
        let _ = block_on(registry().call(&ToolFilter::new(), call, context));
        heard.take()
    };
    assert_eq!(call("door_ping", "{}"), ["door_ping started", "door_ping Succeeded after 3s"]);
    assert_eq!(call("door_get_plan", "{}"), ["door_get_plan started", "door_get_plan Failed(InvalidInput) after 3s"]);
    assert_eq!(call("door_get_plan", "5"), ["door_get_plan started", "door_get_plan Failed(InvalidInput) after 3s"]);
    assert!(call("door_unknown", "{}").is_empty(), "no tool, no call");
}

#[test]
fn dropping_a_call_cancels_it_and_the_observer_hears() {
    let heard = Arc::new(Heard::default());
    let context = context().with_observer(Arc::clone(&heard) as Arc<dyn Observer>);
    let mut call =
        registry().call(&ToolFilter::new(), request("door_waits", Arguments::Absent, TrustProcessOwner), context);
    assert!(matches!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending));
    drop(call);
    assert_eq!(heard.take(), ["door_waits started", "door_waits Cancelled after 0s"]);
}
