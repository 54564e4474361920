//! SpreadsheetBench: programs that edit workbooks, judged by the cells of the answer.
//!
//! Always holds: a workbook that cannot be read never passes; a task passes if all its test cases do; no golden workbook
//! is where a program of the agent runs.

pub mod cases;
pub mod cell;
pub mod compare;
mod confined;
pub mod conformance;
mod container;
pub mod difference;
mod episode;
mod format;
mod judge;
pub mod moment;
pub mod position;
pub mod preview;
pub mod program;
mod prompt;
mod recalculate;
mod runner;
mod slots;
pub mod tasks;
pub mod verification;
pub mod workbook;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use textualrl_model::settings::{DataSettings, Recalculation, Scoring, SpreadsheetSettings};
use textualrl_model::{Context, Fingerprint, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, EpisodeSeed, Listing};
use crate::data::{Catalogue, LoadError};
use cases::TestCase;
use confined::{Confined, Interpreter};
use episode::{SpreadsheetEpisode, Workshop};
use recalculate::Soffice;
use runner::WRAPPER;
use tasks::SpreadsheetTask;
use workbook::{Contents, Limits, Workbook};

/// The context that a run starts from: a title and room for rules.
const INITIAL_CONTEXT: &str = "# Editing workbooks\n\n(No rules yet.)\n";

/// SpreadsheetBench, loaded.
#[derive(Debug)]
pub struct SpreadsheetBench {
    caveats: Vec<String>,
    workshop: Arc<Workshop>,
    catalogue: Catalogue<SpreadsheetTask>,
}

/// What decides a result beside the tasks.
#[derive(Serialize)]
struct Protocol<'a> {
    benchmark: &'static str,
    prompts: [&'static str; 3],
    wrapper: &'static str,
    scoring: Scoring,
    settings: &'a SpreadsheetSettings,
    interpreter: &'a Interpreter,
}

/// Loads SpreadsheetBench from a folder with `train`, `val` and `test` and the workbooks that they name.
///
/// # Errors
/// If a file is missing, a row cannot be used, splits overlap, or what runs programs or computes formulas is not there.
pub fn load(data: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    let settings = &data.spreadsheet;
    let tasks = tasks::load(data)?;
    let soffice = match settings.recalculate {
        Recalculation::None => None,
        Recalculation::Soffice => Some(Soffice::find().map_err(|error| LoadError::Unavailable {
            key: "spreadsheet.recalculate",
            problem: error.to_string(),
        })?),
    };
    let confined = Confined::new(settings)?;
    let protocol = Protocol {
        benchmark: "spreadsheet",
        prompts: prompt::TEXTS,
        wrapper: WRAPPER,
        scoring: data.scoring,
        settings,
        interpreter: confined.interpreter(),
    };
    let catalogue = Catalogue::new(tasks, &protocol, "add tasks to its file")?;
    let mut caveats = confined.caveats();
    if soffice.is_some() {
        caveats.push("formulas were computed by LibreOffice before cells were compared".to_owned());
    }
    let workshop = Workshop {
        scoring: data.scoring,
        mode: settings.mode,
        turns: settings.turns,
        budget: seconds(settings.budget_seconds),
        longest: seconds(settings.run_seconds),
        runner: Box::new(confined),
        soffice,
    };
    Ok(Box::new(SpreadsheetBench { caveats, workshop: Arc::new(workshop), catalogue }))
}

/// A number of seconds; one beyond all measure is the longest there is.
fn seconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX)
}

impl Benchmark for SpreadsheetBench {
    fn name(&self) -> &str {
        "spreadsheet"
    }

    fn listing(&self, split: Split) -> &Listing {
        self.catalogue.listing(split)
    }

    fn caveats(&self) -> Vec<String> {
        self.caveats.clone()
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
        let Some(first) = found.cases.first() else { return Err(broken("it has no test case".to_owned())) };
        let input = read_unchanged(first).map_err(broken)?;
        let preview = match Workbook::parse(&input, Contents::Formulas, Limits::DEFAULT) {
            Ok(workbook) => preview::of_workbook(&workbook),
            // Python may read what we cannot.
            Err(error) => format!("(It cannot be shown: {error}.)"),
        };
        let (task, workshop) = (Arc::clone(found), Arc::clone(&self.workshop));
        Ok(Box::new(SpreadsheetEpisode::new(task, workshop, preview)))
    }
}

/// The bytes of an input, which must be those that were fingerprinted.
fn read_unchanged(case: &TestCase) -> Result<Vec<u8>, String> {
    let named = case.input.display();
    let bytes = std::fs::read(&case.input).map_err(|error| format!("cannot read {named}: {error}"))?;
    match Fingerprint::of(&bytes) == case.input_content {
        true => Ok(bytes),
        false => Err(format!("{named} has changed since it was loaded")),
    }
}
