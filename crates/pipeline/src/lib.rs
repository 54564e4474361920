//! The plan of a run: configuration, schedules, batches, what runs next, and the loop over it.
//!
//! Always holds: what runs next is a pure function of the configuration, the facts of a run and the records in its
//! folder; nothing here calls a model.

pub mod batch;
pub mod config;
mod inputs;
mod next;
mod plan;
pub mod schedule;

pub use batch::{Batch, PlannedStep};
pub use config::{ConfigError, RunConfig, Sources, UserFile};
pub use inputs::{Input, Inputs};
pub use next::{Next, SlotState, States};
pub use plan::{Facts, Plan, Records, evaluations, standing_after};
