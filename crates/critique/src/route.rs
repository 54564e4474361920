//! Routing of rollout groups by their outcomes (Equation 3), before duplicates are consolidated.
//!
//! Always holds: every rollout group becomes one task block or is named as left out; the result does not depend on
//! the order in which the groups are given.

use serde::{Deserialize, Serialize};
use textualrl_model::{FeedbackLevel, GroupState, RolloutGroup, TaskId, VisibleTrajectory};

use crate::dedup::{TaskBlock, consolidate};

/// A rollout group with too few scored rollouts to be routed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutGroup {
    /// The task.
    pub task: TaskId,
    /// Its scored rollouts.
    pub scored: u32,
    /// The rollouts asked for.
    pub expected: u32,
}

/// The task blocks of a step, by task id, and the groups that could not be routed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routed {
    /// The task blocks.
    pub blocks: Vec<TaskBlock>,
    /// The rest.
    pub left_out: Vec<LeftOutGroup>,
}

/// Routes the groups and consolidates their duplicates. `feedback` is what of the scorer's words is kept.
pub fn route(groups: &[RolloutGroup], feedback: FeedbackLevel) -> Routed {
    let mut ordered: Vec<&RolloutGroup> = groups.iter().collect();
    ordered.sort_by(|a, b| a.task.cmp(&b.task));
    let mut routed = Routed { blocks: Vec::new(), left_out: Vec::new() };
    for group in ordered {
        let (route, incomplete) = match group.state() {
            GroupState::Complete { route } => (route, false),
            GroupState::Incomplete { route } => (route, true),
            GroupState::LeftOut => {
                let scored = u32::try_from(group.rewards().len()).unwrap_or(u32::MAX);
                routed.left_out.push(LeftOutGroup {
                    task: group.task.clone(),
                    scored,
                    expected: group.expected,
                });
                continue;
            }
        };
        let siblings =
            group.trajectories.iter().filter_map(|trajectory| VisibleTrajectory::new(trajectory, feedback));
        let trajectories = consolidate(siblings);
        routed.blocks.push(TaskBlock {
            task: group.task.clone(),
            route: Some(route),
            incomplete,
            trajectories,
        });
    }
    routed
}
