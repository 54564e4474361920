//! Programs that are spawned.
//!
//! Always holds: cargo is the one that runs this program, and the tool is the one that was built beside it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Why a task could not be done.
#[derive(Debug)]
pub(crate) enum TaskError {
    /// A program could not be started.
    Spawn {
        /// The program.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// A program failed.
    Failed {
        /// The program.
        program: String,
    },
    /// A file of the tree cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What was asked for cannot be done.
    Refused(String),
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawn { program, source } => write!(f, "cannot start {program}: {source}"),
            Self::Failed { program } => write!(f, "{program} failed; its output is above"),
            Self::File { path, source } => write!(f, "cannot use {}: {source}", path.display()),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The folder of the workspace.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// Becomes a command, so that signals and the exit code are its own.
#[cfg(unix)]
pub(crate) fn become_program(command: &mut Command) -> Result<ExitCode, TaskError> {
    use std::os::unix::process::CommandExt;
    let source = command.exec();
    Err(TaskError::Spawn { program: shown(command), source })
}

/// Runs a command and ends as it does.
#[cfg(not(unix))]
pub(crate) fn become_program(command: &mut Command) -> Result<ExitCode, TaskError> {
    let status = command.status().map_err(|source| TaskError::Spawn { program: shown(command), source })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Runs a command and fails if it does.
pub(crate) fn check(command: &mut Command) -> Result<(), TaskError> {
    let program = shown(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(TaskError::Failed { program }),
        Err(source) => Err(TaskError::Spawn { program, source }),
    }
}

/// What a command writes to its standard output, if it succeeds.
pub(crate) fn output(command: &mut Command) -> Result<String, TaskError> {
    let program = shown(command);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|source| TaskError::Spawn { program: program.clone(), source })?;
    if !output.status.success() {
        return Err(TaskError::Failed { program });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a command can be run, without a word of it shown.
pub(crate) fn is_available(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
