//! ALFWorld from its games to the best context, in the lighthouse of our own.
//!
//! Always holds: the games are those of `fixtures/alfworld`.

use serde_json::Value;

use crate::run_folder::ended;
use crate::scratch::Scratch;
use crate::simulator::{Purpose, Simulator};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/alfworld");

/// A run of one step; siblings differ by their seeds.
const RUN: [&str; 9] = [
    "run",
    "--preset",
    "alfworld",
    "--data",
    GAMES,
    "--set",
    "run.epochs=1",
    "--set",
    "target.seed=per_rollout",
];

/// Both roles simulated in process.
const INSIDE: [&str; 4] = ["--set", "target.provider=simulated", "--set", "optimizer.provider=simulated"];

/// A context that cures the simulated target of every habit.
const CURE: &str = "- Put the command between action tags in every reply.\n- Take only what the task names.\n- Do not \
    open a place twice.\n- Heat, cool or clean a thing before it is put down.\n";

fn arguments<'a>(name: &'a str, further: &[&'a str], endpoints: &'a [String]) -> Vec<&'a str> {
    let endpoints = endpoints.iter().map(String::as_str);
    RUN.into_iter().chain(["--name", name]).chain(further.iter().copied()).chain(endpoints).collect()
}

/// The trajectories of a run's baseline.
fn baseline(scratch: &Scratch, run: &str) -> Vec<Value> {
    let file = scratch.run(run).join("baseline").join("trajectories.trj");
    let lines = scratch.textualrl(&["show", file.as_str(), "--json"]);
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON lines")).collect()
}

/// The texts of a trajectory's turns by a role.
fn said(trajectory: &Value, role: &str) -> Vec<String> {
    let turns = trajectory["turns"].as_array().expect("turns").iter();
    let of_role = turns.filter(|turn| turn["role"] == role);
    of_role.map(|turn| turn["content"][0]["text"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_preset_runs_and_improves_in_process_and_over_http() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "alfworld");
    let served = simulator.settings();
    let inside = INSIDE.map(str::to_owned);
    for (name, endpoints) in [("served", served.as_slice()), ("inside", inside.as_slice())] {
        let summary = scratch.json(&arguments(name, &[], endpoints));
        let steps = summary["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 1, "{name}");
        assert!(steps[0]["routes"][0].as_u64().is_some_and(|mixed| mixed > 2), "{name}: {summary}");
        assert_eq!(steps[0]["decision"]["kind"], "accepted", "{name}: {summary}");
    }
    let asked = simulator.requests();
    let target: Vec<_> = asked.iter().filter(|request| request.purpose == Purpose::Target).collect();
    assert!(target.iter().all(|request| request.text.contains("Commands that apply now:\n['")));
    // A request shows the window of the step: never more than two pairs, and no earlier reply.
    let pairs = |text: &str| text.matches("[Observation ").count();
    assert_eq!(target.iter().map(|request| pairs(&request.text)).max(), Some(2));
    assert!(
        target
            .iter()
            .all(|request| request.body["messages"].as_array().is_some_and(|turns| turns.len() == 2))
    );
    assert!(target.iter().all(|request| request.body["max_tokens"] == 4096));
}

#[test]
fn a_failed_call_is_no_step_and_leaves_the_play_unscored() {
    let scratch = Scratch::new();
    let context = scratch.path().join("cure.md");
    std::fs::write(&context, CURE).expect("a file");
    let shaky = Simulator::start_with(&scratch, "shaky", &["--fault", "500:0.08"]);
    let context = format!("data.context={context}");
    let impatient =
        ["--set", "target.attempts=1", "--set", "limits.not_scored_retries=0", "--set", context.as_str()];
    let served = shaky.settings();
    ended(&scratch, &arguments("shaky", &impatient, &served)).with(8).saying(&["paused", "status 500"]);
    let (mut unscored, plays) = (0, baseline(&scratch, "shaky"));
    for play in &plays {
        let replies = said(play, "assistant");
        match play["outcome"]["kind"].as_str() {
            Some("not_scored") => unscored += 1,
            _ => assert_eq!(play["outcome"]["reward"], 1, "{play}"),
        }
        assert!(replies.iter().all(|reply| reply.contains("<action>") && !reply.contains("<action>look")));
        assert!(
            said(play, "user").iter().all(|seen| !seen.contains("`look`") && !seen.contains("You are at"))
        );
        assert_eq!(play["calls"], replies.len(), "every answered call is a step, and no other");
    }
    assert!(unscored > 0 && plays.len() == 8, "{unscored} of {}", plays.len());
}

#[test]
fn a_reply_without_tag_looks_around_counts_as_a_step_and_is_told() {
    let scratch = Scratch::new();
    let bare = Simulator::start_with(&scratch, "bare", &["--fixed-reply", "I would go to shelf 1."]);
    let served = bare.settings();
    let small = ["--set", "data.limit=2", "--set", "rollout.k=2"];
    scratch.textualrl(&arguments("bare", &small, &served));
    let plays = baseline(&scratch, "bare");
    assert_eq!(plays.len(), 2);
    for play in plays {
        assert_eq!(said(&play, "assistant").len(), 50);
        let seen = said(&play, "user");
        let told = "(The reply has no action tag; `look` was executed.)\nYou are at landing 1.";
        assert!(seen.iter().skip(1).all(|seen| seen.starts_with(told)), "{seen:?}");
        let outcome = &play["outcome"];
        assert_eq!((outcome["kind"].as_str(), &outcome["reward"]), (Some("scored"), &Value::from(0)));
        let feedback = outcome["feedback"]["safe"].as_str().expect("feedback");
        assert!(feedback.contains("the step limit of 50 was reached"), "{feedback}");
        assert!(feedback.contains("50 replies without action tag"), "{feedback}");
    }
}
