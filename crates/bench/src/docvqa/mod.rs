//! DocVQA: questions about scanned pages; ANLS, right from 0.999 on.
//!
//! Always holds: one chat call an episode; a page is its image, or, where the settings say so, the text that was read
//! from it, which is said beside every number.

pub mod conformance;
mod episode;
mod gold;
mod image;
mod score;
mod tasks;

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use textualrl_model::settings::{DataSettings, DocVqaSettings, DocumentMode, Scoring};
use textualrl_model::{Context, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, EpisodeSeed, Listing};
use crate::data::split::{Splits, Tasks};
use crate::data::{Catalogue, LoadError, released};
use episode::{DocVqaEpisode, Shown};
use tasks::{DocVqaTask, Page};

/// The target's system prompt, with a place for the context.
const PROMPT: &str = include_str!("../../../../prompts/target/docvqa.md");
/// The context that a run starts from: a title and room for rules.
const INITIAL_CONTEXT: &str = "# Reading documents\n\n(No rules yet.)\n";
/// DocVQA, loaded.
#[derive(Debug)]
pub struct DocVqa {
    scoring: Scoring,
    settings: DocVqaSettings,
    catalogue: Catalogue<DocVqaTask>,
}

/// What decides a result beside the tasks.
#[derive(Serialize)]
struct Protocol<'a> {
    benchmark: &'static str,
    prompt: &'static str,
    scoring: Scoring,
    settings: &'a DocVqaSettings,
}

/// Loads DocVQA from a folder with `train`, `val` and `test`, or with one file `items` that is split by ratio.
///
/// # Errors
/// If a file or an image is missing, a row cannot be used, or splits overlap.
pub fn load(data: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    if data.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let (scoring, settings) = (data.scoring, data.docvqa.clone());
    let folder = Path::new(&data.dir);
    let rows = released::rows(folder)?;
    let tasks = Splits::make(|split| match rows.of(split) {
        None => Ok(Tasks::absent()),
        Some(rows) => Tasks::of(rows, data.limit, |row| DocVqaTask::of(row, folder, settings.mode, scoring)),
    })?;
    let protocol = Protocol { benchmark: "docvqa", prompt: PROMPT, scoring, settings: &settings };
    let catalogue = Catalogue::new(tasks, &protocol, "add tasks to its file")?;
    Ok(Box::new(DocVqa { scoring, settings, catalogue }))
}

impl Benchmark for DocVqa {
    fn name(&self) -> &str {
        "docvqa"
    }

    fn listing(&self, split: Split) -> &Listing {
        self.catalogue.listing(split)
    }

    fn caveats(&self) -> Vec<String> {
        match self.settings.mode {
            DocumentMode::Image => Vec::new(),
            DocumentMode::Text => {
                vec!["pages were given as the text read from them, not as images".to_owned()]
            }
        }
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
        let shown = match &found.page {
            Page::Text(text) => Shown::Text(text.clone()),
            Page::Image { named, file, .. } => {
                let part = image::part(file, named, self.settings.image_bytes).map_err(|error| {
                    EpisodeError::Environment { task: task.clone(), message: error.to_string() }
                })?;
                Shown::Image(part)
            }
        };
        Ok(Box::new(DocVqaEpisode::new(Arc::clone(found), shown, self.scoring)))
    }
}
