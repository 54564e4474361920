//! DocVQA from its files to the best context, with pages as text.
//!
//! Always holds: the pages are made here, in words of our own.

use serde_json::{Value, json};

use crate::scratch::Scratch;
use crate::simulator::{Purpose, Simulator};

const NAMES: [&str; 7] =
    ["Mira Holt", "Oswin Quill", "Teresa Moss", "Halvar Varga", "Ines Okafor", "Konrad Reed", "Ada Lind"];
const PLACES: [&str; 5] = ["Ardmoor", "Bellstrand", "Corvath", "Dunlow", "Eskmouth"];

/// Both roles simulated in process; the simulated target takes the seed as its sample index.
const SIMULATED: [&str; 6] = [
    "--set",
    "target.provider=simulated",
    "--set",
    "optimizer.provider=simulated",
    "--set",
    "target.seed=per_rollout",
];

fn task(number: usize) -> Value {
    let (name, place) = (NAMES[number % 7], PLACES[number % 5]);
    let (invoice, looms) = (4100 + number, 1210 + 37 * number);
    json!({
        "id": number,
        "question": format!("Who signed invoice {invoice} of {place}?"),
        "answers": [name, name.to_uppercase()],
        "ocr_text": format!(
            "Delivery note. {place} received {looms} looms in spring. Invoice {invoice} of {place} was signed by \
             Dr. {name} at the harbour. Goods are returned within a month."
        ),
        "image_path": format!("images/{number}.png"),
    })
}

fn write_data(scratch: &Scratch) {
    for (split, numbers) in [("train", 0..16), ("val", 16..26), ("test", 26..32)] {
        let folder = scratch.path().join("data").join(split);
        std::fs::create_dir_all(&folder).expect("a folder");
        let tasks: Vec<Value> = numbers.map(task).collect();
        std::fs::write(folder.join("items.json"), json!(tasks).to_string()).expect("a file");
    }
}

#[test]
fn the_preset_runs_with_pages_as_text_in_process_and_over_http() {
    let scratch = Scratch::new();
    write_data(&scratch);
    let simulator = Simulator::start(&scratch, "docvqa");
    let common = ["run", "--preset", "docvqa", "--data", "data", "--set", "data.docvqa.mode=text"];
    let small = ["--set", "run.epochs=1", "--set", "run.batch_size=16", "--set", "target.seed=per_rollout"];
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
    assert!(target.iter().all(|request| request.text.contains("## Document\nDelivery note.")));
}

#[test]
fn a_missing_page_is_named_with_the_way_out() {
    let scratch = Scratch::new();
    write_data(&scratch);
    let mut arguments = vec!["run", "--preset", "docvqa", "--data", "data", "--dry-run"];
    arguments.extend(SIMULATED);
    let output = scratch.output(&arguments);
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("item 1") && said.contains("images/0.png"), "{said}");
    assert!(said.contains("data.docvqa.mode=text"), "{said}");
}

#[test]
fn data_without_a_test_split_are_refused_before_a_run() {
    let scratch = Scratch::new();
    write_data(&scratch);
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
