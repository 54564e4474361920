//! The rollout stage with a scripted benchmark and a scripted model.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod collecting;
mod failing;
mod grouping;
mod laws;
mod scripted;
