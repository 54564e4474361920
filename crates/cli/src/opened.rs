//! A run as a command works on it: folder, plan, tasks and prompts.
//!
//! Always holds: everything is read from the run folder and the data that its `run.toml` names; a context is found
//! by its fingerprint, never by a position.

use camino::Utf8Path;
use textualrl_artifact::{Access, Manifest, RunDir, Slot, StageSummary, TextKind};
use textualrl_bench::Benchmark;
use textualrl_llm::ModelRole;
use textualrl_llm::prompt::Templates;
use textualrl_model::{Context, ExitCode, Fingerprint, Split, Stage};
use textualrl_pipeline::{Facts, Plan, Records, RunConfig};

use crate::failure::Failure;
use crate::models;

/// A run, opened.
pub(crate) struct Opened {
    /// The folder.
    pub(crate) run: RunDir,
    /// The plan, with the configuration.
    pub(crate) plan: Plan,
    /// The tasks.
    pub(crate) benchmark: Box<dyn Benchmark>,
    /// The prompts.
    pub(crate) templates: Templates,
    /// What the run was made with.
    pub(crate) manifest: Manifest,
}

impl Opened {
    /// Opens a run and loads what it needs.
    pub(crate) fn open(path: &Utf8Path, access: Access, prompts: Option<&Utf8Path>) -> Result<Self, Failure> {
        let run = RunDir::open(path, access).map_err(|error| Failure::of(error.exit_code(), &error))?;
        let manifest = run.manifest().map_err(|error| Failure::of(error.exit_code(), &error))?;
        let text = run.run_toml().map_err(|error| Failure::of(error.exit_code(), &error))?;
        let config =
            RunConfig::from_run_toml(&text).map_err(|error| Failure::of(ExitCode::RunFolder, &error))?;
        let benchmark = load_tasks(&config)?;
        if access != Access::Read {
            unchanged(&manifest, benchmark.as_ref())?;
        }
        let templates = load_templates(prompts)?;
        let facts = facts(&config, benchmark.as_ref(), &templates, manifest.initial_context.clone())?;
        Ok(Self { run, plan: Plan::new(facts, config), benchmark, templates, manifest })
    }

    /// The configuration.
    pub(crate) fn config(&self) -> &RunConfig {
        self.plan.config()
    }

    /// The records of all filled slots.
    pub(crate) fn records(&self) -> Result<Records, Failure> {
        self.run.view().map(|view| view.records).map_err(|error| Failure::of(error.exit_code(), &error))
    }

    /// The text of a context of this run.
    pub(crate) fn context(&self, records: &Records, wanted: &Fingerprint) -> Result<Context, Failure> {
        if *wanted == Context::default().fingerprint() {
            return Ok(Context::default());
        }
        for slot in records.keys().copied().filter(|slot| *slot == Slot::Baseline || is_patch(*slot)) {
            let kind = if slot == Slot::Baseline { TextKind::Context } else { TextKind::CandidateContext };
            if named_by(records, slot) == Some(wanted) {
                let text =
                    self.run.read_text(slot, kind).map_err(|error| Failure::of(error.exit_code(), &error))?;
                return fitting(Context::new(text), wanted, &slot.to_string());
            }
        }
        fitting(
            initial_context(self.config(), self.benchmark.as_ref())?,
            wanted,
            "the initial context's file",
        )
    }
}

/// Refuses tasks that are no longer those that the run was made with, naming both.
fn unchanged(manifest: &Manifest, benchmark: &dyn Benchmark) -> Result<(), Failure> {
    for (split, known) in &manifest.data {
        let now = &benchmark.listing(*split).fingerprint;
        if *now != known.fingerprint {
            let message = format!(
                "the {split} tasks have changed since the run was made: their fingerprint was {} and is {now}",
                known.fingerprint
            );
            return Err(Failure::new(ExitCode::RunFolder, message).hint(
                "put the files back, begin a new run, or resume once with --allow-changed data to take the new tasks",
            ));
        }
    }
    Ok(())
}

fn is_patch(slot: Slot) -> bool {
    matches!(slot, Slot::Step { stage: Stage::Patch, .. })
}

/// The context that the record of a slot names.
fn named_by(records: &Records, slot: Slot) -> Option<&Fingerprint> {
    match &records.get(&slot)?.summary {
        StageSummary::Evaluation { context, .. } => Some(context),
        StageSummary::Patch { candidate, .. } => candidate.as_ref(),
        _ => None,
    }
}

fn fitting(context: Context, wanted: &Fingerprint, place: &str) -> Result<Context, Failure> {
    let found = context.fingerprint();
    if found == *wanted {
        return Ok(context);
    }
    let message = format!("{place} holds context {found}, but the run needs {wanted}; it was changed since");
    Err(Failure::new(ExitCode::RunFolder, message).hint("put the original text back, or begin a new run"))
}

/// The tasks that a configuration names.
pub(crate) fn load_tasks(config: &RunConfig) -> Result<Box<dyn Benchmark>, Failure> {
    let hint = || format!("the tasks are those of data.dir = {:?}", config.data.dir);
    let tasks = textualrl_bench::load(&config.data)
        .map_err(|error| Failure::of(ExitCode::BadInput, &error).hint(hint()))?;
    // A run ends with an evaluation on the test split, so that data without one are refused before anything is paid.
    if tasks.listing(Split::Test).tasks.is_empty() {
        let message = "the data have no test split; add a file for it, such as test/items.json";
        return Err(Failure::new(ExitCode::BadInput, message).hint(hint()));
    }
    Ok(tasks)
}

/// The prompts, with those of a folder in place of the built-in ones.
pub(crate) fn load_templates(folder: Option<&Utf8Path>) -> Result<Templates, Failure> {
    let templates = match folder {
        Some(folder) => Templates::from_folder(folder.as_std_path()),
        None => Templates::new(&std::collections::BTreeMap::new()),
    };
    templates.map_err(|error| Failure::of(ExitCode::BadInput, &error))
}

/// The context that a new run starts from.
pub(crate) fn initial_context(config: &RunConfig, benchmark: &dyn Benchmark) -> Result<Context, Failure> {
    let path = &config.data.context;
    if path.is_empty() {
        return Ok(benchmark.initial_context());
    }
    let unreadable = |why: &str| {
        Failure::new(ExitCode::BadInput, format!("the initial context {path} cannot be read: {why}"))
            .hint("name an existing UTF-8 file in data.context, or leave it empty")
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error.to_string()))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Context::new(text)),
        Err(error) => {
            let place = error.utf8_error().valid_up_to();
            Err(unreadable(&format!("it is no UTF-8 from byte {place} on")))
        }
    }
}

/// What is fixed for a run of this configuration over these tasks.
pub(crate) fn facts(
    config: &RunConfig,
    benchmark: &dyn Benchmark,
    templates: &Templates,
    initial_context: Fingerprint,
) -> Result<Facts, Failure> {
    let role = |role| models::fingerprint(&models::describe(config, role)?);
    Ok(Facts {
        prompts: templates.fingerprint(),
        data: Split::ALL
            .into_iter()
            .map(|split| (split, benchmark.listing(split).fingerprint.clone()))
            .collect(),
        target: role(ModelRole::Target)?,
        optimizer: role(ModelRole::Optimizer)?,
        train_tasks: benchmark.listing(Split::Train).tasks.clone(),
        initial_context,
    })
}
