//! The `loopover` binary with a clock that can be frozen: `--now TIME`, right after the program's name, in seconds since
//! 1970 with an optional fraction. Everything else is the same program.

use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use contract_core::Clock;

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.get(1).is_none_or(|argument| argument != "--now") {
        return contract_tools::main();
    }
    let now = arguments
        .get(2)
        .and_then(|time| time.to_str()?.parse::<f64>().ok())
        .and_then(|seconds| SystemTime::UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?));
    let Some(now) = now else { return ExitCode::from(2) };
    arguments.drain(1..3);
    contract_tools::run(arguments, Clock::frozen(now))
}
