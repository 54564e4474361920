//! Tests of the client against a scripted server, of the journal on disk, and of structured replies.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says by panicking what is wrong"
)]

mod asking;
mod child_processes;
mod extraction;
mod http_odd_replies;
mod http_requests;
mod http_retries;
mod journal_files;
mod keys;
mod scripted_model;
mod scripted_server;
