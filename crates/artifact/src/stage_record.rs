//! The record that a stage leaves beside its output (`stage.json`).
//!
//! Always holds: a result is reused only if the recorded inputs equal the inputs that the run would give now; a
//! record holds no time, duration or absolute path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use textualrl_model::{Fingerprint, GateDecision, SkipReason, UsageTotal, ValidationScore};

use crate::slot::Slot;

/// Calls and tokens of a stage by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RoleUsage {
    /// The target's.
    pub target: UsageTotal,
    /// The optimizer's.
    pub optimizer: UsageTotal,
}

/// What later decisions need of a stage, so that they need not open its artifacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StageSummary {
    /// Training rollouts.
    Rollout {
        /// Groups by route: mixed, all-success, all-failure.
        mixed: u32,
        /// See `mixed`.
        all_success: u32,
        /// See `mixed`.
        all_failure: u32,
        /// Groups with too few scored rollouts.
        left_out: u32,
        /// Rollouts in all.
        rollouts: u32,
        /// Rollouts with reward 1.
        solved: u32,
        /// Rollouts without a reward.
        not_scored: u32,
    },
    /// Critic calls.
    Critique {
        /// Analysis groups, each one call.
        calls: u32,
        /// Calls that gave nothing usable, after the re-ask.
        failed_calls: u32,
        /// Edit proposals.
        proposals: u32,
        /// Valid cards.
        cards: u32,
        /// Rejected cards.
        rejected_cards: u32,
    },
    /// Merge, review, ranking.
    Review {
        /// Merged edits.
        merged: u32,
        /// Edits by decision.
        decisions: BTreeMap<String, u32>,
        /// Whether the review failed and the unreviewed edits went on.
        failed: bool,
    },
    /// The patch.
    Patch {
        /// Edits applied.
        applied: u32,
        /// Edits not taken, for whatever reason.
        not_taken: u32,
        /// The candidate, if there is one.
        candidate: Option<Fingerprint>,
        /// Why there is none.
        skip: Option<SkipReason>,
    },
    /// An evaluation: baseline, validation of a candidate, or an arm at the end.
    Evaluation {
        /// The context.
        context: Fingerprint,
        /// The score over all tasks; none while tasks are unscored.
        score: Option<ValidationScore>,
        /// Tasks without a reward after retries.
        not_scored: u32,
    },
    /// The gate.
    Gate {
        /// The whole decision.
        decision: GateDecision,
    },
}

/// What a stage did, from what, with what result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageRecord {
    /// Where it was done.
    pub slot: Slot,
    /// Fingerprints of everything that decides the result, by name.
    pub inputs: BTreeMap<String, Fingerprint>,
    /// Fingerprints of the files it left, by file name.
    pub outputs: BTreeMap<String, Fingerprint>,
    /// 0, or one more for each `--resample`.
    pub generation: u32,
    /// Whether a simulated or recorded model took part.
    pub simulated: bool,
    /// Calls and tokens.
    pub usage: RoleUsage,
    /// What later decisions need.
    pub summary: StageSummary,
}

impl StageRecord {
    /// The fingerprint of the whole output, by which later stages name it as their input.
    pub fn output(&self) -> Fingerprint {
        let parts = self.outputs.iter().flat_map(|(name, fingerprint)| [name.as_str(), fingerprint.as_str()]);
        Fingerprint::of_parts(parts.map(str::as_bytes))
    }
}
