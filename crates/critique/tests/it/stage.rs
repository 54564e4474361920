//! Whole steps with a scripted critic.

use serde_json::{Value, json};
use textualrl_critique::{CritiqueError, CritiqueInput, CritiqueOutput, critique};
use textualrl_llm::ChatError;
use textualrl_llm::prompt::{Templates, estimated_tokens};
use textualrl_model::settings::{CardsKept, CritiqueSettings, Routing};
use textualrl_model::{Context, RolloutGroup, StepBuffer, StepId, UsageTotal};

use crate::build::{group, groups, scored, settings, trajectory};
use crate::scripted::{Scripted, shown_tasks, user};

async fn run_with(
    groups: &[RolloutGroup],
    settings: &CritiqueSettings,
    window_tokens: u32,
    model: &Scripted,
) -> Result<CritiqueOutput, CritiqueError> {
    let (context, buffer) = (Context::new("Answer briefly.\n"), StepBuffer::default());
    let input = CritiqueInput {
        groups,
        context: &context,
        buffer: &buffer,
        settings,
        window_tokens,
        seed: 42,
        step: StepId::new(1, 1),
        generation: 0,
        concurrency: 4,
    };
    critique(&input, model, &Templates::new(&Default::default()).unwrap()).await
}

async fn run(groups: &[RolloutGroup], model: &Scripted) -> CritiqueOutput {
    run_with(groups, &settings(), 100_000, model).await.unwrap()
}

/// An edit that all shown tasks support, and a card on the first rollout of each.
fn good_reply(tasks: &[String]) -> Value {
    let cards: Vec<Value> = tasks
        .iter()
        .map(|task| json!({"task_id": task, "rollout_id": "r1", "quote": format!("in {task}"), "behavior": "b"}))
        .collect();
    let edit = json!({"op": "append", "content": format!("Rule of {}.", tasks.len()), "support": tasks});
    json!({"patch": {"reasoning": "seen", "edits": [edit]}, "cross_group_cards": cards})
}

fn transport() -> ChatError {
    ChatError::Transport { endpoint: "http://critic.example".to_owned(), message: "refused".to_owned() }
}

/// Two mixed, two failed and three successful tasks, one success alone in its half-scored group.
fn a_step() -> Vec<RolloutGroup> {
    let mut all = groups("s", 3, "++");
    all.extend(groups("m", 2, "+-"));
    all.extend(groups("f", 2, "--"));
    all.push(group("x", "+?"));
    all
}

#[tokio::test]
async fn proposals_and_cards_are_pooled_in_the_order_of_groups() {
    let model = Scripted::new(|request, _| Ok(good_reply(&shown_tasks(request)).to_string()));
    let output = run(&a_step(), &model).await;
    let ids: Vec<&str> = output.proposals.iter().map(|proposal| proposal.id.as_str()).collect();
    assert_eq!(ids, ["x-g001-1", "x-g002-1", "x-g003-1", "x-g004-1"]);
    let routes: Vec<&str> = output.groups.iter().map(|group| group.route.unwrap().name()).collect();
    assert_eq!(routes, ["mixed", "mixed", "all-failure", "all-success"]);
    assert_eq!(output.pool.cards.len(), 7);
    assert_eq!(output.left_out[0].task.as_str(), "x");
    assert_eq!(output.proposals[3].support.len(), 3);
    assert_eq!(output.usage.calls, 4);
    assert_eq!(output.groups[0].shown.len(), 2);
    assert_eq!(output.failure_patterns[0].label, "no answer tag");
    assert_eq!(output.failure_patterns[0].tasks.len(), 4);
    let again = run(&a_step(), &model).await;
    assert_eq!(serde_json::to_string(&again).unwrap(), serde_json::to_string(&output).unwrap());
    let mut read: CritiqueOutput = serde_json::from_str(&serde_json::to_string(&output).unwrap()).unwrap();
    assert_eq!(read.usage, UsageTotal::default());
    read.usage = output.usage;
    assert_eq!(read, output);
}

