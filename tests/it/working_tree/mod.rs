//! Reading real repositories, made on the spot. Each module is named after what it promises.

mod sandbox;
/// Where HEAD is, and what it is compared with.
mod comparison;
/// Which directories are read, and which are refused with which reason.
mod places;
/// A repository of a stranger runs nothing.
mod untrusted;
/// Paths, settings and sizes do not change the answer.
mod output;
/// Nothing is written and nobody is kept waiting.
mod harmless;
/// Submodules are listed, never entered by git itself.
mod submodules;
/// The configuration of the command line: profiles, logins and tokens.
mod configuration;
