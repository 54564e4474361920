//! The history, the adopted contexts and the best one, told from records.

use textualrl_artifact::Slot;
use textualrl_model::{Decision, Stage};
use textualrl_pipeline::{End, Records, adopted_contexts, best_context, history, run_loop};

use crate::world::{World, plan};

#[test]
fn nothing_is_told_before_the_baseline() {
    let records = Records::new();
    assert!(history(&records).is_empty() && adopted_contexts(&records).is_empty());
    assert_eq!(best_context(&records), None);
}

#[test]
fn the_history_follows_the_gates() {
    let plan = plan(30, &["run.epochs=4"]);
    let mut world = World::new(&plan, Records::new());
    assert_eq!(run_loop(&plan, Records::new(), None, &mut world), Ok(End::Finished));
    let lines = history(&world.records);
    assert_eq!(lines.len(), plan.steps().len());
    for pair in lines.windows(2) {
        assert_eq!(pair[0].active, pair[1].base);
    }
    assert!(
        lines.iter().all(|line| (line.solved, line.rollouts, line.proposals, line.cards) == (6, 12, 2, 3))
    );

    let adopted = adopted_contexts(&world.records);
    let accepted = lines.iter().filter(|line| matches!(line.decision, Decision::Accepted { .. })).count();
    assert!(accepted > 0, "the rule should accept something");
    assert_eq!(adopted.len(), accepted + 1);
    assert_eq!(
        (adopted[0].number, &adopted[0].context, adopted[0].from),
        (0, &plan.facts().initial_context, None)
    );
    assert_eq!(best_context(&world.records).unwrap().context, world.standing().best);
}

#[test]
fn a_gate_that_starts_from_another_context_ends_the_history() {
    let plan = plan(30, &["run.epochs=4"]);
    let mut world = World::new(&plan, Records::new());
    assert_eq!(run_loop(&plan, Records::new(), None, &mut world), Ok(End::Finished));
    let lines = history(&world.records);
    let first = lines.iter().position(|line| matches!(line.decision, Decision::Accepted { .. })).unwrap();
    world.records.remove(&Slot::Step { step: lines[first].step, stage: Stage::Gate });
    assert_eq!(history(&world.records), lines[..first]);
}
