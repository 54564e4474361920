//! Rollout groups D_x and their route (Equations 2 and 3).
//!
//! Always holds: a route is decided by the original rollouts, before duplicates are consolidated, and unscored
//! rollouts are no part of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::TaskId;
use crate::outcome::Reward;
use crate::trajectory::Trajectory;

/// The outcome pattern of a rollout group (Equation 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// Some rollouts succeeded and some failed.
    Mixed,
    /// All succeeded.
    AllSuccess,
    /// All failed.
    AllFailure,
}

impl Route {
    /// The route's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mixed => "mixed",
            Self::AllSuccess => "all-success",
            Self::AllFailure => "all-failure",
        }
    }

    /// The route of these rewards, or nothing if there are none.
    pub fn of(rewards: &[Reward]) -> Option<Self> {
        let successes = rewards.iter().filter(|reward| reward.is_success()).count();
        match (successes, rewards.len()) {
            (_, 0) => None,
            (0, _) => Some(Self::AllFailure),
            (n, all) if n == all => Some(Self::AllSuccess),
            _ => Some(Self::Mixed),
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What can be done with a rollout group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum GroupState {
    /// All K rollouts were scored.
    Complete {
        /// The group's route.
        route: Route,
    },
    /// Some rollouts were not scored, but enough were.
    Incomplete {
        /// The route of the scored ones.
        route: Route,
    },
    /// Too few rollouts were scored (fewer than two, or none if K = 1).
    LeftOut,
}

/// The K trajectories of one task under one context (Equation 2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolloutGroup {
    /// The task.
    pub task: TaskId,
    /// K, the rollouts asked for; at least 1.
    pub expected: u32,
    /// The trajectories in order of their rollout index.
    pub trajectories: Vec<Trajectory>,
}

impl RolloutGroup {
    /// The reward vector r_x of the scored rollouts.
    pub fn rewards(&self) -> Vec<Reward> {
        self.trajectories.iter().filter_map(|trajectory| trajectory.outcome.reward()).collect()
    }

    /// Routes the group by its scored rollouts: at least two of them, or one if K = 1.
    pub fn state(&self) -> GroupState {
        let rewards = self.rewards();
        let needed = if self.expected == 1 { 1 } else { 2 };
        match Route::of(&rewards) {
            Some(route) if rewards.len() >= needed => {
                if rewards.len() == self.expected as usize {
                    GroupState::Complete { route }
                } else {
                    GroupState::Incomplete { route }
                }
            }
            _ => GroupState::LeftOut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Reward::{Failure, Success};

    #[test]
    fn routes_by_outcomes() {
        let cases: [(&[Reward], Option<Route>); 5] = [
            (&[], None),
            (&[Success], Some(Route::AllSuccess)),
            (&[Failure, Failure], Some(Route::AllFailure)),
            (&[Success, Failure, Success, Success], Some(Route::Mixed)),
            (&[Success, Success], Some(Route::AllSuccess)),
        ];
        for (rewards, route) in cases {
            assert_eq!(Route::of(rewards), route, "{rewards:?}");
        }
    }
}
