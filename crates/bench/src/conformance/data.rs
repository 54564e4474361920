//! Whether real data loads.
//!
//! Always holds: a folder that does not load is counted and its error told.

use std::path::Path;

use textualrl_model::Split;
use textualrl_model::settings::{DataSettings, OwnTaskSettings, ScorerSettings, Scoring};

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

/// Loads every benchmark that has a folder of its name below `root`.
pub fn check_data(root: &Path) -> DataReport {
    let mut report = DataReport::default();
    for name in registry::names() {
        let folder = root.join(name);
        if !folder.is_dir() {
            continue;
        }
        match registry::load(&settings(name, &folder)) {
            Ok(benchmark) => {
                let counts = Split::ALL.map(|split| benchmark.tasks(split).len().to_string());
                let excluded: usize = Split::ALL.map(|split| benchmark.excluded(split).len()).iter().sum();
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

fn settings(benchmark: &str, folder: &Path) -> DataSettings {
    let scorer = ScorerSettings {
        name: "normalized".to_owned(),
        tolerance: 0.0,
        threshold: 1.0,
        command: Vec::new(),
        timeout_seconds: 60.0,
        safe_feedback: false,
    };
    DataSettings {
        benchmark: benchmark.to_owned(),
        dir: folder.display().to_string(),
        context: String::new(),
        scoring: Scoring::Reference,
        limit: 0,
        own: OwnTaskSettings {
            tasks: String::new(),
            train: "train.jsonl".to_owned(),
            validation: "validation.jsonl".to_owned(),
            test: "test.jsonl".to_owned(),
            ratio: [1.0; 3],
            seed: 0,
            template: "{{ input }}".to_owned(),
            scorer,
        },
    }
}
