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
use textualrl_model::{Context, Fingerprint, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, ExcludedTask};
use crate::data::row::{self, Row};
use crate::data::split::{self, Splits, Tasks};
use crate::data::{LoadError, ratio};
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
    splits: Splits<Tasks<Arc<OwnTask>>>,
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
    let splits = Splits::make(|split| {
        Tasks::of(rows.of(split), data.limit, |row| Ok(OwnTask::of(row, &template, &scorer)?.map(Arc::new)))
    })?;
    let remedy = if settings.tasks.is_empty() {
        "add tasks to its file"
    } else {
        "add tasks, or change data.own.ratio"
    };
    split::check(&splits, remedy)?;
    let (name, initial_context) = match data.dir.strip_prefix(EMBEDDED) {
        Some(name) => (name.to_owned(), embedded::context(name)?),
        None => ("own".to_owned(), Context::default()),
    };
    Ok(Box::new(OwnTasks { name, scorer, splits, initial_context }))
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

/// What a split's fingerprint is of.
#[derive(Serialize)]
struct Fingerprinted<'a> {
    benchmark: &'static str,
    prompt: &'static str,
    scoring: Scoring,
    scorer: &'a ScorerSettings,
    tasks: Vec<&'a OwnTask>,
    excluded: Vec<(&'a str, &'a str)>,
}

impl Benchmark for OwnTasks {
    fn name(&self) -> &str {
        &self.name
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
            benchmark: "own",
            prompt: PROMPT,
            scoring: self.scorer.scoring(),
            scorer: self.scorer.settings(),
            tasks: tasks.kept.iter().map(Arc::as_ref).collect(),
            excluded: tasks.reasons(),
        };
        // Plain structs of texts and JSON values always have a JSON form.
        Fingerprint::of_json(&fingerprinted).unwrap_or_else(|_| Fingerprint::of(b""))
    }

    fn initial_context(&self) -> Context {
        self.initial_context.clone()
    }

    fn start(&self, split: Split, task: &TaskId, _seed: u64) -> Result<Box<dyn Episode>, EpisodeError> {
        let found = self.splits.of(split).find(task);
        let found = found.ok_or_else(|| EpisodeError::UnknownTask { task: task.clone(), split })?;
        Ok(Box::new(OwnEpisode::new(Arc::clone(found), self.scorer.clone())))
    }
}
