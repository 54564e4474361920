//! SearchQA from its files to the best context, with both roles over HTTP.
//!
//! Always holds: the data are made here, in the published form and in words of our own.

use std::fmt::Write as _;

use camino::Utf8Path;
use serde_json::{Value, json};

use crate::scratch::{Scratch, artifact};
use crate::simulator::{Purpose, Simulator};

const TOWNS: [&str; 4] = ["Ardmoor", "Bellstrand", "Corvath", "Dunlow"];
const TRADES: [&str; 4] = ["glazier", "botanist", "ferryman", "printer"];
const FIRST: [&str; 6] = ["Mira", "Oswin", "Teresa", "Halvar", "Ines", "Konrad"];
const LAST: [&str; 7] = ["Holt", "Brandreth", "Quill", "Varga", "Lindqvist", "Moss", "Okafor"];
const THINGS: [&str; 11] = [
    "tidal clock",
    "folding ladder",
    "paper boat race",
    "silent bell",
    "rope bridge",
    "salt library",
    "night market",
    "copper kite",
    "floating garden",
    "mirror maze",
    "moss carpet",
];

/// Writes train, val and test in the form of the published data. `gold` gives the gold of a task by its number and the
/// name that its passages hold.
pub(crate) fn write_data(folder: &Utf8Path, sizes: [usize; 3], gold: impl Fn(usize, &str) -> String) {
    let mut number = 0;
    for (split, size) in ["train", "val", "test"].into_iter().zip(sizes) {
        let tasks: Vec<Value> = (number..number + size).map(|number| task(number, &gold)).collect();
        number += size;
        std::fs::create_dir_all(folder.join(split)).expect("a folder");
        std::fs::write(folder.join(split).join("items.json"), json!(tasks).to_string()).expect("a file");
    }
}

fn task(number: usize, gold: &impl Fn(usize, &str) -> String) -> Value {
    let (town, trade) = (TOWNS[number % 4], TRADES[number / 4 % 4]);
    let (name, thing) = (format!("{} {}", FIRST[number % 6], LAST[number % 7]), THINGS[number % 11]);
    let year = 1801 + number;
    let mut context = String::new();
    let documents = [
        (
            format!("The {thing} of {town}"),
            format!("In {year} {name}, a {trade}, built the {thing} of {town}. It drew crowds."),
        ),
        (
            format!("{town} - a short history"),
            format!("{town} lies on a river ... Its {thing} was the work of {name} in {year}."),
        ),
        (
            format!("Weather in {town}"),
            "Rain is common in autumn, and the harbour is closed in storms ...".to_owned(),
        ),
    ];
    for (title, text) in documents {
        write!(context, "[DOC] [TLE] {title} [PAR] {text} ").expect("a string takes everything");
    }
    json!({
        "id": format!("made-{number:03}"),
        "question": format!("This {trade} built the {thing} of {town} in {year}"),
        "context": context,
        "answers": [gold(number, &name)],
    })
}

#[test]
fn the_preset_runs_from_files_to_the_best_context_over_http() {
    let scratch = Scratch::new();
    write_data(&scratch.path().join("data"), [24, 12, 8], |_, name| name.to_owned());
    let simulator = Simulator::start(&scratch, "searchqa");
    let mut arguments = vec!["run", "--preset", "searchqa", "--data", "data", "--name", "made"];
    let settings = simulator.settings();
    arguments.extend(settings.iter().map(String::as_str));
    // The simulated target takes the seed as its sample index.
    arguments.extend([
        "--set",
        "run.epochs=1",
        "--set",
        "run.batch_size=8",
        "--set",
        "target.seed=per_rollout",
    ]);
    let summary = scratch.json(&arguments);

    let steps = summary["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 3);
    assert!(steps.iter().any(|step| step["decision"]["kind"] == "accepted"), "{summary}");
    let routes = |place: usize| steps.iter().filter_map(|step| step["routes"][place].as_u64()).sum::<u64>();
    assert!((0..3).all(|place| routes(place) > 0), "mixed, all-success and all-failure groups");
    assert!(
        crate::quickstart::solved(&summary, "best context", "validation")
            > crate::quickstart::solved(&summary, "initial context", "validation")
    );

    let requests = simulator.requests();
    for request in requests.iter().filter(|request| request.purpose == Purpose::Target) {
        assert!(
            request.text.contains("## Context\n[DOC] [TLE] ") && request.text.contains("\n\n## Question\n")
        );
    }
    // The preset's forms: chat completions for the target, responses for the optimizer.
    for request in &requests {
        let place = if request.purpose == Purpose::Target { "messages" } else { "input" };
        assert!(request.body[place].is_array() || request.body[place].is_string(), "{}", request.body);
    }
    let sent = |purpose| requests.iter().filter(|request| request.purpose == purpose).count();
    let told = |role: &str| {
        summary["usage"][role]["calls"]
            .as_u64()
            .and_then(|count| usize::try_from(count).ok())
            .expect("a count")
    };
    // The last evaluations of the initial and the best context on validation reuse earlier calls.
    assert_eq!(told("target"), sent(Purpose::Target) + 2 * 12);
    assert_eq!(told("optimizer"), requests.len() - sent(Purpose::Target));

    let scores = artifact(&scratch.run("made").join("baseline/scores.json"));
    assert_eq!(scores["score"]["tasks"], 12);
}
