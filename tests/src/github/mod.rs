//! A small GitHub on this machine: a REST API over an invented repository, which pages, answers 304, has limits, breaks off,
//! and remembers what it was asked.
//!
//! It speaks HTTP by hand, since half of what it is for is speaking it badly.

mod answer;
mod world;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

pub use world::{Pull, Repo, World};

/// What goes wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The connection ends before an answer.
    Drop,
    /// An answer of this status and nothing of use.
    Status(u16),
    /// The connection ends in the middle of the body.
    CutOff,
    /// A whole answer whose JSON is cut.
    HalfJson,
    /// Nothing is left of the hourly limit, until so many seconds after 1970.
    Primary(u64),
    /// Too fast: again in so many seconds.
    Secondary(u64),
    /// A good answer that says that nothing is left, until so many seconds after 1970.
    LastOne(u64),
    /// Over to this address.
    Redirect(String),
    /// No answer, until the asker is gone.
    Hold,
}

/// One question that came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Path and query.
    pub target: String,
    /// Whether it came with a condition.
    pub is_conditional: bool,
    /// The token that came with it.
    pub authorization: Option<String>,
    /// The status of the answer.
    pub status: u16,
}

#[derive(Default)]
struct State {
    world: World,
    /// Faults to come: how many questions whose target holds the text pass before it, and the fault.
    faults: Vec<(String, usize, Fault)>,
    asked: Vec<Asked>,
    held: usize,
    is_over: bool,
}

/// The server. It ends with the value.
pub struct GitHub {
    address: SocketAddr,
    shared: Arc<(Mutex<State>, Condvar)>,
}

impl GitHub {
    /// Starts it on a free port.
    ///
    /// # Panics
    /// When there is none.
    pub fn start(world: World) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new((Mutex::new(State { world, ..State::default() }), Condvar::new()));
        let for_listener = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if lock(&for_listener.0).is_over {
                    break;
                }
                let shared = Arc::clone(&for_listener);
                thread::spawn(move || serve(stream, address, &shared));
            }
        });
        Self { address, shared }
    }

    /// Its address, for `--api-url`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Changes what it knows.
    pub fn change(&self, change: impl FnOnce(&mut World)) {
        change(&mut lock(&self.shared.0).world);
    }

    /// Lets the next question go wrong whose target holds `part`.
    pub fn fail(&self, part: &str, fault: Fault) {
        self.fail_after(part, 0, fault);
    }

    /// The same after so many such questions went well.
    pub fn fail_after(&self, part: &str, passes: usize, fault: Fault) {
        lock(&self.shared.0).faults.push((part.to_owned(), passes, fault));
    }

    /// What it was asked so far, and forgets it.
    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut lock(&self.shared.0).asked)
    }

    /// Faults that have not happened.
    pub fn faults_left(&self) -> usize {
        lock(&self.shared.0).faults.len()
    }

    /// Waits until a question is held.
    ///
    /// # Panics
    /// When none is, for long.
    pub fn wait_until_held(&self) {
        let (state, changed) = &*self.shared;
        let (guard, timeout) = changed
            .wait_timeout_while(lock(state), Duration::from_mins(1), |state| state.held == 0)
            .expect("the lock is sound");
        assert!(!timeout.timed_out(), "no question is held; asked were {:#?}", guard.asked);
    }
}

impl Drop for GitHub {
    fn drop(&mut self) {
        lock(&self.shared.0).is_over = true;
        // Wakes the listener up.
        let _ = TcpStream::connect(self.address);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Answers questions on one connection, as long as nothing goes wrong.
fn serve(mut stream: TcpStream, address: SocketAddr, shared: &(Mutex<State>, Condvar)) {
    let mut buffer = Vec::new();
    let base = format!("http://{address}");
    while let Some(question) = read(&mut stream, &mut buffer, &base) {
        let (head, fault) = {
            let mut state = lock(&shared.0);
            let fault = state.take_fault(&question.target);
            let answer = match &fault {
                Some(Fault::Status(status)) => answer::empty(*status),
                Some(Fault::Redirect(target)) => answer::redirect(target),
                Some(Fault::Primary(reset)) => answer::primary(*reset),
                Some(Fault::Secondary(seconds)) => answer::secondary(*seconds),
                _ => answer::answer(&mut state.world, &question),
            };
            state.asked.push(Asked {
                target: question.target.clone(),
                is_conditional: question.if_none_match.is_some(),
                authorization: question.authorization.clone(),
                status: answer.status,
            });
            if fault == Some(Fault::Hold) {
                state.held += 1;
                shared.1.notify_all();
            }
            (answer, fault)
        };
        let is_fine = match fault {
            Some(Fault::Drop) => false,
            Some(Fault::Hold) => {
                // The other end closes when its process is gone.
                let _ = stream.read(&mut [0]);
                false
            }
            Some(Fault::CutOff) => {
                let _ = stream.write_all(&head.cut_off());
                false
            }
            Some(Fault::HalfJson) => stream.write_all(&head.with_half_a_body().bytes()).is_ok(),
            Some(Fault::LastOne(reset)) => stream.write_all(&head.into_last_one(reset).bytes()).is_ok(),
            _ => stream.write_all(&head.bytes()).is_ok(),
        };
        if !is_fine {
            return;
        }
    }
}

impl State {
    fn take_fault(&mut self, target: &str) -> Option<Fault> {
        let mut due = None;
        for (at, (part, passes, _)) in self.faults.iter_mut().enumerate() {
            if target.contains(part.as_str()) {
                if *passes == 0 {
                    due.get_or_insert(at);
                } else {
                    *passes -= 1;
                }
            }
        }
        due.map(|at| self.faults.remove(at).2)
    }
}

/// The parts of a question that matter here.
pub(crate) struct Question {
    /// Where it came to.
    pub(crate) base: String,
    pub(crate) target: String,
    pub(crate) if_none_match: Option<String>,
    pub(crate) authorization: Option<String>,
}

fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>, base: &str) -> Option<Question> {
    let end = loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).ok().filter(|count| *count > 0)?;
        buffer.extend_from_slice(&chunk[..count]);
    };
    let head = String::from_utf8(buffer.drain(..end + 4).collect()).ok()?;
    let mut lines = head.split("\r\n");
    let target = lines.next()?.split(' ').nth(1)?.to_owned();
    let header = |wanted: &str| {
        head.split("\r\n").skip(1).find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case(wanted).then(|| value.trim().to_owned())
        })
    };
    let base = base.to_owned();
    Some(Question { base, target, if_none_match: header("if-none-match"), authorization: header("authorization") })
}
