//! Review records: what the optimizer decided about each merged edit, and on which evidence.
//!
//! Always holds: a citation in a record resolves to a card of the step's pool.

use serde::{Deserialize, Serialize};

use crate::id::{CardId, EditId};

/// What the review does with an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// Well supported: unchanged.
    Retain,
    /// Its applicability is limited by an observable condition.
    Narrow,
    /// Its content is changed.
    Revise,
    /// No relevant evidence: unchanged, with its original uncertainty.
    InsufficientEvidence,
    /// The review said nothing about it: unchanged.
    NotReviewed,
}

impl ReviewDecision {
    /// The decision's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Retain => "retain",
            Self::Narrow => "narrow",
            Self::Revise => "revise",
            Self::InsufficientEvidence => "insufficient_evidence",
            Self::NotReviewed => "not_reviewed",
        }
    }
}

/// How a card bears on an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// It supports the instruction.
    Supports,
    /// It limits where the instruction applies.
    Limits,
    /// It contradicts the instruction under comparable conditions.
    Contradicts,
}

/// A card that a decision rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The card.
    pub card: CardId,
    /// How it bears on the edit.
    pub relation: Relation,
    /// Why, in the reviewer's words; never blank.
    pub reason: String,
}

/// The review of one merged edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRecord {
    /// The merged edit.
    pub edit: EditId,
    /// What the reviewer decided, as enforced.
    pub decision: ReviewDecision,
    /// The reviewer's reason.
    pub reason: String,
    /// The valid citations.
    pub citations: Vec<Citation>,
    /// What of the reviewer's answer was not taken, and why (invalid citations, reverted texts).
    pub refused: Vec<String>,
}
