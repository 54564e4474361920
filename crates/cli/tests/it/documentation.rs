//! The examples of the README: what it shows of `fixtures/own-task` is what lies there, and it runs as told.

use camino::Utf8Path;

use crate::scratch::Scratch;
use crate::simulator::Simulator;

const README: &str = include_str!("../../../../README.md");
const TASKS: &str = include_str!("../../../../fixtures/own-task/tasks.jsonl");
const CONFIGURATION: &str = include_str!("../../../../fixtures/own-task/own-task.toml");
const ADDRESS: &str = "http://127.0.0.1:8080/v1";

#[test]
fn the_readme_shows_the_files_of_the_example() {
    for (language, file) in [("toml", CONFIGURATION), ("jsonl", TASKS)] {
        assert!(README.contains(&format!("```{language}\n{file}```\n")), "{language}");
    }
    assert_eq!(TASKS.lines().count(), 10);
}

#[test]
fn the_readme_shows_what_the_quickstart_prints() {
    let printed = Scratch::new().textualrl(&["run"]);
    let (_, shown) = README.split_once("```text\n").expect("a block of output");
    let (shown, _) = shown.split_once("```").expect("the end of the block");
    let lines: Vec<&str> =
        shown.lines().filter(|line| !line.trim().is_empty() && line.trim() != "…").collect();
    assert!(lines.len() >= 9, "{shown}");
    for line in lines {
        assert!(printed.lines().any(|other| other == line), "README: {line:?} is not in\n{printed}");
    }
}

#[test]
fn the_example_runs_against_the_simulator() {
    let scratch = Scratch::new();
    let folder = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/own-task"));
    for file in ["tasks.jsonl", "context.md"] {
        std::fs::copy(folder.join(file), scratch.path().join(file)).expect("a copy");
    }
    let simulator = Simulator::start(&scratch, "own-task");
    // The README's port may be taken here.
    let configuration = CONFIGURATION.replace(ADDRESS, &simulator.url);
    assert_ne!(configuration, CONFIGURATION);
    std::fs::write(scratch.path().join("own-task.toml"), configuration).expect("a file");
    let checked = scratch.textualrl(&["check", "--config", "own-task.toml"]);
    for size in ["train 4 tasks", "validation 3 tasks", "test 3 tasks"] {
        assert!(checked.contains(size), "{checked}");
    }
    let printed = scratch.textualrl(&["run", "--config", "own-task.toml"]);
    assert!(printed.contains("best context"), "{printed}");
    assert!(scratch.run("own-task-1").join("best_context.md").is_file());
    assert!(!simulator.requests().is_empty());
}
