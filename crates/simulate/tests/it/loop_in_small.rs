//! The whole loop in small, on the prompts' contract alone: rollouts, critique, merge, review, patch, gate.
//!
//! Always holds: nothing here knows a habit or a lesson; edits are taken as the optimizer writes them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};
use textualrl_simulate::SimulatedOptimizer;

use crate::quickstart::{INITIAL, Task, samples, score, tasks};

/// What is done to the trajectories before they are displayed.
#[derive(Clone, Copy, PartialEq)]
enum Display {
    AsTheyAre,
    RewardsPermuted,
    Blanked,
}

/// What a run came to.
#[derive(Default, Debug)]
struct Ran {
    accepted: usize,
    rejected: usize,
    proposals: usize,
    decisions: BTreeMap<String, usize>,
    /// Mixed, all-success and all-failure groups.
    routes: [usize; 3],
    best: f64,
    context: String,
}

type Group = (Task, Vec<(String, bool)>);

fn shuffled<T>(mut items: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for at in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(at, (state % (at as u64 + 1)) as usize);
    }
    items
}

fn ask(prompt: String) -> Value {
    let model = SimulatedOptimizer::new();
    let mut turns = vec![Turn::text(Role::System, "You improve a context."), Turn::text(Role::User, prompt)];
    let request = |turns: &[Turn]| ChatRequest {
        turns: turns.to_vec(),
        temperature: None,
        seed: None,
        schema: None,
        tools: Vec::new(),
    };
    let first = model.answer(&request(&turns)).turn;
    turns.push(first.clone());
    turns.push(Turn::text(Role::User, "Please give the whole JSON again."));
    let second = model.answer(&request(&turns)).turn.joined_text();
    let text = first.joined_text();
    let bare = text.trim_start_matches("```json").trim_end_matches("```");
    let parsed: Value = serde_json::from_str(bare).expect("JSON");
    let again: Value = serde_json::from_str(&second).expect("JSON on the re-ask");
    // The re-ask differs in the form of the first edit at most.
    let edits = |reply: &Value| reply.pointer("/patch/edits").or_else(|| reply.get("edits")).cloned();
    let tail = |reply: &Value| {
        edits(reply).and_then(|edits| Some(edits.as_array()?.iter().skip(1).cloned().collect::<Vec<_>>()))
    };
    assert_eq!(tail(&parsed), tail(&again));
    again
}

fn critic_prompt(context: &str, route: &str, budget: usize, groups: &[Group], history: &str) -> String {
    let mut prompt = format!(
        "<context>\n{context}</context>\n<edit_budget>{budget}</edit_budget>\n<route>{route}</route>\n"
    );
    if !history.is_empty() {
        prompt.push_str(&format!("<history>\n{history}</history>\n"));
    }
    for (task, group) in groups {
        prompt.push_str(&format!(
            "<task_block id=\"{}\">\n<task_input>\n{}\n</task_input>\n",
            task.id, task.input
        ));
        for (index, (reply, right)) in group.iter().enumerate() {
            let outcome = if *right { "success" } else { "failure" };
            prompt.push_str(&format!(
                "<trajectory id=\"r{}\" outcome=\"{outcome}\" multiplicity=\"1\">\n<turn role=\"assistant\">\n{reply}\n</turn>\n</trajectory>\n",
                index + 1
            ));
        }
        prompt.push_str("</task_block>\n");
    }
    prompt
}

fn route(group: &Group) -> &'static str {
    match group.1.iter().filter(|(_, right)| *right).count() {
        0 => "all-failure",
        count if count == group.1.len() => "all-success",
        _ => "mixed",
    }
}

fn bundles_prompt(context: &str, branch: &str, bundles: &[Vec<Value>]) -> String {
    let bundles: Vec<Value> = bundles
        .iter()
        .enumerate()
        .map(|(n, edits)| json!({"bundle": format!("b{n}"), "route": "mixed", "reasoning": "", "edits": edits}))
        .collect();
    format!(
        "<context>\n{context}</context>\n<branch>{branch}</branch>\n<bundles>\n{}\n</bundles>\n",
        json!(bundles)
    )
}

