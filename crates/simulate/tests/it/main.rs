//! The tests of the simulated models, in one binary.

mod loop_in_small;
mod quickstart;
mod separation;
mod server;
mod target;
