//! The settings of each stage, complete: no field stands for "the default".
//!
//! Always holds: the defaults live in one commented file of `pipeline`, not here; an unknown key is an error.

mod data;
mod endpoint;

use serde::{Deserialize, Serialize};

use crate::visible::FeedbackLevel;

pub use data::*;
pub use endpoint::*;

/// How rollouts are collected (`[rollout]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RolloutSettings {
    /// K, trajectories per training task; at least 1.
    pub k: u32,
    /// The temperature of training rollouts, also for `k = 1`.
    pub temperature: f64,
}

/// How validation and test are sampled (`[evaluation]`): K = 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationSettings {
    /// The temperature.
    pub temperature: f64,
    /// The seed sent with each request.
    pub seed: u64,
}

/// Whether critics get their tasks by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Routing {
    /// Mixed alone, homogeneous routes in groups (Section 3.2).
    On,
    /// The ablation "w/o outcome routing": batches of trajectories and one unified prompt.
    Off,
}

/// Which cards reach the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardsKept {
    /// All valid cards.
    All,
    /// The ablation "remove cards without edits".
    OnlyWithEdits,
}

/// How critics are called (`[critique]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CritiqueSettings {
    /// Routing by outcome.
    pub routing: Routing,
    /// Task blocks a homogeneous call (trajectories without routing); at least 2.
    pub group_size: u32,
    /// Edits that a homogeneous critic is told it may propose; at least 1. Mixed critics are told 1.
    pub max_edits: u32,
    /// What of the scorer critics are shown.
    pub feedback: FeedbackLevel,
    /// Which cards are kept.
    pub cards: CardsKept,
    /// Whether critics that can see are shown the images of a task.
    pub images: bool,
}

/// Which cards a review sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewEvidence {
    /// All cards of the step.
    AllGroups,
    /// The ablation "intra-group cards only".
    IntraGroup,
}

/// How proposals are merged and reviewed (`[review]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewSettings {
    /// False is the ablation "w/o proposal review"; cards are still collected.
    pub enabled: bool,
    /// Which cards a review sees.
    pub evidence: ReviewEvidence,
    /// Bundles a merge call; at least 2.
    pub merge_size: u32,
}

/// How the patch is made (`[patch]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchSettings {
    /// The edit budget at the start; at least `min_edits`.
    pub max_edits: u32,
    /// The edit budget at the end; at least 1.
    pub min_edits: u32,
    /// Combinations this similar to a rejected one are repetitions; 0 to 1.
    pub combination_similarity: f64,
    /// Edits this similar are one family; 0 to 1.
    pub family_similarity: f64,
    /// Distinct rejected candidates, none accepted, that block a family; 0 never blocks.
    pub family_rejections: u32,
    /// Marker pairs of protected regions.
    pub protected: Vec<[String; 2]>,
    /// Texts that a candidate must contain.
    pub must_contain: Vec<String>,
    /// The largest candidate in bytes; 0 is unlimited.
    pub max_bytes: u64,
}

/// How far back critics are told of earlier steps (`[history]`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryScope {
    /// Cleared at each epoch, as in the paper.
    Epoch,
    /// The whole run.
    Run,
}

/// What is told of earlier steps (`[history]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistorySettings {
    /// How far back.
    pub scope: HistoryScope,
}

/// When to stop rather than to go on (`[limits]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    /// The share of unscored training rollouts above which the stage stops; 0 to 1.
    pub not_scored: f64,
    /// How often unscored rollouts are tried again at the end of a stage.
    pub not_scored_retries: u32,
}

/// The run as a whole (`[run]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// The seed of shuffles and of derived seeds.
    pub seed: u64,
    /// Passes over the train split; at least 1.
    pub epochs: u32,
    /// Tasks a step; at least 1. The last step of an epoch may be short.
    pub batch_size: u32,
}
