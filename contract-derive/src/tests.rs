//! The macros on plain token streams.
