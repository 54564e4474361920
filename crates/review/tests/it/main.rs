//! Tests of the review stage: tables of cases for its pure parts, and whole steps with a scripted optimizer.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop at what it did not expect, also in its builders"
)]

mod build;
mod enforce;
mod merge;
mod plan;
mod prompt;
mod rank;
mod scripted;
mod stage;
