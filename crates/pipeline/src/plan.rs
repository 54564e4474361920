//! The plan of a run: its facts, its steps and the order of its slots.
//!
//! Always holds: a plan depends on the configuration and the data alone, and never on what happened in the run.

use std::collections::BTreeMap;

use textualrl_artifact::{Slot, StageRecord, StageSummary};
use textualrl_model::{Arm, Fingerprint, Split, Stage, Standing, StepId, TaskId};

use crate::batch::{PlannedStep, Shape, planned_steps};
use crate::config::RunConfig;
use crate::inputs::Fixed;
use crate::schedule;

/// The records of a run by slot, as a run's view holds them.
pub type Records = BTreeMap<Slot, StageRecord>;

/// What is fixed for a run beside its configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The fingerprint of all prompt templates in use.
    pub prompts: Fingerprint,
    /// The fingerprint of each split: tasks, golds, protocol and scoring.
    pub data: BTreeMap<Split, Fingerprint>,
    /// The fingerprint of what the target's endpoint says of itself.
    pub target: Fingerprint,
    /// The fingerprint of what the optimizer's endpoint says of itself.
    pub optimizer: Fingerprint,
    /// The train tasks in file order.
    pub train_tasks: Vec<TaskId>,
    /// The fingerprint of the initial context.
    pub initial_context: Fingerprint,
}

/// A run as it is planned.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub(crate) facts: Facts,
    pub(crate) config: RunConfig,
    steps: Vec<PlannedStep>,
    steps_per_epoch: u32,
    pub(crate) fixed: Fixed,
}

impl Plan {
    /// The plan of a run of `config` over the data that `facts` name.
    pub fn new(facts: Facts, config: RunConfig) -> Self {
        let shape = Shape {
            seed: config.run.seed,
            epochs: config.run.epochs,
            batch_size: config.run.batch_size,
            max_edits: config.patch.max_edits,
            min_edits: config.patch.min_edits,
        };
        let steps = planned_steps(&facts.train_tasks, shape);
        let steps_per_epoch = schedule::steps_per_epoch(facts.train_tasks.len(), config.run.batch_size);
        let fixed = Fixed::new(&facts, &config, &steps);
        Self { facts, config, steps, steps_per_epoch, fixed }
    }

    /// The configuration.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// What is fixed beside the configuration.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[PlannedStep] {
        &self.steps
    }

    /// A step by its id.
    pub fn step(&self, step: StepId) -> Option<&PlannedStep> {
        self.steps.get(self.place(step)?)
    }

    /// The place of a step in the run, from 0.
    pub(crate) fn place(&self, step: StepId) -> Option<usize> {
        let within = (1..=self.steps_per_epoch).contains(&step.step);
        let place = step.epoch.checked_sub(1)?.checked_mul(self.steps_per_epoch)?.checked_add(step.step)?;
        let place = usize::try_from(place).ok()?.checked_sub(1)?;
        (within && place < self.steps.len()).then_some(place)
    }

    /// Every slot that the run may fill, in the order in which they are filled: the baseline, the steps with their
    /// stages, the evaluations.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        let stages = self
            .steps
            .iter()
            .flat_map(|planned| Stage::ALL.map(|stage| Slot::Step { step: planned.step, stage }));
        std::iter::once(Slot::Baseline).chain(stages).chain(evaluations())
    }

    /// Where the state before `step` was recorded: the gate of the step before, or the baseline. Nothing if the plan
    /// has no such step.
    pub fn before(&self, step: StepId) -> Option<Slot> {
        Some(self.gate_before(self.place(step)?))
    }

    /// The last slot that decides which context is best.
    pub fn last_gate(&self) -> Slot {
        self.gate_before(self.steps.len())
    }

    fn gate_before(&self, place: usize) -> Slot {
        match place.checked_sub(1).and_then(|before| self.steps.get(before)) {
            Some(planned) => Slot::Step { step: planned.step, stage: Stage::Gate },
            None => Slot::Baseline,
        }
    }
}

/// The evaluations at the end of a run, in order.
pub fn evaluations() -> impl Iterator<Item = Slot> {
    Arm::ALL.into_iter().flat_map(|arm| {
        [Split::Validation, Split::Test].into_iter().map(move |split| Slot::Evaluation { arm, split })
    })
}

/// Where a run stands after the slot of this record, a baseline or a gate. Nothing for other slots, and nothing for a
/// baseline that left tasks unscored.
pub fn standing_after(record: &StageRecord) -> Option<Standing> {
    match &record.summary {
        StageSummary::Evaluation { context, score: Some(score), .. } => {
            Some(Standing::initial(context.clone(), *score))
        }
        StageSummary::Gate { decision } => Some(Standing::after(decision)),
        _ => None,
    }
}
