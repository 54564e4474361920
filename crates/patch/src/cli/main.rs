//! The command line `textualrl-patch`: apply, check, diff, invert, lint.
//!
//! Always holds: the input file is never written unless `--in-place` is given; the exit code says what happened.

mod args;
mod command;
mod file;
mod report;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    match command::run(&arguments) {
        Ok(end) => ExitCode::from(end.code()),
        Err(failure) => {
            let mut stderr = std::io::stderr().lock();
            let _ = std::io::Write::write_fmt(&mut stderr, format_args!("textualrl-patch: {failure}\n"));
            ExitCode::from(failure.code())
        }
    }
}
