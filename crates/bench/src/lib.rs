//! Tasks: benchmarks and people's own, how an episode runs and how it is scored.
//!
//! Always holds: nothing here talks to a model or an endpoint.

pub mod alfworld;
pub mod answer;
pub mod benchmark;
pub mod conformance;
pub mod data;
pub mod docvqa;
pub mod feedback;
pub mod livemath;
pub mod officeqa;
pub mod own;
pub mod prompt;
pub mod python;
pub mod registry;
pub mod score;
pub mod searchqa;
pub mod spreadsheet;

pub use benchmark::{Benchmark, Episode, EpisodeError, EpisodeSeed, ExcludedTask, Listing, Progress, Tool};
pub use data::LoadError;
pub use registry::load;

/// The page on adding a benchmark, whose example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/adding-a-benchmark.md")]
pub struct AddingABenchmark;
