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
    without_candidate: usize,
    proposals: usize,
    decisions: BTreeMap<String, usize>,
    routes: [usize; 3],
    initial: f64,
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
    // The re-ask differs in form mistakes only.
    if parsed == again { parsed } else { again }
}

fn critic_prompt(context: &str, route: &str, budget: usize, groups: &[Group], history: &str) -> String {
    let mut prompt = format!("<context>\n{context}</context>\n<edit_budget>{budget}</edit_budget>\n<route>{route}</route>\n");
    if !history.is_empty() {
        prompt.push_str(&format!("<history>\n{history}</history>\n"));
    }
    for (task, group) in groups {
        prompt.push_str(&format!("<task_block id=\"{}\">\n<task_input>\n{}\n</task_input>\n", task.id, task.input));
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
    format!("<context>\n{context}</context>\n<branch>{branch}</branch>\n<bundles>\n{}\n</bundles>\n", json!(bundles))
}

/// Rollouts and critique: the proposals by branch and the cards.
fn critique(context: &str, groups: Vec<Group>, history: &str, ran: &mut Ran) -> ([Vec<Vec<Value>>; 2], Vec<Value>) {
    let mut calls: Vec<(&str, Vec<Group>)> = Vec::new();
    let mut alike: BTreeMap<&str, Vec<Group>> = BTreeMap::new();
    for group in groups {
        let route = route(&group);
        ran.routes[["mixed", "all-success", "all-failure"].iter().position(|r| *r == route).unwrap()] += 1;
        if route == "mixed" { calls.push((route, vec![group])) } else { alike.entry(route).or_default().push(group) }
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
            "insert_after" => text = text.replacen(field("target"), &format!("{}\n{}", field("target"), field("content")), 1),
            "replace" => text = text.replacen(field("target"), field("content"), 1),
            other => panic!("{other}"),
        }
    }
    text
}

fn displayed(mut groups: Vec<Group>, display: Display, seed: u64) -> Vec<Group> {
    match display {
        Display::AsTheyAre => {}
        Display::Blanked => groups.iter_mut().flat_map(|(_, group)| group).for_each(|(reply, _)| reply.clear()),
        Display::RewardsPermuted => {
            let rewards = groups.iter().flat_map(|(_, group)| group.iter().map(|(_, right)| *right)).collect();
            let rewards = shuffled(rewards, seed);
            let places = groups.iter_mut().flat_map(|(_, group)| group);
            places.zip(rewards).for_each(|((_, right), reward)| *right = reward);
        }
    }
    groups
}

fn run(seed: u64, display: Display) -> Ran {
    let mut context = INITIAL.to_owned();
    let initial = score(&context, "validation");
    let mut ran = Ran { initial, best: initial, ..Ran::default() };
    for epoch in 0..2 {
        let batch = shuffled(tasks("train"), seed * 10 + epoch + 1);
        let mut history = String::new();
        for (step, batch) in batch.chunks(12).enumerate() {
            let run = seed * 100 + epoch * 10 + step as u64;
            let groups = batch.iter().map(|task| (task.clone(), samples(&context, task, 4, run))).collect();
            let groups = displayed(groups, display, run + 1);
            let (branches, cards) = critique(&context, groups, &history, &mut ran);
            let merged = merge(&context, branches);
            let mut edits = if merged.is_empty() { merged } else { review(&context, merged, &cards, &mut ran) };
            edits.truncate([4, 4, 3, 3, 2, 2][epoch as usize * 3 + step]);
            let candidate = apply(&context, &edits);
            if candidate == context {
                ran.without_candidate += 1;
                continue;
            }
            let value = score(&candidate, "validation");
            if value > ran.best {
                ran.accepted += 1;
                (context, ran.best) = (candidate, value);
            } else {
                ran.rejected += 1;
                edits.iter().for_each(|edit| history.push_str(&format!("{}\n", edit["content"].as_str().unwrap())));
            }
        }
    }
    ran.context = context;
    ran
}

#[test]
fn most_seeds_accept_reject_and_improve() {
    let (mut good, mut lift) = (0, 0.0);
    let before = score(INITIAL, "test");
    let mut narrowed = 0;
    for seed in 1..=20 {
        let ran = run(seed, Display::AsTheyAre);
        let after = score(&ran.context, "test");
        println!("{seed}: {before:.2} -> {after:.2}, validation {:.2} -> {:.2}, accepted {} rejected {} none {} proposals {} {:?} {:?}",
            ran.initial, ran.best, ran.accepted, ran.rejected, ran.without_candidate, ran.proposals, ran.decisions, ran.routes);
        if seed < 3 { println!("{}", ran.context); }
        good += usize::from(ran.accepted > 0 && ran.rejected > 0 && after > before);
        narrowed += usize::from(ran.decisions.contains_key("narrow") || ran.decisions.contains_key("revise"));
        lift += (after - before) / 20.0;
    }
    println!("good {good} narrowed {narrowed} lift {lift:.3}");
    assert!(good >= 16 && narrowed >= 10 && lift > 0.2, "{good} {narrowed} {lift}");
}

#[test]
fn permuted_rewards_take_the_lift_away() {
    let before = score(INITIAL, "test");
    let mut lift = 0.0;
    for seed in 1..=20 {
        let ran = run(seed, Display::RewardsPermuted);
        let after = score(&ran.context, "test");
        println!("{seed}: {before:.2} -> {after:.2} accepted {} proposals {} {:?}", ran.accepted, ran.proposals, ran.decisions);
        lift += (after - before) / 20.0;
    }
    println!("lift {lift:.3}");
    assert!(lift < 0.05, "{lift}");
}

#[test]
fn blanked_trajectories_give_no_proposal() {
    let ran = run(1, Display::Blanked);
    assert_eq!((ran.proposals, ran.accepted, ran.rejected), (0, 0, 0));
}
