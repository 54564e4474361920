//! What `scores.json` says of an evaluation (Algorithm 1, line 12).
//!
//! Always holds: there is a score only if every task has a reward, so that no error raises or lowers a mean.

use serde::{Deserialize, Serialize};
use textualrl_model::{Fingerprint, Outcome, Reward, Split, TaskId, Trajectory, ValidationScore};

/// A task's reward.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskScore {
    /// The task.
    pub task: TaskId,
    /// Its reward; none if it was not scored.
    pub reward: Option<Reward>,
    /// Why it was not scored.
    pub not_scored: Option<String>,
}

/// The content of `scores.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoresArtifact {
    /// The context that was evaluated.
    pub context: Fingerprint,
    /// The tasks' split.
    pub split: Split,
    /// The score over all tasks; none while tasks are unscored.
    pub score: Option<ValidationScore>,
    /// Tasks without a reward.
    pub not_scored: u32,
    /// The tasks in file order.
    pub tasks: Vec<TaskScore>,
}

impl ScoresArtifact {
    /// What is to be said of these trajectories, one for each task of `split`.
    pub fn of(context: Fingerprint, split: Split, trajectories: &[Trajectory]) -> Self {
        let tasks: Vec<TaskScore> = trajectories.iter().map(TaskScore::of).collect();
        let count = |wanted: Option<Reward>| tasks.iter().filter(|task| task.reward == wanted).count();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (solved, not_scored) = (number(count(Some(Reward::Success))), number(count(None)));
        let all = !tasks.is_empty() && not_scored == 0;
        let score = all.then(|| ValidationScore { solved, tasks: number(tasks.len()) });
        Self { context, split, score, not_scored, tasks }
    }
}

impl TaskScore {
    fn of(trajectory: &Trajectory) -> Self {
        let not_scored = match &trajectory.outcome {
            Outcome::NotScored { cause } => Some(cause.to_string()),
            Outcome::Scored { .. } => None,
        };
        Self { task: trajectory.task.clone(), reward: trajectory.outcome.reward(), not_scored }
    }
}
