//! How an episode ended.
//!
//! Always holds: a broken provider, scorer or sandbox is never a reward of 0.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The binary reward R(τ) of Equation 1. Written as 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Reward {
    /// The task was not solved.
    Failure,
    /// The task was solved.
    Success,
}

impl Reward {
    /// `Success` if `solved`.
    pub fn of(solved: bool) -> Self {
        if solved { Self::Success } else { Self::Failure }
    }

    /// Whether the task was solved.
    pub fn is_success(self) -> bool {
        self == Self::Success
    }
}

impl From<Reward> for u8 {
    fn from(reward: Reward) -> Self {
        u8::from(reward.is_success())
    }
}

impl TryFrom<u8> for Reward {
    type Error = String;
    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            0 => Ok(Self::Failure),
            1 => Ok(Self::Success),
            other => Err(format!("a reward is 0 or 1, not {other}")),
        }
    }
}

/// What the scorer says about an episode beside its reward.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Feedback {
    /// Text that the scorer declares free of golds, such as "no answer tag".
    pub safe: Option<String>,
    /// Text that may name the expected answer. Reaches critics at feedback level `expected` only.
    pub expected: Option<String>,
}

/// Why an episode has no reward.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum NotScoredCause {
    /// The endpoint could not be reached, timed out or answered with errors after all retries.
    Provider {
        /// The endpoint's name and what went wrong, without keys.
        message: String,
    },
    /// The scorer could not run or answered nonsense.
    Scorer {
        /// What went wrong.
        message: String,
    },
    /// The sandbox or the environment could not run.
    Environment {
        /// What went wrong.
        message: String,
    },
}

impl fmt::Display for NotScoredCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider { message } => write!(f, "provider: {message}"),
            Self::Scorer { message } => write!(f, "scorer: {message}"),
            Self::Environment { message } => write!(f, "environment: {message}"),
        }
    }
}

/// How an episode ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Outcome {
    /// The episode was scored.
    Scored {
        /// 0 or 1.
        reward: Reward,
        /// The answer that was scored, if one was found.
        answer: Option<String>,
        /// What the scorer says.
        feedback: Feedback,
    },
    /// The episode has no reward.
    NotScored {
        /// Why.
        cause: NotScoredCause,
    },
}

impl Outcome {
    /// The reward, if there is one.
    pub fn reward(&self) -> Option<Reward> {
        match self {
            Self::Scored { reward, .. } => Some(*reward),
            Self::NotScored { .. } => None,
        }
    }

    /// A failure with a safe word of feedback and no answer.
    pub fn failure(safe: impl Into<String>) -> Self {
        Self::Scored {
            reward: Reward::Failure,
            answer: None,
            feedback: Feedback { safe: Some(safe.into()), expected: None },
        }
    }
}
