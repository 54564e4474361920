//! The trajectory τ: the record of one episode.
//!
//! Always holds: a trajectory names the context it ran under, and holds no time or duration.

use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;
use crate::id::{RolloutIndex, Split, TaskId};
use crate::outcome::Outcome;
use crate::turn::Turn;
use crate::usage::Usage;

/// One run of the target agent on one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trajectory {
    /// The task.
    pub task: TaskId,
    /// Which of the K siblings this is.
    pub rollout: RolloutIndex,
    /// The split that the task is of.
    pub split: Split,
    /// The fingerprint of the context that the agent was given.
    pub context: Fingerprint,
    /// Everything that was said, system turns first.
    pub turns: Vec<Turn>,
    /// How it ended.
    pub outcome: Outcome,
    /// The tokens of all its calls.
    pub usage: Usage,
    /// The completed model calls.
    pub calls: u32,
}
