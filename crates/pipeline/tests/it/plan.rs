//! Laws of what runs next.

use proptest::prelude::*;
use textualrl_artifact::{Slot, StageSummary};
use textualrl_model::{Arm, Fingerprint, Stage, StepId};
use textualrl_pipeline::{End, LoopError, Next, Plan, Records, RowPlace, Sizes, SlotState, run_loop};

use crate::world::{World, plan};

/// A world that ran to the end from `records`.
fn finished<'a>(plan: &'a Plan, records: &Records) -> World<'a> {
    let mut world = World::new(plan, records.clone());
    assert_eq!(run_loop(plan, records.clone(), None, &mut world), Ok(End::Finished));
    world
}

fn slot(step: &str, stage: Stage) -> Slot {
    Slot::Step { step: step.parse().unwrap(), stage }
}

#[test]
fn a_run_visits_every_needed_slot_once_in_order() {
    let plan = plan(20, &[]);
    let world = finished(&plan, &Records::new());
    let needed = |slot: &Slot| plan.state(&world.records, *slot) != SlotState::NotNeeded;
    let expected: Vec<Slot> = plan.slots().filter(needed).collect();
    assert_eq!(world.sequence, expected);
    let skipped = plan.slots().count() - expected.len();
    assert_eq!(plan.slots().count(), 1 + 2 * 3 * 6 + 6);
    assert!((1..6).contains(&skipped), "the rule should skip some validations: {skipped}");
    assert_eq!(plan.next(&world.records), Next::Finished);
}

#[test]
fn the_steps_carry_batches_and_budgets() {
    let plan = plan(20, &[]);
    let budgets: Vec<u32> = plan.steps().iter().map(|planned| planned.edit_budget).collect();
    assert_eq!(budgets, [4, 4, 3, 2, 2, 2]);
    let context = Fingerprint::of(b"context");
    let batch = plan.step(StepId::new(2, 3)).unwrap().under(context.clone());
    assert_eq!((batch.tasks.len(), batch.context), (4, context));
    for absent in [StepId::new(3, 1), StepId::new(1, 4)] {
        assert_eq!((plan.step(absent), plan.before(absent)), (None, None));
    }
}

#[test]
fn a_harmless_change_leaves_all_done_and_others_what_they_decide() {
    let base = plan(20, &[]);
    let world = finished(&base, &Records::new());
    let first_stale = |set: &str| {
        let plan = plan(20, &[set]);
        plan.slots().find(|slot| matches!(plan.state(&world.records, *slot), SlotState::Stale { .. }))
    };
    for (set, expected) in [
        ("target.concurrency=3", None),
        ("limits.not_scored=0.5", None),
        ("optimizer.timeout_seconds=3", None),
        ("critique.feedback=none", Some(slot("e1-s01", Stage::Critique))),
        ("optimizer.output_cap=3", Some(slot("e1-s01", Stage::Critique))),
        ("review.enabled=false", Some(slot("e1-s01", Stage::Review))),
        ("patch.family_rejections=9", Some(slot("e1-s01", Stage::Patch))),
        ("history.scope=run", Some(slot("e1-s01", Stage::Gate))),
        ("rollout.k=2", Some(slot("e1-s01", Stage::Rollout))),
        ("run.seed=7", Some(slot("e1-s01", Stage::Rollout))),
        ("evaluation.seed=7", Some(Slot::Baseline)),
        ("target.model=other", Some(Slot::Baseline)),
        // Two steps less: the last budgets come earlier, and the first one that differs is ranked anew.
        ("run.epochs=1", Some(slot("e1-s02", Stage::Review))),
    ] {
        assert_eq!(first_stale(set), expected, "{set}");
    }
}

#[test]
fn unscored_tasks_pause_the_run_and_resuming_tries_them_again() {
    let plan = plan(20, &[]);
    let whole = finished(&plan, &Records::new());
    let open = *whole
        .sequence
        .iter()
        .find(|slot| matches!(slot, Slot::Step { stage: Stage::Validation, .. }))
        .unwrap();
    for open in [open, Slot::Baseline, *whole.sequence.last().unwrap()] {
        let mut world = World::new(&plan, Records::new());
        world.unscored = Some((open, 2));
        let end = run_loop(&plan, Records::new(), None, &mut world);
        let Ok(End::Paused { slot, reason }) = end else { panic!("{end:?}") };
        assert_eq!((slot, world.sequence.last()), (open, Some(&open)));
        assert!(reason.starts_with("1 tasks of the "), "{reason}");
        let paused_again = run_loop(&plan, world.records.clone(), None, &mut world);
        assert!(matches!(paused_again, Ok(End::Paused { .. })));
        assert_eq!(run_loop(&plan, world.records.clone(), None, &mut world), Ok(End::Finished));
        assert_eq!(world.records, whole.records);
    }
}

#[test]
fn a_loop_stops_after_a_step_and_does_not_run_in_circles() {
    let plan = plan(20, &[]);
    let mut world = World::new(&plan, Records::new());
    let stop = Some(StepId::new(1, 2));
    assert_eq!(run_loop(&plan, Records::new(), stop, &mut world), Ok(End::Stopped));
    assert_eq!(world.sequence.last(), Some(&slot("e1-s02", Stage::Gate)));

    struct Misfit<'a>(World<'a>);
    impl textualrl_pipeline::Runner for Misfit<'_> {
        type Error = std::convert::Infallible;
        fn run(&mut self, slot: Slot, _: u32) -> Result<textualrl_artifact::StageRecord, Self::Error> {
            let mut record = self.0.record(slot, 0);
            record.inputs.insert("data".to_owned(), Fingerprint::of(b"other"));
            Ok(record)
        }
        fn after(&mut self, _: Slot, _: &Records) -> Result<(), Self::Error> {
            Ok(())
        }
    }
    let end = run_loop(&plan, Records::new(), None, &mut Misfit(World::new(&plan, Records::new())));
    assert_eq!(end, Err(LoopError::NoProgress { slot: Slot::Baseline, inputs: "data".to_owned() }));
}

