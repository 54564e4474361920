//! SearchQA: quiz clues with search results; normalised exact match.
//!
//! Always holds: one chat call an episode; the search results are cut to 6,000 characters at whole documents.

mod episode;
pub mod passages;
mod tasks;

use std::path::Path;

use serde::Serialize;
use textualrl_model::settings::{DataSettings, Scoring};
use textualrl_model::{Context, Fingerprint, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, ExcludedTask};
use crate::data::LoadError;
use crate::data::{folder, row, split};
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
    splits: [Vec<SearchQaTask>; 3],
    excluded: [Vec<ExcludedTask>; 3],
}

/// Loads SearchQA from a folder with `train`, `val` and `test`.
///
/// # Errors
/// If a file is missing, a row cannot be used, or splits overlap.
pub fn load(settings: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    if settings.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let mut splits: [Vec<SearchQaTask>; 3] = Default::default();
    let mut excluded: [Vec<ExcludedTask>; 3] = Default::default();
    for ((name, tasks), left_out) in Split::ALL.into_iter().zip(&mut splits).zip(&mut excluded) {
        let rows = row::read(&folder::split_file(Path::new(&settings.dir), name)?)?;
        for row in &rows {
            match SearchQaTask::of(row, settings.scoring)? {
                Ok(task) => tasks.push(task),
                Err(one) => left_out.push(one),
            }
        }
        if settings.limit > 0 {
            tasks.truncate(settings.limit as usize);
        }
    }
    split::check(&splits, "add tasks to its file")?;
    Ok(Box::new(SearchQa { scoring: settings.scoring, splits, excluded }))
}

impl SearchQa {
    fn split(&self, split: Split) -> &[SearchQaTask] {
        let [train, validation, test] = &self.splits;
        match split {
            Split::Train => train,
            Split::Validation => validation,
            Split::Test => test,
        }
    }
}

/// What a split's fingerprint is of.
#[derive(Serialize)]
struct Fingerprinted<'a> {
    benchmark: &'static str,
    prompt: &'static str,
    scoring: Scoring,
    tasks: &'a [SearchQaTask],
    excluded: Vec<(String, String)>,
}

impl Benchmark for SearchQa {
    fn name(&self) -> &str {
        "searchqa"
    }

    fn tasks(&self, split: Split) -> Vec<TaskId> {
        self.split(split).iter().map(|task| task.id.clone()).collect()
    }

    fn excluded(&self, split: Split) -> Vec<ExcludedTask> {
        let [train, validation, test] = &self.excluded;
        match split {
            Split::Train => train.clone(),
            Split::Validation => validation.clone(),
            Split::Test => test.clone(),
        }
    }

    fn fingerprint(&self, split: Split) -> Fingerprint {
        let excluded = self.excluded(split).into_iter().map(|one| (one.task.to_string(), one.reason));
        let fingerprinted = Fingerprinted {
            benchmark: "searchqa",
            prompt: PROMPT,
            scoring: self.scoring,
            tasks: self.split(split),
            excluded: excluded.collect(),
        };
        // Plain structs of texts always have a JSON form.
        Fingerprint::of_json(&fingerprinted).unwrap_or_else(|_| Fingerprint::of(b""))
    }

    fn initial_context(&self) -> Context {
        Context::new(INITIAL_CONTEXT)
    }

    fn start(&self, split: Split, task: &TaskId, _seed: u64) -> Result<Box<dyn Episode>, EpisodeError> {
        let found = self.split(split).iter().find(|one| one.id == *task);
        let found = found.ok_or_else(|| EpisodeError::UnknownTask { task: task.clone(), split })?;
        Ok(Box::new(SearchQaEpisode::new(found.clone(), self.scoring)))
    }
}
