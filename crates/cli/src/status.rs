//! `textualrl status`: which stages are done, stale or missing.
//!
//! Always holds: the run is only read, whoever else works in it.

use textualrl_artifact::{Access, Slot};
use textualrl_pipeline::{Next, Records, RowPlace, SlotState};
use textualrl_report::{Mark, StatusRow, StatusTable};

use crate::arguments::StatusArguments;
use crate::failure::Failure;
use crate::opened::Opened;
use crate::output;
use crate::summary::simulated;

/// Shows the state of a run.
pub(crate) fn status(arguments: &StatusArguments) -> Result<(), Failure> {
    let opened = Opened::open(&arguments.run, Access::Read, arguments.prompts.as_deref())?;
    let records = opened.records()?;
    let table = table(&opened, &records);
    if arguments.json { output::json(&table) } else { output::data(&table.text()) }
}

fn table(opened: &Opened, records: &Records) -> StatusTable {
    let status = opened.plan.status(records);
    StatusTable {
        run: opened.run.path().to_string(),
        simulated: simulated(&opened.manifest),
        caveats: opened.manifest.caveats.clone(),
        rows: status.rows.iter().map(row).collect(),
        next: match status.next {
            Next::Run(slot) => slot.to_string(),
            Next::Finished => "nothing; the run is finished".to_owned(),
            Next::Paused { reason, .. } => format!("paused: {reason}"),
        },
    }
}

fn row(row: &textualrl_pipeline::StatusRow) -> StatusRow {
    let name = match row.place {
        RowPlace::Baseline => "baseline".to_owned(),
        RowPlace::Step(step) => step.to_string(),
        RowPlace::Evaluation(Slot::Evaluation { arm, split }) => format!("{} {split}", arm.name()),
        RowPlace::Evaluation(slot) => slot.to_string(),
    };
    StatusRow {
        name,
        marks: row.states.iter().map(|(_, state)| mark(state)).collect(),
        score: row.score,
        note: row.decision.as_ref().map_or(String::new(), |decision| decision.reason.clone()),
    }
}

fn mark(state: &SlotState) -> Mark {
    match state {
        SlotState::Done => Mark::Done,
        SlotState::Open { not_scored } => Mark::Open { not_scored: *not_scored },
        SlotState::Stale { inputs } => Mark::Stale { inputs: inputs.clone() },
        SlotState::NotNeeded => Mark::NotNeeded,
        SlotState::Missing => Mark::Missing,
    }
}
