//! How the target is sampled.
//!
//! Always holds: siblings of a group never share one fixed seed in training, because a plan gives each rollout its
//! own; top-p is never sent.

use serde::{Deserialize, Serialize};
use textualrl_model::settings::{EvaluationSettings, RolloutSettings, SeedPolicy};

/// The seed that a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestSeed {
    /// None.
    None,
    /// This one (validation and test, where there are no siblings).
    Fixed(u64),
    /// The rollout's own.
    PerRollout,
}

/// How the target is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// The temperature; none leaves it to the endpoint.
    pub temperature: Option<f64>,
    /// The seed.
    pub seed: RequestSeed,
}

impl Sampling {
    /// Of training rollouts, also for K = 1.
    pub fn training(settings: &RolloutSettings, policy: SeedPolicy) -> Self {
        let seed = match policy {
            SeedPolicy::None | SeedPolicy::Never => RequestSeed::None,
            SeedPolicy::PerRollout => RequestSeed::PerRollout,
        };
        Self { temperature: Some(settings.temperature), seed }
    }

    /// Of validation and test rollouts.
    pub fn evaluation(settings: &EvaluationSettings, policy: SeedPolicy) -> Self {
        let seed = match policy {
            SeedPolicy::Never => RequestSeed::None,
            SeedPolicy::None | SeedPolicy::PerRollout => RequestSeed::Fixed(settings.seed),
        };
        Self { temperature: Some(settings.temperature), seed }
    }
}
