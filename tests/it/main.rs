//! Promises that a running program keeps, and rules about the source tree. One binary, so that it links once.

/// The faults that others reported each have a test here.
mod cases;
/// The miner's chat: a server, a browser's side of it, and a scripted session.
mod chat;
/// The one door, by function call: order, arguments, answers, time.
mod door;
/// The forge store and the ways in, through the real program.
mod forge;
/// The attribute's expansions, as reviewers read them, compiled and called.
mod expansion;
/// Entries made by hand, for registries that must not be the program's own.
mod hand_made;
/// What the documents show is true.
mod documents;
/// What changed between two contracts, and whether the verdict about it is true.
mod evolution;
/// Generated code under every lint, and beside names that hide std's.
mod hygiene;
/// A deployment's private configuration, read by somebody who may not read everything.
mod private_config;
/// Servers over HTTP, by a client that sees every byte.
mod http;
/// Who may see and call what, and that every way in gives the same answer.
mod identity;
/// The miner's tools over real stores.
mod miner;
/// What each published crate holds.
mod packages;
/// What providers and agents are told.
mod projections;
/// The generated reference is that of this program.
mod reference;
/// What a registry refuses, and that it says everything at once.
mod registry;
/// The registry of LoopOver's tools keeps every convention and law, and so does the committed contract.
mod laws;
/// Every shape that serde types give a schema is emitted for every provider or refused with a reason.
mod shapes;
/// Copying repositories out of GitHub's API, over a network that is as networks are.
mod sync;
/// The source tree keeps its own rules: every module says why it exists, arrows point one way.
mod tidy;
/// Reading real git repositories and the command line's configuration.
mod working_tree;
/// The remote tools, each way one can ask them.
mod remote;
/// The TypeScript form of every shape and tool.
mod typescript;
/// The running program, seen from outside.
mod wire;
/// A server's first look at a frame, over many broken ones.
mod wire_fuzz;
