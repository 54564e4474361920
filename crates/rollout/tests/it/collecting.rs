//! What a collection holds when all goes well.

use std::collections::BTreeSet;
use std::sync::Arc;

use textualrl_llm::{CallPurpose, Finish, ModelRole};
use textualrl_model::{Outcome, Reward, Role, Split, StepId, UsageTotal};
use textualrl_rollout::RolloutPlan;

use crate::scripted::{ScriptedModel, reply, run, task, tasks, training};

#[tokio::test]
async fn an_episode_goes_on_until_its_task_is_over() {
    let model = Arc::new(ScriptedModel::new(|request, _| {
        let looked = request.turns.iter().any(|turn| turn.role == Role::Tool);
        Ok(reply(if looked { "right" } else { "look" }, Finish::Stop))
    }));
    let collected = run(&training(&[task("t"), task("block")], 1), &model, 4).await.unwrap();
    for trajectory in &collected.trajectories {
        let roles: Vec<Role> = trajectory.turns.iter().map(|turn| turn.role).collect();
        assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::Assistant]);
        assert_eq!(trajectory.outcome.reward(), Some(Reward::Success));
        assert_eq!((trajectory.calls, trajectory.usage.input), (2, Some(20)));
    }
    let usage = UsageTotal { calls: 4, from_journal: 0, input: 40, output: 4, unknown: 0 };
    assert_eq!(collected.usage, usage);
    let calls = model.calls.lock().unwrap();
    assert!(calls.iter().all(|(_, request)| request.tools.len() == 1));
    let sequences: BTreeSet<u32> = calls.iter().map(|(identity, _)| identity.sequence).collect();
    assert_eq!(sequences, BTreeSet::from([0, 1]));
}

#[tokio::test]
async fn training_calls_name_the_step_and_carry_seeds_of_their_own() {
    let model = Arc::new(ScriptedModel::new(|_, _| Ok(reply("right", Finish::Stop))));
    let plan = training(&tasks(3), 4);
    run(&plan, &model, 5).await.unwrap();
    let calls = model.calls.lock().unwrap();
    let seeds: BTreeSet<_> = calls.iter().map(|(_, request)| request.seed.unwrap()).collect();
    assert_eq!(seeds.len(), 12);
    assert!(seeds.iter().all(|seed| *seed < 1 << 53));
    for (identity, request) in calls.iter() {
        assert_eq!((identity.role, identity.purpose), (ModelRole::Target, CallPurpose::Rollout));
        assert_eq!((identity.split, identity.step), (Some(Split::Train), Some(StepId::new(2, 3))));
        assert_eq!((identity.attempt, identity.generation), (0, 0));
        assert_eq!(request.temperature, Some(0.7));
    }
}

#[tokio::test]
async fn evaluation_calls_name_no_step_and_carry_the_fixed_seed() {
    let model = Arc::new(ScriptedModel::new(|_, _| Ok(reply("right", Finish::Stop))));
    let plan = RolloutPlan::evaluation(Split::Validation, &tasks(3), 42).unwrap();
    run(&plan, &model, 5).await.unwrap();
    for (identity, request) in model.calls.lock().unwrap().iter() {
        assert_eq!((identity.split, identity.step), (Some(Split::Validation), None));
        assert_eq!(request.seed, Some(42));
    }
}

#[tokio::test]
async fn the_agents_own_limits_are_failures() {
    for (finish, feedback) in [
        (Finish::Length, "the reply reached the output cap"),
        (Finish::Refused, "the model refused to answer"),
    ] {
        let model = Arc::new(ScriptedModel::new(move |_, _| Ok(reply("right", finish.clone()))));
        let collected = run(&training(&tasks(1), 1), &model, 1).await.unwrap();
        let trajectory = &collected.trajectories[0];
        assert_eq!(trajectory.outcome, Outcome::failure(feedback));
        assert_eq!(trajectory.turns.len(), 3, "the cut reply is kept");
    }
}

#[tokio::test]
async fn an_endless_episode_is_ended() {
    let model = Arc::new(ScriptedModel::new(|_, _| Ok(reply("look", Finish::Stop))));
    let collected = run(&training(&tasks(1), 1), &model, 1).await.unwrap();
    assert_eq!(collected.trajectories[0].outcome, Outcome::failure("the episode reached the turn limit"));
}
