//! Transcripts of environments beside the cases, played again.
//!
//! Always holds: a folder without transcripts gives no row; a game that differs is told with its first difference.

use std::path::Path;

use serde_json::{Value, json};

use crate::alfworld::transcripts::{Report, TranscriptError, check_folder};

/// What became of all transcripts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TranscriptTable {
    reports: Vec<(&'static str, Report)>,
}

/// Plays the transcripts of every benchmark that has a folder of its name below `root` with some.
///
/// # Errors
/// If a file of transcripts or games is damaged or has another form.
pub fn check_transcripts(root: &Path) -> Result<TranscriptTable, TranscriptError> {
    let name = "alfworld";
    let report = check_folder(&root.join(name))?;
    Ok(TranscriptTable { reports: report.into_iter().map(|report| (name, report)).collect() })
}

impl TranscriptTable {
    /// Whether there were none.
    pub fn is_empty(&self) -> bool {
        self.reports.is_empty()
    }

    /// How many games differ.
    pub fn failed(&self) -> usize {
        self.reports.iter().map(|(_, report)| report.differences.len()).sum()
    }

    /// A row a benchmark, then the first difference of each game that has one. Empty if there are no transcripts.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        for (name, report) in &self.reports {
            let Report { games, matched, episodes, steps, .. } = report;
            let percent = report.percent();
            lines.push(format!(
                "{name:<12} {:<24} games {games}, episodes {episodes}, steps {steps}, games matched {matched} ({percent:.1} %)",
                "transcripts"
            ));
            let differences = report.differences.iter();
            lines.extend(differences.map(|found| format!("differs: {}: {}", found.game, found.message)));
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// As JSON: a list with one object a benchmark.
    pub fn json(&self) -> Value {
        let objects = self.reports.iter().map(|(name, report)| {
            let Report { games, matched, episodes, steps, differences } = report;
            json!({
                "benchmark": name, "games": games, "episodes": episodes, "steps": steps, "matched": matched,
                "matched_percent": report.percent(), "differences": differences,
            })
        });
        objects.collect()
    }
}
