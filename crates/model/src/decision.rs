//! The gate's decision (Algorithm 1, lines 8 to 18).
//!
//! Always holds: a score is of all validation tasks, and an accepted candidate's score is strictly above the
//! reference score.

use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;

/// Mean validation success V̂(C), kept as counts so that comparisons are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidationScore {
    /// Tasks solved.
    pub solved: u32,
    /// Tasks in all; at least 1.
    pub tasks: u32,
}

impl ValidationScore {
    /// The mean reward, from 0 to 1; 0 for no tasks.
    pub fn mean(self) -> f64 {
        if self.tasks == 0 { 0.0 } else { f64::from(self.solved) / f64::from(self.tasks) }
    }

    /// Whether this score is strictly above `other`, exactly (by cross-multiplication).
    pub fn beats(self, other: Self) -> bool {
        u64::from(self.solved) * u64::from(other.tasks) > u64::from(other.solved) * u64::from(self.tasks)
    }
}

/// Why a step ends without a validated candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// No critic proposed an edit.
    NoProposals,
    /// Every edit was dropped, refused, blocked or a repetition.
    NoEditsLeft,
    /// The edits changed nothing.
    CandidateEqualsBase,
}

impl SkipReason {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NoProposals => "no critic proposed an edit",
            Self::NoEditsLeft => "no edit was left after filtering and screening",
            Self::CandidateEqualsBase => "the edits change nothing",
        }
    }
}

/// What happened to a step's candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Decision {
    /// Strictly above the reference score: the candidate becomes the active context.
    Accepted {
        /// Whether it is also above the best score so far.
        new_best: bool,
    },
    /// Not above the reference score. Ties are rejected.
    Rejected,
    /// There was no candidate to validate.
    Skipped {
        /// Why.
        reason: SkipReason,
    },
}

/// The gate's record of one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateDecision {
    /// What was decided.
    pub decision: Decision,
    /// Why, in a sentence with the numbers.
    pub reason: String,
    /// The context that the step started from.
    pub base: Fingerprint,
    /// The candidate, if there was one.
    pub candidate: Option<Fingerprint>,
    /// The candidate's score, if it was validated.
    pub candidate_score: Option<ValidationScore>,
    /// The score that had to be beaten.
    pub reference_score: ValidationScore,
    /// The active context after the step.
    pub active: Fingerprint,
    /// The reference score after the step.
    pub next_reference: ValidationScore,
    /// The best context after the step.
    pub best: Fingerprint,
    /// Its score.
    pub best_score: ValidationScore,
}

/// Where a run stands between two steps: what the next one starts from and must beat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The active context, the base of the next step.
    pub active: Fingerprint,
    /// The score that a candidate must beat.
    pub reference: ValidationScore,
    /// The best context so far.
    pub best: Fingerprint,
    /// Its score.
    pub best_score: ValidationScore,
}

impl Standing {
    /// Before the first step: the initial context is active, reference and best.
    pub fn initial(context: Fingerprint, score: ValidationScore) -> Self {
        Self { active: context.clone(), reference: score, best: context, best_score: score }
    }

    /// After a decision.
    pub fn after(decision: &GateDecision) -> Self {
        Self {
            active: decision.active.clone(),
            reference: decision.next_reference,
            best: decision.best.clone(),
            best_score: decision.best_score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_compare_exactly() {
        let score = |solved, tasks| ValidationScore { solved, tasks };
        for (a, b, beats) in [
            (score(1, 3), score(1, 3), false),
            (score(0, 5), score(0, 5), false),
            (score(2, 6), score(1, 3), false),
            (score(334, 1000), score(1, 3), true),
            (score(0, 0), score(0, 1), false),
        ] {
            assert_eq!(a.beats(b), beats, "{a:?} {b:?}");
        }
    }
}
