//! The signals that ask a process to end, taken as a wish: what it started must end first.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// From here on a write beyond a limit on the size of files (`ulimit -f`) fails like one onto a full device, instead of ending
/// the process without a word. What the process starts has its signals as usual.
pub(crate) fn outlive_file_limits() -> std::io::Result<()> {
    let too_large = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    // What was registered once stays so; nobody has to listen.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let _entered = runtime.enter();
    signal(too_large).map(drop)
}

/// The signals that ask a process to end.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    /// The terminal is gone. None where that is ignored, as `nohup` has it.
    hangup: Option<Signal>,
}

impl Signals {
    /// From here on the process no longer ends by itself.
    pub(crate) fn listen() -> std::io::Result<Self> {
        let hangup = if ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())?, hangup })
    }

    /// The exit code that the next of them asks for, as shells count.
    pub(crate) async fn any(&mut self) -> u8 {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = hangup => 128 + 1,
            _ = self.terminate.recv() => 128 + 15,
            _ = self.interrupt.recv() => 128 + 2,
        }
    }
}

/// Whether this process was started to outlive its terminal. Where the system does not tell, it is left as it is.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_none_or(|ignored| ignored & 1 == 1)
}
