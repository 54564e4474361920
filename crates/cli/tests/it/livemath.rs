//! LiveMathematicianBench from its files to the best context.
//!
//! Always holds: the questions are those of `fixtures/livemath`, which has a split in each form of the distributions.

use std::collections::BTreeSet;

use crate::scratch::Scratch;
use crate::simulator::{Purpose, Simulator};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/livemath");
/// Both roles simulated in process.
const INSIDE: [&str; 4] = ["--set", "target.provider=simulated", "--set", "optimizer.provider=simulated"];

/// What stands below the heading of the choices.
fn choices(prompt: &str) -> &str {
    prompt.split_once("## Choices\n").map(|(_, choices)| choices).unwrap_or_default()
}

#[test]
fn the_preset_runs_in_process_and_over_http() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "livemath");
    let served = simulator.settings();
    let inside = INSIDE.map(str::to_owned);
    for (name, endpoints) in [("served", served.as_slice()), ("inside", inside.as_slice())] {
        let mut arguments = vec!["run", "--preset", "livemath", "--data", DATA, "--name", name];
        arguments.extend(["--set", "run.epochs=2", "--set", "target.seed=per_rollout"]);
        arguments.extend(endpoints.iter().map(String::as_str));
        let summary = scratch.json(&arguments);
        let steps = summary["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 2, "{name}");
        assert!(steps[0]["routes"][0].as_u64().is_some_and(|mixed| mixed > 0), "{name}: {summary}");
    }
    let asked = simulator.requests();
    let target = asked.iter().filter(|request| request.purpose == Purpose::Target);
    // One question of the train split: a batch shows all siblings one order, the next batch may show another.
    let shown: Vec<&str> = target
        .filter(|request| request.text.contains("first n odd positive integers"))
        .map(|request| choices(&request.text))
        .collect();
    let orders: BTreeSet<&str> = shown.iter().copied().collect();
    assert_eq!((shown.len(), orders.len()), (8, 2), "{orders:?}");
}
