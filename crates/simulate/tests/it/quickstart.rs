//! The quickstart tasks, the prompts that they make, and a scorer of the tests' own.
//!
//! Always holds: the model is given the passage and the question; the golds stay here.

use serde_json::Value;
use textualrl_llm::{ChatRequest, EndpointDescription};
use textualrl_model::{Role, Turn};
use textualrl_simulate::SimulatedTarget;

/// The context that the quickstart begins with.
pub(crate) const INITIAL: &str = include_str!("../../../../fixtures/quickstart/context.md");
const TRAIN: &str = include_str!("../../../../fixtures/quickstart/train.jsonl");
const VALIDATION: &str = include_str!("../../../../fixtures/quickstart/validation.jsonl");
const TEST: &str = include_str!("../../../../fixtures/quickstart/test.jsonl");

/// A task with its golds.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) input: String,
    pub(crate) golds: Vec<String>,
}

/// The tasks of a split.
pub(crate) fn tasks(split: &str) -> Vec<Task> {
    let lines = match split {
        "train" => TRAIN,
        "validation" => VALIDATION,
        _ => TEST,
    };
    lines.lines().map(task).collect()
}

fn task(line: &str) -> Task {
    let row: Value = serde_json::from_str(line).unwrap();
    let text = |field: &str| row[field].as_str().unwrap().to_owned();
    let golds = match row.get("answers") {
        Some(answers) => answers.as_array().unwrap().iter().map(|a| a.as_str().unwrap().to_owned()).collect(),
        None => vec![text("answer")],
    };
    let input = format!("Passage:\n{}\n\nQuestion: {}", text("passage"), text("question"));
    Task { id: text("id"), kind: text("kind"), input, golds }
}

/// The request of a task under a context.
pub(crate) fn request(context: &str, input: &str, temperature: f64, seed: u64) -> ChatRequest {
    let section =
        if context.trim().is_empty() { String::new() } else { format!("## Context\n{context}\n\n") };
    let system = format!(
        "You answer questions.\n\n{section}## Answer format\nThink first. End with <answer>your answer</answer>."
    );
    ChatRequest {
        turns: vec![Turn::text(Role::System, system), Turn::text(Role::User, input)],
        temperature: Some(temperature),
        seed: Some(seed),
        schema: None,
        tools: Vec::new(),
    }
}

/// What the target says.
pub(crate) fn reply(context: &str, input: &str, temperature: f64, seed: u64) -> String {
    SimulatedTarget::new().answer(&request(context, input, temperature, seed)).turn.joined_text()
}

/// The answer in a reply: in the last tags, or the last line.
pub(crate) fn extract(reply: &str) -> String {
    let tagged = reply.rsplit_once("<answer>").and_then(|(_, rest)| rest.split_once("</answer>"));
    let line = || reply.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    tagged.map_or_else(line, |(answer, _)| answer).trim().to_owned()
}

/// Lower case, no ASCII punctuation, no articles, single spaces.
pub(crate) fn normalized(answer: &str) -> String {
    let bare: String = answer.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
    let words: Vec<&str> =
        bare.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the")).collect();
    words.join(" ")
}

/// Whether a reply answers a task.
pub(crate) fn is_right(task: &Task, reply: &str) -> bool {
    let answer = normalized(&extract(reply));
    task.golds.iter().any(|gold| normalized(gold) == answer)
}

/// The share of a split's tasks that are answered under a context, at temperature 0.
pub(crate) fn score(context: &str, split: &str) -> f64 {
    let tasks = tasks(split);
    let right = tasks.iter().filter(|task| is_right(task, &reply(context, &task.input, 0.0, 42))).count();
    right as f64 / tasks.len() as f64
}

/// The rewards of `count` samples of a task.
pub(crate) fn samples(context: &str, task: &Task, count: u64, run: u64) -> Vec<(String, bool)> {
    let sample = |index: u64| {
        let text = reply(context, &task.input, 0.7, run * 1000 + index);
        let right = is_right(task, &text);
        (text, right)
    };
    (0..count).map(sample).collect()
}

/// The endpoint must say that it is simulated.
pub(crate) fn assert_labelled(description: &EndpointDescription) {
    assert!(description.simulated);
    assert_eq!(description.endpoint, "simulated");
}
