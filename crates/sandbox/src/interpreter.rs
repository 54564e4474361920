//! Which Python runs the programs, and what it needs of the machine.
//!
//! Always holds: of the folders that Python was installed in, only those with its programs and libraries are named, so
//! that a virtual environment in the folder of a project does not show the project.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::sandbox::SandboxError;
use crate::system;

/// What a Python installation consists of, below the folder that it was installed in.
const PARTS: [&str; 4] = ["bin", "lib", "lib64", "pyvenv.cfg"];

/// Prints the version and where the interpreter lies, a line each.
const QUESTION: &str = "import platform, sys\n\
    print(platform.python_version(), sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, \
    sys.base_exec_prefix, sep='\\n')";

/// A Python interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Interpreter {
    /// Its version, such as `3.11.7`.
    pub(crate) version: String,
    /// The program itself, not a script that looks for it.
    pub(crate) executable: PathBuf,
    /// What it consists of, outside of what the system has anyway.
    pub(crate) parts: Vec<PathBuf>,
}

impl Interpreter {
    /// Asks the interpreter of this name on the path, or at this path.
    pub(crate) fn ask(python: &str) -> Result<Self, SandboxError> {
        let failed = |why: String| SandboxError::Interpreter { python: python.to_owned(), why };
        let program =
            system::find_program(python).ok_or_else(|| failed("there is no such program".to_owned()))?;
        let mut command = Command::new(program);
        command.args(["-s", "-B", "-c", QUESTION]).stdin(Stdio::null());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PYTHON"))
        {
            command.env_remove(name);
        }
        let answer = command.output().map_err(|error| failed(error.to_string()))?;
        if !answer.status.success() {
            return Err(failed(String::from_utf8_lossy(&answer.stderr).trim().to_owned()));
        }
        let answer = String::from_utf8_lossy(&answer.stdout);
        Self::read(&answer).ok_or_else(|| failed(format!("it is no Python 3: it answered {answer:?}")))
    }

    fn read(answer: &str) -> Option<Self> {
        let mut lines = answer.lines();
        let version = lines.next().filter(|version| version.starts_with("3."))?.to_owned();
        let executable = PathBuf::from(lines.next().filter(|path| path.starts_with('/'))?);
        let mut parts: Vec<PathBuf> = Vec::new();
        for prefix in lines.map(Path::new).filter(|prefix| prefix.is_absolute()) {
            for part in PARTS.map(|part| prefix.join(part)) {
                if !system::READABLE.iter().any(|folder| part.starts_with(folder)) && !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        Some(Self { version, executable, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_is_read_from_the_answer() {
        let read =
            |prefix: &str| Interpreter::read(&format!("3.12.1\n{prefix}/bin/python3\n{prefix}\n{prefix}\n"));
        let parts = |prefix: &str| read(prefix).map(|interpreter| interpreter.parts);
        assert_eq!(parts("/usr"), Some(Vec::new()));
        let own = ["/opt/env/bin", "/opt/env/lib", "/opt/env/lib64", "/opt/env/pyvenv.cfg"];
        assert_eq!(parts("/opt/env"), Some(own.map(PathBuf::from).to_vec()));
    }

    #[test]
    fn what_is_no_python_is_refused() {
        for answer in ["", "2.7.18\n/usr/bin/python\n", "3.11.2\n\n", "Usage: something\n"] {
            assert_eq!(Interpreter::read(answer), None, "{answer:?}");
        }
    }
}
