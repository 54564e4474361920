//! The command line of TextualRL: the edge between people, files and the stages.
//!
//! Always holds: data goes to stdout and words to stderr; every failure is one paragraph with a remedy and a documented
//! exit code.

mod arguments;
mod check;
mod conformance;
mod data;
mod failure;
mod interrupt;
mod logging;
mod models;
mod opened;
mod output;
mod play;
mod progress;
mod run;
mod show;
mod simulate;
mod stage;
mod status;
mod summary;

use clap::Parser;
use textualrl_model::{ExitCode, Stage};

use crate::arguments::{Command, CommandLine};
use crate::failure::Failure;

fn main() -> std::process::ExitCode {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => {
            // Help and version are no failure; a lost message is no reason for another exit code.
            let _ = error.print();
            let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Success };
            return code.code().into();
        }
    };
    match dispatch(&line) {
        Ok(()) => ExitCode::Success.code().into(),
        Err(failure) => {
            output::say(&failure.to_string());
            failure.code.code().into()
        }
    }
}

fn dispatch(line: &CommandLine) -> Result<(), Failure> {
    let verbose = line.verbose;
    match &line.command {
        Command::Rollout(arguments) => return stage::run_rollout(arguments, verbose),
        Command::Critique(arguments) => return stage::run_step(Stage::Critique, arguments, verbose),
        Command::Review(arguments) => return stage::run_step(Stage::Review, arguments, verbose),
        Command::Patch(arguments) => return stage::run_step(Stage::Patch, arguments, verbose),
        Command::Gate(arguments) => return stage::run_step(Stage::Gate, arguments, verbose),
        _ => logging::start(verbose, None),
    }
    match &line.command {
        Command::Run(arguments) => run::run(arguments, verbose),
        Command::Status(arguments) => status::status(arguments),
        Command::Show(arguments) => show::show(arguments),
        Command::Check(arguments) => check::check(arguments),
        Command::Simulate(arguments) => simulate::simulate(arguments),
        Command::Play(arguments) => play::play(arguments),
        Command::Conformance(arguments) => conformance::conformance(arguments),
        Command::Data(arguments) => data::data(arguments),
        Command::Rollout(_)
        | Command::Critique(_)
        | Command::Review(_)
        | Command::Patch(_)
        | Command::Gate(_) => Ok(()),
    }
}
