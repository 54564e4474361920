//! Loading and scoring as a run sees them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says by panicking what is wrong"
)]

mod alfworld;
mod docvqa;
mod officeqa;
mod own_tasks;
mod searchqa;
mod settings;
mod spreadsheet;
