//! The log of a server: one JSON object a line on stderr, about what happened and never about what was said.
//!
//! Only events of our own are written. Those of the libraries underneath may quote what a client sent.

use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The target of every event that is written.
pub(crate) const TARGET: &str = "loopover";

/// From here on events are written. Asked a second time in a process, this changes nothing.
pub(crate) fn start() {
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .with_filter(Targets::new().with_target(TARGET, LevelFilter::INFO).with_default(LevelFilter::OFF));
    let _ = tracing_subscriber::registry().with(lines).try_init();
}
