//! The table of steps × stages as data, and what is left to do.
//!
//! Always holds: a stale result is listed with the inputs that no longer fit; every slot of the plan is in one row.

use std::collections::BTreeSet;

use serde::Serialize;
use textualrl_artifact::{Slot, StageRecord, StageSummary};
use textualrl_model::{GateDecision, Stage, StepId, ValidationScore};

use crate::next::{Next, SlotState};
use crate::plan::{Plan, Records, evaluations};

/// What a row of the table is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowPlace {
    /// The initial context on validation.
    Baseline,
    /// A step.
    Step(StepId),
    /// An evaluation at the end.
    Evaluation(Slot),
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusRow {
    /// What it is about.
    pub place: RowPlace,
    /// The slots and their states: six for a step, in the order of the stages, one for the others.
    pub states: Vec<(Slot, SlotState)>,
    /// The score of the evaluation, or of the step's candidate.
    pub score: Option<ValidationScore>,
    /// The gate's decision, for a decided step.
    pub decision: Option<GateDecision>,
}

/// The whole table.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusTable {
    /// Baseline, steps, evaluations.
    pub rows: Vec<StatusRow>,
    /// What comes next.
    pub next: Next,
    /// Whether a simulated or recorded model took part.
    pub simulated: bool,
}

/// What is left to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pending {
    /// Slots whose result fits.
    pub done: usize,
    /// Slots with unscored tasks.
    pub open: Vec<Slot>,
    /// Slots whose result no longer fits, in order.
    pub stale: Vec<Slot>,
    /// Slots without a result, in order. Validations that turn out not to be needed are among them.
    pub missing: Vec<Slot>,
}

impl Pending {
    /// The steps that were decided and would be done again.
    pub fn redone_steps(&self) -> BTreeSet<StepId> {
        let decided = self.stale.iter().filter_map(|slot| match slot {
            Slot::Step { step, stage: Stage::Gate } => Some(*step),
            _ => None,
        });
        decided.collect()
    }
}

impl Plan {
    /// The table of steps × stages.
    pub fn status(&self, records: &Records) -> StatusTable {
        let mut states = self.states(records);
        let mut row = |place: RowPlace, slots: Vec<Slot>| {
            let score = slots.iter().filter_map(|slot| records.get(slot)).find_map(score_of);
            let decision = slots.iter().filter_map(|slot| records.get(slot)).find_map(decision_of);
            let state = |slot| (slot, states.remove(&slot).unwrap_or(SlotState::Missing));
            StatusRow {
                place,
                states: slots.into_iter().map(state).collect(),
                score,
                decision: decision.cloned(),
            }
        };
        let mut rows = vec![row(RowPlace::Baseline, vec![Slot::Baseline])];
        for planned in self.steps() {
            let slots = Stage::ALL.map(|stage| Slot::Step { step: planned.step, stage });
            rows.push(row(RowPlace::Step(planned.step), slots.to_vec()));
        }
        rows.extend(evaluations().map(|slot| row(RowPlace::Evaluation(slot), vec![slot])));
        let simulated = records.values().any(|record| record.simulated);
        StatusTable { rows, next: self.next(records), simulated }
    }

    /// What is left to do.
    pub fn pending(&self, records: &Records) -> Pending {
        let states = self.states(records);
        let mut pending = Pending::default();
        for slot in self.slots() {
            match states.get(&slot) {
                Some(SlotState::Done) => pending.done += 1,
                Some(SlotState::NotNeeded) => {}
                Some(SlotState::Open { .. }) => pending.open.push(slot),
                Some(SlotState::Stale { .. }) => pending.stale.push(slot),
                Some(SlotState::Missing) | None => pending.missing.push(slot),
            }
        }
        pending
    }
}

fn score_of(record: &StageRecord) -> Option<ValidationScore> {
    match &record.summary {
        StageSummary::Evaluation { score, .. } => *score,
        _ => None,
    }
}

fn decision_of(record: &StageRecord) -> Option<&GateDecision> {
    match &record.summary {
        StageSummary::Gate { decision } => Some(decision),
        _ => None,
    }
}
