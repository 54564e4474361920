//! OfficeQA's scorers on cases that others computed.
//!
//! Always holds: a case runs through the functions that score an episode.

use serde_json::{Value, json};
use textualrl_model::settings::Scoring;

use super::difference::Difference;
use super::{fields, normal, queries, score, table};
use crate::conformance::Case;

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
