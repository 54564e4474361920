//! Which rollouts are to be collected, with the seed of each.
//!
//! Always holds: the keys of a plan are distinct and stand in task order, then rollout order; a seed depends on what
//! the rollout is, not on the plan that it stands in; each key is in exactly one of n shards.

use std::collections::BTreeSet;
use std::fmt;

use textualrl_model::{RolloutIndex, Split, StepId, TaskId};

/// One rollout of a plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RolloutKey {
    /// The task.
    pub task: TaskId,
    /// Which of the K siblings.
    pub rollout: RolloutIndex,
}

impl fmt::Display for RolloutKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.task, self.rollout)
    }
}

/// Why there is no such plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A task stands in it twice, so that its rollouts could not be told apart.
    #[error("task {0} is planned twice; remove the duplicate id from the data")]
    DuplicateTask(TaskId),
    /// There is nothing to collect.
    #[error("the {0} split has no task to roll out")]
    NoTasks(Split),
    /// K is 0.
    #[error("rollout.k must be at least 1")]
    NoRollouts,
}

/// The rollouts to collect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolloutPlan {
    split: Split,
    step: Option<StepId>,
    k: u32,
    seed: u64,
    keys: Vec<RolloutKey>,
}

impl RolloutPlan {
    /// K rollouts of each of a step's training tasks. `run_seed` is `run.seed`.
    ///
    /// # Errors
    /// If there is no task, a task stands there twice, or `k` is 0.
    pub fn training(step: StepId, tasks: &[TaskId], k: u32, run_seed: u64) -> Result<Self, PlanError> {
        Self::new(Split::Train, Some(step), tasks, k, run_seed)
    }

    /// One rollout of each task. `seed` is `evaluation.seed`. The plan names no step, so that a context which was
    /// evaluated once is known wherever it comes up again.
    ///
    /// # Errors
    /// If there is no task, or a task stands there twice.
    pub fn evaluation(split: Split, tasks: &[TaskId], seed: u64) -> Result<Self, PlanError> {
        Self::new(split, None, tasks, 1, seed)
    }

    fn new(
        split: Split,
        step: Option<StepId>,
        tasks: &[TaskId],
        k: u32,
        seed: u64,
    ) -> Result<Self, PlanError> {
        if tasks.is_empty() {
            return Err(PlanError::NoTasks(split));
        }
        if k == 0 {
            return Err(PlanError::NoRollouts);
        }
        let mut seen = BTreeSet::new();
        if let Some(task) = tasks.iter().find(|task| !seen.insert(*task)) {
            return Err(PlanError::DuplicateTask(task.clone()));
        }
        let rollouts = |task: &TaskId| {
            let task = task.clone();
            (1..=k).map(move |number| RolloutKey { task: task.clone(), rollout: RolloutIndex::new(number) })
        };
        Ok(Self { split, step, k, seed, keys: tasks.iter().flat_map(rollouts).collect() })
    }

    /// The split that the tasks are of.
    pub fn split(&self) -> Split {
        self.split
    }

    /// The step, for training rollouts.
    pub fn step(&self) -> Option<StepId> {
        self.step
    }

    /// K, the rollouts of a task; at least 1.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The rollouts in task order, then rollout order.
    pub fn keys(&self) -> &[RolloutKey] {
        &self.keys
    }

    /// The rollout's own seed, derived from the seed of the plan, epoch, step, task and rollout index. Below 2^53, so
    /// that it survives JSON readers that know floating-point numbers only.
    pub fn seed(&self, key: &RolloutKey) -> u64 {
        let mut hasher = blake3::Hasher::new();
        let (epoch, step) = self.step.map_or((0, 0), |step| (step.epoch, step.step));
        hasher.update(b"rollout seed").update(&self.seed.to_le_bytes());
        hasher.update(&epoch.to_le_bytes()).update(&step.to_le_bytes());
        number_of(&mut hasher, key) >> 11
    }

    /// The seed that all rollouts of the plan share: `run.seed + 1000 · epoch + step` for a step's training rollouts, as
    /// released, and `evaluation.seed` for an evaluation.
    pub fn batch_seed(&self) -> u64 {
        let step = self.step.map_or(0, |step| 1000 * u64::from(step.epoch) + u64::from(step.step));
        self.seed.wrapping_add(step)
    }

    /// Part `number`, from 0, of `of` parts. A `number` that is not below `of` gives an empty plan.
    #[must_use]
    pub fn shard(&self, number: u32, of: u32) -> Self {
        let keys = self.keys.iter().filter(|key| shard_of(key, of) == number).cloned().collect();
        Self { keys, ..self.clone() }
    }
}

/// The part of `of` parts that a rollout belongs to, on whatever machine.
fn shard_of(key: &RolloutKey, of: u32) -> u32 {
    let number = number_of(blake3::Hasher::new().update(b"rollout shard"), key);
    u32::try_from(number % u64::from(of.max(1))).unwrap_or(0)
}

fn number_of(hasher: &mut blake3::Hasher, key: &RolloutKey) -> u64 {
    // The task comes last: it is the only part whose length varies.
    hasher.update(&key.rollout.get().to_le_bytes()).update(key.task.as_str().as_bytes());
    let hash = hasher.finalize();
    hash.as_bytes().first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
