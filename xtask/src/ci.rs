//! `cargo xtask ci`: everything that must hold before a change is merged.
//!
//! Always holds: every step is tried, also after one failed; a step that cannot be done here says so and is no success.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use clap::Args;

use crate::shell::{self, TaskError};
use crate::{bench, test, tidy, tool};

/// `cargo xtask ci`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Leave out the test suite, because it was just run.
    #[arg(long)]
    skip_tests: bool,
    /// A folder with `scorers.json` and transcripts, to check scorers and environments against.
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// A folder with one data folder a benchmark, to check the loaders against.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed(String),
    Skipped(&'static str),
}

type Step<'a> = (&'static str, Box<dyn Fn() -> Result<Outcome, TaskError> + 'a>);

/// Does all steps and prints what became of them.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, TaskError> {
    let mut rows = Vec::new();
    for (name, step) in steps(arguments) {
        eprintln!("== {name}");
        let start = Instant::now();
        let outcome = step().unwrap_or_else(|error| Outcome::Failed(error.to_string()));
        rows.push((name, outcome, start.elapsed().as_secs_f64()));
    }
    println!("{}", table(&rows));
    let failed = rows.iter().any(|(_, outcome, _)| matches!(outcome, Outcome::Failed(_)));
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn steps(arguments: &Arguments) -> Vec<Step<'_>> {
    vec![
        ("format", Box::new(|| passes(cargo(&["fmt", "--all", "--check"])))),
        ("clippy", Box::new(clippy)),
        ("tidy", Box::new(tidy_step)),
        ("documentation", Box::new(documentation)),
        ("licences and bans", Box::new(licences)),
        ("tests", Box::new(|| tests(arguments))),
        ("quickstart", Box::new(quickstart)),
        ("benches, once each", Box::new(|| bench::criterion(&["--test"]).map(|()| Outcome::Passed))),
        ("conformance", Box::new(|| conformance(arguments))),
    ]
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = shell::cargo();
    command.args(arguments).current_dir(shell::root());
    command
}

fn passes(mut command: Command) -> Result<Outcome, TaskError> {
    shell::check(&mut command).map(|()| Outcome::Passed)
}

fn clippy() -> Result<Outcome, TaskError> {
    let mut command = cargo(&["clippy", "--release", "--workspace", "--all-targets"]);
    command.args(test::ALL_FEATURES).args(["--", "-D", "warnings"]);
    passes(command)
}

fn tidy_step() -> Result<Outcome, TaskError> {
    let problems = tidy::problems()?;
    for problem in &problems {
        println!("{problem}");
    }
    let count = problems.len();
    Ok(if count == 0 { Outcome::Passed } else { Outcome::Failed(format!("{count} problems")) })
}

fn documentation() -> Result<Outcome, TaskError> {
    let mut command = cargo(&["doc", "--release", "--workspace", "--no-deps", "--quiet"]);
    command.args(test::ALL_FEATURES);
    command.env("RUSTDOCFLAGS", "-D warnings");
    passes(command)
}

/// Without the advisories, which need a network.
fn licences() -> Result<Outcome, TaskError> {
    if !shell::is_available(shell::cargo().args(["deny", "--version"])) {
        return Ok(Outcome::Skipped("cargo-deny is not installed"));
    }
    passes(cargo(&["deny", "check", "bans", "licenses", "sources"]))
}

fn tests(arguments: &Arguments) -> Result<Outcome, TaskError> {
    if arguments.skip_tests {
        return Ok(Outcome::Skipped("--skip-tests"));
    }
    test::suite().map(|()| Outcome::Passed)
}

/// The whole loop as a newcomer runs it, in a folder that is empty before.
fn quickstart() -> Result<Outcome, TaskError> {
    let folder = shell::root().join("target").join("ci");
    let storage = |source| TaskError::File { path: folder.clone(), source };
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(storage)?;
    }
    std::fs::create_dir_all(&folder).map_err(storage)?;
    let mut command = cargo(&["xtask", "run", "--name", "quickstart"]);
    command.current_dir(&folder);
    passes(command)
}

fn conformance(arguments: &Arguments) -> Result<Outcome, TaskError> {
    if arguments.cases.is_none() && arguments.data.is_none() {
        return Ok(Outcome::Skipped("neither --cases nor --data"));
    }
    let mut command = tool::textualrl()?;
    command.arg("conformance");
    for (flag, folder) in [("--cases", &arguments.cases), ("--data", &arguments.data)] {
        if let Some(folder) = folder {
            command.arg(flag).arg(folder);
        }
    }
    passes(command)
}

fn table(rows: &[(&'static str, Outcome, f64)]) -> String {
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let line = |(name, outcome, seconds): &(&str, Outcome, f64)| {
        let words = match outcome {
            Outcome::Passed => "passed".to_owned(),
            Outcome::Failed(why) => format!("FAILED: {why}"),
            Outcome::Skipped(why) => format!("skipped: {why}"),
        };
        format!("{name:width$}  {seconds:>6.1} s  {words}")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_failed_and_what_was_not_done() {
        let rows = [
            ("format", Outcome::Passed, 1.24),
            ("tidy", Outcome::Failed("2 problems".to_owned()), 0.0),
            ("licences", Outcome::Skipped("cargo-deny is not installed"), 12.0),
        ];
        let expected = "format       1.2 s  passed\n\
                        tidy         0.0 s  FAILED: 2 problems\n\
                        licences    12.0 s  skipped: cargo-deny is not installed";
        assert_eq!(table(&rows), expected);
    }
}
