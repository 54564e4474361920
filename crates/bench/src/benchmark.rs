//! The two traits that a benchmark implements.
//!
//! Always holds: an episode starts with a fresh history; the context stands in its system turns only; golds stay in
//! the benchmark, and reach a trajectory only as the answer's feedback.

use serde_json::Value;
use textualrl_model::{Context, Fingerprint, Outcome, Split, TaskId, Turn};

/// A task that can never be scored, found when the data was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExcludedTask {
    /// The task.
    pub task: TaskId,
    /// Why it can never be scored.
    pub reason: String,
}

/// A tool that the agent may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The tool's name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// Why an episode cannot start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EpisodeError {
    /// The split has no such task.
    #[error("the {split} split has no task {task}")]
    UnknownTask {
        /// The task.
        task: TaskId,
        /// The split.
        split: Split,
    },
    /// The task's files or environment cannot be used.
    #[error("task {task} cannot start: {message}")]
    Environment {
        /// The task.
        task: TaskId,
        /// What went wrong.
        message: String,
    },
}

/// What follows an agent's turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// These turns are added, and the agent is asked again.
    Continue(Vec<Turn>),
    /// The episode is over.
    Finished,
}

/// What a split has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The tasks in file order, without the excluded ones.
    pub tasks: Vec<TaskId>,
    /// The tasks left out.
    pub excluded: Vec<ExcludedTask>,
    /// The fingerprint of tasks, golds, protocol and scoring: of everything that decides a result.
    pub fingerprint: Fingerprint,
}

/// What decides what an environment draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpisodeSeed {
    /// Shared by all tasks and rollouts of a step, so that siblings are given the same task: `run.seed + 1000 · epoch +
    /// step`, both from 1, as released. In an evaluation it is `evaluation.seed`.
    pub batch: u64,
    /// The rollout's own.
    pub rollout: u64,
}

/// A data set with its protocol and scorer.
pub trait Benchmark: Send + Sync {
    /// The benchmark's name, such as `searchqa`.
    fn name(&self) -> &str;

    /// What a split has.
    fn listing(&self, split: Split) -> &Listing;

    /// What must be said beside every number of this benchmark as it is set, such as that pages were read as text.
    fn caveats(&self) -> Vec<String> {
        Vec::new()
    }

    /// The context to start from if the user names none.
    fn initial_context(&self) -> Context;

    /// Starts an episode. `seed` decides what the environment draws, if it draws anything.
    ///
    /// # Errors
    /// If the task is unknown or its environment cannot be set up.
    fn start(&self, split: Split, task: &TaskId, seed: EpisodeSeed)
    -> Result<Box<dyn Episode>, EpisodeError>;
}

/// One run on one task.
pub trait Episode: Send {
    /// The first turns: the system turn with the context, then the task. A blank context leaves no trace.
    fn opening(&mut self, context: &Context) -> Vec<Turn>;

    /// What the next request shows of the conversation. None shows the whole; a protocol with a window of its own,
    /// or one that tells at every step what it told before in other words, says here what it shows.
    fn window(&self) -> Option<Vec<Turn>> {
        None
    }

    /// The tools offered in every request.
    fn tools(&self) -> Vec<Tool> {
        Vec::new()
    }

    /// Whether `act` or `score` runs programs or reads files, and so must not block an asynchronous worker.
    fn blocks(&self) -> bool {
        false
    }

    /// Takes the agent's turn.
    fn act(&mut self, reply: &Turn) -> Progress;

    /// Scores what was done. Called once, at the end.
    fn score(&mut self) -> Outcome;
}
