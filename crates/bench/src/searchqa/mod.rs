//! SearchQA: quiz clues with search results; normalised exact match.
//!
//! Always holds: one chat call an episode; the search results are cut to 6,000 characters at whole documents.

pub mod conformance;
mod episode;
pub mod passages;
mod tasks;

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use textualrl_model::settings::{DataSettings, Scoring};
use textualrl_model::{Context, Fingerprint, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, ExcludedTask};
use crate::data::split::{self, Splits, Tasks};
use crate::data::{LoadError, folder, row};
use episode::SearchQaEpisode;
use tasks::SearchQaTask;

/// The target's system prompt, with a place for the context.
const PROMPT: &str = include_str!("../../../../prompts/target/searchqa.md");
/// The context that a run starts from: a title and room for rules.
const INITIAL_CONTEXT: &str = "# Answering quiz clues\n\n(No rules yet.)\n";

/// SearchQA, loaded.
#[derive(Debug)]
pub struct SearchQa {
    scoring: Scoring,
    splits: Splits<Tasks<Arc<SearchQaTask>>>,
}

/// Loads SearchQA from a folder with `train`, `val` and `test`.
///
/// # Errors
/// If a file is missing, a row cannot be used, or splits overlap.
pub fn load(settings: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    if settings.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let splits = Splits::make(|split| {
        let rows = row::read(&folder::split_file(Path::new(&settings.dir), split)?)?;
        Tasks::of(&rows, settings.limit, |row| Ok(SearchQaTask::of(row, settings.scoring)?.map(Arc::new)))
    })?;
    split::check(&splits, "add tasks to its file")?;
    Ok(Box::new(SearchQa { scoring: settings.scoring, splits }))
}

/// What a split's fingerprint is of.
#[derive(Serialize)]
struct Fingerprinted<'a> {
    benchmark: &'static str,
    prompt: &'static str,
    scoring: Scoring,
    tasks: Vec<&'a SearchQaTask>,
    excluded: Vec<(&'a str, &'a str)>,
}

impl Benchmark for SearchQa {
    fn name(&self) -> &str {
        "searchqa"
    }

    fn tasks(&self, split: Split) -> Vec<TaskId> {
        self.splits.of(split).ids()
    }

    fn excluded(&self, split: Split) -> Vec<ExcludedTask> {
        self.splits.of(split).excluded.clone()
    }

    fn fingerprint(&self, split: Split) -> Fingerprint {
        let tasks = self.splits.of(split);
        let fingerprinted = Fingerprinted {
            benchmark: "searchqa",
            prompt: PROMPT,
            scoring: self.scoring,
            tasks: tasks.kept.iter().map(Arc::as_ref).collect(),
            excluded: tasks.reasons(),
        };
        // Plain structs of texts always have a JSON form.
        Fingerprint::of_json(&fingerprinted).unwrap_or_else(|_| Fingerprint::of(b""))
    }

    fn initial_context(&self) -> Context {
        Context::new(INITIAL_CONTEXT)
    }

    fn start(&self, split: Split, task: &TaskId, _seed: u64) -> Result<Box<dyn Episode>, EpisodeError> {
        let found = self.splits.of(split).find(task);
        let found = found.ok_or_else(|| EpisodeError::UnknownTask { task: task.clone(), split })?;
        Ok(Box::new(SearchQaEpisode::new(Arc::clone(found), self.scoring)))
    }
}
