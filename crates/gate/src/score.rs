//! The validation score V̂(C): the mean reward over all validation tasks.
//!
//! Always holds: a task without a reward leaves the score open; it is neither a failure nor left out of the mean.

use textualrl_model::{Reward, TaskId, ValidationScore};

/// Why there is no score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unscored {
    /// Nothing was evaluated.
    #[error("there is no task to score; a gate needs at least one validation task")]
    NoTasks,
    /// Some tasks have no reward after all retries.
    #[error("{} of {of} tasks have no reward: {}; mend what kept them from being scored and resume", .tasks.len(), first_names(.tasks))]
    Tasks {
        /// Those tasks, sorted.
        tasks: Vec<TaskId>,
        /// The tasks in all.
        of: usize,
    },
}

/// The score of a context whose rollouts ended like this, one reward a task.
///
/// # Errors
/// If there is no task, or if any task has no reward.
pub fn score(rewards: &[(TaskId, Option<Reward>)]) -> Result<ValidationScore, Unscored> {
    let mut tasks: Vec<TaskId> =
        rewards.iter().filter(|(_, reward)| reward.is_none()).map(|(task, _)| task.clone()).collect();
    if rewards.is_empty() {
        return Err(Unscored::NoTasks);
    }
    if !tasks.is_empty() {
        tasks.sort();
        return Err(Unscored::Tasks { tasks, of: rewards.len() });
    }
    let solved = rewards.iter().filter(|(_, reward)| *reward == Some(Reward::Success)).count();
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(ValidationScore { solved: count(solved), tasks: count(rewards.len()) })
}

/// The first few names, for a message of readable length.
fn first_names(tasks: &[TaskId]) -> String {
    const SHOWN: usize = 5;
    let names: Vec<&str> = tasks.iter().take(SHOWN).map(TaskId::as_str).collect();
    let more = tasks.len().saturating_sub(SHOWN);
    if more == 0 { names.join(", ") } else { format!("{} and {more} more", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewards(pattern: &str) -> Vec<(TaskId, Option<Reward>)> {
        let reward = |mark| match mark {
            '1' => Some(Reward::Success),
            '0' => Some(Reward::Failure),
            _ => None,
        };
        let task = |number: usize| TaskId::new(format!("t{number}")).unwrap();
        pattern.chars().enumerate().map(|(number, mark)| (task(number), reward(mark))).collect()
    }

    #[test]
    fn a_score_counts_all_tasks() {
        for (pattern, solved, tasks) in [("1", 1, 1), ("0", 0, 1), ("0110", 2, 4)] {
            assert_eq!(score(&rewards(pattern)), Ok(ValidationScore { solved, tasks }), "{pattern}");
        }
    }

    #[test]
    fn a_task_without_a_reward_leaves_the_score_open() {
        assert_eq!(score(&[]), Err(Unscored::NoTasks));
        let error = score(&rewards("1?0?????")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "6 of 8 tasks have no reward: t1, t3, t4, t5, t6 and 1 more; mend what kept them from being scored \
             and resume"
        );
    }
}
