//! DocVQA's scorers on cases that others computed.
//!
//! Always holds: a case runs through the functions that score an episode.

use serde_json::{Value, json};
use textualrl_model::settings::Scoring;

use super::{gold, score};
use crate::conformance::Case;

/// What ours returns for a case; none if no scorer here covers it.
pub fn found(case: &Case, scoring: Scoring) -> Option<Value> {
    let text = case.prediction.as_str()?;
    match case.scorer.as_str() {
        "levenshtein" => Some(json!(strsim::levenshtein(text, case.gold.as_str()?))),
        "parse_gold_cell" => Some(json!(gold::of_cell(text, scoring))),
        "evaluate" => {
            let golds = gold::of_value(&case.gold, scoring);
            let answer = score::answer(text, scoring).text;
            let similarity = score::similarity(&answer, &golds, scoring);
            // As published, no golds are one empty gold.
            let golds = if golds.is_empty() { vec![String::new()] } else { golds };
            Some(json!({
                "anls": similarity, "hard": i32::from(score::is_right(similarity)),
                "predicted_answer": answer, "gold_answers": golds,
            }))
        }
        _ => None,
    }
}
