//! Accept or reject (Algorithm 1, lines 13 to 17).
//!
//! Always holds: only a candidate whose score is strictly above the reference score is adopted; a candidate equal to
//! its base is never adopted, whatever its score; the best score never falls.

use textualrl_model::{Decision, Fingerprint, GateDecision, SkipReason, Standing, ValidationScore};

/// What a step offers to the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offer {
    /// There is no candidate to validate.
    Skipped(SkipReason),
    /// A candidate with its score over all validation tasks.
    Validated {
        /// The candidate.
        candidate: Fingerprint,
        /// Its score.
        score: ValidationScore,
    },
}

/// Decides a step.
pub fn decide(standing: &Standing, offer: &Offer) -> GateDecision {
    match offer {
        Offer::Skipped(reason) => skipped(standing, *reason),
        Offer::Validated { candidate, .. } if *candidate == standing.active => {
            skipped(standing, SkipReason::CandidateEqualsBase)
        }
        Offer::Validated { candidate, score } => judged(standing, candidate, *score),
    }
}

fn skipped(standing: &Standing, reason: SkipReason) -> GateDecision {
    let sentence =
        format!("skipped: {}; the reference score stays {}", reason.words(), shown(standing.reference));
    unchanged(standing, Decision::Skipped { reason }, sentence)
}

fn judged(standing: &Standing, candidate: &Fingerprint, score: ValidationScore) -> GateDecision {
    let decision = if score.beats(standing.reference) {
        accepted(standing, candidate, score)
    } else {
        let why = if standing.reference.beats(score) { "is below" } else { "only equals" };
        let sentence =
            format!("rejected: {} {why} the reference score {}", shown(score), shown(standing.reference));
        unchanged(standing, Decision::Rejected, sentence)
    };
    GateDecision { candidate: Some(candidate.clone()), candidate_score: Some(score), ..decision }
}

fn accepted(standing: &Standing, candidate: &Fingerprint, score: ValidationScore) -> GateDecision {
    let new_best = score.beats(standing.best_score);
    let (best, best_score) =
        if new_best { (candidate, score) } else { (&standing.best, standing.best_score) };
    let versus_best = if new_best {
        "the best so far".to_owned()
    } else {
        format!("but not above the best score {}", shown(standing.best_score))
    };
    GateDecision {
        decision: Decision::Accepted { new_best },
        reason: format!(
            "accepted: {} is above the reference score {}, {versus_best}",
            shown(score),
            shown(standing.reference)
        ),
        active: candidate.clone(),
        next_reference: score,
        best: best.clone(),
        best_score,
        ..unchanged(standing, Decision::Rejected, String::new())
    }
}

fn unchanged(standing: &Standing, decision: Decision, reason: String) -> GateDecision {
    GateDecision {
        decision,
        reason,
        base: standing.active.clone(),
        candidate: None,
        candidate_score: None,
        reference_score: standing.reference,
        active: standing.active.clone(),
        next_reference: standing.reference,
        best: standing.best.clone(),
        best_score: standing.best_score,
    }
}

fn shown(score: ValidationScore) -> String {
    format!("{}/{} = {:.4}", score.solved, score.tasks, score.mean())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn context(name: &str) -> Fingerprint {
        Fingerprint::of(name.as_bytes())
    }

    fn of_ten(solved: u32) -> ValidationScore {
        ValidationScore { solved, tasks: 10 }
    }

    fn standing(reference: u32, best: u32) -> Standing {
        Standing {
            active: context("base"),
            reference: of_ten(reference),
            best: context("best"),
            best_score: of_ten(best),
        }
    }

    fn offer(solved: u32) -> Offer {
        Offer::Validated { candidate: context("candidate"), score: of_ten(solved) }
    }

    #[test]
    fn only_a_strictly_higher_score_is_accepted() {
        let accepted = |new_best| Decision::Accepted { new_best };
        for (reference, best, candidate, expected) in [
            (5, 5, 6, accepted(true)),
            (5, 5, 5, Decision::Rejected),
            (5, 5, 4, Decision::Rejected),
            (4, 6, 5, accepted(false)),
            (4, 6, 6, accepted(false)),
            (4, 6, 7, accepted(true)),
            (0, 0, 0, Decision::Rejected),
            (0, 0, 1, accepted(true)),
            (10, 10, 10, Decision::Rejected),
        ] {
            let decision = decide(&standing(reference, best), &offer(candidate));
            assert_eq!(decision.decision, expected, "{reference} {best} {candidate}");
        }
    }

    #[test]
    fn the_reason_holds_the_numbers() {
        for (offered, expected) in [
            (offer(7), "accepted: 7/10 = 0.7000 is above the reference score 5/10 = 0.5000, the best so far"),
            (
                offer(6),
                "accepted: 6/10 = 0.6000 is above the reference score 5/10 = 0.5000, but not above the best score \
                 6/10 = 0.6000",
            ),
            (offer(5), "rejected: 5/10 = 0.5000 only equals the reference score 5/10 = 0.5000"),
            (offer(4), "rejected: 4/10 = 0.4000 is below the reference score 5/10 = 0.5000"),
            (
                Offer::Skipped(SkipReason::NoProposals),
                "skipped: no critic proposed an edit; the reference score stays 5/10 = 0.5000",
            ),
        ] {
            assert_eq!(decide(&standing(5, 6), &offered).reason, expected);
        }
    }

    #[test]
    fn a_candidate_equal_to_its_base_is_a_skip() {
        let offered = Offer::Validated { candidate: context("base"), score: of_ten(9) };
        let decision = decide(&standing(5, 5), &offered);
        assert_eq!(decision.decision, Decision::Skipped { reason: SkipReason::CandidateEqualsBase });
        assert_eq!((decision.candidate, decision.next_reference), (None, of_ten(5)));
    }

    fn scores() -> impl Strategy<Value = ValidationScore> {
        (1..300_u32)
            .prop_flat_map(|tasks| (0..=tasks, Just(tasks)))
            .prop_map(|(solved, tasks)| ValidationScore { solved, tasks })
    }

    proptest! {
        #[test]
        fn over_any_sequence_reference_and_best_only_rise(offers in prop::collection::vec(scores(), 1..30)) {
            let mut before = Standing::initial(context("0"), ValidationScore { solved: 1, tasks: 3 });
            for (number, score) in offers.into_iter().enumerate() {
                let candidate = context(&format!("{}", number + 1));
                let decision = decide(&before, &Offer::Validated { candidate: candidate.clone(), score });
                let after = Standing::after(&decision);
                let adopted = score.beats(before.reference);
                prop_assert_eq!(matches!(decision.decision, Decision::Accepted { .. }), adopted);
                prop_assert_eq!(after.active == candidate, adopted);
                prop_assert!(!before.reference.beats(after.reference));
                prop_assert!(!before.best_score.beats(after.best_score));
                prop_assert!(!after.reference.beats(after.best_score));
                before = after;
            }
        }
    }
}
