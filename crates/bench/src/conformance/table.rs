//! Results of cases, counted and as text.
//!
//! Always holds: rows are in the order of their names, failures and differences in the order of the cases.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{CaseOutcome, CaseResult, Corrected};

/// The counts of one scorer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    passed: usize,
    failed: usize,
    uncovered: usize,
    quirks: usize,
    corrected: usize,
}

/// Results counted by benchmark and scorer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CaseTable {
    rows: BTreeMap<(String, String), Counts>,
    differences: Vec<String>,
    failures: Vec<String>,
}

impl CaseTable {
    /// Counts results.
    pub fn of(results: &[CaseResult]) -> Self {
        let mut table = Self::default();
        for result in results {
            table.add(result);
        }
        table
    }

    fn add(&mut self, result: &CaseResult) {
        let id = &result.id;
        let counts = self.rows.entry(result.scorer.clone()).or_default();
        counts.quirks += usize::from(result.quirk);
        match &result.outcome {
            CaseOutcome::Passed => counts.passed += 1,
            CaseOutcome::NotCovered => counts.uncovered += 1,
            CaseOutcome::Failed { found, expected } => {
                counts.failed += 1;
                self.failures.push(format!("{id}: {found} instead of {expected}"));
            }
        }
        match &result.corrected {
            Corrected::Same => {}
            Corrected::Listed { found, reason } => {
                counts.corrected += 1;
                self.differences.push(format!("{id}: {found}, because {reason}"));
            }
            Corrected::Unlisted { found } => {
                counts.corrected += 1;
                self.failures.push(format!("{id}: corrected scoring gives {found}, for no listed reason"));
            }
        }
    }

    /// How many cases failed, or differ under the corrected scoring for no listed reason.
    pub fn failed(&self) -> usize {
        self.failures.len()
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |cells: [String; 7]| {
            let [benchmark, scorer, passed, failed, uncovered, quirks, corrected] = cells;
            // Writing into a text cannot fail.
            let _ = writeln!(
                text,
                "{benchmark:<12} {scorer:<24} {passed:>7} {failed:>7} {uncovered:>12} {quirks:>7} {corrected:>18}"
            );
        };
        let header =
            ["benchmark", "scorer", "passed", "failed", "not covered", "quirks", "differs corrected"];
        line(header.map(str::to_owned));
        for ((benchmark, scorer), counts) in &self.rows {
            let Counts { passed, failed, uncovered, quirks, corrected } = counts;
            let [passed, failed, uncovered, quirks, corrected] =
                [passed, failed, uncovered, quirks, corrected].map(ToString::to_string);
            line([benchmark.clone(), scorer.clone(), passed, failed, uncovered, quirks, corrected]);
        }
        for difference in &self.differences {
            let _ = writeln!(text, "corrected: {difference}");
        }
        for failure in &self.failures {
            let _ = writeln!(text, "failed: {failure}");
        }
        text
    }
}
