//! What a critic may see of a trajectory.
//!
//! Always holds: no gold answer and no scorer internals are in here, except the one feedback text that the
//! configured level allows.

use serde::{Deserialize, Serialize};

use crate::id::{RolloutIndex, TaskId};
use crate::outcome::{Outcome, Reward};
use crate::trajectory::Trajectory;
use crate::turn::{Role, Turn};

/// How much of the scorer's words critics are shown (`critique.feedback`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedbackLevel {
    /// The reward alone.
    None,
    /// Text that the scorer declares free of golds.
    Safe,
    /// The expected answer too, as the released code does.
    Expected,
}

/// A scored trajectory without golds, as a critic sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibleTrajectory {
    /// The task.
    pub task: TaskId,
    /// Which of the K siblings this is.
    pub rollout: RolloutIndex,
    /// Whether the task was solved.
    pub reward: Reward,
    /// What was said, without system turns (which hold the context).
    pub turns: Vec<Turn>,
    /// The scorer's words at the configured level.
    pub feedback: Option<String>,
}

impl VisibleTrajectory {
    /// What of `trajectory` may be shown at `level`; nothing if it was not scored.
    pub fn new(trajectory: &Trajectory, level: FeedbackLevel) -> Option<Self> {
        let Outcome::Scored { reward, feedback, .. } = &trajectory.outcome else { return None };
        let feedback = match level {
            FeedbackLevel::None => None,
            FeedbackLevel::Safe => feedback.safe.clone(),
            FeedbackLevel::Expected => feedback.expected.clone().or_else(|| feedback.safe.clone()),
        };
        let turns = trajectory.turns.iter().filter(|turn| turn.role != Role::System).cloned().collect();
        Some(Self {
            task: trajectory.task.clone(),
            rollout: trajectory.rollout,
            reward: *reward,
            turns,
            feedback,
        })
    }
}
