//! What a call is for: the part of a journal key that the request does not say.
//!
//! Always holds: two calls that must be sampled separately have different identities (the step, the rollout index,
//! the attempt and the generation are part of them), and a call that may be reused has the same one.

use serde::{Deserialize, Serialize};
use textualrl_model::{Fingerprint, RolloutIndex, Split, StepId, TaskId};

use crate::chat::{ChatRequest, EndpointDescription};

/// The two model roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelRole {
    /// The frozen agent.
    Target,
    /// The model that critiques, merges, reviews and ranks.
    Optimizer,
}

/// What kind of call it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallPurpose {
    /// A turn of an episode.
    Rollout,
    /// A critic.
    Critique,
    /// A merge.
    Merge,
    /// A review.
    Review,
    /// A ranking.
    Rank,
}

/// Identifies a call beside its request and endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallIdentity {
    /// The role.
    pub role: ModelRole,
    /// What it is for.
    pub purpose: CallPurpose,
    /// The split, for target calls.
    pub split: Option<Split>,
    /// The step, for training and optimizer calls. Validation and test calls have none, so that the same context
    /// is never evaluated twice.
    pub step: Option<StepId>,
    /// The task, for target calls.
    pub task: Option<TaskId>,
    /// The rollout, for target calls.
    pub rollout: Option<RolloutIndex>,
    /// The turn within the episode, or the number of the call within the stage.
    pub sequence: u32,
    /// 0, or the number of the re-ask or retry.
    pub attempt: u32,
    /// 0, or one more for each `--resample`.
    pub generation: u32,
}

impl CallIdentity {
    /// The journal key of this call: identity, endpoint settings and the full request.
    ///
    /// # Errors
    /// If the request cannot be written as JSON.
    pub fn key(
        &self,
        endpoint: &EndpointDescription,
        request: &ChatRequest,
    ) -> Result<Fingerprint, serde_json::Error> {
        Fingerprint::of_json(&(self, endpoint, request))
    }
}
