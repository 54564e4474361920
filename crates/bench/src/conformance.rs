//! Our scorers and loaders against cases and data that others computed.
//!
//! Always holds: a case that nothing here covers is counted as not covered, never as passed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use textualrl_model::Split;
use textualrl_model::settings::{DataSettings, OwnTaskSettings, ScorerSettings, Scoring};

use crate::answer::extract;
use crate::python::random::PythonRandom;
use crate::score::{normal, tokens};
use crate::searchqa::passages;
use crate::{data, registry};

/// A case: an input and what the public scorer returned for it.
#[derive(Debug, Clone, Deserialize)]
struct Case {
    id: String,
    benchmark: String,
    scorer: String,
    prediction: Value,
    gold: Value,
    extra: Value,
    expected: Value,
    quirk: bool,
}

/// How a case went.
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
}

/// Checks all cases of a file under the reference scoring.
///
/// # Errors
/// If the text is no list of cases.
pub fn check_cases(text: &str) -> Result<Vec<CaseResult>, serde_json::Error> {
    let cases: Vec<Case> = serde_json::from_str(text)?;
    Ok(cases.into_iter().map(check).collect())
}

fn check(case: Case) -> CaseResult {
    let outcome = match found(&case) {
        None => CaseOutcome::NotCovered,
        Some(found) if same(&found, &case.expected) => CaseOutcome::Passed,
        Some(found) => CaseOutcome::Failed { found, expected: case.expected },
    };
    CaseResult { id: case.id, scorer: (case.benchmark, case.scorer), quirk: case.quirk, outcome }
}

/// What ours returns for a case, if it covers it.
fn found(case: &Case) -> Option<Value> {
    let prediction = || case.prediction.as_str();
    match (case.benchmark.as_str(), case.scorer.as_str()) {
        ("searchqa", "normalize") => Some(json!(normal::normalize(prediction()?, Scoring::Reference))),
        ("searchqa", "extract_answer") => Some(json!(extract(prediction()?).text)),
        ("searchqa", "truncate_context") => {
            let budget = case.extra.get("max_chars")?.as_u64()?;
            Some(json!(passages::cut(prediction()?, usize::try_from(budget).ok()?)))
        }
        ("searchqa", "evaluate") => evaluate(prediction()?, &case.gold),
        ("common", "cpython_shuffle") => {
            let mut items: Vec<u64> = (0..case.prediction.as_u64()?).collect();
            PythonRandom::new(case.extra.get("seed")?.as_u64()?).shuffle(&mut items);
            Some(json!(items))
        }
        ("common", "ratio_split_counts") => {
            let ratio: [f64; 3] = serde_json::from_value(case.extra.get("ratio")?.clone()).ok()?;
            let total = usize::try_from(case.prediction.as_u64()?).ok()?;
            Some(json!(data::ratio::counts(total, ratio)))
        }
        _ => None,
    }
}

fn evaluate(reply: &str, gold: &Value) -> Option<Value> {
    let golds: Vec<String> = serde_json::from_value(gold.clone()).ok()?;
    let answer = extract(reply).text;
    let exact = tokens::exact_match(&answer, &golds, Scoring::Reference);
    let f1 = tokens::f1(&answer, &golds, Scoring::Reference);
    let contained = tokens::contains_either_way(&answer, &golds, Scoring::Reference);
    let number = |truth: bool| if truth { 1.0 } else { 0.0 };
    Some(json!({
        "em": number(exact), "f1": f1, "sub_em": number(contained), "predicted_answer": answer,
        "hard": i32::from(exact), "soft": f1,
    }))
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

/// Results counted by benchmark and scorer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CaseTable {
    /// Passed, failed, not covered.
    rows: BTreeMap<(String, String), [usize; 3]>,
    failures: Vec<String>,
}

impl CaseTable {
    /// Counts results.
    pub fn of(results: &[CaseResult]) -> Self {
        let mut table = Self::default();
        for result in results {
            let [passed, failed, uncovered] = table.rows.entry(result.scorer.clone()).or_default();
            match &result.outcome {
                CaseOutcome::Passed => *passed += 1,
                CaseOutcome::NotCovered => *uncovered += 1,
                CaseOutcome::Failed { found, expected } => {
                    *failed += 1;
                    table.failures.push(format!("{}: {found} instead of {expected}", result.id));
                }
            }
        }
        table
    }

    /// How many cases failed.
    pub fn failed(&self) -> usize {
        self.failures.len()
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:<12} {:<24} {:>7} {:>7} {:>12}\n",
            "benchmark", "scorer", "passed", "failed", "not covered"
        );
        for ((benchmark, scorer), [passed, failed, uncovered]) in &self.rows {
            text.push_str(&format!("{benchmark:<12} {scorer:<24} {passed:>7} {failed:>7} {uncovered:>12}\n"));
        }
        for failure in &self.failures {
            text.push_str(&format!("failed: {failure}\n"));
        }
        text
    }
}

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
