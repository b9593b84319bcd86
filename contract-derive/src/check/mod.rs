//! The rules: what is wrong with a draft, one function per rule, everything in one go.

pub(crate) mod metadata;
pub(crate) mod parameters;
pub(crate) mod signature;
