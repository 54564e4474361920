//! Running the agent's program on a copy of a workbook.
//!
//! Always holds: the program's text reaches the interpreter letter for letter, whatever its lines and quotes; no golden
//! workbook is named to it.

use std::path::Path;
use std::time::Duration;

use textualrl_sandbox::{Ended, Run};

/// Sets the paths and runs a program; the call with the program's text is added to it.
pub(super) const WRAPPER: &str = include_str!("runner.py");

/// The most characters of a program's last line that are told of.
const MOST_SAID: usize = 200;

/// Runs programs. Episodes are tested with one that tells what it is told.
pub(super) trait Runner: std::fmt::Debug + Send + Sync {
    /// Runs a program on a copy of the input for at most `time`.
    ///
    /// # Errors
    /// If it could not be run, which is nobody's fault but ours.
    fn run(&self, program: &str, input: &Path, time: Duration) -> Result<Run, String>;
}

/// The script of a program: the wrapper, and a call with the program as a Python text.
pub(super) fn script(program: &str) -> String {
    // A text in JSON is the same text in Python.
    format!("{WRAPPER}run({})\n", serde_json::Value::from(program))
}

/// What went wrong in a run; none if the program ended well and left a workbook.
pub(super) fn problem(run: &Run) -> Option<String> {
    let last = run.printed.lines().map(str::trim).rfind(|line| !line.is_empty());
    match run.ended {
        Ended::Exited(0) if run.output.is_some() => None,
        Ended::Exited(0) => {
            Some("the program ended without an error but saved nothing at OUTPUT_PATH".to_owned())
        }
        Ended::Exited(code) => {
            let said: String = last.unwrap_or_default().chars().take(MOST_SAID).collect();
            let colon = if said.is_empty() { "" } else { ": " };
            Some(format!("the program ended with exit code {code}{colon}{said}"))
        }
        Ended::Signalled(signal) => Some(format!("the program was ended by signal {signal}")),
        Ended::OutOfTime => Some("the program took too long and was stopped".to_owned()),
        Ended::OutOfMemory => Some("the program took more memory than it may and was stopped".to_owned()),
        Ended::OutOfDisk => Some("the program wrote more than it may and was stopped".to_owned()),
        Ended::OutOfOutput => Some("the program printed more than it may and was stopped".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_did_not_do_is_told_in_a_sentence() {
        let workbook = || Some(Vec::new());
        for (ended, printed, output, told) in [
            (Ended::Exited(0), "", workbook(), None),
            (Ended::Exited(0), "done", None, Some("saved nothing at OUTPUT_PATH")),
            (Ended::Exited(1), "Traceback\n  oh\n\n", workbook(), Some("ended with exit code 1: oh")),
            (Ended::Exited(3), "", None, Some("ended with exit code 3")),
            (Ended::Signalled(9), "", None, Some("signal 9")),
            (Ended::OutOfTime, "", workbook(), Some("took too long")),
            (Ended::OutOfMemory, "", None, Some("more memory than it may")),
            (Ended::OutOfDisk, "", None, Some("wrote more than it may")),
            (Ended::OutOfOutput, "", None, Some("printed more than it may")),
        ] {
            let run = Run { ended, printed: printed.to_owned(), output, time: Duration::ZERO };
            match (problem(&run), told) {
                (None, None) => {}
                (Some(problem), Some(told)) => assert!(problem.contains(told), "{problem}"),
                (found, told) => panic!("{found:?} and not {told:?}"),
            }
        }
        let printed = "é".repeat(999);
        let long = Run { ended: Ended::Exited(1), printed, output: None, time: Duration::ZERO };
        assert_eq!(problem(&long).unwrap().matches('é').count(), MOST_SAID);
    }

    #[test]
    fn a_program_is_one_python_text() {
        let script = script("x = \"a\\\n\"\r\n'''b'''\0é");
        assert!(script.ends_with("\nrun(\"x = \\\"a\\\\\\n\\\"\\r\\n'''b'''\\u0000é\")\n"), "{script}");
    }
}
