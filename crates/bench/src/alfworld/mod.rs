//! ALFWorld: household tasks in text, played without the reference engine.
//!
//! Always holds: every word of a game comes from its file; the engine behaves as TextWorld 1.7.0 with the name wrapper
//! of ALFWorld 0.4.2, text for text; an episode draws nothing, so that its seed has no effect.

pub mod action;
mod commands;
pub mod conformance;
pub mod episode;
pub mod game;
pub mod grammar;
mod names;
pub mod pddl;
pub mod play;
mod prompt;
mod tasks;
pub mod terminal;
pub mod transcripts;

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use textualrl_model::settings::DataSettings;
use textualrl_model::{Context, Fingerprint, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, EpisodeSeed, Listing};
use crate::data::split::{Splits, Tasks};
use crate::data::{Catalogue, LoadError, folder, row};
use episode::{AlfWorldEpisode, STEP_LIMIT};
pub use game::{Game, GameError};
pub use play::{NOTHING, Play};
use prompt::{SYSTEM, WINDOW};
use tasks::AlfWorldTask;
pub use tasks::task_type;

/// The context that a run starts from.
const INITIAL_CONTEXT: &str = include_str!("initial_context.md");

/// ALFWorld, loaded.
#[derive(Debug)]
pub struct AlfWorld {
    catalogue: Catalogue<AlfWorldTask>,
}

/// What decides a result beside the tasks.
#[derive(Serialize)]
struct Protocol {
    benchmark: &'static str,
    prompt: &'static str,
    step_limit: usize,
    window: usize,
}

/// Loads ALFWorld from a folder with `train`, `val` and `test`, whose rows name game files below it.
///
/// # Errors
/// If a file is missing, a row cannot be used, or splits overlap.
pub fn load(settings: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    if settings.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let data = Path::new(&settings.dir);
    let tasks = Splits::make(|split| {
        let rows = row::read(&folder::split_file(data, split)?)?;
        Tasks::of(&rows, settings.limit, |row| AlfWorldTask::of(row, data))
    })?;
    let protocol = Protocol { benchmark: "alfworld", prompt: SYSTEM, step_limit: STEP_LIMIT, window: WINDOW };
    let catalogue = Catalogue::new(tasks, &protocol, "add tasks to its file")?;
    Ok(Box::new(AlfWorld { catalogue }))
}

impl Benchmark for AlfWorld {
    fn name(&self) -> &str {
        "alfworld"
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
        let broken = |message: String| EpisodeError::Environment { task: task.clone(), message };
        let text = std::fs::read_to_string(&found.path).map_err(|error| broken(error.to_string()))?;
        if Fingerprint::of(text.as_bytes()) != found.game {
            return Err(broken(format!("{} has changed since it was loaded", found.game_file)));
        }
        let game = Game::load(&text).map_err(|error| broken(error.to_string()))?;
        let episode = AlfWorldEpisode::start(Arc::new(game)).map_err(|error| broken(error.to_string()))?;
        Ok(Box::new(episode))
    }
}
