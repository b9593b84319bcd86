//! The sessions of a server: found by id, for their owner alone, and not for ever.
//!
//! When there are as many as there may be, somebody's has to go for a new one. Whoever has no credential costs only others
//! without one theirs; whoever has one, and many sessions, loses one of those.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;

use super::conversation::Conversation;
use super::headers::Owner;
use super::session::{Session, SessionLimits, Unavailable};

/// One owner with so large a part of all sessions makes room for its new ones itself.
const SHARES: usize = 4;

/// All sessions that are open.
pub(super) struct Sessions {
    limits: SessionLimits,
    open: Mutex<BTreeMap<String, Arc<Session>>>,
}

impl Sessions {
    pub(super) fn new(limits: SessionLimits) -> Self {
        Self { limits, open: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Session>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a session for `owner`.
    pub(super) fn open(&self, owner: Owner, conversation: Conversation) -> Result<Arc<Session>, Unavailable> {
        let id = random_id().ok_or(Unavailable::Full)?;
        let session = Arc::new(Session::new(id.clone(), owner, conversation));
        let mut open = self.lock();
        let mut replaced = None;
        if open.len() >= self.limits.sessions {
            let longest = self.dispensable(&open, owner).ok_or(Unavailable::Full)?;
            replaced = open.remove(&longest);
        }
        open.insert(id, Arc::clone(&session));
        drop(open);
        drop(replaced);
        Ok(session)
    }

    /// The session that goes for a new one of `owner`.
    fn dispensable(&self, open: &BTreeMap<String, Arc<Session>>, owner: Owner) -> Option<String> {
        let longest_of = |owner: Owner| {
            let own = open.values().filter(|session| session.owner() == owner);
            own.filter_map(|session| Some((session.idleness()?, session.id()))).min().map(|(_, id)| id.to_owned())
        };
        if owner.is_anonymous() {
            return longest_of(owner);
        }
        let mut counts: BTreeMap<Owner, usize> = BTreeMap::new();
        for session in open.values() {
            *counts.entry(session.owner()).or_default() += 1;
        }
        let count = |owner: Owner| counts.get(&owner).copied().unwrap_or_default();
        let has_many = count(owner) >= (self.limits.sessions / SHARES).max(1);
        let own = || longest_of(owner);
        let anonymous = || longest_of(Owner::default());
        let others = || {
            let unused = open
                .values()
                .filter_map(|session| Some((Reverse(count(session.owner())), session.unused_since()?, session.id())));
            unused.min().map(|(_, _, id)| id.to_owned())
        };
        has_many.then(own).flatten().or_else(anonymous).or_else(own).or_else(others)
    }

    /// The session `id`, when it is `owner`'s and still there.
    pub(super) fn find(&self, id: &str, owner: &Owner) -> Option<Arc<Session>> {
        let session = self.lock().get(id).cloned().filter(|session| session.owner() == *owner)?;
        if self.is_expired(&session) {
            self.remove(id);
            return None;
        }
        Some(session)
    }

    /// After how much silence a client hears that it is connected.
    pub(super) fn keep_alive(&self) -> Duration {
        self.limits.keep_alive
    }

    pub(super) fn remove(&self, id: &str) {
        let removed = self.lock().remove(id);
        drop(removed);
    }

    fn is_expired(&self, session: &Session) -> bool {
        session.unused_since().is_some_and(|since| since.elapsed() > self.limits.unused)
    }

    /// Closes what has expired, now and then, for as long as it is polled.
    pub(super) async fn sweep(self: Arc<Self>) {
        loop {
            sleep((self.limits.unused / 4).clamp(Duration::from_millis(10), Duration::from_secs(15))).await;
            let sessions: Vec<_> = self.lock().values().cloned().collect();
            for session in sessions {
                session.forget(self.limits.answers);
                if self.is_expired(&session) {
                    self.remove(session.id());
                }
            }
        }
    }
}

/// 128 bits that nobody can guess.
fn random_id() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    let mut id = String::with_capacity(32);
    for byte in bytes {
        let _ = write!(id, "{byte:02x}");
    }
    Some(id)
}
