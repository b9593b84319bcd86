//! What a child writes to stderr, kept while it runs, so that it never waits for a reader.

use std::io::Read as _;
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// All that was written so far.
pub(crate) struct Complaints(Arc<Mutex<String>>);

impl Complaints {
    /// Reads until the child ends.
    pub(crate) fn of(mut stderr: ChildStderr) -> Self {
        let text: Arc<Mutex<String>> = Arc::default();
        let heard = Arc::clone(&text);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = stderr.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..length]);
                heard.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
            }
        });
        Self(text)
    }

    pub(crate) fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
