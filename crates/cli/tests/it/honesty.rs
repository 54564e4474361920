//! The lift comes from what the trajectories show: it is gone when rewards are permuted or replies blanked.
//!
//! Always holds: what is altered is altered on disk between two stages, through the run folder's own interface; the
//! stages are the binary's.

use camino::Utf8Path;
use textualrl_artifact::{Access, Kind, RunDir, Slot, TextKind};
use textualrl_model::{Role, Stage, StepId, Trajectory, Turn};
use textualrl_rollout::{GroupsArtifact, group};

use crate::quickstart::solved;
use crate::scratch::{Scratch, artifact};

const EPOCHS: u32 = 2;
const STEPS: u32 = 4;
const K: u32 = 4;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=6;

/// Tasks of the test split solved with the initial and with the best context.
#[derive(Debug)]
struct Lift {
    initial: u64,
    best: u64,
    proposals: u64,
}

impl Lift {
    fn tasks(&self) -> i64 {
        self.best.cast_signed() - self.initial.cast_signed()
    }
}

/// The quickstart as it is.
fn untouched(scratch: &Scratch, seed: u64) -> Lift {
    let summary =
        scratch.json(&["run", "--name", &format!("whole-{seed}"), "--set", &format!("run.seed={seed}")]);
    let steps = summary["steps"].as_array().expect("steps");
    Lift {
        initial: solved(&summary, "initial context", "test"),
        best: solved(&summary, "best context", "test"),
        proposals: steps.iter().filter_map(|step| step["proposals"].as_u64()).sum(),
    }
}

/// The quickstart stage by stage, with the trajectories of each training rollout altered on disk.
fn altered(scratch: &Scratch, name: &str, seed: u64, alter: impl Fn(StepId, &mut [Trajectory])) -> Lift {
    let first = StepId::new(1, 1).to_string();
    let seed = format!("run.seed={seed}");
    scratch.textualrl(&["run", "--name", name, "--set", &seed, "--stop-after", &first]);
    let run = scratch.run(name);
    let mut proposals = 0;
    for step in (1..=EPOCHS).flat_map(|epoch| (1..=STEPS).map(move |step| StepId::new(epoch, step))) {
        let at = step.to_string();
        let stage = |command: &str, more: &[&str]| {
            scratch.json(&[&[command, "--run", run.as_str(), "--step", &at], more].concat())
        };
        if at != first {
            stage("rollout", &[]);
        }
        rewrite(&run, step, |trajectories| alter(step, trajectories));
        let critique = stage("critique", &[]);
        proposals += critique["summary"]["proposals"].as_u64().expect("a count");
        stage("review", &[]);
        let patch = stage("patch", &[]);
        if !patch["summary"]["candidate"].is_null() {
            stage("rollout", &["--split", "validation"]);
        }
        stage("gate", &[]);
    }
    let test = |arm: &str| {
        let record = scratch.json(&["rollout", "--run", run.as_str(), "--arm", arm, "--split", "test"]);
        record["summary"]["score"]["solved"].as_u64().expect("a score")
    };
    Lift { initial: test("initial"), best: test("best"), proposals }
}

/// Writes the rollouts of a step anew, with the inputs that are recorded, so that the run goes on from them.
fn rewrite(run: &Utf8Path, step: StepId, alter: impl FnOnce(&mut [Trajectory])) {
    let run = RunDir::open(run, Access::Write).expect("the run");
    let slot = Slot::Step { step, stage: Stage::Rollout };
    let record = run.record(slot).expect("a record").expect("a finished stage");
    let mut trajectories = run.trajectories(slot).expect("the trajectories").read_all().expect("all of them");
    alter(&mut trajectories);
    let context = run.read_text(slot, TextKind::Context).expect("the context");
    let mut draft = run.begin(slot).expect("a draft");
    draft.write_text(TextKind::Context, &context).expect("written");
    draft.write_trajectories(&trajectories).expect("written");
    draft.write_json(Kind::Groups, &GroupsArtifact::of(&group(trajectories, K), K)).expect("written");
    draft.commit(record).expect("committed");
}

/// Shuffles the outcomes over the whole batch.
fn permute(seed: u64, trajectories: &mut [Trajectory]) {
    let mut state = seed;
    for last in (1..trajectories.len()).rev() {
        let other = usize::try_from(next(&mut state) % (last as u64 + 1)).expect("an index");
        let outcome = trajectories[last].outcome.clone();
        trajectories[last].outcome = std::mem::replace(&mut trajectories[other].outcome, outcome);
    }
}

/// The next number of a SplitMix64 sequence.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[test]
fn with_rewards_permuted_the_lift_is_gone() {
    let scratch = Scratch::new();
    let (mut whole, mut permuted) = (0, 0);
    println!("seed  lift  lift with permuted rewards (tasks of the test split)");
    for seed in SEEDS {
        let lift = untouched(&scratch, seed).tasks();
        let shuffled = altered(&scratch, &format!("permuted-{seed}"), seed, |step, trajectories| {
            permute(seed * 1000 + u64::from(step.epoch) * 10 + u64::from(step.step), trajectories);
        });
        println!("{seed:>4}  {lift:>4}  {:>4}", shuffled.tasks());
        whole += lift;
        permuted += shuffled.tasks();
    }
    let seeds = i64::try_from(SEEDS.count()).expect("few");
    assert!(whole >= 3 * seeds, "the lift is {whole} tasks over {seeds} seeds");
    assert!(permuted * 4 <= whole, "{permuted} tasks with permuted rewards, {whole} without");
}

#[test]
fn with_replies_blanked_nothing_is_proposed() {
    let scratch = Scratch::new();
    for seed in [1, 2] {
        let blank = |_, trajectories: &mut [Trajectory]| {
            for turn in trajectories.iter_mut().flat_map(|trajectory| &mut trajectory.turns) {
                if turn.role == Role::Assistant {
                    *turn = Turn::text(Role::Assistant, "");
                }
            }
        };
        let blanked = altered(&scratch, &format!("blank-{seed}"), seed, blank);
        assert_eq!((blanked.proposals, blanked.tasks()), (0, 0), "{blanked:?}");
        assert!(untouched(&scratch, seed).proposals > 0);
    }
}

#[test]
fn twenty_questions_of_another_hand_work_unchanged() {
    let scratch = Scratch::new();
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/twenty-questions/config.toml");
    let summary = scratch.json(&["run", "--config", config, "--name", "twenty"]);
    let steps = summary["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 4);
    assert!(steps.iter().any(|step| step["edits"].as_u64() > Some(0)), "a candidate");
    let held_out = |arm| solved(&summary, arm, "validation") + solved(&summary, arm, "test");
    assert!(held_out("initial context") >= 6, "the reader answers half of the twelve held-out questions");
    assert!(
        solved(&summary, "best context", "validation") >= solved(&summary, "initial context", "validation")
    );
    let groups = artifact(&scratch.run("twenty").join("steps/e1-s01/1-rollout/groups.json"));
    assert!(groups["solved"].as_u64() > Some(0) && groups["solved"].as_u64() < Some(16), "{groups}");
}
