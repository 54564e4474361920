//! The loop: run what comes next until nothing does.
//!
//! Always holds: the loop keeps no state of its own; it ends when the run is finished, paused or told to stop, and never
//! runs a slot twice in a row to no effect.

use textualrl_artifact::{Slot, StageRecord};
use textualrl_model::StepId;

use crate::next::{Next, SlotState};
use crate::plan::{Plan, Records};

/// How slots are run.
pub trait Runner {
    /// Why a slot could not be run.
    type Error;

    /// Runs a slot in this generation and gives the record that it left.
    ///
    /// # Errors
    /// If the stage failed. What it left half done is not its output.
    fn run(&mut self, slot: Slot, generation: u32) -> Result<StageRecord, Self::Error>;

    /// Called after each slot with all records, for projections and progress.
    ///
    /// # Errors
    /// If a projection could not be written.
    fn after(&mut self, slot: Slot, records: &Records) -> Result<(), Self::Error>;
}

/// How the loop ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// All is done.
    Finished,
    /// Tasks stayed unscored, also when they were tried again.
    Paused {
        /// The slot.
        slot: Slot,
        /// Why, in a sentence.
        reason: String,
    },
    /// The step after which to stop is done.
    Stopped,
}

/// Why the loop could not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoopError<E> {
    /// A slot could not be run.
    #[error(transparent)]
    Run(#[from] E),
    /// A slot was run, and its record does not name the inputs that the plan expects.
    #[error("{slot} was run, but its record does not fit ({inputs} differ); please report this")]
    NoProgress {
        /// The slot.
        slot: Slot,
        /// The inputs, or all of them if there is no record.
        inputs: String,
    },
}

/// Runs a plan on from `records`. A slot that an earlier run left with unscored tasks is tried again once.
///
/// # Errors
/// If a slot could not be run, or was run to no effect.
pub fn run_loop<R: Runner>(
    plan: &Plan,
    mut records: Records,
    stop_after: Option<StepId>,
    runner: &mut R,
) -> Result<End, LoopError<R::Error>> {
    let mut last = None;
    loop {
        let slot = match plan.next(&records) {
            Next::Finished => return Ok(End::Finished),
            // The first look may find what an earlier run left; after that, an open slot was just tried.
            Next::Paused { slot, .. } if last.is_none() => slot,
            Next::Paused { slot, reason } => return Ok(End::Paused { slot, reason }),
            Next::Run(slot) => slot,
        };
        if is_beyond(slot, stop_after) {
            return Ok(End::Stopped);
        }
        if last == Some(slot) {
            return Err(no_progress(plan, &records, slot));
        }
        let record = runner.run(slot, Plan::generation(&records, slot))?;
        records.insert(slot, record);
        runner.after(slot, &records)?;
        last = Some(slot);
    }
}

fn no_progress<E>(plan: &Plan, records: &Records, slot: Slot) -> LoopError<E> {
    let inputs = match plan.state(records, slot) {
        SlotState::Stale { inputs } => inputs.join(", "),
        _ => "all inputs".to_owned(),
    };
    LoopError::NoProgress { slot, inputs }
}

/// Whether `slot` comes after the step that is to be the last one.
fn is_beyond(slot: Slot, last: Option<StepId>) -> bool {
    match (slot, last) {
        (_, None) | (Slot::Baseline, _) => false,
        (Slot::Step { step, .. }, Some(last)) => step > last,
        (Slot::Evaluation { .. }, Some(_)) => true,
    }
}
