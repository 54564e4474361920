//! DocVQA from its files to the best context, with pages as text and as images.
//!
//! Always holds: the pages are those of `fixtures/docvqa`; the simulated target reads text alone.

use crate::scratch::Scratch;
use crate::simulator::{Purpose, Simulator};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/docvqa");

/// Both roles simulated in process; the simulated target takes the seed as its sample index.
const SIMULATED: [&str; 6] = [
    "--set",
    "target.provider=simulated",
    "--set",
    "optimizer.provider=simulated",
    "--set",
    "target.seed=per_rollout",
];

/// The task files alone, without the images.
fn copy_tasks(scratch: &Scratch) {
    for split in ["train", "val", "test"] {
        let folder = scratch.path().join("data").join(split);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::copy(format!("{DATA}/{split}/items.json"), folder.join("items.json")).expect("a file");
    }
}

#[test]
fn the_preset_runs_with_pages_as_text_in_process_and_over_http() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "docvqa");
    let common = ["run", "--preset", "docvqa", "--data", DATA, "--set", "data.docvqa.mode=text"];
    let small = ["--set", "run.epochs=1", "--set", "target.seed=per_rollout"];
    let served = simulator.settings();
    let inside = SIMULATED.map(str::to_owned);
    for (name, endpoints) in [("served", served.as_slice()), ("inside", inside.as_slice())] {
        let mut arguments = common.to_vec();
        arguments.extend(small);
        arguments.extend(["--name", name]);
        arguments.extend(endpoints.iter().map(String::as_str));
        let summary = scratch.json(&arguments);
        let steps = summary["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 1, "{name}");
        assert!(steps[0]["routes"][0].as_u64().is_some_and(|mixed| mixed > 0), "{name}: {summary}");
        assert!(summary.to_string().contains("not as images"), "{name}: {summary}");
    }
    let asked = simulator.requests();
    let target: Vec<_> = asked.iter().filter(|request| request.purpose == Purpose::Target).collect();
    assert!(!target.is_empty());
    assert!(target.iter().all(|request| request.text.contains("## Document\n")));
}

#[test]
fn pages_reach_the_target_and_where_wished_the_critics_as_images() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "docvqa");
    let mut arguments = vec!["run", "--preset", "docvqa", "--data", DATA, "--name", "seen"];
    arguments.extend(["--set", "run.epochs=1", "--set", "target.seed=per_rollout"]);
    arguments.extend(["--set", "critique.images=true"]);
    let served = simulator.settings();
    arguments.extend(served.iter().map(String::as_str));
    let summary = scratch.json(&arguments);
    assert!(!summary.to_string().contains("not as images"), "{summary}");
    let asked = simulator.requests();
    let of = |purpose| asked.iter().filter(move |request| request.purpose == purpose);
    // Ten questions about ten pages, of which two in ten are JPEG.
    let (png, jpeg) = ("data:image/png;base64,", "data:image/jpeg;base64,");
    assert!(of(Purpose::Target).all(|request| request.text.contains(png) != request.text.contains(jpeg)));
    assert!(of(Purpose::Target).any(|request| request.text.contains(jpeg)));
    let critics: Vec<_> = of(Purpose::Critic).collect();
    assert!(!critics.is_empty());
    assert!(critics.iter().all(|request| request.text.contains("data:image/")));
    assert!(critics.iter().all(|request| request.text.contains("[image 1, shown below]")));
}

#[test]
fn a_missing_page_is_named_with_the_way_out() {
    let scratch = Scratch::new();
    copy_tasks(&scratch);
    let mut arguments = vec!["run", "--preset", "docvqa", "--data", "data", "--dry-run"];
    arguments.extend(SIMULATED);
    let output = scratch.output(&arguments);
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("item 1") && said.contains("images/n4101.png"), "{said}");
    assert!(said.contains("data.docvqa.mode=text"), "{said}");
}

#[test]
fn data_without_a_test_split_are_refused_before_a_run() {
    let scratch = Scratch::new();
    copy_tasks(&scratch);
    std::fs::remove_dir_all(scratch.path().join("data/test")).expect("removed");
    let mut arguments = vec!["run", "--preset", "docvqa", "--data", "data", "--set", "data.docvqa.mode=text"];
    arguments.extend(SIMULATED);
    arguments.extend(["--name", "untested"]);
    let output = scratch.output(&arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("no test split") && said.contains("test/items.json"), "{said}");
    assert!(!scratch.run("untested").exists());
}
