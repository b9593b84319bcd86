//! HTTP without the faults of a first attempt, for every server of this program: who may ask, how much, for how long.
//!
//! A route decides what is answered. What holds for all of them is here: [`guard`] keeps web pages and rebound names out,
//! [`media`] knows what a body may be,
//! [`body`] reads no more than it should, [`listener`] bounds connections and ends them in good order.

pub mod body;
mod connection;
mod cors;
pub mod framing;
pub mod guard;
mod half_close;
pub mod listener;
pub mod mcp;
pub mod media;
mod refusal;
mod seats;

pub use self::refusal::Refusal;