#[test]
fn the_table_holds_every_slot_and_the_pending_ones_are_counted() {
    let plan = plan(20, &[]);
    let sizes = Sizes { validation: 16, test: 24 };
    let fresh = plan.pending(&Records::new());
    assert_eq!((fresh.done, fresh.missing.len()), (0, plan.slots().count()));
    let calls = plan.calls(&fresh, sizes);
    // Baseline 16, rollouts 2 x 20 x 4, test of no context 24; validations, and tests of initial and best at most.
    assert_eq!((calls.target.least, calls.target.most), (16 + 160 + 24, 16 + 160 + 24 + 6 * 16 + 16 + 48));
    assert!(calls.optimizer.least > 0 && calls.optimizer.least < calls.optimizer.most);

    let world = finished(&plan, &Records::new());
    let table = plan.status(&world.records);
    let slots: Vec<Slot> =
        table.rows.iter().flat_map(|row| row.states.iter().map(|(slot, _)| *slot)).collect();
    assert_eq!(slots, plan.slots().collect::<Vec<_>>());
    assert!(table.simulated && table.next == Next::Finished);
    let step = table.rows.iter().find(|row| row.place == RowPlace::Step(StepId::new(1, 1))).unwrap();
    assert_eq!(step.score, step.decision.as_ref().unwrap().candidate_score);
    assert_eq!(plan.calls(&plan.pending(&world.records), sizes), textualrl_pipeline::CallEstimate::default());
}

#[test]
fn redone_steps_are_named_before_they_are_redone() {
    let plan = plan(20, &[]);
    let mut world = finished(&plan, &Records::new());
    let changed = slot("e2-s02", Stage::Critique);
    world.records.insert(changed, world.record(changed, 1));
    let pending = plan.pending(&world.records);
    let redone: Vec<String> = pending.redone_steps().iter().map(StepId::to_string).collect();
    assert_eq!(redone, ["e2-s02", "e2-s03"]);
}

/// Whether the result of `slot` hangs on the steps at all.
fn hangs_on_steps(slot: Slot) -> bool {
    !matches!(slot, Slot::Evaluation { arm: Arm::None | Arm::Initial, .. })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn resuming_at_any_place_goes_on_the_same_way(tasks in 2_usize..30, batch in 2_u32..12, at in 0_usize..80, seed in 0_u32..1000) {
        let plan = plan(tasks, &[&format!("run.batch_size={batch}"), &format!("run.seed={seed}")]);
        let whole = finished(&plan, &Records::new());
        let (kept, rest) = whole.sequence.split_at(at.min(whole.sequence.len()));
        let left: Records = whole.records.iter().filter(|(slot, _)| kept.contains(slot)).map(|(slot, record)| (*slot, record.clone())).collect();
        let resumed = finished(&plan, &left);
        prop_assert_eq!(&resumed.sequence, rest);
        prop_assert_eq!(&resumed.records, &whole.records);
    }

    #[test]
    fn another_output_makes_exactly_the_later_slots_stale(tasks in 2_usize..30, at in 0_usize..80, seed in 0_u32..1000) {
        let plan = plan(tasks, &[&format!("run.seed={seed}")]);
        let mut world = finished(&plan, &Records::new());
        let within: Vec<Slot> = world.sequence.iter().copied().filter(|slot| matches!(slot, Slot::Step { stage, .. } if !matches!(stage, Stage::Gate))).collect();
        let changed = within[at % within.len()];
        let before = world.records[&changed].clone();
        let record = world.record(changed, 1);
        // A patch whose candidate came or went changes what is needed, which the next law covers.
        let candidate = |record: &textualrl_artifact::StageRecord| match &record.summary {
            StageSummary::Patch { candidate, .. } => Some(candidate.is_some()),
            _ => None,
        };
        prop_assume!(candidate(&before) == candidate(&record));
        world.records.insert(changed, record);
        let mut later = false;
        for slot in plan.slots() {
            let state = plan.state(&world.records, slot);
            let stale = matches!(state, SlotState::Stale { .. });
            let has_record = world.records.contains_key(&slot);
            prop_assert_eq!(stale, later && has_record && hangs_on_steps(slot), "{} {:?}", slot, state);
            later |= slot == changed;
        }
    }

    #[test]
    fn a_changed_run_is_made_whole_again(tasks in 2_usize..30, at in 0_usize..80, salt in 1_u32..4) {
        let plan = plan(tasks, &[]);
        let mut world = finished(&plan, &Records::new());
        let changed = world.sequence[at % world.sequence.len()];
        world.records.insert(changed, world.record(changed, salt));
        let mended = finished(&plan, &world.records);
        prop_assert!(!mended.sequence.contains(&changed));
        prop_assert_eq!(plan.next(&mended.records), Next::Finished);
        prop_assert_eq!(finished(&plan, &mended.records).sequence.len(), 0);
    }

    #[test]
    fn the_same_output_leaves_the_later_slots_done(at in 0_usize..80) {
        let plan = plan(20, &[]);
        let mut world = finished(&plan, &Records::new());
        let again = world.sequence[at % world.sequence.len()];
        world.records.insert(again, world.record(again, 0));
        prop_assert_eq!(plan.next(&world.records), Next::Finished);
    }
}