/// Rollouts and critique: the proposals by branch and the cards.
fn critique(
    context: &str,
    groups: Vec<Group>,
    history: &str,
    ran: &mut Ran,
) -> ([Vec<Vec<Value>>; 2], Vec<Value>) {
    let mut calls: Vec<(&str, Vec<Group>)> = Vec::new();
    let mut alike: BTreeMap<&str, Vec<Group>> = BTreeMap::new();
    for group in groups {
        let route = route(&group);
        ran.routes[["mixed", "all-success", "all-failure"].iter().position(|r| *r == route).unwrap()] += 1;
        if route == "mixed" {
            calls.push((route, vec![group]))
        } else {
            alike.entry(route).or_default().push(group)
        }
    }
    for (route, groups) in alike {
        let chunks = groups.chunks(8).filter(|chunk| chunk.len() >= 2);
        calls.extend(chunks.map(|chunk| (route, chunk.to_vec())));
    }
    let (mut branches, mut cards) = ([Vec::new(), Vec::new()], Vec::new());
    for (number, (route, groups)) in calls.iter().enumerate() {
        let budget = if *route == "mixed" { 1 } else { 4 };
        let reply = ask(critic_prompt(context, route, budget, groups, history));
        let mut edits = reply["patch"]["edits"].as_array().unwrap().clone();
        for (n, edit) in edits.iter_mut().enumerate() {
            edit["id"] = json!(format!("x-g{number:03}-{n}"));
            assert!(edit["op"] == "append" || context.matches(edit["target"].as_str().unwrap()).count() == 1);
        }
        ran.proposals += edits.len();
        if !edits.is_empty() {
            branches[usize::from(*route == "all-success")].push(edits);
        }
        for (n, card) in reply["cross_group_cards"].as_array().unwrap().iter().enumerate() {
            let (task, group) = groups.iter().find(|(task, _)| task.id == card["task_id"]).unwrap();
            let index: usize = card["rollout_id"].as_str().unwrap()[1..].parse().unwrap();
            let (reply, right) = &group[index - 1];
            let quote = card["quote"].as_str().unwrap();
            assert!(!quote.is_empty() && (reply.contains(quote) || task.input.contains(quote)), "{quote}");
            let mut card = card.clone();
            card["card"] = json!(format!("c-g{number:03}-{n}"));
            card["outcome"] = json!(if *right { "success" } else { "failure" });
            cards.push(card);
        }
    }
    (branches, cards)
}

fn merge(context: &str, branches: [Vec<Vec<Value>>; 2]) -> Vec<Value> {
    let mut lone = Vec::new();
    for (bundles, name) in branches.into_iter().zip(["corrective", "preservation"]) {
        match bundles.len() {
            0 => {}
            1 => lone.extend(bundles),
            _ => {
                let ids: Vec<Value> = bundles.iter().flatten().map(|edit| edit["id"].clone()).collect();
                let reply = ask(bundles_prompt(context, name, &bundles));
                let mut edits = reply["edits"].as_array().unwrap().clone();
                for (n, edit) in edits.iter_mut().enumerate() {
                    let from = edit["from"].as_array().unwrap();
                    assert!(!from.is_empty() && from.iter().all(|id| ids.contains(id)));
                    edit["id"] = json!(format!("{name}-{n}"));
                }
                lone.push(edits);
            }
        }
    }
    if lone.len() < 2 {
        return lone.into_iter().next().unwrap_or_default();
    }
    ask(bundles_prompt(context, "final", &lone))["edits"].as_array().unwrap().clone()
}

fn review(context: &str, mut edits: Vec<Value>, cards: &[Value], ran: &mut Ran) -> Vec<Value> {
    for (n, edit) in edits.iter_mut().enumerate() {
        edit["id"] = json!(format!("m-{}", n + 1));
        edit.as_object_mut().unwrap().remove("from");
        edit.as_object_mut().unwrap().remove("support");
    }
    let prompt = format!(
        "<context>\n{context}</context>\n<candidate_edits>\n{}\n</candidate_edits>\n<evidence_cards>\n{}\n</evidence_cards>\n",
        json!(edits),
        json!(cards)
    );
    let reviewed = ask(prompt)["edits"].as_array().unwrap().clone();
    for (before, after) in edits.iter().zip(&reviewed) {
        let decision = after["cross_group_review"]["decision"].as_str().unwrap();
        assert_eq!((&before["op"], &before["target"]), (&after["op"], &after["target"]));
        let changed = before["content"] != after["content"];
        assert_eq!(changed, matches!(decision, "narrow" | "revise"), "{decision}");
        *ran.decisions.entry(decision.to_owned()).or_default() += 1;
    }
    reviewed
}

