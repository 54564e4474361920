//! The batches of an epoch: one seeded shuffle of the train split, cut into pieces.
//!
//! Always holds: every train task is in exactly one batch of each epoch; a batch depends on the tasks, the run's seed,
//! the epoch and its place, and on nothing that happens in the run.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use textualrl_model::{Fingerprint, StepId, TaskId};

use crate::schedule;

/// A step as it is planned before the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedStep {
    /// The step.
    pub step: StepId,
    /// Its tasks, in their shuffled order.
    pub tasks: Vec<TaskId>,
    /// The seed that its analysis groups are shuffled by.
    pub seed: u64,
    /// L, the edits that its patch may hold.
    pub edit_budget: u32,
}

/// A step as it is begun (`batch.json`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// The step.
    pub step: StepId,
    /// Its tasks, in their shuffled order.
    pub tasks: Vec<TaskId>,
    /// The seed that its analysis groups are shuffled by.
    pub seed: u64,
    /// The context that the step starts from.
    pub context: Fingerprint,
    /// L, the edits that its patch may hold.
    pub edit_budget: u32,
}

impl PlannedStep {
    /// The batch of this step under `context`.
    pub fn under(&self, context: Fingerprint) -> Batch {
        Batch {
            step: self.step,
            tasks: self.tasks.clone(),
            seed: self.seed,
            context,
            edit_budget: self.edit_budget,
        }
    }
}

/// What the batches of a run are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) seed: u64,
    pub(crate) epochs: u32,
    pub(crate) batch_size: u32,
    pub(crate) max_edits: u32,
    pub(crate) min_edits: u32,
}

/// All steps of a run over these train tasks, in order.
pub(crate) fn planned_steps(train: &[TaskId], shape: Shape) -> Vec<PlannedStep> {
    let size = usize::try_from(shape.batch_size.max(1)).unwrap_or(usize::MAX);
    let in_epoch = schedule::steps_per_epoch(train.len(), shape.batch_size);
    let shuffled = (1..=shape.epochs).flat_map(|epoch| {
        let batches: Vec<Vec<TaskId>> = shuffled(train, derived_seed(shape.seed, "epoch", epoch, 0))
            .chunks(size)
            .map(<[_]>::to_vec)
            .collect();
        batches
    });
    let steps = schedule::steps(shape.epochs, in_epoch);
    let total = shape.epochs.saturating_mul(in_epoch);
    let places = 1_u32..;
    places
        .zip(steps.zip(shuffled))
        .map(|(place, (step, tasks))| PlannedStep {
            step,
            tasks,
            seed: derived_seed(shape.seed, "step", step.epoch, step.step),
            edit_budget: schedule::edit_budget(place, total, shape.max_edits, shape.min_edits),
        })
        .collect()
}

fn shuffled(tasks: &[TaskId], seed: u64) -> Vec<TaskId> {
    let mut tasks = tasks.to_vec();
    tasks.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    tasks
}

/// A seed of its own for each use, so that neighbouring run seeds and epochs share no shuffle. It fits into 63 bits,
/// which every format can hold.
fn derived_seed(seed: u64, what: &str, epoch: u32, step: u32) -> u64 {
    let digits = Fingerprint::of(format!("{what} {seed} {epoch} {step}").as_bytes());
    let high = digits.as_str().get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    high.unwrap_or(seed) >> 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn tasks(count: usize) -> Vec<TaskId> {
        (0..count).map(|number| TaskId::new(format!("t{number:03}")).unwrap()).collect()
    }

    fn shape(seed: u64, batch_size: u32) -> Shape {
        Shape { seed, epochs: 3, batch_size, max_edits: 4, min_edits: 2 }
    }

    #[test]
    fn a_seed_gives_the_same_batches_everywhere() {
        let steps = planned_steps(&tasks(10), shape(42, 4));
        let sizes: Vec<usize> = steps.iter().map(|step| step.tasks.len()).collect();
        assert_eq!(sizes, [4, 4, 2, 4, 4, 2, 4, 4, 2]);
        assert_eq!(steps, planned_steps(&tasks(10), shape(42, 4)));
        assert_ne!(steps, planned_steps(&tasks(10), shape(43, 4)));
        let first: Vec<&str> = steps[0].tasks.iter().map(TaskId::as_str).collect();
        assert_eq!(first, ["t000", "t007", "t002", "t003"]);
    }

    #[test]
    fn nothing_is_planned_without_tasks() {
        assert_eq!(planned_steps(&[], shape(1, 4)), []);
    }

    proptest! {
        #[test]
        fn each_epoch_holds_every_task_once(count in 1_usize..80, size in 1_u32..50, seed: u64) {
            let all = tasks(count);
            let steps = planned_steps(&all, shape(seed, size));
            for epoch in 1..=3 {
                let of_epoch = steps.iter().filter(|step| step.step.epoch == epoch);
                let mut found: Vec<TaskId> = of_epoch.flat_map(|step| step.tasks.clone()).collect();
                found.sort();
                prop_assert_eq!(&found, &all);
            }
            let seeds: BTreeSet<u64> = steps.iter().map(|step| step.seed).collect();
            prop_assert_eq!(seeds.len(), steps.len());
            prop_assert!(seeds.iter().all(|seed| *seed <= i64::MAX as u64));
        }
    }
}
