//! Evidence cards and the pool E_t (Equations 4 and 5).
//!
//! Always holds: a card in a pool was validated against the trajectories displayed in the call it came from, and
//! a pool holds cards of its own step only.

use serde::{Deserialize, Serialize};

use crate::group::Route;
use crate::id::{CardId, GroupId, RolloutIndex, TaskId};
use crate::outcome::Reward;

/// An observation about one trajectory, kept whether or not its call proposed an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceCard {
    /// The card's id within the step.
    pub id: CardId,
    /// The task.
    pub task_id: TaskId,
    /// The rollout, the first of its duplicates.
    pub rollout_id: RolloutIndex,
    /// A verbatim piece of what was displayed, 1 to 800 characters.
    pub quote: String,
    /// The observable precondition, at most 300 characters, or "unknown".
    pub condition: String,
    /// What the agent did, 1 to 300 characters.
    pub behavior: String,
    /// Its visible effect, at most 300 characters, or "unknown".
    pub observed_effect: String,
    /// The route of the task's group. None under the ablation without routing.
    pub route: Option<Route>,
    /// The outcome of the rollout.
    pub outcome: Reward,
    /// The analysis group whose critic wrote the card.
    pub group: GroupId,
}

/// All valid cards of a step, in order of group and number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EvidencePool {
    /// The cards.
    pub cards: Vec<EvidenceCard>,
}

impl EvidencePool {
    /// The card of this task and rollout.
    pub fn find(&self, task: &TaskId, rollout: RolloutIndex) -> Option<&EvidenceCard> {
        self.cards.iter().find(|card| card.task_id == *task && card.rollout_id == rollout)
    }
}

/// Why a proposed card was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum CardRejection {
    /// The card is no object, or a field has the wrong type.
    #[error("malformed card: {message}")]
    Malformed {
        /// Which field and what was found.
        message: String,
    },
    /// The task or rollout was not displayed in this call.
    #[error("{task_id}/{rollout_id} was not displayed in this call")]
    NotDisplayed {
        /// The task as cited.
        task_id: String,
        /// The rollout as cited.
        rollout_id: String,
    },
    /// The quote is empty or too long.
    #[error("the quote has {characters} characters; 1 to 800 are allowed")]
    QuoteLength {
        /// Its characters.
        characters: usize,
    },
    /// The quote does not occur in what was displayed of the trajectory.
    #[error("the quote does not occur in what was displayed of the trajectory")]
    QuoteNotFound,
    /// A description is missing or too long.
    #[error("{field} has {characters} characters; 1 to 300 are allowed")]
    DescriptionLength {
        /// The field.
        field: String,
        /// Its characters.
        characters: usize,
    },
    /// The trajectory has a valid card already.
    #[error("the trajectory has a card already")]
    Duplicate,
}
