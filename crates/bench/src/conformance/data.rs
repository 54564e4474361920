//! Whether real data loads.
//!
//! Always holds: a folder that does not load is counted and its error told.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use textualrl_model::Split;
use textualrl_model::settings::{DataSettings, DocumentMode, Scoring};

use crate::data::LoadError;
use crate::data::folder::{split_file, unsplit_file};
use crate::{officeqa, registry, spreadsheet};

/// How the data folders load.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DataReport {
    findings: Vec<Finding>,
    failed: usize,
}

/// What is said of a data set.
#[derive(Debug, Clone, PartialEq)]
enum Finding {
    Loaded {
        called: String,
        counts: Counts,
    },
    Refused {
        called: String,
        error: String,
    },
    /// A line of a check of its own.
    Checked(String),
}

/// How many tasks a data set has.
#[derive(Debug, Clone, PartialEq)]
struct Counts {
    /// Of train, validation and test.
    tasks: [usize; 3],
    excluded: usize,
    as_text: bool,
}

impl DataReport {
    /// How many do not load.
    pub fn failed(&self) -> usize {
        self.failed
    }

    fn add_failure(&mut self, called: &str, error: &LoadError) {
        self.failed += 1;
        self.findings.push(Finding::Refused { called: called.to_owned(), error: error.to_string() });
    }

    /// One line a folder.
    pub fn text(&self) -> String {
        let line = |finding: &Finding| match finding {
            Finding::Loaded { called, counts } => format!("{called}: {}\n", counts.text()),
            Finding::Refused { called, error } => format!("{called}: {error}\n"),
            Finding::Checked(line) => format!("{line}\n"),
        };
        self.findings.iter().map(line).collect()
    }

    /// As JSON: the data sets, with counts or an error, and the lines of further checks.
    pub fn json(&self) -> Value {
        let (mut sets, mut checks) = (Vec::new(), Vec::new());
        for finding in &self.findings {
            match finding {
                Finding::Loaded {
                    called,
                    counts: Counts { tasks: [train, validation, test], excluded, as_text },
                } => {
                    sets.push(json!({
                        "folder": called, "train": train, "validation": validation, "test": test,
                        "excluded": excluded, "pages_as_text": as_text,
                    }));
                }
                Finding::Refused { called, error } => sets.push(json!({"folder": called, "error": error})),
                Finding::Checked(line) => checks.push(line),
            }
        }
        json!({"sets": sets, "checks": checks, "failed": self.failed})
    }
}

impl Counts {
    fn text(&self) -> String {
        let count = |count: usize| if count == 0 { "none".to_owned() } else { count.to_string() };
        let counts = self.tasks.map(count).join(" / ");
        let how = if self.as_text { ", pages as text" } else { "" };
        format!("{counts} tasks (train / validation / test), {} left out{how}", self.excluded)
    }
}

/// Loads every data set below `root`, with `settings` but for benchmark and folder. A benchmark's data sets are the
/// folders of its name, or of its name and a suffix such as `docvqa_small`, or the data sets in them.
pub fn check_data(root: &Path, settings: &DataSettings) -> DataReport {
    let mut report = DataReport::default();
    // Own tasks have no layout of their own: their settings say where everything is. Workbooks are looked at without
    // what runs programs, below.
    for name in registry::names().into_iter().filter(|name| !["own", "spreadsheet"].contains(name)) {
        for folder in data_sets(root, name) {
            let called = folder.strip_prefix(root).unwrap_or(&folder).display().to_string();
            let dir = folder.display().to_string();
            let settings = DataSettings { benchmark: name.to_owned(), dir, ..settings.clone() };
            match counts(&settings) {
                Ok(counts) => report.findings.push(Finding::Loaded { called, counts }),
                Err(error) => report.add_failure(&called, &error),
            }
        }
    }
    check_workbooks(root, settings, &mut report);
    check_documents(root, settings, &mut report);
    report
}

/// The folders of a benchmark's data sets, by name.
fn data_sets(root: &Path, name: &str) -> Vec<PathBuf> {
    let of_benchmark = |path: &PathBuf| {
        let found =
            path.file_name().and_then(|found| found.to_str()).and_then(|found| found.strip_prefix(name));
        found.is_some_and(|suffix| suffix.is_empty() || suffix.starts_with('_'))
    };
    let mut sets = Vec::new();
    for folder in folders(root).into_iter().filter(of_benchmark) {
        let inner: Vec<PathBuf> = folders(&folder).into_iter().filter(|inner| is_data_set(inner)).collect();
        if is_data_set(&folder) || inner.is_empty() { sets.push(folder) } else { sets.extend(inner) }
    }
    sets
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn is_data_set(folder: &Path) -> bool {
    unsplit_file(folder).is_some() || split_file(folder, Split::Train).is_ok()
}

/// How many tasks there are. Pages whose images are missing are read as text, which is said.
fn counts(settings: &DataSettings) -> Result<Counts, LoadError> {
    let (benchmark, as_text) = match registry::load(settings) {
        Err(_) if settings.benchmark == "docvqa" => {
            let mut as_text = settings.clone();
            as_text.docvqa.mode = DocumentMode::Text;
            (registry::load(&as_text)?, true)
        }
        loaded => (loaded?, false),
    };
    let tasks = Split::ALL.map(|split| benchmark.listing(split).tasks.len());
    let excluded = Split::ALL.iter().map(|split| benchmark.listing(*split).excluded.len()).sum();
    Ok(Counts { tasks, excluded, as_text })
}

/// SpreadsheetBench's goldens and untouched inputs, scored by the published rules.
fn check_workbooks(root: &Path, settings: &DataSettings, report: &mut DataReport) {
    let folder = root.join("spreadsheet");
    if !folder.is_dir() {
        return;
    }
    let (dir, scoring) = (folder.display().to_string(), Scoring::Reference);
    let settings = DataSettings { dir, scoring, ..settings.clone() };
    match spreadsheet::conformance::check_data(&settings) {
        Ok(check) => {
            report.failed += check.failed();
            report.findings.extend(check.lines().into_iter().map(Finding::Checked));
        }
        Err(error) => report.add_failure("spreadsheet", &error),
    }
}

/// OfficeQA's golds beside themselves, and the documents that its tasks name.
fn check_documents(root: &Path, settings: &DataSettings, report: &mut DataReport) {
    for folder in data_sets(root, "officeqa") {
        let settings = DataSettings { dir: folder.display().to_string(), ..settings.clone() };
        // A data set that does not load was told above.
        if let Ok(check) = officeqa::conformance::check_data(&settings) {
            report.failed += check.failed();
            report.findings.push(Finding::Checked(check.line()));
        }
    }
}
