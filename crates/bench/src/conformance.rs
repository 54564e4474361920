//! Our scorers and loaders against cases and data that others computed.
//!
//! Always holds: a case that nothing here covers is counted as not covered, never as passed; where the corrected metric
//! differs from the published one, the difference is a listed one or a failure.

pub mod archive;
mod data;
mod table;
mod transcripts;

use serde::Deserialize;
use serde_json::{Value, json};
use textualrl_model::settings::Scoring;

pub use self::data::{DataReport, check_data};
pub use self::table::CaseTable;
pub use self::transcripts::{TranscriptTable, check_transcripts};
use crate::python::random::PythonRandom;
use crate::score::difference::Difference;
use crate::{alfworld, data::ratio, docvqa, livemath, officeqa, searchqa, spreadsheet};

/// A case: an input and what the public scorer returned for it.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// The case's id.
    pub id: String,
    /// The benchmark that it belongs to, or `common`.
    pub benchmark: String,
    /// The function that it tests.
    pub scorer: String,
    /// The input.
    pub prediction: Value,
    /// The golds, if the function takes any.
    pub gold: Value,
    /// Further arguments.
    pub extra: Value,
    /// What the public scorer returned.
    pub expected: Value,
    /// Whether that is a likely defect.
    pub quirk: bool,
}

/// What ours returns for a case, if it covers it.
type Found = fn(&Case, Scoring) -> Option<Value>;

/// The listed reason for which the corrected scoring may differ in a case, if there is one.
type Reason = fn(&Case) -> Option<&'static str>;

/// The benchmarks whose cases are covered. A new one is a new line here.
const COVERED: &[(&str, Found, Reason)] = &[
    ("alfworld", alfworld::conformance::found, reason_of_texts),
    ("common", found, reason_of_texts),
    ("docvqa", docvqa::conformance::found, reason_of_texts),
    ("livemath", livemath::conformance::found, livemath::conformance::reason),
    ("officeqa", officeqa::conformance::found, officeqa::conformance::reason),
    ("searchqa", searchqa::conformance::found, reason_of_texts),
    ("spreadsheet", spreadsheet::conformance::found, spreadsheet::conformance::reason),
];

/// How a case went under the reference scoring.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseOutcome {
    /// As expected.
    Passed,
    /// Otherwise.
    Failed {
        /// What ours returned.
        found: Value,
        /// What was expected.
        expected: Value,
    },
    /// Nothing here covers it.
    NotCovered,
}

/// How a case goes under the corrected scoring.
#[derive(Debug, Clone, PartialEq)]
pub enum Corrected {
    /// As under the reference.
    Same,
    /// Otherwise, for a listed reason.
    Listed {
        /// What the corrected metric returns.
        found: Value,
        /// Why.
        reason: &'static str,
    },
    /// Otherwise, and no reason is listed.
    Unlisted {
        /// What the corrected metric returns.
        found: Value,
    },
}

/// The result of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseResult {
    /// The case's id.
    pub id: String,
    /// Its benchmark and scorer.
    pub scorer: (String, String),
    /// Whether it marks a likely defect of the public scorer.
    pub quirk: bool,
    /// How it went under the reference scoring.
    pub outcome: CaseOutcome,
    /// How it goes under the corrected scoring.
    pub corrected: Corrected,
}

/// Checks all cases of a file, under both scorings.
///
/// # Errors
/// If the text is no list of cases.
pub fn check_cases(text: &str) -> Result<Vec<CaseResult>, serde_json::Error> {
    let cases: Vec<Case> = serde_json::from_str(text)?;
    Ok(cases.into_iter().map(check).collect())
}

fn check(case: Case) -> CaseResult {
    let covered = COVERED.iter().find(|(name, ..)| *name == case.benchmark);
    let run = |scoring| covered.and_then(|(_, found, _)| found(&case, scoring));
    let reason = || covered.and_then(|(_, _, reason)| reason(&case));
    let corrected = match run(Scoring::Corrected).filter(|found| !same(found, &case.expected)) {
        None => Corrected::Same,
        Some(found) => match reason() {
            Some(reason) => Corrected::Listed { found, reason },
            None => Corrected::Unlisted { found },
        },
    };
    let outcome = match run(Scoring::Reference) {
        None => CaseOutcome::NotCovered,
        Some(found) if same(&found, &case.expected) => CaseOutcome::Passed,
        Some(found) => CaseOutcome::Failed { found, expected: case.expected },
    };
    CaseResult { id: case.id, scorer: (case.benchmark, case.scorer), quirk: case.quirk, outcome, corrected }
}

