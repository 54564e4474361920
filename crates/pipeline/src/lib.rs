//! The plan of a run: configuration, schedules, batches, what runs next, and the loop over it.
//!
//! Always holds: what runs next is a pure function of the configuration, the facts of a run and the records in its
//! folder; nothing here calls a model.

pub mod batch;
pub mod calls;
pub mod config;
mod inputs;
mod next;
mod plan;
pub mod projection;
mod run_loop;
pub mod schedule;
pub mod status;

pub use batch::{Batch, PlannedStep};
pub use calls::{CallEstimate, Sizes};
pub use config::{ConfigError, RunConfig, Sources, UserFile};
pub use inputs::{Input, Inputs};
pub use next::{Next, SlotState, States};
pub use plan::{Facts, Plan, Records, evaluations, standing_after};
pub use projection::{AdoptedContext, HistoryLine, adopted_contexts, best_context, history, standing};
pub use run_loop::{End, LoopError, Runner, run_loop};
pub use status::{Pending, RowPlace, StatusRow, StatusTable};
