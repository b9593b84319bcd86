//! Tools about the working tree.
