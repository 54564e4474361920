//! Programs without any confinement, for who trusts the model with the machine.
//!
//! Always holds: the program works on copies in its own folder and with a scrubbed environment all the same.

use std::process::Stdio;

use crate::folder::{RunFolder, SCRIPT};
use crate::interpreter::Interpreter;
use crate::printed::Allowance;
use crate::process::{self, FLAGS, Running};

/// Starts the script in its folder.
pub(crate) fn start(
    interpreter: &Interpreter,
    folder: &RunFolder,
    allowance: &Allowance,
) -> std::io::Result<Running> {
    folder.make_temporary()?;
    let mut command = process::command(&interpreter.executable, interpreter, folder.path());
    command.args(FLAGS).arg(SCRIPT).current_dir(folder.path()).stdin(Stdio::null());
    process::start(command, allowance)
}
