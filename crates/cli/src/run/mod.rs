//! `textualrl run`: a new run, or an old one gone on with.
//!
//! Always holds: the loop holds the run's lock while it works, and every stage is a process of its own.

mod create;
mod dry_run;
mod resume;
mod stages;

use textualrl_model::ExitCode;
use textualrl_pipeline::{End, LoopError, Records, Sources, UserFile, run_loop};

use crate::arguments::{ConfigArguments, RunArguments};
use crate::failure::Failure;
use crate::opened::Opened;
use crate::output;
use crate::summary::summary;

pub(crate) use create::resolve;

/// Runs the loop.
pub(crate) fn run(arguments: &RunArguments, verbose: u8) -> Result<(), Failure> {
    if arguments.dry_run {
        return dry_run::dry_run(arguments);
    }
    let (opened, records) = match &arguments.resume {
        Some(path) => match resume::open(path, arguments)? {
            resume::Resumed::Finished(opened) => {
                stages::project(&opened, &opened.records()?)?;
                output::say("The run is finished; nothing is left to do.");
                return report(&opened, arguments.json);
            }
            resume::Resumed::GoOn(opened, records) => (opened, records),
            resume::Resumed::Declined => return Ok(()),
        },
        None => (create::create(arguments)?, Records::new()),
    };
    go_on(&opened, records, arguments, verbose)
}

fn go_on(opened: &Opened, records: Records, arguments: &RunArguments, verbose: u8) -> Result<(), Failure> {
    if let Some(step) = arguments.stop_after.filter(|step| opened.plan.step(*step).is_none()) {
        let names = opened.plan.steps().iter().map(|planned| planned.step.to_string());
        return Err(Failure::new(ExitCode::Usage, format!("the run has no step {step} to stop after"))
            .hint(format!("its steps are {}", names.collect::<Vec<_>>().join(", "))));
    }
    let mut runner = stages::Processes::new(opened, arguments.configuration.prompts.clone(), verbose)?;
    let end =
        run_loop(&opened.plan, records, arguments.stop_after, &mut runner).map_err(|error| match error {
            LoopError::Run(failure) => failure,
            error @ LoopError::NoProgress { .. } => Failure::new(ExitCode::Internal, error.to_string()),
        })?;
    match end {
        End::Finished => report(opened, arguments.json),
        End::Stopped => {
            output::say(&format!(
                "Stopped as asked. Go on with: textualrl run --resume {}",
                opened.run.path()
            ));
            report(opened, arguments.json)
        }
        End::Paused { reason, .. } => {
            Err(Failure::new(ExitCode::Paused, format!("the run is paused: {reason}"))
                .hint(format!("textualrl run --resume {}", opened.run.path())))
        }
    }
}

fn report(opened: &Opened, json: bool) -> Result<(), Failure> {
    let summary = summary(opened, &opened.records()?);
    if json { output::json(&summary) } else { output::data(&summary.text()) }
}

/// The sources of a configuration as the command line names them.
pub(crate) fn sources(arguments: &ConfigArguments, default_preset: Option<&str>) -> Result<Sources, Failure> {
    let usage = |error: textualrl_pipeline::ConfigError| Failure::of(ExitCode::Usage, &error);
    let file = arguments.config.as_deref().map(UserFile::read).transpose().map_err(usage)?;
    let none_named = arguments.preset.is_none() && file.is_none();
    let preset =
        arguments.preset.clone().or_else(|| default_preset.filter(|_| none_named).map(str::to_owned));
    Ok(Sources {
        preset,
        file,
        set: arguments.set.clone(),
        data: arguments.data.as_ref().map(ToString::to_string),
    })
}
