//! A sandbox: a confinement that was seen to work here, and an interpreter that starts in it.
//!
//! Always holds: where nothing was asked for by name, the stronger confinement is taken; nothing falls back to none.

use std::path::PathBuf;
use std::time::Duration;

use textualrl_model::settings::Confinement;
use thiserror::Error;

use crate::bubblewrap::{self, Bubblewrap};
use crate::folder::RunFolder;
use crate::interpreter::Interpreter;
use crate::printed::{self, Allowance};
use crate::process::Running;
use crate::program::{Ended, Limits, Program, Run};
use crate::restricted::Restricted;
use crate::{unconfined, watch};

/// What the first program may use: it only has to start.
const FIRST: Limits = Limits {
    run_time: Duration::from_secs(20),
    memory_bytes: 1 << 30,
    disk_bytes: 1 << 20,
    processes: 8,
    output_bytes: 16 * 1024,
};
const FIRST_SCRIPT: &str = "open('left', 'w').write('works')";

/// Why a program could not be run, which says nothing about the program.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The interpreter is missing or is not what it should be.
    #[error(
        "the interpreter {python:?} cannot be used: {why}; install Python 3 or name another one in `python`"
    )]
    Interpreter {
        /// As the settings name it.
        python: String,
        /// What is wrong.
        why: String,
    },
    /// The confinement does not work on this machine.
    #[error(
        "programs that a model wrote cannot be confined here: {why}; install bubblewrap (such as \
         `apt-get install bubblewrap`), or write sandbox = \"none\" to trust the model with this machine"
    )]
    NotConfined {
        /// What is missing.
        why: String,
    },
    /// A file name that is not plain, is used twice, or belongs to the sandbox.
    #[error("{name:?} cannot be the name of a file of a program: it must be plain and used once")]
    Name {
        /// The name.
        name: String,
    },
    /// An input could not be copied.
    #[error("cannot copy {path}", path = path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The folder of the run could not be made.
    #[error("cannot make the folder of a run")]
    Folder {
        /// What went wrong.
        source: std::io::Error,
    },
    /// The program could not be started or waited for.
    #[error("cannot run a program")]
    Process {
        /// What went wrong.
        source: std::io::Error,
    },
    /// What was to start the program failed before it did.
    #[error("the program was not started: {ended:?} {said}")]
    NotStarted {
        /// How what was to start it ended.
        ended: Ended,
        /// What was said instead.
        said: String,
    },
}

/// Runs programs. Can be shared: every run has a folder and a process group of its own.
#[derive(Debug, Clone)]
pub struct Sandbox {
    interpreter: Interpreter,
    confined: Confined,
}

#[derive(Debug, Clone)]
enum Confined {
    Bubblewrap(Bubblewrap),
    Landlock(Restricted),
    None,
}

impl Sandbox {
    /// Finds the confinement and the interpreter, and runs a first program to see that both work.
    ///
    /// # Errors
    ///
    /// If the interpreter cannot be used, or the confinement does not work here; the message says what to do.
    pub fn new(confinement: Confinement, python: &str) -> Result<Self, SandboxError> {
        let interpreter = Interpreter::ask(python)?;
        match confinement {
            Confinement::None => Self { interpreter, confined: Confined::None }.tried(),
            Confinement::Bwrap => Self::bubblewrap(&interpreter),
            Confinement::Landlock => Self::landlock(&interpreter),
            Confinement::Auto => Self::bubblewrap(&interpreter).or_else(|first| {
                Self::landlock(&interpreter).map_err(|second| SandboxError::both(first, second))
            }),
        }
    }

    fn bubblewrap(interpreter: &Interpreter) -> Result<Self, SandboxError> {
        let found = Bubblewrap::find().map_err(|why| SandboxError::NotConfined { why })?;
        Self { interpreter: interpreter.clone(), confined: Confined::Bubblewrap(found) }.tried()
    }

    fn landlock(interpreter: &Interpreter) -> Result<Self, SandboxError> {
        let found = Restricted::find().map_err(|why| SandboxError::NotConfined { why })?;
        Self { interpreter: interpreter.clone(), confined: Confined::Landlock(found) }.tried()
    }

