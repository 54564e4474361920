//! What is run, within which limits, and what became of it.
//!
//! Always holds: nothing here tells where on this machine the program ran.

use std::path::Path;
use std::time::Duration;

/// The working directory as every program is shown it.
pub const FOLDER: &str = "/work";

/// What one run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub run_time: Duration,
    /// Address space of each process and memory of all together, in bytes.
    pub memory_bytes: u64,
    /// What may be written to files, in bytes; the copies of the inputs do not count.
    pub disk_bytes: u64,
    /// Processes and threads at one time, the program itself included.
    pub processes: u32,
    /// What may be printed, in bytes.
    pub output_bytes: usize,
}

/// A Python program with the files that it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program<'a> {
    /// The source text.
    pub script: &'a str,
    /// Files by the plain name that they have inside, and where they lie. The program gets copies.
    pub inputs: Vec<(&'a str, &'a Path)>,
    /// The plain name of the file that the program is to leave.
    pub output: &'a str,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code; 0 is success.
    Exited(i32),
    /// By this signal. A program that exits with 128 and the number of a signal looks the same, as it does to a shell.
    Signalled(i32),
    /// It was stopped after [`Limits::run_time`].
    OutOfTime,
    /// It was stopped because its processes together held more than [`Limits::memory_bytes`]. A single process that
    /// asks for too much is refused instead, and mostly ends with a `MemoryError`.
    OutOfMemory,
    /// It was stopped because its files held more than [`Limits::disk_bytes`]. Under bubblewrap writing is refused
    /// instead, and the program mostly ends with an `OSError`.
    OutOfDisk,
    /// It was stopped because it printed more than [`Limits::output_bytes`].
    OutOfOutput,
}

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// How it ended.
    pub ended: Ended,
    /// What it printed: standard output, then standard error, together at most [`Limits::output_bytes`] long. Paths into
    /// the work folder start with [`FOLDER`], so that they are the same in every run.
    pub printed: String,
    /// The file that it was to leave, if it ended by itself and left a regular file there of at most
    /// [`Limits::disk_bytes`] bytes.
    pub output: Option<Vec<u8>>,
    /// How long it ran, of wall-clock time.
    pub time: Duration,
}

impl Ended {
    /// Whether the program ended by itself without an error.
    #[must_use]
    pub fn well(self) -> bool {
        self == Self::Exited(0)
    }

    /// Reads an exit code as a shell does.
    pub(crate) fn from_code(code: i32) -> Self {
        match code {
            129..=192 => Self::Signalled(code - 128),
            _ => Self::Exited(code),
        }
    }

    /// Whether it was not stopped from outside.
    pub(crate) fn by_itself(self) -> bool {
        matches!(self, Self::Exited(_) | Self::Signalled(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_code_is_read_as_a_shell_does() {
        for (code, ended) in [
            (0, Ended::Exited(0)),
            (1, Ended::Exited(1)),
            (128, Ended::Exited(128)),
            (137, Ended::Signalled(9)),
            (192, Ended::Signalled(64)),
            (255, Ended::Exited(255)),
        ] {
            assert_eq!(Ended::from_code(code), ended, "{code}");
        }
    }
}
