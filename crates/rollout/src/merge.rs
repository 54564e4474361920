//! Puts the shards of a stage together.
//!
//! Always holds: the result is what one process would have collected, or an error; a rollout that is there twice counts
//! once, and only if both records are equal.

use std::collections::BTreeMap;

use textualrl_model::{Fingerprint, Split, Trajectory};

use crate::plan::{RolloutKey, RolloutPlan};

/// How many missing rollouts an error names.
const NAMED: usize = 5;

/// Why shards do not give the whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Rollouts of the plan are in no shard.
    #[error("{count} rollouts are in no shard, among them {named}; run the missing shards first")]
    Missing {
        /// How many.
        count: usize,
        /// The first of them.
        named: String,
    },
    /// A rollout is there twice, with different records.
    #[error(
        "rollout {0} stands in two shards with different records; remove the older shard and run it again"
    )]
    Different(RolloutKey),
    /// A rollout is not in the plan.
    #[error("rollout {0} is not in the plan; the shards are of another step or of other data")]
    Unplanned(RolloutKey),
    /// A record is of another split.
    #[error("rollout {key} is of the {found} split, not of {expected}")]
    Split {
        /// The rollout.
        key: RolloutKey,
        /// Its split.
        found: Split,
        /// The plan's split.
        expected: Split,
    },
    /// Two shards were collected under different contexts.
    #[error("rollout {key} was collected under context {found}, others under {expected}")]
    Context {
        /// The rollout.
        key: RolloutKey,
        /// Its context.
        found: Fingerprint,
        /// The context of the first record.
        expected: Fingerprint,
    },
}

/// Puts the shards of a plan together, in any order.
///
/// # Errors
/// If rollouts are missing, unplanned, of another split or context, or there twice with different records.
pub fn merge_shards(shards: Vec<Vec<Trajectory>>, plan: &RolloutPlan) -> Result<Vec<Trajectory>, MergeError> {
    let positions: BTreeMap<&RolloutKey, usize> = plan.keys().iter().zip(0..).collect();
    let mut merged: BTreeMap<usize, Trajectory> = BTreeMap::new();
    let mut context: Option<Fingerprint> = None;
    for trajectory in shards.into_iter().flatten() {
        let key = RolloutKey { task: trajectory.task.clone(), rollout: trajectory.rollout };
        let Some(position) = positions.get(&key) else { return Err(MergeError::Unplanned(key)) };
        if trajectory.split != plan.split() {
            return Err(MergeError::Split { key, found: trajectory.split, expected: plan.split() });
        }
        let expected = context.get_or_insert_with(|| trajectory.context.clone());
        if trajectory.context != *expected {
            return Err(MergeError::Context { key, found: trajectory.context, expected: expected.clone() });
        }
        match merged.get(position) {
            Some(other) if *other != trajectory => return Err(MergeError::Different(key)),
            Some(_) => {}
            None => drop(merged.insert(*position, trajectory)),
        }
    }
    let missing: Vec<&RolloutKey> = plan
        .keys()
        .iter()
        .zip(0..)
        .filter(|(_, position)| !merged.contains_key(position))
        .map(|(key, _)| key)
        .collect();
    if missing.is_empty() {
        return Ok(merged.into_values().collect());
    }
    let named: Vec<String> = missing.iter().take(NAMED).map(ToString::to_string).collect();
    Err(MergeError::Missing { count: missing.len(), named: named.join(", ") })
}
