//! Rules without stores: records go in, answers come out, and the time is passed in.

pub mod calibration;
pub mod dashboard;
pub mod goal;
pub mod locale_order;
pub mod manage_status;
pub mod moment;
pub mod plan;
pub mod proposals;
pub mod repo_name;
mod words;

pub use words::{blank_to_none, js_number, payload_of, whole_number};

/// The most entries of an aggregate that one answer lists.
pub const MOST_LISTED: usize = 1000;
