//! Tests of the configuration and of the plan through their public interface.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at what it did not expect, also in its builders"
)]

mod config;
mod plan;
mod projection;
mod world;
