//! A new run: its configuration, its folder, its manifest.
//!
//! Always holds: everything that can be wrong is found before the folder is made; two runs never share a folder.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use camino::{Utf8Path, Utf8PathBuf};
use textualrl_artifact::{Manifest, ManifestSplit, OpenError, RunDir};
use textualrl_bench::{Benchmark, Listing};
use textualrl_llm::ModelRole;
use textualrl_llm::prompt::Templates;
use textualrl_model::{ExitCode, Fingerprint, Split};
use textualrl_pipeline::{Plan, RunConfig};

use crate::arguments::{ConfigArguments, RunArguments};
use crate::failure::Failure;
use crate::models;
use crate::opened::{self, Opened};
use crate::output;

/// Where runs lie.
const RUNS: &str = "runs";
/// The preset that runs without any argument.
const DEFAULT_PRESET: &str = "quickstart";

/// A configuration with its tasks, prompts and plan, before there is a folder.
pub(crate) struct Resolved {
    /// The configuration.
    pub(crate) config: RunConfig,
    /// The tasks.
    pub(crate) benchmark: Box<dyn Benchmark>,
    /// The prompts.
    pub(crate) templates: Templates,
    /// The fingerprint of the initial context.
    pub(crate) initial_context: Fingerprint,
    /// The plan.
    pub(crate) plan: Plan,
}

/// Resolves what the command line names, and loads the data.
pub(crate) fn resolve(arguments: &ConfigArguments) -> Result<Resolved, Failure> {
    let sources = super::sources(arguments, Some(DEFAULT_PRESET))?;
    let mut config = RunConfig::resolve(&sources).map_err(|error| Failure::of(ExitCode::Usage, &error))?;
    make_absolute(&mut config.data.dir)?;
    make_absolute(&mut config.data.context)?;
    let benchmark = opened::load_tasks(&config)?;
    let templates = opened::load_templates(arguments.prompts.as_deref())?;
    let initial_context = opened::initial_context(&config, benchmark.as_ref())?.fingerprint();
    let facts = opened::facts(&config, benchmark.as_ref(), &templates, initial_context.clone())?;
    let plan = Plan::new(facts, config.clone());
    Ok(Resolved { config, benchmark, templates, initial_context, plan })
}

/// Makes a path independent of the folder that the command was called in, so that a run can be resumed from anywhere.
pub(super) fn make_absolute(path: &mut String) -> Result<(), Failure> {
    if path.is_empty() || path.starts_with("embedded:") {
        return Ok(());
    }
    let unusable = |why: &dyn std::fmt::Display| {
        Failure::new(ExitCode::BadInput, format!("{path} cannot be used: {why}"))
            .hint("name an existing file or folder")
    };
    let full = Utf8Path::new(path.as_str()).canonicalize_utf8().map_err(|error| unusable(&error))?;
    *path = full.to_string();
    Ok(())
}

/// Makes a new run and opens it.
pub(super) fn create(arguments: &RunArguments) -> Result<Opened, Failure> {
    let resolved = resolve(&arguments.configuration)?;
    // A missing key is better found now than after the first stage.
    for role in [ModelRole::Target, ModelRole::Optimizer] {
        models::connect(&resolved.config, role)?;
    }
    let manifest = manifest(&resolved)?;
    let text = resolved.config.to_toml().map_err(|error| Failure::of(ExitCode::Internal, &error))?;
    let run = match &arguments.name {
        Some(name) => make(&checked_name(name)?, &manifest, &text)?,
        None => make_numbered(&base_name(&arguments.configuration), &manifest, &text)?,
    };
    output::say(&format!("Run folder: {}", run.path()));
    let Resolved { benchmark, templates, plan, .. } = resolved;
    Ok(Opened { run, plan, benchmark, templates, manifest })
}

fn checked_name(name: &str) -> Result<Utf8PathBuf, Failure> {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
        return Err(Failure::new(ExitCode::Usage, format!("{name:?} is no name for a run"))
            .hint("use letters, digits, dashes, underscores and dots"));
    }
    Ok(Utf8Path::new(RUNS).join(name))
}

fn make(path: &Utf8Path, manifest: &Manifest, text: &str) -> Result<RunDir, Failure> {
    RunDir::create(path, manifest, text).map_err(|error| Failure::of(error.exit_code(), &error))
}

/// Makes the first free folder `<base>-1`, `<base>-2`, …; whoever makes the folder has it.
fn make_numbered(base: &str, manifest: &Manifest, text: &str) -> Result<RunDir, Failure> {
    let storage = |error: std::io::Error| {
        Failure::of(ExitCode::Storage, &error).hint(format!("the folder {RUNS}/ must be writable"))
    };
    std::fs::create_dir_all(RUNS).map_err(storage)?;
    let mut number = 1_u32;
    loop {
        let path = Utf8Path::new(RUNS).join(format!("{base}-{number}"));
        number += 1;
        match std::fs::create_dir(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(storage(error)),
        }
        match RunDir::create(&path, manifest, text) {
            Err(OpenError::Exists { .. } | OpenError::Foreign { .. }) => {}
            made => return made.map_err(|error| Failure::of(error.exit_code(), &error)),
        }
    }
}

/// The name that a run gets: the preset's, or the configuration file's.
fn base_name(arguments: &ConfigArguments) -> String {
    let file = arguments.config.as_deref().and_then(Utf8Path::file_stem);
    arguments.preset.as_deref().or(file).unwrap_or(DEFAULT_PRESET).to_owned()
}

/// The splits of a run's tasks, as the manifest names them.
pub(super) fn splits(benchmark: &dyn Benchmark) -> BTreeMap<Split, ManifestSplit> {
    let split = |listing: &Listing| ManifestSplit {
        tasks: u32::try_from(listing.tasks.len()).unwrap_or(u32::MAX),
        excluded: listing.excluded.iter().map(|one| (one.task.to_string(), one.reason.clone())).collect(),
        fingerprint: listing.fingerprint.clone(),
    };
    Split::ALL.into_iter().map(|name| (name, split(benchmark.listing(name)))).collect()
}

/// What a run is made with.
pub(super) fn manifest(resolved: &Resolved) -> Result<Manifest, Failure> {
    let endpoint = |role| models::describe(&resolved.config, role).map(models::manifest_endpoint);
    Ok(Manifest {
        tool: Manifest::tool_version(),
        formats: Manifest::tool_formats(),
        benchmark: resolved.benchmark.name().to_owned(),
        caveats: resolved.benchmark.caveats(),
        data: splits(resolved.benchmark.as_ref()),
        prompts: resolved.templates.fingerprints().clone(),
        initial_context: resolved.initial_context.clone(),
        feedback: resolved.config.critique.feedback,
        target: endpoint(ModelRole::Target)?,
        optimizer: endpoint(ModelRole::Optimizer)?,
    })
}
