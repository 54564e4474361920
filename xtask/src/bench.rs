//! `cargo xtask bench`: the client against a bare loop, then the pure parts.
//!
//! Always holds: what is measured is the release binary and the benches as they are, on the machine as it is.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;

use crate::shell::{self, TaskError};
use crate::tidy::Workspace;
use crate::tool;

/// `cargo xtask bench`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Arguments for `textualrl bench`, such as `--latency-ms 200` or `--base-url URL`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Measures everything.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, TaskError> {
    shell::check(tool::textualrl()?.arg("bench").args(&arguments.rest))?;
    criterion(&[])?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the criterion benches. With `--test`, each only once.
pub(crate) fn criterion(arguments: &[&str]) -> Result<(), TaskError> {
    for (package, bench) in Workspace::load()?.benches() {
        let mut command = shell::cargo();
        command.args(["bench", "--quiet", "--package", &package, "--bench", &bench, "--"]).args(arguments);
        shell::check(command.current_dir(shell::root()))?;
    }
    Ok(())
}
