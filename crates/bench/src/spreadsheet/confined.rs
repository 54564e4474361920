//! Running programs in the sandbox that the settings name.
//!
//! Always holds: that the interpreter, its libraries and the confinement work is seen before the first episode; no more
//! programs run at a time than the machine has cores, as their time is wall-clock time.

use std::error::Error;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde::Serialize;
use textualrl_model::settings::{Confinement, SpreadsheetSettings};
use textualrl_sandbox::{Limits, Program, Run, Sandbox, SandboxError};

use super::runner::{Runner, script};
use super::slots::Slots;
use crate::data::LoadError;

/// The names by which the wrapper knows the workbooks.
const INPUT: &str = "input.xlsx";
const OUTPUT: &str = "output.xlsx";
/// What a program may print, in bytes.
const MOST_PRINTED: usize = 1 << 20;
const MEGABYTE: u64 = 1 << 20;
/// Fails without openpyxl, and says which openpyxl and pandas there are; loading pandas would take long.
const PROBE: &str = "import importlib.metadata, openpyxl\n\
    found = [one.version for one in importlib.metadata.distributions(name='pandas')]\n\
    print(openpyxl.__version__, *found[:1])\n";
/// How long that may take: libraries are slow to load the first time.
const LONGEST_PROBE: Duration = Duration::from_secs(60);

/// A sandbox with its limits.
#[derive(Debug)]
pub(super) struct Confined {
    sandbox: Sandbox,
    limits: Limits,
    interpreter: Interpreter,
    slots: Slots,
}

/// What runs the programs, which decides what they do.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Interpreter {
    python: String,
    openpyxl: String,
    pandas: Option<String>,
}

impl Confined {
    /// The sandbox of the settings.
    ///
    /// # Errors
    /// If it does not work here, or the interpreter lacks openpyxl.
    pub(super) fn new(settings: &SpreadsheetSettings) -> Result<Self, LoadError> {
        let sandbox = Sandbox::new(settings.sandbox, &settings.python).map_err(unavailable)?;
        let limits = Limits {
            run_time: LONGEST_PROBE,
            memory_bytes: settings.memory_mb.saturating_mul(MEGABYTE),
            disk_bytes: settings.disk_mb.saturating_mul(MEGABYTE),
            processes: settings.processes,
            output_bytes: MOST_PRINTED,
        };
        let probe = Program { script: PROBE, inputs: Vec::new(), output: OUTPUT };
        let probed = sandbox.run(&probe, &limits).map_err(unavailable)?;
        if !probed.ended.well() {
            let said = probed.printed.trim().lines().last().unwrap_or("it said nothing").to_owned();
            let problem = format!(
                "the interpreter {:?} cannot load openpyxl within the limits of data.spreadsheet ({said}); install it \
                 with `pip install openpyxl pandas`, raise the limits, or name another interpreter",
                settings.python
            );
            return Err(LoadError::Unavailable { key: "spreadsheet.python", problem });
        }
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // Whatever else is printed, such as a warning, follows on other lines.
        let line = probed.printed.lines().next().unwrap_or_default();
        let mut versions = line.split_whitespace().map(str::to_owned);
        let interpreter = Interpreter {
            python: sandbox.python_version().to_owned(),
            openpyxl: versions.next().unwrap_or_default(),
            pandas: versions.next(),
        };
        Ok(Self { sandbox, limits, interpreter, slots: Slots::new(cores) })
    }

    /// What runs the programs.
    pub(super) fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// What must be said beside every number.
    pub(super) fn caveats(&self) -> Vec<String> {
        let mut caveats = Vec::new();
        if self.sandbox.confinement() == Confinement::None {
            caveats.push("programs of the agent ran without a sandbox".to_owned());
        }
        if self.interpreter.pandas.is_none() {
            caveats.push("programs of the agent had no pandas".to_owned());
        }
        caveats
    }
}

fn unavailable(error: SandboxError) -> LoadError {
    let key = match error {
        SandboxError::Interpreter { .. } => "spreadsheet.python",
        _ => "spreadsheet.sandbox",
    };
    LoadError::Unavailable { key, problem: told(&error) }
}

/// An error with its causes.
fn told(error: &SandboxError) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}

impl Runner for Confined {
    fn run(&self, program: &str, input: &Path, time: Duration) -> Result<Run, String> {
        let script = script(program);
        let program = Program { script: &script, inputs: vec![(INPUT, input)], output: OUTPUT };
        let _slot = self.slots.take();
        self.sandbox.run(&program, &Limits { run_time: time, ..self.limits }).map_err(|error| told(&error))
    }
}
