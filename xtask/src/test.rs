//! `cargo xtask test`: the whole test suite.
//!
//! Always holds: everything is tested in release, as it is run, so that dependencies are built once; doc tests are run
//! too, which nextest leaves out.

use std::process::ExitCode;

use clap::Args;

use crate::shell::{self, TaskError};

/// Every feature, so that the command line of the patch library is tested too.
pub(crate) const ALL_FEATURES: [&str; 2] = ["--features", "textualrl-patch/cli"];

/// `cargo xtask test`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Arguments for the test runner, such as a package (`-p textualrl-patch`) or a part of a test's name.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Runs the suite, or the part of it that the arguments name.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, TaskError> {
    if arguments.rest.is_empty() {
        suite()?;
    } else {
        unit_and_integration(&arguments.rest)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The whole suite.
pub(crate) fn suite() -> Result<(), TaskError> {
    unit_and_integration(&[])?;
    shell::check(
        shell::cargo()
            .args(["test", "--release", "--workspace", "--doc"])
            .args(ALL_FEATURES)
            .current_dir(shell::root()),
    )
}

fn unit_and_integration(rest: &[String]) -> Result<(), TaskError> {
    let mut command = shell::cargo();
    if shell::is_available(shell::cargo().args(["nextest", "--version"])) {
        command.args(["nextest", "run", "--release"]);
    } else {
        eprintln!("cargo-nextest is not installed; using cargo test");
        command.args(["test", "--release", "--lib", "--bins", "--tests"]);
    }
    if rest.is_empty() {
        command.arg("--workspace").args(ALL_FEATURES);
    }
    shell::check(command.args(rest).current_dir(shell::root()))
}
