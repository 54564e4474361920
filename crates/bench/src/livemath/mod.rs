//! LiveMathematicianBench: which of several statements about recent mathematics holds.
//!
//! Always holds: the order of the choices is drawn from the batch's seed and the task's id alone, so that the siblings
//! of a step and all evaluations are shown the same one.

pub mod conformance;
mod difference;
mod episode;
mod item;
mod score;
mod shuffle;
mod tasks;

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use textualrl_model::settings::{DataSettings, LiveMathSettings, Scoring};
use textualrl_model::{Context, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, EpisodeSeed, Listing};
use crate::data::split::{Splits, Tasks};
use crate::data::{Catalogue, LoadError, folder, row};
use episode::LiveMathEpisode;
use tasks::LiveMathTask;

/// The target's system prompt, with a place for the context.
const PROMPT: &str = include_str!("../../../../prompts/target/livemath.md");
/// The context that a run starts from: a title and room for rules.
const INITIAL_CONTEXT: &str = "# Choosing between mathematical statements\n\n(No rules yet.)\n";

/// LiveMathematicianBench, loaded.
#[derive(Debug)]
pub struct LiveMath {
    scoring: Scoring,
    settings: LiveMathSettings,
    catalogue: Catalogue<LiveMathTask>,
}

/// What decides a result beside the tasks.
#[derive(Serialize)]
struct Protocol<'a> {
    benchmark: &'static str,
    prompt: &'static str,
    scoring: Scoring,
    settings: &'a LiveMathSettings,
}

/// Loads LiveMathematicianBench from a folder with `train`, `val` and `test`, in the official form or the normalised one.
///
/// # Errors
/// If a file is missing, a row cannot be used, or splits overlap.
pub fn load(data: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    if data.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let (scoring, settings) = (data.scoring, data.livemath.clone());
    let tasks = Splits::make(|split| {
        let rows = row::read(&folder::split_file(Path::new(&data.dir), split)?)?;
        Tasks::of(&rows, data.limit, |row| LiveMathTask::of(row, &settings))
    })?;
    let protocol = Protocol { benchmark: "livemath", prompt: PROMPT, scoring, settings: &settings };
    let catalogue = Catalogue::new(tasks, &protocol, "add tasks to its file")?;
    Ok(Box::new(LiveMath { scoring, settings, catalogue }))
}

impl Benchmark for LiveMath {
    fn name(&self) -> &str {
        "livemath"
    }

    fn listing(&self, split: Split) -> &Listing {
        self.catalogue.listing(split)
    }

    fn caveats(&self) -> Vec<String> {
        let shown = [(self.settings.theorem, "theorem"), (self.settings.sketch, "sketch of its proof")];
        let shown: Vec<&str> = shown.iter().filter(|(shown, _)| *shown).map(|(_, what)| *what).collect();
        if shown.is_empty() {
            return Vec::new();
        }
        vec![format!("the agent was shown the {}", shown.join(" and the "))]
    }

    fn initial_context(&self) -> Context {
        Context::new(INITIAL_CONTEXT)
    }

    fn start(
        &self,
        split: Split,
        task: &TaskId,
        seed: EpisodeSeed,
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        let found = self.catalogue.find(split, task)?;
        Ok(Box::new(LiveMathEpisode::new(Arc::clone(found), seed.batch, self.scoring)))
    }
}
