//! Golds do not reach the optimizer unless the configuration says so.
//!
//! Always holds: the golds here stand in no passage, so that whoever writes one has been told.

use std::fmt::Write as _;

use crate::scratch::Scratch;
use crate::searchqa::write_data;
use crate::simulator::{Purpose, Simulator};

const CANARY: &str = "ZQ-CANARY-";

/// Runs one step and gives the requests with a canary: those to the optimizer, and those to the target.
fn requests_with_canary(scratch: &Scratch, name: &str, arguments: &[&str]) -> (usize, usize) {
    let simulator = Simulator::start(scratch, name);
    let settings = simulator.settings();
    let fixed = [
        "run",
        "--name",
        name,
        "--stop-after",
        "e1-s01",
        "--set",
        "run.epochs=1",
        "--set",
        "run.batch_size=8",
        "--set",
        "target.seed=per_rollout",
    ];
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    scratch.textualrl(&[&fixed, settings.as_slice(), arguments].concat());
    let requests = simulator.requests();
    let critics = requests.iter().filter(|request| request.purpose == Purpose::Critic).count();
    assert!(critics > 0, "{name}: no critic was asked");
    let (target, optimizer): (Vec<_>, Vec<_>) = requests
        .iter()
        .filter(|request| request.body.to_string().contains(CANARY))
        .partition(|request| request.purpose == Purpose::Target);
    (optimizer.len(), target.len())
}

#[test]
fn golds_of_searchqa_reach_critics_at_the_level_expected_alone() {
    let scratch = Scratch::new();
    // Every other task can be solved, so that there are failures beside successes.
    let gold = |number: usize, name: &str| {
        if number.is_multiple_of(2) { format!("{CANARY}{number}") } else { name.to_owned() }
    };
    write_data(&scratch.path().join("data"), [8, 4, 4], gold);
    for (level, told) in [("none", false), ("safe", false), ("expected", true)] {
        let feedback = format!("critique.feedback={level}");
        let arguments = ["--preset", "searchqa", "--data", "data", "--set", &feedback];
        let (optimizer, target) = requests_with_canary(&scratch, &format!("searchqa-{level}"), &arguments);
        assert_eq!(target, 0, "{level}: the target was told a gold");
        assert_eq!(optimizer > 0, told, "{level}: {optimizer} requests of the optimizer name a gold");
    }
}

#[test]
fn golds_of_own_tasks_reach_critics_at_the_level_expected_alone() {
    let scratch = Scratch::new();
    for (scorer, gold) in [
        ("exact", "ZQ-CANARY-#"),
        ("normalized", "ZQ-CANARY-#"),
        ("contains", "ZQ-CANARY-#"),
        ("f1", "ZQ-CANARY-#"),
        ("anls", "ZQ-CANARY-#"),
        ("regex", "^ZQ-CANARY-#$"),
        ("json_equal", "{\"ZQ-CANARY-\":#}"),
    ] {
        let data = scratch.path().join(format!("{scorer}-data"));
        std::fs::create_dir(&data).expect("a folder");
        std::fs::write(data.join("tasks.jsonl"), tasks(gold)).expect("a file");
        let data = format!("{scorer}-data");
        let scorer_name = format!("data.own.scorer.name={scorer}");
        for (level, told) in [("safe", false), ("expected", true)] {
            let feedback = format!("critique.feedback={level}");
            let arguments = [
                "--data",
                &data,
                "--set",
                "data.own.tasks=tasks.jsonl",
                "--set",
                "data.own.template={{ input }}",
                "--set",
                &scorer_name,
                "--set",
                &feedback,
            ];
            let (optimizer, target) =
                requests_with_canary(&scratch, &format!("{scorer}-{level}"), &arguments);
            assert_eq!(target, 0, "{scorer}, {level}: the target was told a gold");
            assert_eq!(optimizer > 0, told, "{scorer}, {level}: {optimizer} requests name a gold");
        }
    }
}

/// Tasks whose golds stand nowhere but in the file. `#` in the gold is the number.
fn tasks(gold: &str) -> String {
    let mut text = String::new();
    for number in 10..30 {
        let gold = gold.replace('#', &number.to_string());
        let task = serde_json::json!({
            "input": format!("Box {number} was packed by Ada Finch. Who packed box {number}?"),
            "answer": gold,
        });
        writeln!(text, "{task}").expect("a string takes everything");
    }
    text
}
