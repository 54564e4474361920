//! `textualrl simulate` as a process beside the test, and the requests that it logged.
//!
//! Always holds: the process ends with the value; requests are read after it has ended, so that none is missing.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use camino::Utf8PathBuf;
use serde_json::Value;

use crate::scratch::Scratch;

/// A serving process.
pub(crate) struct Simulator {
    child: Child,
    /// Where it serves.
    pub(crate) url: String,
    log: Utf8PathBuf,
}

impl Simulator {
    /// Serves on a free port, with a log in the scratch folder.
    pub(crate) fn start(scratch: &Scratch, name: &str) -> Self {
        Self::start_with(scratch, name, &[])
    }

    /// Serves with further arguments of `textualrl simulate`, such as faults.
    pub(crate) fn start_with(scratch: &Scratch, name: &str, arguments: &[&str]) -> Self {
        let log = scratch.path().join(format!("{name}.requests.jsonl"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_textualrl"))
            .args(["simulate", "--log", log.as_str()])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the simulator starts");
        let mut url = String::new();
        let printed = child.stdout.take().expect("a pipe");
        BufReader::new(printed).read_line(&mut url).expect("a line with the URL");
        Self { child, url: url.trim().to_owned(), log }
    }

    /// The settings that send both roles here.
    pub(crate) fn settings(&self) -> Vec<String> {
        ["target", "optimizer"]
            .into_iter()
            .flat_map(|role| {
                [("provider", "http"), ("base_url", self.url.as_str()), ("model", model_of(role))]
                    .map(|(key, value)| ["--set".to_owned(), format!("{role}.{key}={value}")])
            })
            .flatten()
            .collect()
    }

    /// How many requests have been logged up to now.
    pub(crate) fn logged(&self) -> usize {
        let text = std::fs::read(&self.log).unwrap_or_default();
        text.iter().filter(|byte| **byte == b'\n').count()
    }

    /// Ends the process. The requests that it got, in order.
    pub(crate) fn requests(mut self) -> Vec<Request> {
        // An interrupt lets it write what it has yet to write.
        let interrupt = ["-INT".to_owned(), self.child.id().to_string()];
        Command::new("kill").args(interrupt).status().expect("the interrupt is sent");
        self.child.wait().expect("the simulator ends");
        let text = std::fs::read_to_string(&self.log).expect("the log of requests");
        text.lines().map(|line| Request::of(serde_json::from_str(line).expect("JSON in the log"))).collect()
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

fn model_of(role: &str) -> &'static str {
    if role == "target" { "simulated-reader" } else { "simulated-optimizer" }
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    Target,
    Critic,
    Merge,
    Review,
    Rank,
}

/// A request as it was sent.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) purpose: Purpose,
    /// The body, as JSON.
    pub(crate) body: Value,
    /// All texts of its turns.
    pub(crate) text: String,
}

impl Request {
    fn of(mut line: Value) -> Self {
        let body = line["body"].take();
        let mut text = String::new();
        // Chat completions name their turns `messages`, responses `input`, with the system turn in `instructions`.
        for place in ["instructions", "messages", "input"] {
            gather(&body[place], &mut text);
        }
        assert!(!text.is_empty(), "a request without text: {body}");
        let purpose = if body["model"] != "simulated-optimizer" {
            Purpose::Target
        } else if text.contains("\n<candidate_edits>\n") {
            Purpose::Review
        } else if text.contains("\n<edits_to_rank>\n") {
            Purpose::Rank
        } else if text.contains("\n<bundles>\n") {
            Purpose::Merge
        } else {
            Purpose::Critic
        };
        Self { purpose, body, text }
    }

    /// What stands between `<tag>` and `</tag>`, each alone on its line.
    pub(crate) fn block(&self, tag: &str) -> Option<&str> {
        let (_, after) = self.text.split_once(&format!("\n<{tag}>\n"))?;
        after.split_once(&format!("\n</{tag}>")).map(|(block, _)| block)
    }
}

/// Appends all strings in a value, however deep.
fn gather(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => {
            text.push('\n');
            text.push_str(string);
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, text)),
        Value::Object(fields) => fields.values().for_each(|value| gather(value, text)),
        _ => {}
    }
}
