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

use serde::Serialize;
use textualrl_model::settings::{DataSettings, OwnTaskSettings, Scoring};
use textualrl_model::{Context, Fingerprint, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, ExcludedTask};
use crate::data::row::{self, Row};
use crate::data::{LoadError, ratio, split};
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
    settings: OwnTaskSettings,
    scorer: Scorer,
    splits: [Vec<OwnTask>; 3],
    excluded: [Vec<ExcludedTask>; 3],
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
    let mut splits: [Vec<OwnTask>; 3] = Default::default();
    let mut excluded: [Vec<ExcludedTask>; 3] = Default::default();
    for ((rows, tasks), left_out) in rows.iter().zip(&mut splits).zip(&mut excluded) {
        for row in rows {
            match OwnTask::of(row, &template, &scorer)? {
                Ok(task) => tasks.push(task),
                Err(one) => left_out.push(one),
            }
        }
        if data.limit > 0 {
            tasks.truncate(data.limit as usize);
        }
    }
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
    Ok(Box::new(OwnTasks { name, settings: settings.clone(), scorer, splits, excluded, initial_context }))
}

/// The rows of the three splits.
fn rows(data: &DataSettings) -> Result<[Vec<Row>; 3], LoadError> {
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
        return Ok(ratio::split(row::read(&folder.join(&settings.tasks))?, settings.ratio, settings.seed));
    }
    let read = |name: &str| row::read(&folder.join(name));
    Ok([read(&settings.train)?, read(&settings.validation)?, read(&settings.test)?])
}

impl OwnTasks {
    fn split(&self, split: Split) -> &[OwnTask] {
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
    scorer: &'a textualrl_model::settings::ScorerSettings,
    tasks: &'a [OwnTask],
    excluded: Vec<(String, String)>,
}

impl Benchmark for OwnTasks {
    fn name(&self) -> &str {
        &self.name
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
            benchmark: "own",
            prompt: PROMPT,
            scoring: self.scorer.scoring(),
            scorer: &self.settings.scorer,
            tasks: self.split(split),
            excluded: excluded.collect(),
        };
        // Plain structs of texts and JSON values always have a JSON form.
        Fingerprint::of_json(&fingerprinted).unwrap_or_else(|_| Fingerprint::of(b""))
    }

    fn initial_context(&self) -> Context {
        self.initial_context.clone()
    }

    fn start(&self, split: Split, task: &TaskId, _seed: u64) -> Result<Box<dyn Episode>, EpisodeError> {
        let found = self.split(split).iter().find(|one| one.id == *task);
        let found = found.ok_or_else(|| EpisodeError::UnknownTask { task: task.clone(), split })?;
        Ok(Box::new(OwnEpisode::new(found.clone(), self.scorer.clone())))
    }
}
