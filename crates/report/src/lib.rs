//! What people see of a run: the summary at its end and the table of its stages.
//!
//! Always holds: everything here is a pure function of values, and a number that a simulated model took part in is
//! never shown without that word.

mod layout;
pub mod status;
pub mod summary;

pub use status::{Mark, StatusRow, StatusTable};
pub use summary::{ArmScores, RunSummary, StepLine};
