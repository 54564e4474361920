//! SpreadsheetBench from its files to the best context, with real programs.
//!
//! Always holds: the tasks are the project's own; where Python with openpyxl is not installed, the test is passed over and
//! says so.

use std::process::Command;

use crate::scratch::Scratch;
use crate::simulator::{Purpose, Simulator};

/// Both roles simulated in process; the simulated target takes the seed as its sample index.
const SIMULATED: [&str; 6] = [
    "--set",
    "target.provider=simulated",
    "--set",
    "optimizer.provider=simulated",
    "--set",
    "target.seed=per_rollout",
];

fn fixture() -> String {
    format!("{}/../../fixtures/spreadsheet", env!("CARGO_MANIFEST_DIR"))
}

/// How programs are run here: in a sandbox if one works, else without. None if there is no interpreter for them.
fn setting(scratch: &Scratch) -> Option<&'static str> {
    let found = Command::new("python3").args(["-c", "import openpyxl"]).output();
    if !found.is_ok_and(|found| found.status.success()) {
        println!("passed over: python3 with openpyxl is not installed");
        return None;
    }
    let fixture = fixture();
    let mut check = vec!["run", "--preset", "spreadsheet", "--data", &fixture, "--dry-run"];
    check.extend(SIMULATED);
    if scratch.output(&check).status.success() {
        return Some("data.spreadsheet.sandbox=auto");
    }
    println!("without a sandbox: none works here");
    Some("data.spreadsheet.sandbox=none")
}

#[test]
fn the_preset_runs_in_process_and_over_http_and_the_context_gets_better() {
    let scratch = Scratch::new();
    let Some(sandbox) = setting(&scratch) else { return };
    let (fixture, simulator) = (fixture(), Simulator::start(&scratch, "spreadsheet"));
    let common = ["run", "--preset", "spreadsheet", "--data", &fixture, "--set", sandbox];
    let served = simulator.settings();
    let inside = SIMULATED.map(str::to_owned);
    // The second way is the same but for how the models are reached, so that fewer tasks are enough.
    for (name, endpoints, limit) in
        [("inside", inside.as_slice(), "data.limit=0"), ("served", served.as_slice(), "data.limit=4")]
    {
        let mut arguments = common.to_vec();
        arguments.extend(["--set", "run.epochs=1", "--set", "target.seed=per_rollout", "--set", limit]);
        arguments.extend(["--name", name]);
        arguments.extend(endpoints.iter().map(String::as_str));
        let summary = scratch.json(&arguments);
        let steps = summary["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 1, "{name}");
        assert!(steps[0]["routes"][0].as_u64().is_some_and(|mixed| mixed > 0), "{name}: {summary}");
        let unconfined = summary.to_string().contains("without a sandbox");
        assert_eq!(unconfined, sandbox.ends_with("none"), "{name}: {summary}");
    }
    let taught = std::fs::read_to_string(scratch.run("inside").join("best_context.md")).expect("a context");
    assert!(taught.contains("formula"), "{taught}");
    let asked = simulator.requests();
    let target: Vec<_> = asked.iter().filter(|request| request.purpose == Purpose::Target).collect();
    assert!(!target.is_empty());
    assert!(target.iter().all(|request| request.text.contains("# Input spreadsheet preview")));
    let again = target.iter().filter(|request| request.text.contains("NameError"));
    assert!(again.count() > 0, "no program was shown its own output");
}
