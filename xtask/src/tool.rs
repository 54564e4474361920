//! Commands that are the tool's own.
//!
//! Always holds: arguments and exit code pass through unchanged.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use clap::Args;
use textualrl_model::Stage;

use crate::shell::{self, TaskError};

/// Arguments for `textualrl`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What `textualrl` is given.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Builds the tool, which is quick if nothing changed, and gives a command for it.
pub(crate) fn textualrl() -> Result<Command, TaskError> {
    let build = ["build", "--release", "--quiet", "--package", "textualrl-cli", "--bin", "textualrl"];
    shell::check(shell::cargo().args(build).current_dir(shell::root()))?;
    built()
}

/// A command for the tool as it was last built.
pub(crate) fn built() -> Result<Command, TaskError> {
    let this = std::env::current_exe();
    let this = this.map_err(|source| TaskError::Spawn { program: "textualrl".to_owned(), source })?;
    // The alias builds this program in release, so the tool lies beside it.
    Ok(Command::new(this.with_file_name(format!("textualrl{}", std::env::consts::EXE_SUFFIX))))
}

/// Becomes `textualrl COMMAND …`.
pub(crate) fn hand_over(command: &str, arguments: &Arguments) -> Result<ExitCode, TaskError> {
    let mut tool = textualrl()?;
    tool.arg(command).args(&arguments.rest);
    shell::become_program(&mut tool)
}

/// Becomes `textualrl STAGE …`. Validation is a rollout on another split.
pub(crate) fn hand_over_stage(arguments: &Arguments) -> Result<ExitCode, TaskError> {
    let (stage, rest) = arguments.rest.split_first().ok_or_else(no_stage)?;
    let stage: Stage = stage.to_str().unwrap_or_default().parse().map_err(|_| no_stage())?;
    let mut tool = textualrl()?;
    match stage {
        Stage::Validation => tool.args(["rollout", "--split", "validation"]),
        other => tool.arg(other.name()),
    };
    shell::become_program(tool.args(rest))
}

fn no_stage() -> TaskError {
    let stages = Stage::ALL.map(Stage::name).join(", ");
    TaskError::Refused(format!(
        "name a stage first, such as `cargo xtask stage critique --run RUN`: {stages}"
    ))
}
