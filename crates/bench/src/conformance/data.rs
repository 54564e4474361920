//! Whether real data loads.
//!
//! Always holds: a folder that does not load is counted and its error told.

use std::path::Path;

use textualrl_model::Split;
use textualrl_model::settings::DataSettings;

use crate::registry;

/// How the data folders load.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DataReport {
    lines: Vec<String>,
    failed: usize,
}

impl DataReport {
    /// How many do not load.
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// One line a folder.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// Loads every benchmark that has a folder of its name below `root`, with `settings` but for benchmark and folder.
pub fn check_data(root: &Path, settings: &DataSettings) -> DataReport {
    let mut report = DataReport::default();
    for name in registry::names() {
        let folder = root.join(name);
        if !folder.is_dir() {
            continue;
        }
        let (benchmark, dir) = (name.to_owned(), folder.display().to_string());
        match registry::load(&DataSettings { benchmark, dir, ..settings.clone() }) {
            Ok(benchmark) => {
                let counts = Split::ALL.map(|split| benchmark.listing(split).tasks.len().to_string());
                let left_out = Split::ALL.map(|split| benchmark.listing(split).excluded.len());
                let excluded: usize = left_out.iter().sum();
                let counts = counts.join(" / ");
                report
                    .lines
                    .push(format!("{name}: {counts} tasks (train / validation / test), {excluded} left out"));
            }
            Err(error) => {
                report.failed += 1;
                report.lines.push(format!("{name}: {error}"));
            }
        }
    }
    report
}
