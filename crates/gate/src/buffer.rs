//! The step buffer H (Algorithm 1, line 18).
//!
//! Always holds: only a validated candidate leaves an entry; an entry of a rejection holds the edits and both scores;
//! within the scope `epoch` no entry of an earlier epoch is left.

use textualrl_model::settings::HistoryScope;
use textualrl_model::{
    BufferEntry, Decision, Edit, FailurePattern, GateDecision, Rejection, StepBuffer, StepId,
};

/// What a step contributes to the buffer beside its decision.
#[derive(Debug, Clone, PartialEq)]
pub struct StepFacts {
    /// The step.
    pub step: StepId,
    /// Tasks with at least one failed rollout.
    pub failed_tasks: u32,
    /// Tasks that were routed.
    pub tasks: u32,
    /// The kinds of failure.
    pub patterns: Vec<FailurePattern>,
    /// The edits that the candidate was made by.
    pub edits: Vec<Edit>,
}

/// The buffer after a step: what is left of `previous` within `scope`, and an entry for this step if its candidate was
/// validated. A pattern with a blank label says nothing and is left out.
pub fn step_buffer(
    previous: &StepBuffer,
    scope: HistoryScope,
    facts: StepFacts,
    decision: &GateDecision,
) -> StepBuffer {
    let mut entries = visible_to(previous, scope, facts.step).entries;
    if let Some(candidate) = decision.candidate_score {
        let accepted = matches!(decision.decision, Decision::Accepted { .. });
        let rejection = Rejection {
            edits: facts.edits,
            reference: decision.reference_score.mean(),
            candidate: candidate.mean(),
        };
        entries.push(BufferEntry {
            step: facts.step,
            accepted,
            failed_tasks: facts.failed_tasks,
            tasks: facts.tasks,
            patterns: facts.patterns.into_iter().filter(|pattern| !pattern.label.trim().is_empty()).collect(),
            rejection: (!accepted).then_some(rejection),
        });
    }
    StepBuffer { entries }
}

/// What of `buffer` the critics of `step` may read.
pub fn visible_to(buffer: &StepBuffer, scope: HistoryScope, step: StepId) -> StepBuffer {
    let within = |entry: &&BufferEntry| match scope {
        HistoryScope::Epoch => entry.step.epoch == step.epoch,
        HistoryScope::Run => true,
    };
    StepBuffer { entries: buffer.entries.iter().filter(within).cloned().collect() }
}

#[cfg(test)]
mod tests {
    use textualrl_model::{Fingerprint, SkipReason, Standing, TaskId, ValidationScore};

    use super::*;
    use crate::{Offer, decide};

    fn decision(solved: Option<u32>) -> GateDecision {
        let score = |solved| ValidationScore { solved, tasks: 4 };
        let standing = Standing::initial(Fingerprint::of(b"base"), score(2));
        let offer = match solved {
            None => Offer::Skipped(SkipReason::NoEditsLeft),
            Some(solved) => {
                Offer::Validated { candidate: Fingerprint::of(b"candidate"), score: score(solved) }
            }
        };
        decide(&standing, &offer)
    }

    fn facts(epoch: u32, step: u32) -> StepFacts {
        let pattern =
            |label: &str| FailurePattern { label: label.to_owned(), tasks: vec![TaskId::new("t1").unwrap()] };
        StepFacts {
            step: StepId::new(epoch, step),
            failed_tasks: 1,
            tasks: 3,
            patterns: vec![pattern("no answer tag"), pattern(" ")],
            edits: vec![Edit::append("Answer briefly.")],
        }
    }

    #[test]
    fn a_rejection_holds_edits_and_scores() {
        let buffer =
            step_buffer(&StepBuffer::default(), HistoryScope::Epoch, facts(1, 1), &decision(Some(1)));
        let entry = &buffer.entries[0];
        let edits = vec![Edit::append("Answer briefly.")];
        assert_eq!(entry.rejection, Some(Rejection { edits, reference: 0.5, candidate: 0.25 }));
        assert_eq!((entry.accepted, entry.patterns.len()), (false, 1));
    }

    #[test]
    fn a_skipped_step_adds_nothing_and_an_accepted_one_no_rejection() {
        let skipped = step_buffer(&StepBuffer::default(), HistoryScope::Epoch, facts(1, 1), &decision(None));
        assert_eq!(skipped, StepBuffer::default());
        let accepted = step_buffer(&skipped, HistoryScope::Epoch, facts(1, 2), &decision(Some(3)));
        assert_eq!((accepted.entries[0].accepted, &accepted.entries[0].rejection), (true, &None));
    }

    #[test]
    fn an_epoch_starts_with_an_empty_buffer_unless_the_scope_is_the_run() {
        for (scope, expected) in [(HistoryScope::Epoch, 1), (HistoryScope::Run, 3)] {
            let mut buffer = StepBuffer::default();
            for (epoch, step) in [(1, 1), (1, 2), (2, 1)] {
                buffer = step_buffer(&buffer, scope, facts(epoch, step), &decision(Some(1)));
            }
            assert_eq!(buffer.entries.len(), expected, "{scope:?}");
            assert_eq!(visible_to(&buffer, scope, StepId::new(3, 1)).entries.is_empty(), expected == 1);
        }
    }
}
