//! What runs next, as a pure function of the plan and the records.
//!
//! Always holds: a slot is run only when everything before it is done and fits; a slot behind a missing or stale one is
//! stale itself, until it turns out that its inputs came out the same.

use std::collections::BTreeMap;

use textualrl_artifact::{Slot, StageRecord, StageSummary};
use textualrl_model::Stage;

use crate::inputs::has_candidate;
use crate::plan::{Plan, Records};

/// What a slot is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlotState {
    /// Its result fits its inputs.
    Done,
    /// Its result fits its inputs, but tasks stayed unscored, so that nothing can be decided by it.
    Open {
        /// Those tasks.
        not_scored: u32,
    },
    /// Its result was made from other inputs.
    Stale {
        /// The inputs that differ, or that may differ as what makes them is itself missing or stale.
        inputs: Vec<String>,
    },
    /// There is no result.
    Missing,
    /// The run does not need it: the step has no candidate to validate.
    NotNeeded,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Run this slot.
    Run(Slot),
    /// All is done.
    Finished,
    /// Nothing can be decided before the slot's unscored tasks are scored. Running the slot again tries them.
    Paused {
        /// The slot.
        slot: Slot,
        /// Why, in a sentence.
        reason: String,
    },
}

/// The states of all slots of a plan, in its order.
pub type States = BTreeMap<Slot, SlotState>;

impl Plan {
    /// The states of all slots.
    pub fn states(&self, records: &Records) -> States {
        let mut states = States::new();
        for slot in self.slots() {
            let state = self.state_after(records, slot, &states);
            states.insert(slot, state);
        }
        states
    }

    /// The state of one slot; missing if the plan has no such slot.
    pub fn state(&self, records: &Records, slot: Slot) -> SlotState {
        self.states(records).remove(&slot).unwrap_or(SlotState::Missing)
    }

    /// What to do next.
    pub fn next(&self, records: &Records) -> Next {
        let states = self.states(records);
        for slot in self.slots() {
            match states.get(&slot) {
                Some(SlotState::Done | SlotState::NotNeeded) => {}
                Some(SlotState::Open { not_scored }) => {
                    let reason = format!(
                        "{not_scored} tasks of the {slot} have no reward; mend what kept them from being scored, then \
                         resume the run"
                    );
                    return Next::Paused { slot, reason };
                }
                Some(SlotState::Stale { .. } | SlotState::Missing) | None => return Next::Run(slot),
            }
        }
        Next::Finished
    }

    /// The generation in which a slot is to be run: that of its last record, so that a slot once sampled anew is not
    /// answered from older calls.
    pub fn generation(records: &Records, slot: Slot) -> u32 {
        records.get(&slot).map_or(0, |record| record.generation)
    }

    /// The state of a slot, given the states of those before it.
    fn state_after(&self, records: &Records, slot: Slot, states: &States) -> SlotState {
        if let Slot::Step { step, stage: Stage::Validation } = slot {
            let patch = Slot::Step { step, stage: Stage::Patch };
            let done = states.get(&patch) == Some(&SlotState::Done);
            if done && records.get(&patch).is_some_and(|record| !has_candidate(record)) {
                return SlotState::NotNeeded;
            }
        }
        let Some(record) = records.get(&slot) else { return SlotState::Missing };
        let differing = self.differing_inputs(records, slot, record, states);
        if !differing.is_empty() {
            return SlotState::Stale { inputs: differing };
        }
        match record.summary {
            StageSummary::Evaluation { score: None, not_scored, .. } => SlotState::Open { not_scored },
            _ => SlotState::Done,
        }
    }

    /// The names of the inputs in which `record` differs from what the run would give now.
    fn differing_inputs(
        &self,
        records: &Records,
        slot: Slot,
        record: &StageRecord,
        states: &States,
    ) -> Vec<String> {
        let now = self.inputs(records, slot).unwrap_or_default();
        let fits = |slot: Slot| matches!(states.get(&slot), Some(SlotState::Done));
        let mut names: Vec<String> = now
            .iter()
            .filter(|(name, input)| {
                let same =
                    input.fingerprint.is_some() && record.inputs.get(*name) == input.fingerprint.as_ref();
                !same || !input.from.is_none_or(fits)
            })
            .map(|(name, _)| name.clone())
            .collect();
        names.extend(record.inputs.keys().filter(|name| !now.contains_key(*name)).cloned());
        names.sort_unstable();
        names
    }
}
