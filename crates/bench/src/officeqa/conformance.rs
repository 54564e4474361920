//! OfficeQA's scorers and data against what others computed.
//!
//! Always holds: a case runs through the functions that score an episode.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use textualrl_model::settings::{DataSettings, Scoring};
use textualrl_model::{Split, TaskId};

use super::difference::Difference;
use super::documents::Documents;
use super::{fields, normal, queries, score, table, tasks};
use crate::conformance::Case;
use crate::data::LoadError;

/// What ours returns for a case; none if no scorer here covers it.
pub fn found(case: &Case, scoring: Scoring) -> Option<Value> {
    if case.scorer == "parse_list_field" {
        return Some(json!(fields::list(&case.prediction, scoring)));
    }
    let text = case.prediction.as_str()?;
    match case.scorer.as_str() {
        // The corrected metric has no such form: it compares quantities and words.
        "normalize" => (scoring == Scoring::Reference).then(|| json!(normal::normalize(text))),
        "extract_answer" => Some(json!(score::answer(text, scoring).text)),
        "extract_search_queries" => Some(json!(queries::of_reply(text, scoring))),
        "page_number" => Some(json!(fields::page_number(text))),
        "render_element" => Some(json!(table::render(text))),
        "evaluate" => {
            let answer = score::answer(text, scoring).text;
            scored(&answer, case.gold.as_str()?, scoring, score::equal)
        }
        "rollout_score" => scored(text, case.gold.as_str()?, scoring, score::is_right),
        _ => None,
    }
}

fn scored(
    answer: &str,
    gold: &str,
    scoring: Scoring,
    right: impl Fn(&str, &str, Scoring) -> bool,
) -> Option<Value> {
    let right = right(answer, gold, scoring);
    let overlap = match answer.is_empty() && !right {
        true => 0.0,
        false => score::overlap(answer, gold, scoring),
    };
    let number = if right { 1.0 } else { 0.0 };
    Some(json!({
        "em": number, "f1": overlap, "hard": i32::from(right), "soft": overlap, "predicted_answer": answer,
    }))
}

/// The listed reason for which the corrected scoring may differ in a case.
pub fn reason(case: &Case) -> Option<&'static str> {
    Difference::ALL.into_iter().find(|difference| difference.concerns(case)).map(Difference::reason)
}

/// How the golds of real data score, and what their tasks name.
#[derive(Debug, Default)]
pub struct DataCheck {
    categories: BTreeMap<String, usize>,
    tasks: usize,
    resolved: usize,
    broken: Vec<TaskId>,
}

/// Scores every gold of a folder beside itself.
///
/// # Errors
/// If the data cannot be loaded.
pub fn check_data(settings: &DataSettings) -> Result<DataCheck, LoadError> {
    let below = Path::new(&settings.dir).join(&settings.officeqa.documents);
    let splits = tasks::load(settings, &Documents::list(&below)?, &below)?;
    let mut check = DataCheck::default();
    for task in Split::ALL.iter().flat_map(|split| &splits.of(*split).kept) {
        check.tasks += 1;
        check.resolved += usize::from(!task.sources.is_empty());
        *check.categories.entry(task.category.clone()).or_default() += 1;
        if !score::is_right(&task.gold, &task.gold, settings.scoring) {
            check.broken.push(task.id.clone());
        }
    }
    Ok(check)
}

impl DataCheck {
    /// How many golds are not right.
    pub fn failed(&self) -> usize {
        self.broken.len()
    }

    /// Kinds of questions, documents and golds in a line.
    pub fn line(&self) -> String {
        let Self { categories, tasks, resolved, broken } = self;
        let kinds: Vec<String> = categories.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let names: Vec<&str> = broken.iter().map(TaskId::as_str).collect();
        format!(
            "officeqa: {} tasks; {resolved} of {tasks} name a document that is there; golds not right beside \
             themselves: {} {}",
            kinds.join(", "),
            broken.len(),
            names.join(", ")
        )
        .trim_end()
        .to_owned()
    }
}
