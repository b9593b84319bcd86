//! How many clients are connected at once, and who has to leave when somebody new comes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// A bounded number of seats. When all are taken, a new client gets the seat of whoever has waited longest without asking
/// anything; while everybody is being served, it waits.
#[derive(Clone)]
pub(super) struct Seats(Arc<Shared>);

struct Shared {
    most: usize,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    taken: usize,
    next: u64,
    /// The connections that ask nothing, in the order in which they stopped.
    idle: BTreeMap<u64, Leave>,
}

/// How a connection is told to leave.
#[derive(Clone, Default)]
struct Leave {
    now: CancellationToken,
    /// Its seat has gone to somebody else already.
    given: Arc<AtomicBool>,
}

impl Seats {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Shared { most, state: Mutex::default(), changed: Notify::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are taken.
    pub(super) fn taken(&self) -> usize {
        self.lock().taken
    }

    /// Takes a seat for a new connection, which asks nothing yet.
    pub(super) async fn take(&self) -> Seat {
        loop {
            let changed = self.0.changed.notified();
            if let Some(seat) = self.try_take() {
                return seat;
            }
            changed.await;
        }
    }

    fn try_take(&self) -> Option<Seat> {
        let mut state = self.lock();
        if state.taken == self.0.most {
            // It is gone as soon as its task runs; whoever comes does not wait for that.
            let (_, longest) = state.idle.pop_first()?;
            longest.given.store(true, Ordering::Relaxed);
            longest.now.cancel();
        } else {
            state.taken += 1;
        }
        drop(state);
        Some(Seat { seats: self.clone(), leave: Leave::default() })
    }

    /// Waits until all seats are free.
    pub(super) async fn empty(&self) {
        loop {
            let changed = self.0.changed.notified();
            if self.taken() == 0 {
                return;
            }
            changed.await;
        }
    }
}

/// One connection's seat; free when dropped.
pub(super) struct Seat {
    seats: Seats,
    leave: Leave,
}

impl Seat {
    /// Fires when somebody else needs the seat.
    pub(super) fn leave(&self) -> CancellationToken {
        self.leave.now.clone()
    }

    /// The connection asks nothing from here on, until what this returns is dropped.
    pub(super) fn idle(&self) -> Idle {
        let mut state = self.seats.lock();
        let number = state.next;
        state.next += 1;
        // What was given away cannot be given again.
        if !self.leave.given.load(Ordering::Relaxed) {
            state.idle.insert(number, self.leave.clone());
        }
        drop(state);
        self.seats.0.changed.notify_waiters();
        Idle { seats: self.seats.clone(), number }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.seats.lock();
        if !self.leave.given.load(Ordering::Relaxed) {
            state.taken -= 1;
        }
        drop(state);
        self.seats.0.changed.notify_waiters();
    }
}

/// That a connection asks nothing.
pub(super) struct Idle {
    seats: Seats,
    number: u64,
}

impl Drop for Idle {
    fn drop(&mut self) {
        self.seats.lock().idle.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::Seats;

    #[test]
    fn the_longest_idle_leaves_and_the_busy_stay() {
        let seats = Seats::new(3);
        let mut taken: Vec<_> = (0..3).map(|_| seats.take().now_or_never().unwrap()).collect();
        assert!(seats.take().now_or_never().is_none());
        let first = taken[1].idle();
        let second = taken[0].idle();
        let fourth = seats.take().now_or_never().unwrap();
        assert!(taken[1].leave().is_cancelled() && !taken[0].leave().is_cancelled());
        drop(first);
        taken.remove(1);
        assert_eq!(seats.taken(), 3);
        drop((second, taken, fourth));
        assert_eq!(seats.taken(), 0);
    }

    #[test]
    fn who_asks_something_again_is_not_made_to_leave() {
        let seats = Seats::new(1);
        let seat = seats.take().now_or_never().unwrap();
        drop(seat.idle());
        assert!(seats.take().now_or_never().is_none());
        assert!(!seat.leave().is_cancelled());
        drop(seat);
        assert_eq!(seats.taken(), 0);
        assert!(seats.empty().now_or_never().is_some());
    }
}
