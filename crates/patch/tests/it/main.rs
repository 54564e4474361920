//! Tests of the patch library, by subject.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod failures;
mod laws;
mod observability;
mod rules;
mod similarity;
mod stage;
mod table;
