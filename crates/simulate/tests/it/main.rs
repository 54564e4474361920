//! The tests of the simulated models, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says by panicking what is wrong"
)]

mod coder;
mod loop_in_small;
mod optimizer;
mod quickstart;
mod separation;
mod server;
mod target;
