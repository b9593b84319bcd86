//! LoopOver's tools: annotated handlers, one file per family. A handler parses, calls one reader, shapes the reply.

pub mod local_git;
