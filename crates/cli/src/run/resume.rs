//! Going on with a run: what may have changed, what will be done again.
//!
//! Always holds: a changed key that decides results is refused unless it is named; finished steps are done again only
//! after a yes.

use std::io::{self, BufRead, IsTerminal};

use camino::Utf8Path;
use textualrl_artifact::{Access, Manifest, RunDir};
use textualrl_llm::ModelRole;
use textualrl_model::ExitCode;
use textualrl_pipeline::config::{differing_keys, harmless};
use textualrl_pipeline::{Next, Records, RunConfig, SlotState, Sources, UserFile};

use super::dry_run;
use crate::arguments::RunArguments;
use crate::failure::Failure;
use crate::opened::Opened;
use crate::{models, output};

/// What resuming came to.
pub(super) enum Resumed {
    /// Nothing is left to do.
    Finished(Opened),
    /// Something is.
    GoOn(Opened, Records),
    /// The person said no.
    Declined,
}

/// Opens a run to go on with it.
pub(super) fn open(path: &Utf8Path, arguments: &RunArguments) -> Result<Resumed, Failure> {
    change(path, arguments)?;
    let opened = Opened::open(path, Access::Write, arguments.configuration.prompts.as_deref())?;
    let records = whole(&opened, opened.records()?)?;
    if opened.plan.next(&records) == Next::Finished {
        return Ok(Resumed::Finished(opened));
    }
    let pending = opened.plan.pending(&records);
    let calls = opened.plan.calls(&pending, dry_run::sizes(opened.benchmark.as_ref()));
    output::say(&format!("Resuming {}: {} left.", opened.run.path(), dry_run::in_words(&calls)));
    let redone = pending.redone_steps();
    if redone.is_empty() || arguments.yes {
        return Ok(Resumed::GoOn(opened, records));
    }
    let steps: Vec<String> = redone.iter().map(ToString::to_string).collect();
    let why = first_change(&opened, &records).unwrap_or_default();
    output::say(&format!("Finished steps will be done again: {}{why}.", steps.join(", ")));
    if agreed()? { Ok(Resumed::GoOn(opened, records)) } else { Ok(Resumed::Declined) }
}

/// The records whose files are still what their stages wrote; the others are told, and are done again.
fn whole(opened: &Opened, records: Records) -> Result<Records, Failure> {
    let mut kept = Records::new();
    for (slot, record) in records {
        let changed = opened.run.changed_outputs(slot).map_err(crate::stage::unread)?;
        if changed.is_empty() {
            kept.insert(slot, record);
        } else {
            output::say(&format!("{slot} is done again: {} was changed or is missing", changed.join(", ")));
        }
    }
    Ok(kept)
}

/// What changed first, in words: everything behind it is done again because of it.
fn first_change(opened: &Opened, records: &Records) -> Option<String> {
    let states = opened.plan.states(records);
    opened.plan.slots().find_map(|slot| match states.get(&slot) {
        Some(SlotState::Stale { inputs }) => {
            Some(format!(", as of the {slot} these inputs changed: {}", inputs.join(", ")))
        }
        _ => None,
    })
}

/// Asks at a terminal; elsewhere the answer must have been given.
fn agreed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(
            Failure::new(ExitCode::Usage, "finished steps would be done again").hint("add --yes to agree")
        );
    }
    output::say("Go on? [y/N]");
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(|error| Failure::of(ExitCode::Usage, &error))?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Takes over what the command line changes in the run's configuration.
fn change(path: &Utf8Path, arguments: &RunArguments) -> Result<(), Failure> {
    let changes = &arguments.configuration;
    let usage = |error: textualrl_pipeline::ConfigError| Failure::of(ExitCode::Usage, &error);
    if changes.config.is_none()
        && changes.preset.is_none()
        && changes.set.is_empty()
        && changes.data.is_none()
        && arguments.allow_changed.is_empty()
    {
        return Ok(());
    }
    let run = RunDir::open(path, Access::Write).map_err(|error| Failure::of(error.exit_code(), &error))?;
    let text = run.run_toml().map_err(|error| Failure::of(error.exit_code(), &error))?;
    let old = RunConfig::from_run_toml(&text).map_err(|error| Failure::of(ExitCode::RunFolder, &error))?;
    let sources = if changes.config.is_none() && changes.preset.is_none() {
        // Only single keys are named: they are laid on what the run has.
        Sources { file: Some(UserFile::of_run(text)), ..super::sources(changes, None)? }
    } else {
        super::sources(changes, None)?
    };
    let mut new = RunConfig::resolve(&sources).map_err(usage)?;
    super::create::make_absolute(&mut new.data.dir)?;
    super::create::make_absolute(&mut new.data.context)?;
    let allowed =
        |key: &String| harmless(key) || arguments.allow_changed.iter().any(|prefix| covers(prefix, key));
    let refused: Vec<String> = differing_keys(&old, &new).into_iter().filter(|key| !allowed(key)).collect();
    if !refused.is_empty() {
        let message = format!("the configuration differs from the run's: {}", refused.join(", "));
        return Err(Failure::new(ExitCode::Usage, message).hint(
            "begin a new run, or name each key with --allow-changed; results that it decides are then done again",
        ));
    }
    let manifest = run.manifest().map_err(|error| Failure::of(error.exit_code(), &error))?;
    let endpoint = |role| models::describe(&new, role).map(models::manifest_endpoint);
    let tasks = crate::opened::load_tasks(&new)?;
    let manifest = Manifest {
        caveats: tasks.caveats(),
        data: super::create::splits(tasks.as_ref()),
        feedback: new.critique.feedback,
        target: endpoint(ModelRole::Target)?,
        optimizer: endpoint(ModelRole::Optimizer)?,
        ..manifest
    };
    let text = new.to_toml().map_err(|error| Failure::of(ExitCode::Internal, &error))?;
    run.reconfigure(&manifest, &text).map_err(crate::stage::unwritten)
}

/// Whether an allowed key is this one or a section that holds it.
fn covers(allowed: &str, key: &str) -> bool {
    key == allowed || key.strip_prefix(allowed).is_some_and(|rest| rest.starts_with('.'))
}
