//! Another macro sees the user's function, once, whichever stands first.
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use contract_core::{Arguments, CallContext, Caller, Client, Clock, PublicOnly, Registry, contract_type, loopover_tool};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// Answer the question that was asked.
#[tracing::instrument(skip_all)]
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
async fn above(
    #[inject] _caller: contract_core::Caller,
    /// How much is asked.
    #[arg(example = 1)]
    much: u32,
) -> Out {
    Out { x: much }
}

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
#[tracing::instrument(skip_all)]
fn below(
    #[inject] _caller: contract_core::Caller,
    /// How much is asked.
    #[arg(example = 1)]
    much: u32,
) -> Out {
    Out { x: much }
}

/// Counts spans, and nothing else.
struct Counter(AtomicU64);

impl Subscriber for Counter {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn main() {
    let registry = Registry::collect().unwrap();
    assert_eq!(registry.get("above").unwrap().description(), registry.get("below").unwrap().description());
    let client = Client::new(registry, Caller::anonymous(), PublicOnly, || {
        CallContext::new(Clock::frozen(std::time::SystemTime::UNIX_EPOCH))
    });
    let counter = Arc::new(Counter(AtomicU64::new(0)));
    tracing::subscriber::with_default(Arc::clone(&counter), || {
        for tool in ["above", "below"] {
            let reply = client.call_json(tool, Arguments::Text(r#"{"much":1}"#.to_owned()));
            let mut task = std::task::Context::from_waker(std::task::Waker::noop());
            let reply = std::pin::pin!(reply).poll(&mut task);
            assert!(matches!(reply, std::task::Poll::Ready(Ok(reply)) if !reply.is_error()));
        }
    });
    assert_eq!(counter.0.load(Ordering::Relaxed), 2, "one span per call");
}
