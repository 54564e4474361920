//! `cargo xtask fuzz`: the readers of untrusted bytes under cargo-fuzz.
//!
//! Always holds: a missing toolchain is said and is no failure, so that the suite runs everywhere.

use std::process::{Command, ExitCode};

use clap::Args;

use crate::shell::{self, TaskError};

/// Where the fuzz targets are.
const FOLDER: &str = "crates/patch/fuzz";

/// `cargo xtask fuzz`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this target; all of them otherwise.
    target: Option<String>,
    /// Seconds a target.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Fuzzes each target for a while, or says why not.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, TaskError> {
    if let Some(reason) = missing() {
        println!("skipped: {reason}");
        return Ok(ExitCode::SUCCESS);
    }
    let listed =
        shell::output(nightly().args(["fuzz", "list", "--fuzz-dir", FOLDER]).current_dir(shell::root()))?;
    let wanted = |name: &&str| arguments.target.as_deref().is_none_or(|target| target == *name);
    let targets: Vec<&str> = listed.lines().filter(wanted).collect();
    if targets.is_empty() {
        let known = listed.lines().collect::<Vec<_>>().join(", ");
        return Err(TaskError::Refused(format!("there is no such fuzz target; there are {known}")));
    }
    for target in targets {
        let time = format!("-max_total_time={}", arguments.seconds);
        shell::check(
            nightly()
                .args(["fuzz", "run", "--fuzz-dir", FOLDER, target, "--", &time])
                .current_dir(shell::root()),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Cargo of the nightly toolchain, by way of rustup.
fn nightly() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]);
    command
}

fn missing() -> Option<&'static str> {
    if !shell::root().join(FOLDER).join("Cargo.toml").exists() {
        return Some("this tree has no fuzz targets");
    }
    if !shell::is_available(nightly().arg("--version")) {
        return Some("no nightly toolchain; install one with `rustup toolchain install nightly`");
    }
    let fuzz = shell::is_available(nightly().args(["fuzz", "--version"]));
    (!fuzz).then_some("no cargo-fuzz; install it with `cargo install cargo-fuzz`")
}
