//! Results of cases, counted and as text.
//!
//! Always holds: rows are in the order of their names, failures and differences in the order of the cases.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

use serde_json::{Value, json};

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
    differences: Vec<Difference>,
    failures: Vec<Failure>,
}

/// A listed difference of the corrected scoring.
#[derive(Debug, Clone, PartialEq)]
struct Difference {
    id: String,
    found: Value,
    reason: &'static str,
}

/// A case that did not conform. Without `expected` it is a difference of the corrected scoring that no reason covers.
#[derive(Debug, Clone, PartialEq)]
struct Failure {
    id: String,
    found: Value,
    expected: Option<Value>,
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { id, found, expected } = self;
        match expected {
            Some(expected) => write!(f, "{id}: {found} instead of {expected}"),
            None => write!(f, "{id}: corrected scoring gives {found}, for no listed reason"),
        }
    }
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
        let id = || result.id.clone();
        let counts = self.rows.entry(result.scorer.clone()).or_default();
        counts.quirks += usize::from(result.quirk);
        match &result.outcome {
            CaseOutcome::Passed => counts.passed += 1,
            CaseOutcome::NotCovered => counts.uncovered += 1,
            CaseOutcome::Failed { found, expected } => {
                counts.failed += 1;
                let (found, expected) = (found.clone(), Some(expected.clone()));
                self.failures.push(Failure { id: id(), found, expected });
            }
        }
        match &result.corrected {
            Corrected::Same => {}
            Corrected::Listed { found, reason } => {
                counts.corrected += 1;
                self.differences.push(Difference { id: id(), found: found.clone(), reason });
            }
            Corrected::Unlisted { found } => {
                counts.corrected += 1;
                self.failures.push(Failure { id: id(), found: found.clone(), expected: None });
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
        for Difference { id, found, reason } in &self.differences {
            let _ = writeln!(text, "corrected: {id}: {found}, because {reason}");
        }
        for failure in &self.failures {
            let _ = writeln!(text, "failed: {failure}");
        }
        text
    }

    /// The table as JSON: the rows, the listed differences, and the cases that did not conform.
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|((benchmark, scorer), counts)| {
            let Counts { passed, failed, uncovered, quirks, corrected } = counts;
            json!({
                "benchmark": benchmark, "scorer": scorer, "passed": passed, "failed": failed,
                "not_covered": uncovered, "quirks": quirks, "differs_corrected": corrected,
            })
        });
        let differences = self.differences.iter();
        let differences = differences
            .map(|Difference { id, found, reason }| json!({"id": id, "found": found, "reason": reason}));
        let failures = self.failures.iter().map(|Failure { id, found, expected }| match expected {
            Some(expected) => json!({"id": id, "scoring": "reference", "found": found, "expected": expected}),
            None => json!({"id": id, "scoring": "corrected", "found": found}),
        });
        json!({
            "rows": rows.collect::<Vec<_>>(),
            "differences": differences.collect::<Vec<_>>(),
            "failures": failures.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json_tell_the_same() {
        let result = |id: &str, outcome, corrected| CaseResult {
            id: id.to_owned(),
            scorer: ("searchqa".to_owned(), "normalize".to_owned()),
            quirk: id == "a",
            outcome,
            corrected,
        };
        let failed = CaseOutcome::Failed { found: json!("x"), expected: json!("y") };
        let listed = Corrected::Listed { found: json!(1), reason: "it is listed" };
        let table = CaseTable::of(&[
            result("a", CaseOutcome::Passed, listed),
            result("b", failed, Corrected::Unlisted { found: json!("z") }),
            result("c", CaseOutcome::NotCovered, Corrected::Same),
        ]);
        let expected = json!({
            "rows": [{"benchmark": "searchqa", "scorer": "normalize", "passed": 1, "failed": 1, "not_covered": 1,
                "quirks": 1, "differs_corrected": 2}],
            "differences": [{"id": "a", "found": 1, "reason": "it is listed"}],
            "failures": [
                {"id": "b", "scoring": "reference", "found": "x", "expected": "y"},
                {"id": "b", "scoring": "corrected", "found": "z"},
            ],
        });
        assert_eq!((table.json(), table.failed()), (expected, 2));
        let text = table.text();
        for line in [
            "corrected: a: 1, because it is listed",
            "failed: b: \"x\" instead of \"y\"",
            "failed: b: corrected scoring gives \"z\", for no listed reason",
        ] {
            assert!(text.lines().any(|found| found == line), "{text}");
        }
    }
}
