//! `cargo xtask bench`: the tool beside a bare loop of the same requests, then a large run; or the pure parts.
//!
//! Always holds: what is measured is the release binary on the machine as it is; tool and bare loop take turns, so that
//! what else the machine does weighs on both.

mod client;
mod process;
mod setting;
mod table;

use std::process::ExitCode;

use clap::Args;

use crate::shell::{self, TaskError};
use crate::tidy::Workspace;
use setting::Setting;

/// `cargo xtask bench`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Measure one setting instead of all: milliseconds that the simulated endpoint takes for a reply.
    #[arg(long, value_name = "N")]
    latency_ms: Option<u32>,
    /// Measure one setting instead of all: rollouts, four a task.
    #[arg(long, value_name = "N")]
    calls: Option<u32>,
    /// Measure one setting instead of all: calls in flight.
    #[arg(long, value_name = "N")]
    concurrency: Option<u32>,
    /// Measure against this endpoint (a base URL that ends in `/v1`) instead of a simulated one.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// How often each setting is measured.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Run the criterion benches of the pure parts instead.
    #[arg(long)]
    criterion: bool,
}

impl Arguments {
    /// The one setting that is asked for, if one is.
    fn setting(&self) -> Option<Setting> {
        let asked = [self.latency_ms, self.calls, self.concurrency].iter().any(Option::is_some);
        (asked || self.base_url.is_some()).then(|| {
            let default = Setting::default();
            Setting {
                latency: self.latency_ms.unwrap_or(default.latency),
                calls: self.calls.unwrap_or(default.calls),
                concurrency: self.concurrency.unwrap_or(default.concurrency),
                ..default
            }
        })
    }
}

/// Measures and prints a table.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, TaskError> {
    if arguments.criterion {
        return criterion(&[]).map(|()| ExitCode::SUCCESS);
    }
    let one = arguments.setting();
    let rows = match &one {
        Some(setting) => client::one(setting, arguments.base_url.as_deref(), arguments.repeat)?,
        None => client::all(arguments.repeat)?,
    };
    println!("{}", if arguments.json { table::json(&rows) } else { table::text(&rows) });
    if one.is_none() && !arguments.json {
        large_run()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// 100,000 trajectories written and read, and the records of a run of that size.
fn large_run() -> Result<(), TaskError> {
    println!("\nA large run: 100,000 trajectories of 5 kB in one file, and the records of 625 steps.");
    let mut command = shell::cargo();
    command.args(["run", "--release", "--quiet", "--package", "textualrl-artifact", "--example", "measure"]);
    shell::check(command.arg("--").arg(setting::scratch()?).current_dir(shell::root()))
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
