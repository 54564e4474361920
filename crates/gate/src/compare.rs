//! Which tasks a candidate wins and loses against the reference. Information for people: nothing is decided by it.
//!
//! Always holds: only tasks that both sides scored are compared, and the others are counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use textualrl_model::{Reward, TaskId};

/// A candidate and the reference, task by task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Comparison {
    /// Tasks that only the candidate solved, sorted.
    pub wins: Vec<TaskId>,
    /// Tasks that only the reference solved, sorted.
    pub losses: Vec<TaskId>,
    /// Tasks that both solved.
    pub both_solved: u32,
    /// Tasks that both failed.
    pub both_failed: u32,
    /// Tasks that at least one side did not score.
    pub not_compared: u32,
}

/// Compares the rewards of a candidate with those of the reference.
pub fn compare(candidate: &[(TaskId, Option<Reward>)], reference: &[(TaskId, Option<Reward>)]) -> Comparison {
    let mut pairs: BTreeMap<&TaskId, (Option<Reward>, Option<Reward>)> = BTreeMap::new();
    for (task, reward) in candidate {
        pairs.entry(task).or_default().0 = *reward;
    }
    for (task, reward) in reference {
        pairs.entry(task).or_default().1 = *reward;
    }
    let mut comparison = Comparison::default();
    for (task, pair) in pairs {
        match pair {
            (Some(Reward::Success), Some(Reward::Failure)) => comparison.wins.push(task.clone()),
            (Some(Reward::Failure), Some(Reward::Success)) => comparison.losses.push(task.clone()),
            (Some(Reward::Success), Some(Reward::Success)) => comparison.both_solved += 1,
            (Some(Reward::Failure), Some(Reward::Failure)) => comparison.both_failed += 1,
            (None, _) | (_, None) => comparison.not_compared += 1,
        }
    }
    comparison
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewards(pattern: &str) -> Vec<(TaskId, Option<Reward>)> {
        let named = pattern.split_whitespace().map(|pair| pair.split_once('=').unwrap());
        let reward = |mark: &str| mark.parse::<u8>().ok().map(|number| Reward::try_from(number).unwrap());
        named.map(|(task, mark)| (TaskId::new(task).unwrap(), reward(mark))).collect()
    }

    #[test]
    fn tasks_are_paired_by_id_and_not_by_position() {
        let candidate = rewards("c=1 a=1 b=0 d=0 e=? g=1");
        let reference = rewards("a=0 b=1 c=1 d=0 e=1 f=1");
        let comparison = compare(&candidate, &reference);
        let names = |tasks: &[TaskId]| tasks.iter().map(TaskId::to_string).collect::<Vec<_>>();
        assert_eq!(
            (names(&comparison.wins), names(&comparison.losses)),
            (vec!["a".into()], vec!["b".into()])
        );
        assert_eq!((comparison.both_solved, comparison.both_failed, comparison.not_compared), (1, 1, 3));
    }
}
