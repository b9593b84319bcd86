//! `loopover miner serve`: who is let in, what a chat streams, what its session may do, and that nothing is left of it. The
//! session is a script; no model is ever called. (The real program runs in `.ci/chat`.)

/// A server, a browser's side of a conversation with it, and the scripted session.
mod server;
/// Who is let in.
mod gate;
/// What is asked of a request, and in which order.
mod order;
/// What a request must be.
mod requests;
/// What a stream says, and when.
mod stream;
/// How a session is started, and what it must say of itself.
mod session;
/// Sessions that fail.
mod failures;
/// How chats end, and that nothing is left.
mod ending;
/// What a killed server leaves.
mod killed;
/// Processes that leave their session, which ends them all the same.
mod leaving;
/// Sessions that flood their chat.
mod flood;
/// Structures and texts that take long to look at.
mod heavy;
/// Recordings of the real program.
mod recordings;
/// The terms in every dress.
mod dresses;
/// What must not leave, in every dress, and what only looks like it.
mod redaction;
/// Terms and figures that are spread over JSON.
mod structures;
/// Terms in other letters that look the same.
mod look_alikes;
/// Answers in pieces, however they are cut.
mod cuts;
/// How long all of it takes.
mod growth;
/// Chats with a session that is a function.
mod seam;
