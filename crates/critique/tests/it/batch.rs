//! Routing, consolidation and batching.

use std::collections::BTreeSet;

use proptest::prelude::*;
use textualrl_critique::batch::{Batches, batch};
use textualrl_critique::dedup::{UniqueTrajectory, consolidate};
use textualrl_critique::route::route;
use textualrl_model::settings::{CritiqueSettings, Routing};
use textualrl_model::{FeedbackLevel, RolloutGroup, Route, StepId, ToolCall, Turn, VisibleTrajectory};

use crate::build::{group, groups, scored, settings, trajectory};

fn batches(groups: &[RolloutGroup], settings: &CritiqueSettings) -> Batches {
    batch(route(groups, FeedbackLevel::None).blocks, settings, 7, StepId::new(1, 1))
}

fn sizes(batches: &Batches) -> Vec<usize> {
    batches.groups.iter().map(|group| group.blocks.len()).collect()
}

fn multiplicities(group: &RolloutGroup) -> Vec<usize> {
    let blocks = route(std::slice::from_ref(group), FeedbackLevel::Safe).blocks;
    blocks.iter().flat_map(|block| &block.trajectories).map(|unique| unique.references.len()).collect()
}

#[test]
fn routes_are_decided_before_consolidation() {
    let cases = [
        ("++++", Some(Route::AllSuccess), false, vec![4]),
        ("----", Some(Route::AllFailure), false, vec![4]),
        ("+--+", Some(Route::Mixed), false, vec![2, 2]),
        ("+-??", Some(Route::Mixed), true, vec![1, 1]),
        ("++?+", Some(Route::AllSuccess), true, vec![3]),
        ("+???", None, false, vec![]),
        ("????", None, false, vec![]),
        ("+", Some(Route::AllSuccess), false, vec![1]),
        ("?", None, false, vec![]),
    ];
    for (marks, expected, incomplete, counts) in cases {
        let routed = route(&[group("t", marks)], FeedbackLevel::Safe);
        let found = routed.blocks.first().and_then(|block| block.route);
        assert_eq!(found, expected, "{marks}");
        assert_eq!(routed.blocks.first().is_some_and(|block| block.incomplete), incomplete, "{marks}");
        assert_eq!(routed.left_out.len(), usize::from(expected.is_none()), "{marks}");
        assert_eq!(multiplicities(&group("t", marks)), counts, "{marks}");
    }
}

#[test]
fn duplicates_are_same_outcome_and_conversation() {
    let visible = |trajectory| VisibleTrajectory::new(&trajectory, FeedbackLevel::None).unwrap();
    let call = |id: &str, arguments: &str| {
        let mut with_call = trajectory("t", 1, "go", scored(true));
        with_call.turns[2].tool_calls =
            vec![ToolCall { id: id.to_owned(), name: "go".to_owned(), arguments: arguments.to_owned() }];
        visible(with_call)
    };
    let said = |text: &str, success| visible(trajectory("t", 1, text, scored(success)));
    let mut thinking = trajectory("t", 1, "a b", scored(true));
    thinking.turns[2].reasoning = Some("hm".to_owned());
    let mut longer = trajectory("t", 1, "a b", scored(true));
    longer.turns.push(Turn::text(textualrl_model::Role::User, "next"));
    let cases = [
        (said("a b", true), said(" a\n\tb ", true), true),
        (said("a b", true), said("a b", false), false),
        (said("a b", true), said("A b", true), false),
        (said("a b", true), said("ab", true), false),
        (said("a b", true), visible(thinking), true),
        (said("a b", true), visible(longer), false),
        (call("1", "{\"to\": 1}"), call("2", "{\"to\":  1}"), true),
        (call("1", "{\"to\": 1}"), call("1", "{\"to\": 2}"), false),
        (call("1", ""), said("go", true), false),
    ];
    for (first, second, same) in cases {
        let expected = if same { 1 } else { 2 };
        assert_eq!(consolidate([first.clone(), second.clone()]).len(), expected, "{first:?} {second:?}");
    }
}

#[test]
fn group_sizes_follow_the_count() {
    for (count, expected) in [
        (0, vec![]),
        (2, vec![2]),
        (7, vec![7]),
        (8, vec![8]),
        (9, vec![9]),
        (10, vec![8, 2]),
        (16, vec![8, 8]),
        (17, vec![8, 9]),
    ] {
        for marks in ["++", "--"] {
            let batches = batches(&groups("t", count, marks), &settings());
            assert_eq!(sizes(&batches), expected, "{count}");
            assert!(batches.skipped.is_empty());
        }
    }
}

