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
use textualrl_model::{Context, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, EpisodeSeed, Listing};
use crate::data::split::{Splits, Tasks};
use crate::data::{Catalogue, LoadError, folder, row};
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
    catalogue: Catalogue<SearchQaTask>,
}

/// What decides a result beside the tasks.
#[derive(Serialize)]
struct Protocol {
    benchmark: &'static str,
    prompt: &'static str,
    scoring: Scoring,
}

/// Loads SearchQA from a folder with `train`, `val` and `test`.
///
/// # Errors
/// If a file is missing, a row cannot be used, or splits overlap.
pub fn load(settings: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    if settings.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let scoring = settings.scoring;
    let tasks = Splits::make(|split| {
        let rows = row::read(&folder::split_file(Path::new(&settings.dir), split)?)?;
        Tasks::of(&rows, settings.limit, |row| SearchQaTask::of(row, scoring))
    })?;
    let protocol = Protocol { benchmark: "searchqa", prompt: PROMPT, scoring };
    let catalogue = Catalogue::new(tasks, &protocol, "add tasks to its file")?;
    Ok(Box::new(SearchQa { scoring, catalogue }))
}

impl Benchmark for SearchQa {
    fn name(&self) -> &str {
        "searchqa"
    }

    fn listing(&self, split: Split) -> &Listing {
        self.catalogue.listing(split)
    }

    fn initial_context(&self) -> Context {
        Context::new(INITIAL_CONTEXT)
    }

    fn start(
        &self,
        split: Split,
        task: &TaskId,
        _seed: EpisodeSeed,
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        let found = self.catalogue.find(split, task)?;
        Ok(Box::new(SearchQaEpisode::new(Arc::clone(found), self.scoring)))
    }
}
