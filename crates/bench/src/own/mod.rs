//! Own tasks: a file of inputs and answers, a template, a scorer by name or an external command.
//!
//! Always holds: everything that can be wrong with a task (its row, its template's fields, its gold) is found when the
//! tasks are loaded.

mod command;
pub mod embedded;
mod episode;
mod scorer;
mod tasks;
mod template;

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use textualrl_model::settings::{DataSettings, ScorerSettings, Scoring};
use textualrl_model::{Context, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, EpisodeSeed, Listing};
use crate::data::row::{self, Row};
use crate::data::split::{Splits, Tasks};
use crate::data::{Catalogue, LoadError, ratio};
use episode::OwnEpisode;
use scorer::Scorer;
use tasks::OwnTask;
use template::Template;

/// The target's system prompt, with a place for the context.
const PROMPT: &str = include_str!("../../../../prompts/target/own_task.md");
const EMBEDDED: &str = "embedded:";

/// Own tasks, loaded.
#[derive(Debug)]
pub struct OwnTasks {
    name: String,
    scorer: Scorer,
    catalogue: Catalogue<OwnTask>,
    initial_context: Context,
}

/// Loads own tasks.
///
/// # Errors
/// If a file, row, template or scorer cannot be used, or splits overlap or are empty.
pub fn load(data: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    let settings = &data.own;
    let scorer = Scorer::new(&settings.scorer, data.scoring)?;
    let template = Template::new(&settings.template)?;
    let rows = rows(data)?;
    let tasks = Splits::make(|split| {
        Tasks::of(rows.of(split), data.limit, |row| OwnTask::of(row, &template, &scorer))
    })?;
    let remedy = if settings.tasks.is_empty() {
        "add tasks to its file"
    } else {
        "add tasks, or change data.own.ratio"
    };
    let protocol =
        Protocol { benchmark: "own", prompt: PROMPT, scoring: data.scoring, scorer: scorer.settings() };
    let catalogue = Catalogue::new(tasks, &protocol, remedy)?;
    let (name, initial_context) = match data.dir.strip_prefix(EMBEDDED) {
        Some(name) => (name.to_owned(), embedded::context(name)?),
        None => ("own".to_owned(), Context::default()),
    };
    Ok(Box::new(OwnTasks { name, scorer, catalogue, initial_context }))
}

/// The rows of the three splits.
fn rows(data: &DataSettings) -> Result<Splits<Vec<Row>>, LoadError> {
    let settings = &data.own;
    if let Some(name) = data.dir.strip_prefix(EMBEDDED) {
        return embedded::rows(name);
    }
    if data.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let folder = Path::new(&data.dir);
    if !settings.tasks.is_empty() {
        if !settings.ratio.iter().all(|share| share.is_finite() && *share > 0.0) {
            let problem = format!("must be three numbers above 0, not {:?}", settings.ratio);
            return Err(LoadError::Setting { key: "ratio", problem });
        }
        let rows = row::read(&folder.join(&settings.tasks))?;
        let [train, validation, test] = ratio::split(rows, settings.ratio, settings.seed);
        return Ok(Splits { train, validation, test });
    }
    Splits::make(|split| {
        let name = match split {
            Split::Train => &settings.train,
            Split::Validation => &settings.validation,
            Split::Test => &settings.test,
        };
        row::read(&folder.join(name))
    })
}

/// What decides a result beside the tasks.
#[derive(Serialize)]
struct Protocol<'a> {
    benchmark: &'static str,
    prompt: &'static str,
    scoring: Scoring,
    scorer: &'a ScorerSettings,
}

impl Benchmark for OwnTasks {
    fn name(&self) -> &str {
        &self.name
    }

    fn listing(&self, split: Split) -> &Listing {
        self.catalogue.listing(split)
    }

    fn initial_context(&self) -> Context {
        self.initial_context.clone()
    }

    fn start(
        &self,
        split: Split,
        task: &TaskId,
        _seed: EpisodeSeed,
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        let found = self.catalogue.find(split, task)?;
        Ok(Box::new(OwnEpisode::new(Arc::clone(found), self.scorer.clone())))
    }
}