#[test]
fn a_route_with_one_task_is_skipped_and_said() {
    let mut all = groups("m", 2, "+-");
    all.extend(groups("s", 1, "++"));
    let batches = batches(&all, &settings());
    assert_eq!(sizes(&batches), [1, 1]);
    assert!(batches.groups.iter().all(|group| group.max_edits == 1));
    assert_eq!(batches.skipped[0].route, Route::AllSuccess);
    assert_eq!(batches.skipped[0].task.as_str(), "s01");
}

#[test]
fn without_routing_trajectories_are_batched() {
    let off = CritiqueSettings { routing: Routing::Off, ..settings() };
    // Three mixed tasks of two unique trajectories each, and eleven homogeneous ones of one: 17 trajectories.
    let mut all = groups("m", 3, "+-+-");
    all.extend(groups("s", 6, "++++"));
    all.extend(groups("f", 5, "----"));
    let batches = batches(&all, &off);
    let trajectories = |blocks: &[textualrl_critique::dedup::TaskBlock]| -> usize {
        blocks.iter().map(|block| block.trajectories.len()).sum()
    };
    let counts: Vec<usize> = batches.groups.iter().map(|group| trajectories(&group.blocks)).collect();
    assert_eq!(counts, [8, 9]);
    assert!(batches.groups.iter().all(|group| group.route.is_none() && group.max_edits == 4));
    assert!(batches.groups.iter().flat_map(|group| &group.blocks).all(|block| block.route.is_none()));
}

#[test]
fn the_order_follows_seed_and_step_and_not_the_input() {
    let all = groups("t", 20, "++");
    let reversed: Vec<RolloutGroup> = all.iter().rev().cloned().collect();
    let order = |groups: &[RolloutGroup], seed, step| {
        let blocks = route(groups, FeedbackLevel::None).blocks;
        batch(blocks, &settings(), seed, StepId::new(1, step)).groups
    };
    assert_eq!(order(&all, 7, 1), order(&reversed, 7, 1));
    assert_ne!(order(&all, 7, 1), order(&all, 8, 1));
    assert_ne!(order(&all, 7, 1), order(&all, 7, 2));
}

proptest! {
    #[test]
    fn consolidation_keeps_every_reference_once(answers in prop::collection::vec((0_u8..4, any::<bool>()), 1..12)) {
        let siblings = (1..).zip(&answers).map(|(rollout, (answer, success))| {
            let trajectory = trajectory("t", rollout, &format!("answer {answer}"), scored(*success));
            VisibleTrajectory::new(&trajectory, FeedbackLevel::None).unwrap()
        });
        let unique: Vec<UniqueTrajectory> = consolidate(siblings);
        let references: Vec<u32> =
            unique.iter().flat_map(|unique| &unique.references).map(|rollout| rollout.get()).collect();
        let distinct: BTreeSet<u32> = references.iter().copied().collect();
        prop_assert_eq!(references.len(), answers.len());
        prop_assert_eq!(distinct, (1..=u32::try_from(answers.len()).unwrap()).collect());
        prop_assert!(unique.iter().all(|unique| unique.references[0] == unique.shown.rollout));
    }

    #[test]
    fn each_task_is_in_exactly_one_group(
        (mixed, success, failure) in (0_usize..6, 0_usize..40, 0_usize..40),
        group_size in 2_u32..=8,
        seed in any::<u64>(),
    ) {
        let mut all = groups("m", mixed, "+-");
        all.extend(groups("s", success, "++"));
        all.extend(groups("f", failure, "--"));
        let blocks = route(&all, FeedbackLevel::None).blocks;
        let settings = CritiqueSettings { group_size, ..settings() };
        let batches = batch(blocks, &settings, seed, StepId::new(2, 3));
        let mut seen: Vec<&str> =
            batches.groups.iter().flat_map(|group| &group.blocks).map(|block| block.task.as_str()).collect();
        seen.extend(batches.skipped.iter().map(|skipped| skipped.task.as_str()));
        let distinct: BTreeSet<&str> = seen.iter().copied().collect();
        prop_assert_eq!(seen.len(), all.len());
        prop_assert_eq!(distinct.len(), all.len());
        for group in &batches.groups {
            let size = group.blocks.len();
            let allowed = if group.route == Some(Route::Mixed) { 1..=1 } else { 2..=group_size as usize + 1 };
            prop_assert!(allowed.contains(&size), "{} {:?}", size, group.route);
            prop_assert!(group.blocks.iter().all(|block| block.route == group.route));
        }
    }
}