fn apply(context: &str, edits: &[Value]) -> String {
    let mut text = context.to_owned();
    for edit in edits {
        let field = |name: &str| edit[name].as_str().unwrap();
        match field("op") {
            "append" => text = format!("{}\n{}\n", text.trim_end(), field("content")),
            "insert_after" => {
                text =
                    text.replacen(field("target"), &format!("{}\n{}", field("target"), field("content")), 1)
            }
            "replace" => text = text.replacen(field("target"), field("content"), 1),
            other => panic!("{other}"),
        }
    }
    text
}

fn displayed(mut groups: Vec<Group>, display: Display, seed: u64) -> Vec<Group> {
    match display {
        Display::AsTheyAre => {}
        Display::Blanked => {
            groups.iter_mut().flat_map(|(_, group)| group).for_each(|(reply, _)| reply.clear())
        }
        Display::RewardsPermuted => {
            let rewards =
                groups.iter().flat_map(|(_, group)| group.iter().map(|(_, right)| *right)).collect();
            let rewards = shuffled(rewards, seed);
            let places = groups.iter_mut().flat_map(|(_, group)| group);
            places.zip(rewards).for_each(|((_, right), reward)| *right = reward);
        }
    }
    groups
}

fn run(seed: u64, display: Display) -> Ran {
    let mut context = INITIAL.to_owned();
    let mut ran = Ran { best: score(&context, "validation"), ..Ran::default() };
    for epoch in 0..2 {
        let batch = shuffled(tasks("train"), seed * 10 + epoch + 1);
        let mut history = String::new();
        for (step, batch) in batch.chunks(8).enumerate() {
            let run = seed * 100 + epoch * 10 + step as u64;
            let groups = batch.iter().map(|task| (task.clone(), samples(&context, task, 4, run))).collect();
            let groups = displayed(groups, display, run + 1);
            let (branches, cards) = critique(&context, groups, &history, &mut ran);
            let merged = merge(&context, branches);
            let mut edits =
                if merged.is_empty() { merged } else { review(&context, merged, &cards, &mut ran) };
            edits.truncate([4, 4, 3, 3, 3, 2, 2, 2][epoch as usize * 4 + step]);
            let candidate = apply(&context, &edits);
            if candidate == context {
                continue;
            }
            let value = score(&candidate, "validation");
            if value > ran.best {
                ran.accepted += 1;
                (context, ran.best) = (candidate, value);
            } else {
                ran.rejected += 1;
                edits
                    .iter()
                    .for_each(|edit| history.push_str(&format!("{}\n", edit["content"].as_str().unwrap())));
            }
        }
    }
    ran.context = context;
    ran
}

/// The runs of twenty seeds, and what each gains on the test split.
fn twenty(display: Display) -> Vec<(Ran, f64)> {
    let before = score(INITIAL, "test");
    let gained = |ran: Ran| {
        let gain = score(&ran.context, "test") - before;
        (ran, gain)
    };
    (1..=20).map(|seed| gained(run(seed, display))).collect()
}

fn mean_gain(runs: &[(Ran, f64)]) -> f64 {
    runs.iter().map(|(_, gain)| gain).sum::<f64>() / runs.len() as f64
}

#[test]
fn most_seeds_accept_reject_and_improve() {
    let runs = twenty(Display::AsTheyAre);
    let good = runs.iter().filter(|(ran, gain)| ran.accepted > 0 && ran.rejected > 0 && *gain > 0.0);
    let changed = runs.iter().filter(|(ran, _)| ran.decisions.keys().any(|d| d == "narrow" || d == "revise"));
    let (good, changed, gain) = (good.count(), changed.count(), mean_gain(&runs));
    assert!(good >= 16 && changed >= 12 && gain > 0.25, "{good} good, {changed} changed, {gain}: {runs:#?}");
    assert!(runs.iter().all(|(ran, _)| ran.routes.iter().all(|count| *count > 0)), "{runs:#?}");
}

#[test]
fn permuted_rewards_take_the_lift_away() {
    let runs = twenty(Display::RewardsPermuted);
    let gain = mean_gain(&runs);
    assert!(gain < 0.05, "{gain}: {runs:#?}");
}

#[test]
fn blanked_trajectories_give_no_proposal() {
    let ran = run(1, Display::Blanked);
    assert_eq!((ran.proposals, ran.accepted, ran.rejected), (0, 0, 0));
}
