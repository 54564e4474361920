//! Tasks: benchmarks and people's own, how an episode runs and how it is scored.
//!
//! Always holds: nothing here talks to a model or an endpoint.

pub mod benchmark;

pub use benchmark::{Benchmark, Episode, EpisodeError, ExcludedTask, Progress, Tool};
