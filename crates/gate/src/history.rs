//! The candidates that were judged so far, for screening repetitions and counting edit families.
//!
//! Always holds: a candidate enters when it was validated, with all its edits, and its verdict never changes.

use serde::{Deserialize, Serialize};
use textualrl_model::{Decision, Edit, GateDecision, StepId};

/// A candidate that the gate decided on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedCandidate {
    /// The step.
    pub step: StepId,
    /// The edits that were applied together.
    pub edits: Vec<Edit>,
    /// Whether it was accepted.
    pub accepted: bool,
}

/// All candidates that the gate decided on, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CandidateHistory {
    /// The candidates.
    pub candidates: Vec<JudgedCandidate>,
}

impl CandidateHistory {
    /// This history and the candidate of `step`, if it was validated.
    #[must_use]
    pub fn with(&self, step: StepId, edits: &[Edit], decision: &GateDecision) -> Self {
        let mut candidates = self.candidates.clone();
        let accepted = match decision.decision {
            Decision::Skipped { .. } => return Self { candidates },
            Decision::Accepted { .. } => true,
            Decision::Rejected => false,
        };
        candidates.push(JudgedCandidate { step, edits: edits.to_vec(), accepted });
        Self { candidates }
    }

    /// The edits of the candidates rejected in `epoch`.
    pub fn rejected_in(&self, epoch: u32) -> impl Iterator<Item = &[Edit]> {
        let rejected = self.candidates.iter().filter(move |one| !one.accepted && one.step.epoch == epoch);
        rejected.map(|candidate| candidate.edits.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use textualrl_model::{Fingerprint, SkipReason, Standing, ValidationScore};

    use super::*;
    use crate::{Offer, decide};

    #[test]
    fn judged_candidates_are_kept_and_skips_are_not() {
        let score = |solved| ValidationScore { solved, tasks: 4 };
        let standing = Standing::initial(Fingerprint::of(b"base"), score(2));
        let validated =
            |solved| Offer::Validated { candidate: Fingerprint::of(b"candidate"), score: score(solved) };
        let mut history = CandidateHistory::default();
        for (epoch, step, offer) in [
            (1, 1, validated(2)),
            (1, 2, validated(3)),
            (1, 3, Offer::Skipped(SkipReason::NoProposals)),
            (2, 1, validated(0)),
        ] {
            let edits = [Edit::append(format!("rule {epoch} {step}"))];
            history = history.with(StepId::new(epoch, step), &edits, &decide(&standing, &offer));
        }
        let verdicts: Vec<_> =
            history.candidates.iter().map(|one| (one.step.to_string(), one.accepted)).collect();
        let expected = [("e1-s01", false), ("e1-s02", true), ("e2-s01", false)];
        assert_eq!(verdicts, expected.map(|(step, accepted)| (step.to_owned(), accepted)));
        assert_eq!(history.rejected_in(2).collect::<Vec<_>>(), [[Edit::append("rule 2 1")].as_slice()]);
    }
}
