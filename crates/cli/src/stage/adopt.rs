//! `--from RUN`: takes the earlier stages' results of a step over from another run.
//!
//! Always holds: a result is taken over only if its inputs are those that this run would give; nothing of the other
//! run is written.

use camino::Utf8Path;
use textualrl_artifact::{Access, RunDir, Slot, StageRecord};
use textualrl_model::{ExitCode, Stage};
use textualrl_pipeline::SlotState;

use super::{unread, unwritten};
use crate::failure::Failure;
use crate::opened::Opened;
use crate::output;

/// Takes over what the stages before `slot` left in the other run, as far as this run lacks it.
pub(super) fn adopt(opened: &Opened, other: &Utf8Path, slot: Slot) -> Result<(), Failure> {
    let other = RunDir::open(other, Access::Read).map_err(|error| Failure::of(error.exit_code(), &error))?;
    for earlier in before(opened, slot) {
        let records = opened.records()?;
        if opened.plan.state(&records, earlier) == SlotState::Done {
            continue;
        }
        let Some(record) = other.record(earlier).map_err(unread)? else { continue };
        check(opened, earlier, &record, &other)?;
        opened.run.copy_slot(&other, earlier).map_err(unwritten)?;
        output::say(&format!("{earlier}: taken over from {}", other.path()));
    }
    Ok(())
}

/// The slots that the plan fills before this one, within its step and the baseline.
fn before(opened: &Opened, slot: Slot) -> Vec<Slot> {
    let of_step = |other: &Slot| match (slot, *other) {
        (Slot::Step { step, .. }, Slot::Step { step: theirs, .. }) => step == theirs,
        (_, Slot::Baseline) => true,
        _ => false,
    };
    opened.plan.slots().take_while(|other| *other != slot).filter(of_step).collect()
}

/// Refuses a result whose inputs are not this run's, naming both.
fn check(opened: &Opened, slot: Slot, record: &StageRecord, other: &RunDir) -> Result<(), Failure> {
    let records = opened.records()?;
    let inputs = opened.plan.inputs(&records, slot).unwrap_or_default();
    for (name, input) in inputs {
        let (Some(ours), theirs) = (input.fingerprint, record.inputs.get(&name)) else { continue };
        if theirs != Some(&ours) {
            let theirs = theirs.map_or("nothing".to_owned(), ToString::to_string);
            let message = format!(
                "the {slot} of {} does not fit: its {name} is {theirs}, and this run's is {ours}",
                other.path()
            );
            return Err(Failure::new(ExitCode::RunFolder, message)
                .hint(format!("run {} in this run instead", name_of(slot))));
        }
    }
    Ok(())
}

fn name_of(slot: Slot) -> String {
    match slot {
        Slot::Step { stage: Stage::Validation, .. } => "rollout --split validation".to_owned(),
        Slot::Step { stage, .. } => stage.to_string(),
        other => other.to_string(),
    }
}
