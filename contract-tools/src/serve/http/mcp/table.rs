//! The sessions of a server: found by id, for their owner alone, and not for ever.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;

use super::conversation::Conversation;
use super::headers::Owner;
use super::session::{Session, SessionLimits, Unavailable};

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
            let unused = open.values().filter_map(|session| Some((session.unused_since()?, session.id().to_owned())));
            let (_, longest) = unused.min().ok_or(Unavailable::Full)?;
            replaced = open.remove(&longest);
        }
        open.insert(id, Arc::clone(&session));
        drop(open);
        drop(replaced);
        Ok(session)
    }

    /// The session `id`, when it is `owner`'s and still there.
    pub(super) fn find(&self, id: &str, owner: &Owner) -> Option<Arc<Session>> {
        let session = self.lock().get(id).cloned().filter(|session| session.belongs_to(owner))?;
        if self.is_expired(&session) {
            self.remove(id);
            return None;
        }
        Some(session)
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
