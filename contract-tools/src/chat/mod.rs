//! Answers questions about the miner's own state in plain language, grounded in the miner's read-only tools and nothing else.
//!
//! A chat is stateless: its [`request`] holds the whole conversation. Whether there is anybody to answer is one rule
//! ([`agent`]), and it fails closed. Who answers stands behind a seam ([`query`]): the program drives a session of the
//! `claude` program ([`claude`]), which starts `loopover miner mcp` for its tools; tests answer themselves. What a session
//! says is redacted and passed on by a [`conversation`], and [`http`] serves it behind the gate of `loopover miner serve`.
//!
//! What keeps a chat from acting is the set of tools that its session is offered, which the session must confirm before
//! anything of it is believed; what keeps it from telling is the [`redaction`]. The [`prompt`] is neither.
//!
//! Known limits. A value without a word beside it ("you own 42 of them"), a translation, a paraphrase and an encoding are not
//! recognised; the tools' answers are redacted before the model sees them, so it has nothing of the kind to say. Elsewhere than
//! on Linux, a `SIGKILL` of this process leaves a session running until its answer is complete.

pub mod event;
pub mod failure;
pub mod agent;
pub mod request;
pub mod prompt;
pub mod query;
pub mod answer;
pub mod claude;
mod figures;
mod structure;
pub mod redaction;
pub mod telemetry;
pub mod conversation;
pub mod http;