/// The difference between the metrics of question answering that a case's texts are about.
fn reason_of_texts(case: &Case) -> Option<&'static str> {
    let answer = case.expected.get("predicted_answer");
    let texts: Vec<&str> = [Some(&case.prediction), Some(&case.gold), answer]
        .into_iter()
        .flatten()
        .flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice))
        .filter_map(Value::as_str)
        .collect();
    let concerns = |difference: &Difference| texts.iter().any(|text| difference.concerns(text));
    Difference::ALL.into_iter().find(concerns).map(Difference::reason)
}

/// The cases of no single benchmark.
fn found(case: &Case, _: Scoring) -> Option<Value> {
    match case.scorer.as_str() {
        "cpython_shuffle" => {
            let mut items: Vec<u64> = (0..case.prediction.as_u64()?).collect();
            PythonRandom::new(case.extra.get("seed")?.as_u64()?).shuffle(&mut items);
            Some(json!(items))
        }
        "ratio_split_counts" => {
            let ratio: [f64; 3] = serde_json::from_value(case.extra.get("ratio")?.clone()).ok()?;
            let total = usize::try_from(case.prediction.as_u64()?).ok()?;
            Some(json!(ratio::counts(total, ratio)))
        }
        _ => None,
    }
}

/// Equal, with numbers equal to six decimals.
fn same(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => {
            a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() < 1e-6)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            b.iter().all(|(key, value)| a.get(key).is_some_and(|found| same(found, value)))
        }
        _ => found == expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(benchmark: &str, scorer: &str, prediction: Value, gold: Value, expected: Value) -> CaseResult {
        let case = json!([{"id": "x", "benchmark": benchmark, "scorer": scorer, "prediction": prediction,
            "gold": gold, "extra": {"seed": 42}, "expected": expected, "quirk": false}]);
        check_cases(&case.to_string()).unwrap().remove(0)
    }

    #[test]
    fn cases_pass_fail_or_are_not_covered() {
        let normalize = |text: &str, expected: &str| {
            result("searchqa", "normalize", json!(text), Value::Null, json!(expected))
        };
        assert_eq!(normalize("The Oder", "oder").outcome, CaseOutcome::Passed);
        assert!(matches!(normalize("The Oder", "the oder").outcome, CaseOutcome::Failed { .. }));
        let shuffled = json!([7, 3, 2, 8, 5, 6, 9, 4, 0, 1]);
        let passed = result("common", "cpython_shuffle", json!(10), Value::Null, shuffled);
        assert_eq!(passed.outcome, CaseOutcome::Passed);
        for (benchmark, scorer) in [("searchqa", "unheard_of"), ("unheard_of", "normalize")] {
            let uncovered = result(benchmark, scorer, json!("x"), Value::Null, json!("x"));
            assert_eq!(uncovered.outcome, CaseOutcome::NotCovered, "{benchmark} {scorer}");
        }
    }

    #[test]
    fn a_corrected_difference_is_listed_or_fails() {
        for (text, expected, listed) in
            [("don’t", "don’t", true), ("The", "", true), ("dont", "don't", false)]
        {
            let result = result("searchqa", "normalize", json!(text), Value::Null, json!(expected));
            assert_eq!(matches!(result.corrected, Corrected::Listed { .. }), listed, "{text}");
            assert_eq!(CaseTable::of(&[result]).failed() > 0, !listed, "{text}");
        }
        let expected = json!({"em": 1.0, "predicted_answer": "the"});
        let evaluated = result("searchqa", "evaluate", json!("<answer>the</answer>"), json!(["a"]), expected);
        assert_eq!(evaluated.outcome, CaseOutcome::Passed);
        assert!(matches!(evaluated.corrected, Corrected::Listed { .. }));
    }
}
