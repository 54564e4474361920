//! What goes where: data to stdout, words to stderr.
//!
//! Always holds: a reader that closes the pipe early ends the printing, not the program with a fault.

use std::io::{self, Write};

use serde::Serialize;
use textualrl_model::ExitCode;

use crate::failure::Failure;

/// Prints text to stdout as it is.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::of(ExitCode::Storage, &error).hint("stdout could not be written"))
        }
        _ => Ok(()),
    }
}

/// Prints a value to stdout as one pretty JSON document.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<(), Failure> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| Failure::of(ExitCode::Internal, &error))?;
    data(&(text + "\n"))
}

/// Tells the person at the terminal something; lost if stderr is closed.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
