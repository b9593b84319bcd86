//! How many calls an identity may make of a tool: an exact sliding window, in bounded memory.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use contract_core::{Locality, ToolDefinition};

use super::who::{Identity, StaticActor};

/// So many calls in so much time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How many.
    pub calls: usize,
    /// In which time.
    pub within: Duration,
}

/// The limit of a tool on shared data.
const USUAL: Limit = Limit { calls: 120, within: Duration::from_mins(1) };

/// Tools whose answers cost more.
const OWN: [(&str, Limit); 1] = [("loopover_predict_gate", Limit { calls: 20, within: Duration::from_mins(5) })];

/// While so many identities and tools are being counted, the one that has been quiet for longest makes room for a new one.
const MOST_COUNTED: usize = 10_000;

/// The limit of `tool`; none for what a person asks of their own machine.
pub fn limit_of(tool: &ToolDefinition) -> Option<Limit> {
    let own = || OWN.iter().find(|(name, _)| *name == tool.name()).map_or(USUAL, |(_, limit)| *limit);
    (tool.locality() == Locality::Remote).then(own)
}

/// Counts the calls of each identity and tool.
pub struct RateLimits {
    elapsed: Box<dyn Fn() -> Duration + Send + Sync>,
    counted: Mutex<BTreeMap<(Who, &'static str), VecDeque<Duration>>>,
}

/// Whose calls are counted together: those of one token, and those of all sessions of one login.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Anonymous,
    Static(StaticActor),
    Login(String),
}

impl RateLimits {
    /// By a clock that only goes forward: the time since some moment.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { elapsed: Box::new(elapsed), counted: Mutex::default() }
    }

    /// By the clock of this process, which no setting of the time moves.
    pub fn of_process() -> Self {
        let start = Instant::now();
        Self::new(move || start.elapsed())
    }

    /// Counts one call, or says how long to wait before the next one counts.
    ///
    /// # Errors
    /// The wait, when there were as many calls as may be.
    pub fn count(&self, identity: Option<&Identity>, tool: &'static str, limit: Limit) -> Result<(), Duration> {
        let who = match identity {
            None => Who::Anonymous,
            Some(Identity::Static(actor)) => Who::Static(*actor),
            Some(Identity::Session(session)) => Who::Login(session.login.to_lowercase()),
        };
        let now = (self.elapsed)();
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (who, tool);
        if !counted.contains_key(&key) && counted.len() >= MOST_COUNTED {
            let quiet = counted.iter().min_by_key(|(_, calls)| calls.back().copied()).map(|(key, _)| key.clone());
            quiet.and_then(|key| counted.remove(&key));
        }
        let calls = counted.entry(key).or_default();
        while calls.front().is_some_and(|first| *first + limit.within <= now) {
            calls.pop_front();
        }
        match calls.front() {
            Some(first) if calls.len() >= limit.calls => Err((*first + limit.within).saturating_sub(now)),
            _ => {
                calls.push_back(now);
                Ok(())
            }
        }
    }
}

impl std::fmt::Debug for RateLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RateLimits")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::SessionIdentity;
    use super::*;

    const TWO_IN_TEN: Limit = Limit { calls: 2, within: Duration::from_secs(10) };

    fn limits() -> (RateLimits, Arc<AtomicU64>) {
        let seconds = Arc::new(AtomicU64::new(0));
        let clock = Arc::clone(&seconds);
        (RateLimits::new(move || Duration::from_secs(clock.load(Ordering::Relaxed))), seconds)
    }

    fn session(id: usize, login: &str) -> Identity {
        let (id, login) = (id.to_string(), login.to_owned());
        Identity::Session(SessionIdentity { id, login, user_id: None, is_operator: false, is_maintainer: false })
    }

    #[test]
    fn a_window_slides_and_refused_calls_do_not_count() {
        let (limits, clock) = limits();
        let api = Some(Identity::Static(StaticActor::Api));
        let call = |at: u64| {
            clock.store(at, Ordering::Relaxed);
            limits.count(api.as_ref(), "t", TWO_IN_TEN).map_err(|wait| wait.as_secs())
        };
        assert_eq!([0, 4, 4, 9, 10, 13, 14].map(call), [Ok(()), Ok(()), Err(6), Err(1), Ok(()), Err(1), Ok(())]);
    }

    #[test]
    fn identities_and_tools_are_counted_apart_and_the_sessions_of_a_person_together() {
        let (limits, _) = limits();
        let one = Limit { calls: 1, ..TWO_IN_TEN };
        let call = |who: Option<Identity>, tool| limits.count(who.as_ref(), tool, one).is_ok();
        assert!(call(None, "t") && call(Some(Identity::Static(StaticActor::Mcp)), "t"));
        assert!(call(Some(session(1, "octo")), "t") && call(Some(session(1, "octo")), "u"));
        assert!(!call(Some(session(2, "Octo")), "t") && !call(None, "t"));
    }

    #[test]
    fn memory_is_bounded() {
        let (limits, clock) = limits();
        for number in 0..=MOST_COUNTED {
            clock.store(number as u64, Ordering::Relaxed);
            let who = session(number, &format!("login-{number}"));
            assert!(limits.count(Some(&who), "t", TWO_IN_TEN).is_ok());
        }
        let counted = limits.counted.lock().unwrap();
        assert_eq!(counted.len(), MOST_COUNTED);
        assert!(!counted.contains_key(&(Who::Login("login-0".to_owned()), "t")), "the quietest made room");
    }
}
