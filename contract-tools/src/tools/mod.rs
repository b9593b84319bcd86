//! LoopOver's tools: annotated handlers, one file per family. A handler parses, calls one reader, shapes the reply.

pub mod local_git;
pub mod miner_calibration;
pub mod miner_ledgers;
pub mod miner_plans;
pub mod miner_portfolio;
pub mod miner_status;
pub mod repository_context;
pub mod review;
pub mod discovery;
pub mod admin;
mod gather;
mod miner_shared;
mod remote_shared;
