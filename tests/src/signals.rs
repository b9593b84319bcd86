//! The signals that end a process in good order, as far as one that a test starts can heed them.

use rustix::process::Signal;

/// Each signal with the exit code that shells give it. Who runs the tests under `nohup` has them ignore `SIGHUP`, and their
/// children with them: then that one ends nobody, rightly.
pub fn ending() -> Vec<(Signal, i32)> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    let mut signals = vec![(Signal::TERM, 143), (Signal::INT, 130)];
    if ignored & 1 == 0 {
        signals.push((Signal::HUP, 129));
    }
    signals
}
