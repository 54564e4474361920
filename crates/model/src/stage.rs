//! The stages of a step and the arms of an evaluation.
//!
//! Always holds: a stage reads what earlier stages left and writes only its own output.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::id::InvalidId;

/// The stages of a step in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// K trajectories per training task (Algorithm 1, line 1).
    Rollout,
    /// Route, deduplicate, ask the critics (lines 2 to 5).
    Critique,
    /// Merge and review (line 6), rank.
    Review,
    /// Filter, screen, clip, apply (lines 7 to 11).
    Patch,
    /// The candidate on the validation tasks (line 12).
    Validation,
    /// Accept or reject, step buffer (lines 13 to 18).
    Gate,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 6] =
        [Self::Rollout, Self::Critique, Self::Review, Self::Patch, Self::Validation, Self::Gate];

    /// The stage's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rollout => "rollout",
            Self::Critique => "critique",
            Self::Review => "review",
            Self::Patch => "patch",
            Self::Validation => "validation",
            Self::Gate => "gate",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stage {
    type Err = InvalidId;
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Self::ALL.into_iter().find(|stage| stage.name() == text).ok_or_else(|| InvalidId::Form {
            kind: "stage",
            text: text.to_owned(),
            example: "rollout, critique, review, patch, validation or gate",
        })
    }
}

/// Which context an evaluation at the end of a run is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// No context at all (epoch 0 of the paper's curves).
    None,
    /// The initial context.
    Initial,
    /// The best context by validation score.
    Best,
}

impl Arm {
    /// All arms, in order.
    pub const ALL: [Self; 3] = [Self::None, Self::Initial, Self::Best];

    /// The arm's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Initial => "initial",
            Self::Best => "best",
        }
    }
}
