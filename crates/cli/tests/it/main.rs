//! The binary as people use it: whole runs, stage by stage, over HTTP, killed, and with bad input.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod ablations;
mod alfworld;
mod bad_input;
mod canary;
mod conformance;
mod data;
mod disk_full;
mod documentation;
mod docvqa;
mod honesty;
mod kill;
mod livemath;
mod officeqa;
mod quickstart;
mod resume;
mod run_folder;
mod scratch;
mod searchqa;
mod secrets;
mod shards;
mod simulator;
mod spreadsheet;
mod stages;