    /// What confines the programs: never [`Confinement::Auto`].
    #[must_use]
    pub fn confinement(&self) -> Confinement {
        match self.confined {
            Confined::Bubblewrap(_) => Confinement::Bwrap,
            Confined::Landlock(_) => Confinement::Landlock,
            Confined::None => Confinement::None,
        }
    }

    /// The version of Python, such as `3.11.7`, which belongs into what a result is known by.
    #[must_use]
    pub fn python_version(&self) -> &str {
        &self.interpreter.version
    }

    /// Runs a program to its end. Blocks for as long as [`Limits::run_time`], and a second more at most.
    ///
    /// # Errors
    ///
    /// If it could not be run. Whatever the program itself does is no error.
    pub fn run(&self, program: &Program<'_>, limits: &Limits) -> Result<Run, SandboxError> {
        let process = |source| SandboxError::Process { source };
        let folder = RunFolder::with(program)?;
        let allowance = Allowance::new(limits.output_bytes);
        let mut running = self.start(program, &folder, limits, &allowance).map_err(process)?;
        let watched = Some(&folder).filter(|_| running.handed_out.is_none());
        let (ended, time) = watch::until_end(&mut running, limits, &allowance, watched).map_err(process)?;
        let (output, errors, handed_out) = running.finish();
        // Whoever has printed too much may have ended before that was seen, or because nobody read on.
        let ended = if allowance.is_exceeded() && ended.by_itself() { Ended::OutOfOutput } else { ended };
        let printed = printed::text(&output, &errors, folder.path(), limits.output_bytes);
        let left = match handed_out {
            Some(bytes) => {
                let (started, left) = bubblewrap::handed_out(&bytes, limits.disk_bytes);
                if !started {
                    return Err(SandboxError::NotStarted { ended, said: printed.trim().to_owned() });
                }
                left
            }
            None => folder.left(program.output, limits.disk_bytes),
        };
        Ok(Run { ended, printed, output: left.filter(|_| ended.by_itself()), time })
    }

    fn start(
        &self,
        program: &Program<'_>,
        folder: &RunFolder,
        limits: &Limits,
        allowance: &Allowance,
    ) -> std::io::Result<Running> {
        match &self.confined {
            Confined::Bubblewrap(found) => found.start(&self.interpreter, program, folder, limits, allowance),
            Confined::Landlock(found) => found.start(&self.interpreter, folder, limits, allowance),
            Confined::None => unconfined::start(&self.interpreter, folder, allowance),
        }
    }

    /// Runs a first program.
    fn tried(self) -> Result<Self, SandboxError> {
        let program = Program { script: FIRST_SCRIPT, inputs: Vec::new(), output: "left" };
        match self.run(&program, &FIRST) {
            Ok(run) if run.ended.well() && run.output.as_deref() == Some(b"works") => Ok(self),
            Ok(run) => Err(self.refused(&format!("{:?}, {}", run.ended, run.printed.trim()))),
            Err(SandboxError::NotStarted { ended, said }) => Err(self.refused(&format!("{ended:?}, {said}"))),
            Err(SandboxError::Process { source }) => Err(self.refused(&source.to_string())),
            Err(error) => Err(error),
        }
    }

    /// Why the first program did not run.
    fn refused(&self, said: &str) -> SandboxError {
        let name = match self.confined {
            Confined::None => {
                let python = self.interpreter.executable.to_string_lossy().into_owned();
                return SandboxError::Interpreter { python, why: said.to_owned() };
            }
            Confined::Bubblewrap(_) => "bubblewrap",
            Confined::Landlock(_) => {
                "Landlock, under which root needs an interpreter that every user can reach"
            }
        };
        SandboxError::NotConfined { why: format!("{name}: {said}") }
    }
}

impl SandboxError {
    /// Neither of two confinements works.
    fn both(first: Self, second: Self) -> Self {
        match (first, second) {
            (Self::NotConfined { why: first }, Self::NotConfined { why: second }) => {
                Self::NotConfined { why: format!("{first}; {second}") }
            }
            (first, _) => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_works_both_reasons_and_the_remedies_are_named() {
        let reason = |why: &str| SandboxError::NotConfined { why: why.to_owned() };
        let said = SandboxError::both(reason("one is missing"), reason("two is too old")).to_string();
        for part in ["one is missing", "two is too old", "apt-get install bubblewrap", "sandbox = \"none\""] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}
