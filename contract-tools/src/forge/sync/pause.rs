//! The time, and how it passes: handed in, so that a test does not wait for an hour that GitHub asks for.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use contract_core::Clock;

/// The time and a way to let it pass.
pub trait Pause {
    /// The time.
    fn now(&self) -> SystemTime;

    /// Comes back when that much of it has passed.
    fn pass(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + '_>>;
}

/// A clock, and time that really passes.
#[derive(Debug)]
pub struct RealPause(Clock);

impl RealPause {
    /// By this clock.
    pub fn new(clock: Clock) -> Self {
        Self(clock)
    }
}

impl Pause for RealPause {
    fn now(&self) -> SystemTime {
        self.0.now()
    }

    fn pass(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(tokio::time::sleep(duration))
    }
}
