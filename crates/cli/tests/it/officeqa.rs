//! OfficeQA from its files to the best context.
//!
//! Always holds: the documents are those of `fixtures/officeqa`, and no request holds a gold that its document does not.

use crate::scratch::Scratch;
use crate::simulator::{Purpose, Simulator};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/officeqa");
/// Both roles simulated in process.
const INSIDE: [&str; 4] = ["--set", "target.provider=simulated", "--set", "optimizer.provider=simulated"];

#[test]
fn the_preset_runs_in_process_and_over_http() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "officeqa");
    let served = simulator.settings();
    let inside = INSIDE.map(str::to_owned);
    for (name, endpoints) in [("served", served.as_slice()), ("inside", inside.as_slice())] {
        let mut arguments = vec!["run", "--preset", "officeqa", "--data", DATA, "--name", name];
        arguments.extend(["--set", "run.epochs=2", "--set", "target.seed=per_rollout"]);
        arguments.extend(endpoints.iter().map(String::as_str));
        let summary = scratch.json(&arguments);
        let steps = summary["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 2, "{name}");
        assert!(steps[0]["routes"][0].as_u64().is_some_and(|mixed| mixed > 0), "{name}: {summary}");
        assert!(summary.to_string().contains("stood in the prompt of 10 of 34 tasks"), "{name}: {summary}");
        // What the critics learn makes the target answer more questions.
        assert!(steps.iter().any(|step| step["decision"]["kind"] == "accepted"), "{name}: {summary}");
    }
    let asked = simulator.requests();
    let target: Vec<_> = asked.iter().filter(|request| request.purpose == Purpose::Target).collect();
    // A question is asked, and asked again with what the tools gave.
    assert!(target.iter().any(|request| request.text.contains("## Candidate Files\n- ardmoor_1951.txt")));
    assert!(target.iter().any(|request| request.text.contains("| Net debt | 1,204 | 1,310 |")));
    let critics: Vec<_> = asked.iter().filter(|request| request.purpose == Purpose::Critic).collect();
    assert!(critics.iter().any(|request| request.text.contains("<tool_call name=\"grep\">")));
}

#[test]
fn a_run_over_all_documents_says_so() {
    let scratch = Scratch::new();
    let mut arguments = vec!["run", "--preset", "officeqa", "--data", DATA, "--name", "all"];
    arguments.extend(["--set", "run.epochs=1", "--set", "data.officeqa.reach=all"]);
    arguments.extend(["--set", "data.scoring=corrected", "--set", "target.seed=per_rollout"]);
    arguments.extend(INSIDE);
    let summary = scratch.json(&arguments).to_string();
    assert!(summary.contains("all documents were open"), "{summary}");
}
