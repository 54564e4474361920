//! Groups, scores and shards on disk and in memory.

use textualrl_model::{
    Context, NotScoredCause, Outcome, Reward, RolloutIndex, Route, Split, TaskId, Trajectory, Usage,
    ValidationScore,
};
use textualrl_rollout::{
    GroupsArtifact, MergeError, PlanError, RolloutPlan, ScoresArtifact, group, merge_shards,
};

use crate::scripted::{task, tasks, training};

/// One trajectory a letter: `1` solved, `0` failed, `-` not scored.
fn trajectories(name: &str, rewards: &str, split: Split) -> Vec<Trajectory> {
    let trajectory = |(number, letter)| Trajectory {
        task: task(name),
        rollout: RolloutIndex::new(number),
        split,
        context: Context::new("c").fingerprint(),
        turns: Vec::new(),
        outcome: match letter {
            '-' => Outcome::NotScored { cause: NotScoredCause::Scorer { message: "gone".into() } },
            letter => Outcome::Scored {
                reward: Reward::of(letter == '1'),
                answer: None,
                feedback: Default::default(),
            },
        },
        usage: Usage::default(),
        calls: 1,
    };
    (1..).zip(rewards.chars()).map(trajectory).collect()
}

#[test]
fn groups_are_summed_up_by_route() {
    let cases = [
        ("a", "1010", Some(Route::Mixed), true),
        ("b", "1111", Some(Route::AllSuccess), true),
        ("c", "00--", Some(Route::AllFailure), false),
        ("d", "1---", None, false),
    ];
    let all: Vec<Trajectory> =
        cases.iter().flat_map(|(name, rewards, ..)| trajectories(name, rewards, Split::Train)).collect();
    let groups = group(all, 4);
    let artifact = GroupsArtifact::of(&groups, 4);
    for (summary, (name, _, route, complete)) in artifact.groups.iter().zip(cases) {
        assert_eq!((summary.task.as_str(), summary.route, summary.complete), (name, route, complete));
    }
    let counts = [artifact.mixed, artifact.all_success, artifact.all_failure, artifact.left_out];
    assert_eq!((counts, artifact.solved, artifact.not_scored, artifact.rollouts()), ([1, 1, 1, 1], 7, 5, 16));
    assert_eq!(artifact.groups[3].not_scored, ["r2: scorer: gone", "r3: scorer: gone", "r4: scorer: gone"]);
    let text = serde_json::to_string(&artifact).unwrap();
    assert!(text.contains(r#""rewards":[0,0,null,null]"#), "{text}");
    assert_eq!(serde_json::from_str::<GroupsArtifact>(&text).unwrap(), artifact);
}

#[test]
fn a_score_needs_a_reward_for_every_task() {
    let context = Context::new("c").fingerprint();
    let of = |cases: &[(&str, &str)]| {
        let all: Vec<Trajectory> =
            cases.iter().flat_map(|(name, rewards)| trajectories(name, rewards, Split::Validation)).collect();
        ScoresArtifact::of(context.clone(), Split::Validation, &all)
    };
    let whole = of(&[("a", "1"), ("b", "0"), ("c", "1")]);
    assert_eq!((whole.score, whole.not_scored), (Some(ValidationScore { solved: 2, tasks: 3 }), 0));
    let open = of(&[("a", "1"), ("b", "-"), ("c", "1")]);
    assert_eq!((open.score, open.not_scored), (None, 1));
    let zero = of(&[("a", "0")]);
    assert_eq!(zero.score, Some(ValidationScore { solved: 0, tasks: 1 }), "0 is a score, not a missing one");
    assert_eq!(of(&[]).score, None);
}

#[test]
fn impossible_plans_are_refused() {
    let step = textualrl_model::StepId::new(1, 1);
    let twice = [task("a"), task("b"), task("a")];
    assert_eq!(RolloutPlan::training(step, &twice, 4, 0), Err(PlanError::DuplicateTask(task("a"))));
    assert_eq!(RolloutPlan::training(step, &[], 4, 0), Err(PlanError::NoTasks(Split::Train)));
    assert_eq!(RolloutPlan::training(step, &twice[..1], 0, 0), Err(PlanError::NoRollouts));
}

#[test]
fn shards_that_do_not_fit_are_refused() {
    let plan = training(&[task("a"), task("b")], 2);
    let (a, b) = (trajectories("a", "10", Split::Train), trajectories("b", "00", Split::Train));
    let merge =
        |shards: &[&[Trajectory]]| merge_shards(shards.iter().map(|shard| shard.to_vec()).collect(), &plan);
    assert_eq!(merge(&[&b, &a]).unwrap(), [a.clone(), b.clone()].concat());
    assert_eq!(merge(&[&b, &a, &b]).unwrap().len(), 4, "equal records count once");

    let named = "b r1, b r2".to_owned();
    assert_eq!(merge(&[&a]), Err(MergeError::Missing { count: 2, named }));
    let other = trajectories("a", "00", Split::Train);
    assert!(matches!(merge(&[&a, &b, &other]), Err(MergeError::Different(key)) if key.to_string() == "a r1"));
    assert!(matches!(merge(&[&trajectories("x", "1", Split::Train)]), Err(MergeError::Unplanned(_))));
    assert!(matches!(merge(&[&trajectories("a", "1", Split::Test)]), Err(MergeError::Split { .. })));
    let mut moved = b.clone();
    moved[0].context = Context::new("another").fingerprint();
    assert!(matches!(merge(&[&a, &moved]), Err(MergeError::Context { .. })));
}

#[test]
fn groups_keep_their_order() {
    let names: Vec<TaskId> = tasks(3);
    let all = names.iter().flat_map(|name| trajectories(name.as_str(), "11", Split::Train)).collect();
    let grouped: Vec<TaskId> = group(all, 2).into_iter().map(|group| group.task).collect();
    assert_eq!(grouped, names);
}
