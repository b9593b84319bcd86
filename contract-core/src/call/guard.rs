//! Runs code of others (handlers, policies, observers, clocks) so that a panic in it is an answer and not the end of a call.
//!
//! A panic may carry a payload that panics again when it is dropped; such a payload is left where it is.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::ToolError;

/// What `work` gives, or the text of its panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(described)
}

/// Drops `value`; a panic in its `Drop` ends here.
pub(crate) fn drop_guarded<T>(value: T) {
    let _ = guarded(move || drop(value));
}

/// A panic is the tool's fault; its text may hold anything, so only the operator's log gets it.
pub(crate) fn panicked(text: &str) -> ToolError {
    ToolError::unknown("the tool failed unexpectedly; try again, and tell its author if it stays")
        .caused_by(format!("panic: {text}"))
}

fn described(panic: Box<dyn Any + Send>) -> String {
    let text =
        panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
    if let Err(again) = catch_unwind(AssertUnwindSafe(move || drop(panic))) {
        std::mem::forget(again);
    }
    text.unwrap_or_else(|| "of unknown kind".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{drop_guarded, guarded};

    /// Panics when it is dropped, once more each time.
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::panic_any(Self);
        }
    }

    #[test]
    fn a_panic_is_its_text_and_a_payload_that_panics_again_is_left_alone() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(guarded(|| panic!("one")).map(|(): ()| ()), Err("one".to_owned()));
        assert_eq!(guarded(|| panic!("{}", "two")).map(|(): ()| ()), Err("two".to_owned()));
        assert_eq!(guarded(|| std::panic::panic_any(Bomb)).map(|(): ()| ()), Err("of unknown kind".to_owned()));
        drop_guarded(Bomb);
    }
}
