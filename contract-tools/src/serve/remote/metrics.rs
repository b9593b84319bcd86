//! What is counted: calls by tool and outcome, and how long they took. Nothing that a caller sent.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use contract_core::{Observer, Outcome};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use super::log;

/// Which tool, by its name in the registry.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Tool {
    tool: String,
}

/// Which tool, and how the call ended.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Ended {
    tool: String,
    code: &'static str,
}

/// The counters of a server.
pub(super) struct Metrics {
    calls: Family<Ended, Counter<u64, AtomicU64>>,
    seconds: Family<Tool, Histogram, fn() -> Histogram>,
    running: Family<Tool, Gauge>,
    registry: Registry,
}

impl Metrics {
    /// The form in which [`Metrics::text`] writes them.
    pub(super) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    pub(super) fn new() -> Self {
        // From half a millisecond to a minute, which no call outlives.
        let seconds: Family<Tool, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.0005, 2.0, 18)));
        let (calls, running) = (Family::default(), Family::default());
        let mut registry = Registry::with_prefix("loopover");
        registry.register("tool_calls", "Calls that ended, by tool and outcome", calls.clone());
        registry.register_with_unit("tool_call_duration", "How long calls took", Unit::Seconds, seconds.clone());
        registry.register("tool_calls_running", "Calls that are being worked on", running.clone());
        Self { calls, seconds, running, registry }
    }

    pub(super) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl Observer for Metrics {
    fn started(&self, tool: &str) {
        self.running.get_or_create(&Tool { tool: tool.to_owned() }).inc();
    }

    fn ended(&self, tool: &str, outcome: Outcome, reason: Option<&str>, duration: Duration) {
        let code = match outcome {
            Outcome::Succeeded => "ok",
            Outcome::Failed(code) => code.as_str(),
            Outcome::Cancelled => "cancelled",
        };
        self.running.get_or_create(&Tool { tool: tool.to_owned() }).dec();
        self.calls.get_or_create(&Ended { tool: tool.to_owned(), code }).inc();
        self.seconds.get_or_create(&Tool { tool: tool.to_owned() }).observe(duration.as_secs_f64());
        let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        tracing::info!(target: log::TARGET, tool, code, reason, milliseconds, "call");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use contract_core::{ErrorCode, Observer as _, Outcome};

    use super::Metrics;

    #[test]
    fn calls_are_counted_by_tool_and_outcome() {
        let metrics = Metrics::new();
        for outcome in
            [Outcome::Succeeded, Outcome::Succeeded, Outcome::Failed(ErrorCode::NotFound), Outcome::Cancelled]
        {
            metrics.started("a_tool");
            metrics.ended("a_tool", outcome, None, Duration::from_millis(3));
        }
        let text = metrics.text().unwrap();
        for line in [
            r#"loopover_tool_calls_total{tool="a_tool",code="ok"} 2"#,
            r#"loopover_tool_calls_total{tool="a_tool",code="not_found"} 1"#,
            r#"loopover_tool_calls_total{tool="a_tool",code="cancelled"} 1"#,
            r#"loopover_tool_calls_running{tool="a_tool"} 0"#,
            r#"loopover_tool_call_duration_seconds_count{tool="a_tool"} 4"#,
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
