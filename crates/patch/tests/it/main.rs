//! Tests of the patch library, by subject.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[cfg(feature = "cli")]
mod command_line;
mod failures;
mod laws;
mod observability;
mod rules;
mod similarity;
mod stage;
mod table;
