//! `cargo xtask …`: the tasks of this workspace.
//!
//! Always holds: nothing of the method is decided here; commands of the tool are handed to `textualrl`, checks read the
//! tree, and the rest spawns cargo.

mod bench;
mod ci;
mod fuzz;
mod shell;
mod test;
mod tidy;
mod tool;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Run the whole loop: `textualrl run …`. Without arguments, the simulated quickstart.
    #[command(disable_help_flag = true)]
    Run(tool::Arguments),
    /// Run one stage again: `stage critique --run RUN --step e1-s02` is `textualrl critique …`.
    #[command(disable_help_flag = true)]
    Stage(tool::Arguments),
    /// Show the stages of a run: `textualrl status …`.
    #[command(disable_help_flag = true)]
    Status(tool::Arguments),
    /// Check scorers and loaders against reference cases and data: `textualrl conformance …`.
    #[command(disable_help_flag = true)]
    Conformance(tool::Arguments),
    /// Look at task data, or make them from the provider's files: `textualrl data …`.
    #[command(disable_help_flag = true)]
    Data(tool::Arguments),
    /// Run the test suite in release, doc tests too. Arguments go to the test runner.
    Test(test::Arguments),
    /// Check what can be checked of the rules of this tree.
    Tidy(tidy::Arguments),
    /// Everything that must hold before a change is merged.
    Ci(ci::Arguments),
    /// Measure the client against a bare loop, then the pure parts.
    Bench(bench::Arguments),
    /// Fuzz the readers of untrusted bytes; needs a nightly toolchain and cargo-fuzz.
    Fuzz(fuzz::Arguments),
}

fn main() -> ExitCode {
    let result = match CommandLine::parse().task {
        Task::Run(arguments) => tool::hand_over("run", &arguments),
        Task::Stage(arguments) => tool::hand_over_stage(&arguments),
        Task::Status(arguments) => tool::hand_over("status", &arguments),
        Task::Conformance(arguments) => tool::hand_over("conformance", &arguments),
        Task::Data(arguments) => tool::hand_over("data", &arguments),
        Task::Test(arguments) => test::run(&arguments),
        Task::Tidy(arguments) => tidy::run(&arguments),
        Task::Ci(arguments) => ci::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
