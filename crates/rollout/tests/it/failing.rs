//! What becomes of calls and episodes that fail.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use textualrl_llm::{ChatError, ChatModel, Finish};
use textualrl_model::settings::LimitSettings;
use textualrl_model::{Context, NotScoredCause, Outcome, Split};
use textualrl_rollout::{CollectError, Collection, RequestSeed, RolloutPlan, Sampling, collect};

use crate::scripted::{ScriptedBenchmark, ScriptedModel, reply, run, task, tasks, training, transport};

#[tokio::test]
async fn unscored_rollouts_are_tried_again_at_the_end() {
    let failed = Mutex::new(BTreeSet::new());
    let model = Arc::new(ScriptedModel::new(move |_, identity| {
        let fails = identity.task == Some(task("t1")) && failed.lock().unwrap().insert(identity.rollout);
        if fails { Err(transport("connection reset")) } else { Ok(reply("right", Finish::Stop)) }
    }));
    let collected = run(&training(&tasks(4), 2), &model, 3).await.unwrap();
    assert_eq!(collected.not_scored, 0);
    assert_eq!(collected.usage.calls, 8);
    let calls = model.calls.lock().unwrap();
    let last: Vec<_> = calls.iter().rev().take(2).map(|(identity, _)| identity.task.clone()).collect();
    assert_eq!((calls.len(), last), (10, vec![Some(task("t1")); 2]));
    // The same identity: what was answered in an earlier round or process is found in the journal.
    assert!(calls.iter().all(|(identity, _)| identity.attempt == 0));
}

#[tokio::test]
async fn too_many_unscored_training_rollouts_stop_the_stage() {
    let model = Arc::new(ScriptedModel::new(|_, identity| match identity.task.as_ref().unwrap().as_str() {
        "t0" => Err(transport("connection reset")),
        "t1" | "t2" => Err(transport("broken pipe")),
        _ => Ok(reply("right", Finish::Stop)),
    }));
    let error = run(&training(&tasks(8), 1), &model, 1).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("3 of 8") && text.contains("0.2") && text.contains("broken pipe"), "{text}");
    assert!(text.contains("127.0.0.1:9"), "names the endpoint: {text}");

    let plan = RolloutPlan::evaluation(Split::Validation, &tasks(8), 42).unwrap();
    let collected = run(&plan, &model, 8).await.unwrap();
    assert_eq!((collected.not_scored, collected.trajectories.len()), (3, 8));
}

#[tokio::test]
async fn a_refused_key_stops_at_once() {
    let model = Arc::new(ScriptedModel::new(|_, _| {
        Err(ChatError::Auth { endpoint: "http://host".into(), message: "invalid key".into() })
    }));
    let error = run(&training(&tasks(40), 4), &model, 2).await.unwrap_err();
    assert!(matches!(error, CollectError::Endpoint(ChatError::Auth { .. })), "{error}");
    assert!(error.to_string().contains("http://host"));
    assert!(model.calls.lock().unwrap().len() <= 3);
}

#[tokio::test]
async fn an_endpoint_that_answers_nothing_stops_early() {
    let rejected = |_: &_, _: &_| {
        Err(ChatError::Rejected {
            endpoint: "http://host".into(),
            status: 404,
            message: "no such model".into(),
        })
    };
    for plan in [training(&tasks(40), 4), RolloutPlan::evaluation(Split::Test, &tasks(40), 42).unwrap()] {
        let model = Arc::new(ScriptedModel::new(rejected));
        let error = run(&plan, &model, 2).await.unwrap_err();
        assert!(matches!(error, CollectError::Endpoint(ChatError::Rejected { .. })), "{error}");
        assert!(model.calls.lock().unwrap().len() < 12);
    }
}

#[tokio::test]
async fn an_endpoint_that_answers_nothing_is_an_error_however_few_the_tasks() {
    let model = Arc::new(ScriptedModel::new(|_, _| Err(transport("connection refused"))));
    let plan = RolloutPlan::evaluation(Split::Test, &tasks(2), 42).unwrap();
    let error = run(&plan, &model, 2).await.unwrap_err();
    assert!(error.to_string().contains("connection refused"), "{error}");
    assert_eq!(model.calls.lock().unwrap().len(), 4, "each was tried again");
}

#[tokio::test]
async fn one_rejected_prompt_does_not_stop_the_others() {
    let model = Arc::new(ScriptedModel::new(|_, identity| {
        if identity.task == Some(task("t0")) {
            return Err(ChatError::Rejected {
                endpoint: "e".into(),
                status: 400,
                message: "filtered".into(),
            });
        }
        Ok(reply("right", Finish::Stop))
    }));
    let collected = run(&training(&tasks(10), 1), &model, 1).await.unwrap();
    assert_eq!(collected.not_scored, 1);
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_not_tried_again() {
    let model = Arc::new(ScriptedModel::new(|_, identity| {
        if identity.task == Some(task("t0")) {
            return Err(ChatError::ContextTooLong { endpoint: "e".into(), message: "8193 tokens".into() });
        }
        Ok(reply("right", Finish::Stop))
    }));
    let collected = run(&training(&tasks(10), 1), &model, 4).await.unwrap();
    let Outcome::NotScored { cause: NotScoredCause::Provider { message } } =
        &collected.trajectories[0].outcome
    else {
        panic!("scored")
    };
    assert!(message.contains("window"), "{message}");
    assert_eq!(model.calls.lock().unwrap().len(), 10);
}

#[tokio::test]
async fn broken_environments_are_no_rewards() {
    let model = Arc::new(ScriptedModel::new(|_, _| Ok(reply("right", Finish::Stop))));
    let mut names = tasks(8);
    names.extend([task("unable"), task("panic")]);
    let plan = RolloutPlan::evaluation(Split::Validation, &names, 42).unwrap();
    let collected = run(&plan, &model, 4).await.unwrap();
    assert_eq!(collected.not_scored, 2);
    for (trajectory, part) in collected.trajectories.iter().rev().zip(["panic", "no room"]) {
        let Outcome::NotScored { cause: cause @ NotScoredCause::Environment { .. } } = &trajectory.outcome
        else {
            panic!("scored")
        };
        assert!(cause.to_string().contains(part), "{cause}");
    }
}

#[tokio::test]
async fn an_unknown_task_is_an_error() {
    let model = Arc::new(ScriptedModel::new(|_, _| Ok(reply("right", Finish::Stop))));
    let error = run(&training(&[task("unknown")], 1), &model, 4).await.unwrap_err();
    assert!(error.to_string().contains("unknown"), "{error}");
}

#[tokio::test]
async fn a_cancelled_collection_stops() {
    let model =
        ScriptedModel::new(|_, _| Ok(reply("right", Finish::Stop))).delayed(|_| Duration::from_secs(60));
    let plan = training(&tasks(4), 4);
    let collection = Collection {
        plan: &plan,
        context: &Context::default(),
        benchmark: &ScriptedBenchmark::new(),
        sampling: Sampling { temperature: None, seed: RequestSeed::None },
        generation: 0,
        concurrency: 8,
        limits: &LimitSettings { not_scored: 0.2, not_scored_retries: 1 },
    };
    let cancel = tokio::time::sleep(Duration::from_millis(20));
    let model: Arc<dyn ChatModel> = Arc::new(model);
    let error = collect(collection, model, &|_| {}, cancel).await.unwrap_err();
    assert!(matches!(error, CollectError::Interrupted));
}
