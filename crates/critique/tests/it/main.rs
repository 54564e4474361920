//! Tests of the critique stage: tables of cases for its pure parts, and whole steps with a scripted critic.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop at what it did not expect, also in its builders"
)]

mod answer;
mod batch;
mod build;
mod card;
mod fit;
mod history;
mod prompt;
mod scripted;
mod stage;
