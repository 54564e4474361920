//! Rollout groups and what `groups.json` says of them (Equations 2 and 3).
//!
//! Always holds: a group's route is decided by its original rollouts; unscored rollouts are shown and are no part of it.

use serde::{Deserialize, Serialize};
use textualrl_model::{GroupState, Outcome, Reward, RolloutGroup, Route, TaskId, Trajectory};

/// Puts trajectories that stand in the order of their plan into groups of one task each. `k` is the number asked for.
pub fn group(trajectories: Vec<Trajectory>, k: u32) -> Vec<RolloutGroup> {
    let mut groups: Vec<RolloutGroup> = Vec::new();
    for trajectory in trajectories {
        match groups.last_mut() {
            Some(group) if group.task == trajectory.task => group.trajectories.push(trajectory),
            _ => groups.push(RolloutGroup {
                task: trajectory.task.clone(),
                expected: k,
                trajectories: vec![trajectory],
            }),
        }
    }
    groups
}

/// A group in `groups.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// The task.
    pub task: TaskId,
    /// The reward of each rollout in order; none if it was not scored.
    pub rewards: Vec<Option<Reward>>,
    /// The route; none if the group is left out.
    pub route: Option<Route>,
    /// Whether all rollouts were scored.
    pub complete: bool,
    /// Why rollouts were not scored, in their order.
    pub not_scored: Vec<String>,
}

/// The content of `groups.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupsArtifact {
    /// K, the rollouts asked for.
    pub k: u32,
    /// Mixed groups.
    pub mixed: u32,
    /// All-success groups.
    pub all_success: u32,
    /// All-failure groups.
    pub all_failure: u32,
    /// Groups with too few scored rollouts.
    pub left_out: u32,
    /// Rollouts with reward 1.
    pub solved: u32,
    /// Rollouts without a reward.
    pub not_scored: u32,
    /// The groups in task order.
    pub groups: Vec<GroupSummary>,
}

impl GroupsArtifact {
    /// What is to be said of these groups.
    pub fn of(groups: &[RolloutGroup], k: u32) -> Self {
        let mut artifact = Self {
            k,
            mixed: 0,
            all_success: 0,
            all_failure: 0,
            left_out: 0,
            solved: 0,
            not_scored: 0,
            groups: groups.iter().map(GroupSummary::of).collect(),
        };
        for group in &artifact.groups {
            let count = match group.route {
                Some(Route::Mixed) => &mut artifact.mixed,
                Some(Route::AllSuccess) => &mut artifact.all_success,
                Some(Route::AllFailure) => &mut artifact.all_failure,
                None => &mut artifact.left_out,
            };
            *count += 1;
            for reward in &group.rewards {
                match reward {
                    Some(Reward::Success) => artifact.solved += 1,
                    Some(Reward::Failure) => {}
                    None => artifact.not_scored += 1,
                }
            }
        }
        artifact
    }

    /// Rollouts in all.
    pub fn rollouts(&self) -> u32 {
        let rollouts: usize = self.groups.iter().map(|group| group.rewards.len()).sum();
        u32::try_from(rollouts).unwrap_or(u32::MAX)
    }
}

impl GroupSummary {
    fn of(group: &RolloutGroup) -> Self {
        let (route, complete) = match group.state() {
            GroupState::Complete { route } => (Some(route), true),
            GroupState::Incomplete { route } => (Some(route), false),
            GroupState::LeftOut => (None, false),
        };
        let causes = group.trajectories.iter().filter_map(|trajectory| match &trajectory.outcome {
            Outcome::NotScored { cause } => Some(format!("{}: {cause}", trajectory.rollout)),
            Outcome::Scored { .. } => None,
        });
        Self {
            task: group.task.clone(),
            rewards: group.trajectories.iter().map(|trajectory| trajectory.outcome.reward()).collect(),
            route,
            complete,
            not_scored: causes.collect(),
        }
    }
}
