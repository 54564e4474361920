//! One setting of a measurement: its tasks, its configuration, and the run folder in which it is measured.
//!
//! Always holds: everything lies below `target/bench`; a run is measured as if nothing had been called yet.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, TaskError};
use crate::tool;

/// Rollouts of one task.
const ROLLOUTS: u32 = 4;
/// What every task's answer is, and what the fixed reply gives.
pub(super) const REPLY: &str = "<answer>yes</answer>";
/// The step that is measured.
const STEP: &str = "e1-s01";
/// What a step leaves in a run folder.
const LEFT_BY_A_STEP: [&str; 2] = ["steps", "journal-v1"];
/// Texts of tasks are made of these, so that they compress about as prose does.
const WORDS: [&str; 16] = [
    "answer",
    "between",
    "city",
    "during",
    "evidence",
    "first",
    "government",
    "history",
    "island",
    "language",
    "music",
    "number",
    "of",
    "river",
    "the",
    "year",
];

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting {
    /// Milliseconds that a reply takes.
    pub(super) latency: u32,
    /// Rollouts, of one call each.
    pub(super) calls: u32,
    /// Calls in flight.
    pub(super) concurrency: u32,
    /// Bytes of a task's text.
    pub(super) prompt: usize,
}

impl Default for Setting {
    fn default() -> Self {
        Self { latency: 0, calls: 2560, concurrency: 256, prompt: 2000 }
    }
}

impl Setting {
    fn tasks(&self) -> u32 {
        self.calls.div_ceil(ROLLOUTS).max(1)
    }

    /// The calls that are really made: whole tasks.
    pub(super) fn rollouts(&self) -> u32 {
        self.tasks() * ROLLOUTS
    }

    fn configuration(&self, base_url: &str) -> String {
        let Self { concurrency, .. } = self;
        let tasks = self.tasks();
        format!(
            "[run]\nepochs = 1\nbatch_size = {tasks}\n\n[data]\nbenchmark = \"own\"\ndir = \"data\"\n\n\
             [target]\nbase_url = {base_url:?}\nmodel = \"fixed\"\nconcurrency = {concurrency}\n\n\
             [optimizer]\nprovider = \"simulated\"\nmodel = \"simulated-optimizer\"\n\n\
             [rollout]\nk = {ROLLOUTS}\n"
        )
    }
}

/// Where measurements lie.
pub(super) fn scratch() -> Result<PathBuf, TaskError> {
    let folder = shell::root().join("target").join("bench");
    std::fs::create_dir_all(&folder).map_err(|source| TaskError::File { path: folder.clone(), source })?;
    Ok(folder)
}

/// A run that is ready for the measured step, again and again.
#[derive(Debug)]
pub(super) struct PreparedRun {
    folder: PathBuf,
}

impl PreparedRun {
    /// Writes tasks and configuration. `name` is the folder below `target/bench`, which is emptied.
    pub(super) fn new(name: &str, setting: &Setting, base_url: &str) -> Result<Self, TaskError> {
        let folder = scratch()?.join(name);
        let storage = |source| TaskError::File { path: folder.clone(), source };
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(storage)?;
        }
        let data = folder.join("data");
        std::fs::create_dir_all(&data).map_err(storage)?;
        for (split, first, tasks) in
            [("train", 0, setting.tasks()), ("validation", 1 << 24, 1), ("test", 1 << 25, 1)]
        {
            let rows: String = (first..first + tasks).map(|number| row(number, setting.prompt)).collect();
            std::fs::write(data.join(format!("{split}.jsonl")), rows).map_err(storage)?;
        }
        std::fs::write(folder.join("bench.toml"), setting.configuration(base_url)).map_err(storage)?;
        Ok(Self { folder })
    }

    /// `textualrl run`, which makes the run folder and does the first step.
    pub(super) fn first_step(&self) -> Result<Command, TaskError> {
        let mut command = self.textualrl()?;
        command.args(["run", "--config", "bench.toml", "--name", "measured", "--stop-after", STEP]);
        Ok(command)
    }

    /// `textualrl rollout` of the first step, with all that it left before taken away.
    pub(super) fn rollout(&self) -> Result<Command, TaskError> {
        let run = self.run();
        for left in LEFT_BY_A_STEP {
            let left = run.join(left);
            std::fs::remove_dir_all(&left).map_err(|source| TaskError::File { path: left, source })?;
        }
        let mut command = self.textualrl()?;
        command.arg("rollout").arg("--run").arg(run).args(["--step", STEP]);
        Ok(command)
    }

    /// The run folder.
    pub(super) fn run(&self) -> PathBuf {
        self.folder.join("runs").join("measured")
    }

    /// The folder around it.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn textualrl(&self) -> Result<Command, TaskError> {
        let mut command = tool::built()?;
        command.current_dir(&self.folder);
        Ok(command)
    }
}

/// A task of about `length` bytes.
fn row(number: u32, length: usize) -> String {
    let mut text = format!("Task {number}:");
    let mut state = number;
    while text.len() < length {
        // A step of a linear congruence; the high bits are the good ones.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let word = WORDS.get((state >> 28) as usize).copied().unwrap_or_default();
        let _infallible = write!(text, " {word}");
    }
    format!("{{\"id\":\"t{number:08}\",\"input\":{text:?},\"answer\":\"yes\"}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_distinct_rows_of_the_length_asked_for() {
        let rows: Vec<serde_json::Value> =
            [row(0, 2000), row(1, 2000)].iter().map(|row| serde_json::from_str(row).unwrap()).collect();
        for row in &rows {
            assert!((2000..2012).contains(&row["input"].as_str().unwrap().len()));
        }
        assert_ne!(rows[0]["input"], rows[1]["input"]);
    }

    #[test]
    fn calls_are_whole_tasks() {
        for (calls, rollouts) in [(0, 4), (1, 4), (160, 160), (161, 164)] {
            assert_eq!(Setting { calls, ..Setting::default() }.rollouts(), rollouts, "{calls}");
        }
    }
}
