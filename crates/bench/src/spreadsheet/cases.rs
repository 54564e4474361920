//! The test cases of a task: pairs of an input workbook and the golden answer.
//!
//! Always holds: the order is that of the file names; an input without its answer is an error and not a case less.

use std::path::{Path, PathBuf};

use serde::Serialize;
use textualrl_model::Fingerprint;

/// The endings of inputs and their answers, as the releases name them.
const FAMILIES: [(&str, &str); 2] = [("_input.xlsx", "_answer.xlsx"), ("_init.xlsx", "_golden.xlsx")];
/// The names in a folder with a single case.
const SINGLE: (&str, &str) = ("initial.xlsx", "golden.xlsx");

/// A test case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestCase {
    /// Its name within the task, such as `1`.
    pub number: String,
    /// The workbook that the program is given.
    #[serde(skip)]
    pub input: PathBuf,
    /// The golden workbook.
    #[serde(skip)]
    pub golden: PathBuf,
    /// What the input holds.
    pub input_content: Fingerprint,
    /// What the golden workbook holds.
    pub golden_content: Fingerprint,
}

/// Why a task has no test cases.
#[derive(Debug, thiserror::Error)]
pub enum CasesError {
    /// A folder or file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The folder or file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// An input without answer.
    #[error(
        "{0} has no answer beside it; expected *_answer.xlsx for *_input.xlsx and *_golden.xlsx for *_init.xlsx"
    )]
    NoAnswer(String),
    /// Nothing.
    #[error("{0} has no workbooks *_input.xlsx, *_init.xlsx or initial.xlsx")]
    None(String),
}

impl TestCase {
    /// A case of two files.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn of(number: String, input: PathBuf, golden: PathBuf) -> Result<Self, CasesError> {
        let content = |path: &Path| match std::fs::read(path) {
            Ok(bytes) => Ok(Fingerprint::of(&bytes)),
            Err(source) => Err(CasesError::Unreadable { path: path.display().to_string(), source }),
        };
        let (input_content, golden_content) = (content(&input)?, content(&golden)?);
        Ok(Self { number, input, golden, input_content, golden_content })
    }
}

/// The cases in a task's folder.
///
/// # Errors
/// If it cannot be read, has no case, or an input has no answer.
pub fn discover(folder: &Path) -> Result<Vec<TestCase>, CasesError> {
    let unreadable = |source| CasesError::Unreadable { path: folder.display().to_string(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        names.push(entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut cases = Vec::new();
    for (input, golden) in FAMILIES {
        for (name, stem) in names.iter().filter_map(|name| Some((name, name.strip_suffix(input)?))) {
            let golden = folder.join(format!("{stem}{golden}"));
            if !golden.is_file() {
                return Err(CasesError::NoAnswer(folder.join(name).display().to_string()));
            }
            let number = stem.split('_').next().unwrap_or_default().to_owned();
            cases.push(TestCase::of(number, folder.join(name), golden)?);
        }
    }
    let (input, golden) = (folder.join(SINGLE.0), folder.join(SINGLE.1));
    if cases.is_empty() && input.is_file() && golden.is_file() {
        cases.push(TestCase::of("1".to_owned(), input, golden)?);
    }
    if cases.is_empty() { Err(CasesError::None(folder.display().to_string())) } else { Ok(cases) }
}

/// The share of passed cases, and whether the task is solved: it has cases and all passed.
#[allow(clippy::cast_precision_loss)] // Tasks have a handful of cases.
pub fn aggregate(passed: usize, cases: usize) -> (f64, bool) {
    if cases == 0 { (0.0, false) } else { (passed as f64 / cases as f64, passed == cases) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_found_by_the_names_of_their_files() {
        for (files, expected) in [
            (
                vec!["1_7_input.xlsx", "1_7_answer.xlsx", "2_7_input.xlsx", "2_7_answer.xlsx"],
                Ok(vec!["1", "2"]),
            ),
            (vec!["1_7_init.xlsx", "1_7_golden.xlsx", "prompt.txt"], Ok(vec!["1"])),
            (vec!["initial.xlsx", "golden.xlsx"], Ok(vec!["1"])),
            (vec!["1_7_init.xlsx", "1_7_golden.xlsx", "initial.xlsx", "golden.xlsx"], Ok(vec!["1"])),
            (vec!["1_7_input.xlsx", "2_7_answer.xlsx"], Err("no answer beside it")),
            (vec!["prompt.txt"], Err("has no workbooks")),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for file in &files {
                std::fs::write(folder.path().join(file), file).unwrap();
            }
            let found = discover(folder.path());
            match expected {
                Ok(numbers) => {
                    let found: Vec<_> = found.unwrap().into_iter().map(|case| case.number).collect();
                    assert_eq!(found, numbers, "{files:?}");
                }
                Err(said) => assert!(found.unwrap_err().to_string().contains(said), "{files:?}"),
            }
        }
    }

    #[test]
    fn a_task_is_solved_if_all_its_cases_are() {
        for (passed, cases, expected) in [(0, 0, (0.0, false)), (1, 1, (1.0, true)), (1, 2, (0.5, false))] {
            assert_eq!(aggregate(passed, cases), expected);
        }
    }
}