#[tokio::test]
async fn a_bad_reply_is_asked_again_and_costs_its_group_only() {
    let model = Scripted::new(|request, identity| match (identity.sequence, identity.attempt) {
        (1, _) => Ok("I would rather not say.".to_owned()),
        (2, 0) => Ok(r#"{"task": "Calculate the area of a rectangle"}"#.to_owned()),
        (3, _) => Err(transport()),
        _ => Ok(good_reply(&shown_tasks(request)).to_string()),
    });
    let output = run(&a_step(), &model).await;
    let failed: Vec<&str> = output.groups.iter().map(|group| group.failed.as_deref().unwrap_or("")).collect();
    assert!(failed[0].starts_with("no proposal, because no usable reply after a re-ask"), "{failed:?}");
    assert!(failed[2].contains("http://critic.example"), "{failed:?}");
    assert_eq!((failed[1], failed[3]), ("", ""));
    assert_eq!(output.failed_calls(), 2);
    assert_eq!(output.groups[0].replies.calls(), 2);
    assert_eq!(output.groups[1].replies.first_text(), r#"{"task": "Calculate the area of a rectangle"}"#);
    assert_eq!(output.proposals.len(), 2);
    let re_ask = model.requests().into_iter().find(|request| request.turns.len() == 4).unwrap();
    assert!(re_ask.turns[3].joined_text().contains("patch"), "the error is quoted");
}

#[tokio::test]
async fn a_wrong_target_is_named_in_the_re_ask_and_the_rest_is_kept() {
    let model = Scripted::new(|request, identity| {
        let mut reply = good_reply(&shown_tasks(request));
        if identity.attempt == 0 {
            reply["patch"]["edits"][0]["op"] = json!("replace");
            reply["patch"]["edits"][0]["target"] = json!("nowhere");
        }
        Ok(reply.to_string())
    });
    let output = run(&groups("m", 1, "+-"), &model).await;
    assert_eq!(output.proposals.len(), 1);
    let requests = model.requests();
    assert!(requests[1].turns[3].joined_text().contains("patch.edits[0]: field `target`: target not found"));
    assert_eq!(output.groups[0].replies.replies[0].problems.len(), 1);
    assert!(output.groups[0].problems.is_empty());
}

#[tokio::test]
async fn if_every_call_fails_the_endpoint_is_named() {
    let model = Scripted::new(|_, _| Err(transport()));
    let error = run_with(&a_step(), &settings(), 100_000, &model).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "all 4 critic calls failed, the first with: http://critic.example cannot be used: refused"
    );
    let journal = Scripted::new(|request, _| match shown_tasks(request).first().map(String::as_str) {
        Some("m01") => Err(ChatError::Journal { message: "disk full".to_owned() }),
        _ => Ok(good_reply(&shown_tasks(request)).to_string()),
    });
    let error = run_with(&a_step(), &settings(), 100_000, &journal).await.unwrap_err();
    assert!(matches!(error, CritiqueError::Journal(_)));
    let nothing = run(&[], &Scripted::new(|_, _| Err(transport()))).await;
    assert!(nothing.groups.is_empty());
}

#[tokio::test]
async fn cards_do_not_depend_on_edits_unless_so_configured() {
    let reply = |request: &_| {
        let mut reply = good_reply(&shown_tasks(request));
        reply["patch"]["edits"] = json!([]);
        reply
    };
    for (cards, pooled, dropped) in [(CardsKept::All, 1, 0), (CardsKept::OnlyWithEdits, 0, 1)] {
        let model = Scripted::new(move |request, _| Ok(reply(request).to_string()));
        let settings = CritiqueSettings { cards, ..settings() };
        let output = run_with(&groups("m", 1, "+-"), &settings, 100_000, &model).await.unwrap();
        assert_eq!(output.pool.cards.len(), pooled, "{cards:?}");
        assert_eq!(output.groups[0].dropped_cards, dropped, "{cards:?}");
        assert_eq!(output.groups[0].cards.len(), pooled, "{cards:?}");
    }
}

#[tokio::test]
async fn without_routing_one_prompt_serves_all() {
    let model = Scripted::new(|request, _| Ok(good_reply(&shown_tasks(request)).to_string()));
    let settings = CritiqueSettings { routing: Routing::Off, ..settings() };
    let output = run_with(&a_step(), &settings, 100_000, &model).await.unwrap();
    assert!(model.requests().iter().all(|request| user(request).contains("<route>unified</route>")));
    assert!(output.proposals.iter().all(|proposal| proposal.routes.is_empty()));
    assert!(output.pool.cards.iter().all(|card| card.route.is_none()));
    assert_eq!(output.groups.iter().map(|group| group.shown.len()).sum::<usize>(), 9);
}

#[tokio::test]
async fn prompts_beyond_the_window_are_split_by_task_blocks() {
    let long: Vec<RolloutGroup> = groups("f", 8, "--")
        .into_iter()
        .map(|mut group| {
            let said = format!("{} in {}", "x".repeat(6_000), group.task);
            group.trajectories = vec![trajectory(group.task.as_str(), 1, &said, scored(false)); 2];
            group
        })
        .collect();
    let model = Scripted::new(|request, _| Ok(good_reply(&shown_tasks(request)).to_string()));
    let output = run_with(&long, &settings(), 10_000, &model).await.unwrap();
    let ids: Vec<&str> = output.groups.iter().map(|group| group.group.as_str()).collect();
    assert_eq!(ids, ["g001a", "g001b"]);
    assert!(output.groups.iter().all(|group| group.max_edits == 2 && group.cut_characters == 0));
    assert_eq!(output.proposals[1].id.as_str(), "x-g001b-1");
    assert_eq!(output.groups.iter().map(|group| group.tasks.len()).sum::<usize>(), 8);
}

#[tokio::test]
async fn what_cannot_be_split_is_shortened() {
    let mut long = group("m", "+-");
    long.trajectories[1] = trajectory("m", 2, &format!("HEAD {} TAIL", "x".repeat(60_000)), scored(false));
    let model = Scripted::new(|request, _| Ok(good_reply(&shown_tasks(request)).to_string()));
    let output = run_with(&[long], &settings(), 8_000, &model).await.unwrap();
    let request = &model.requests()[0];
    let tokens: usize = request.turns.iter().map(|turn| estimated_tokens(&turn.joined_text())).sum();
    assert!((6_000..=8_000).contains(&tokens), "{tokens}");
    assert!(user(request).contains("HEAD x") && user(request).contains("x TAIL"));
    assert!(
        user(request).contains(&format!("[… {} characters cut here …]", output.groups[0].cut_characters))
    );
}

#[tokio::test]
async fn an_endpoint_that_finds_the_prompt_too_long_gets_a_shorter_one() {
    let too_long = || ChatError::ContextTooLong {
        endpoint: "http://critic.example".to_owned(),
        message: "prompt is too long: 211824 > 200000".to_owned(),
    };
    let splitting = Scripted::new(move |request, _| match shown_tasks(request) {
        tasks if tasks.len() > 2 => Err(too_long()),
        tasks => Ok(good_reply(&tasks).to_string()),
    });
    let output = run(&groups("f", 5, "--"), &splitting).await;
    let shown: Vec<usize> = output.groups.iter().map(|group| group.tasks.len()).collect();
    assert_eq!(shown, [2, 3], "a group of three cannot be split");
    assert_eq!(output.groups[0].failed, None);
    assert!(output.groups[1].failed.as_deref().unwrap().contains("prompt is too long"));
    let never = Scripted::new(move |_, _| Err(too_long()));
    assert!(run_with(&groups("m", 1, "+-"), &settings(), 100_000, &never).await.is_err());
    assert_eq!(never.requests().len(), 7);
}
