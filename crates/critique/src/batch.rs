//! Analysis groups: the task blocks of each critic call (Section 3.2, Appendix B.2).
//!
//! Always holds: each task of a route is in exactly one group, or its route is named as skipped; a mixed task is
//! alone, a homogeneous group has at least two tasks; the order follows from the seed and the step alone.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use textualrl_model::settings::{CritiqueSettings, Routing};
use textualrl_model::{Route, StepId, TaskId};

use crate::dedup::{TaskBlock, UniqueTrajectory};

/// The task blocks of one critic call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisGroup {
    /// The route of all its blocks. None under the ablation without routing.
    pub route: Option<Route>,
    /// The blocks, never empty.
    pub blocks: Vec<TaskBlock>,
    /// The edits that the critic may propose; at least 1.
    pub max_edits: u32,
}

/// A homogeneous route with a single task, of which nothing can be shared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedRoute {
    /// The route.
    pub route: Route,
    /// Its only task.
    pub task: TaskId,
}

/// The critic calls of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batches {
    /// The groups: mixed, all-failure, all-success.
    pub groups: Vec<AnalysisGroup>,
    /// The routes that were skipped.
    pub skipped: Vec<SkippedRoute>,
}

/// The streams of the run's generator, one for each thing that is shuffled in a step.
#[derive(Clone, Copy)]
enum Stream {
    AllFailure = 0,
    AllSuccess = 1,
    Unrouted = 2,
}

/// Forms the analysis groups of a step.
pub fn batch(blocks: Vec<TaskBlock>, settings: &CritiqueSettings, seed: u64, step: StepId) -> Batches {
    let size = settings.group_size.max(2) as usize;
    if settings.routing == Routing::Off {
        let groups = unrouted(blocks, size, settings.max_edits, generator(seed, step, Stream::Unrouted));
        return Batches { groups, skipped: Vec::new() };
    }
    let of = |route: Route| blocks.iter().filter(move |block| block.route == Some(route)).cloned();
    let mut batches = Batches { groups: Vec::new(), skipped: Vec::new() };
    for block in of(Route::Mixed) {
        batches.groups.push(AnalysisGroup { route: Some(Route::Mixed), blocks: vec![block], max_edits: 1 });
    }
    for (route, stream) in [(Route::AllFailure, Stream::AllFailure), (Route::AllSuccess, Stream::AllSuccess)]
    {
        let mut tasks: Vec<TaskBlock> = of(route).collect();
        if let [only] = tasks.as_slice() {
            batches.skipped.push(SkippedRoute { route, task: only.task.clone() });
            continue;
        }
        tasks.shuffle(&mut generator(seed, step, stream));
        batches.groups.extend(in_groups(tasks, size).into_iter().map(|blocks| AnalysisGroup {
            route: Some(route),
            blocks,
            max_edits: settings.max_edits.max(1),
        }));
    }
    batches
}

/// Batches of unique trajectories, whatever their task and outcome. Those of one task in one batch share a block.
fn unrouted(
    blocks: Vec<TaskBlock>,
    size: usize,
    max_edits: u32,
    mut generator: ChaCha8Rng,
) -> Vec<AnalysisGroup> {
    let mut single: Vec<TaskBlock> = blocks.into_iter().flat_map(by_trajectory).collect();
    single.shuffle(&mut generator);
    let groups = in_groups(single, size).into_iter();
    groups
        .map(|batch| AnalysisGroup {
            route: None,
            blocks: joined_by_task(batch),
            max_edits: max_edits.max(1),
        })
        .collect()
}

/// A block without a route for each trajectory of a block.
fn by_trajectory(block: TaskBlock) -> impl Iterator<Item = TaskBlock> {
    let TaskBlock { task, incomplete, trajectories, .. } = block;
    trajectories.into_iter().map(move |trajectory| TaskBlock {
        task: task.clone(),
        route: None,
        incomplete,
        trajectories: vec![trajectory],
    })
}

/// Joins the blocks of one task, in order of their first appearance.
fn joined_by_task(batch: Vec<TaskBlock>) -> Vec<TaskBlock> {
    let mut joined: Vec<TaskBlock> = Vec::new();
    for block in batch {
        match joined.iter_mut().find(|known| known.task == block.task) {
            Some(known) => known.trajectories.extend(block.trajectories),
            None => joined.push(block),
        }
    }
    let index = |trajectory: &UniqueTrajectory| trajectory.shown.rollout;
    for block in &mut joined {
        block.trajectories.sort_by_key(index);
    }
    joined
}

/// Consecutive groups of `size`; a last one of one joins the one before.
fn in_groups(blocks: Vec<TaskBlock>, size: usize) -> Vec<Vec<TaskBlock>> {
    let mut groups: Vec<Vec<TaskBlock>> = blocks.chunks(size.max(1)).map(<[TaskBlock]>::to_vec).collect();
    if let Some(alone) = groups.pop_if(|last| last.len() == 1) {
        match groups.last_mut() {
            Some(before) => before.extend(alone),
            None => groups.push(alone),
        }
    }
    groups
}

/// The generator of one shuffle: the run's seed, and a stream of its own for each step and purpose.
fn generator(seed: u64, step: StepId, stream: Stream) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream((u64::from(step.epoch) << 32) | (u64::from(step.step) << 2) | stream as u64);
    generator
}
