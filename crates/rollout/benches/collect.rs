//! What the stage itself costs a rollout, with a model that answers at once.
#![allow(missing_docs, clippy::unwrap_used)]

fn main() {}
