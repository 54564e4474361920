//! A folder of its own in which the binary works, and what it printed.
//!
//! Always holds: a command that was expected to succeed and did not fails the test with what it said.

use std::process::{Command, Output};

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

/// A folder that is removed at the end of the test.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).expect("a UTF-8 path")
    }

    /// The folder of a run by its name.
    pub(crate) fn run(&self, name: &str) -> Utf8PathBuf {
        self.path().join("runs").join(name)
    }

    /// Runs `textualrl` here and gives what it printed to stdout. It must succeed.
    pub(crate) fn textualrl(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "textualrl {arguments:?} ended with {}:\n{said}", output.status);
        String::from_utf8(output.stdout).expect("UTF-8 on stdout")
    }

    /// Runs `textualrl` here with `--json`. It must succeed.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.textualrl(&[arguments, &["--json"]].concat());
        serde_json::from_str(&printed).expect("JSON on stdout")
    }

    /// Runs `textualrl` here, however it ends.
    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_textualrl"));
        command.current_dir(self.path()).args(arguments).output().expect("textualrl starts")
    }
}

/// The content of a JSON artifact, without its envelope.
pub(crate) fn artifact(file: &Utf8Path) -> Value {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    value["data"].take()
}
