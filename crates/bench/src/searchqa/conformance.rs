//! SearchQA's scorers on cases that others computed.
//!
//! Always holds: a case runs through the functions that score an episode.

use serde_json::{Value, json};
use textualrl_model::settings::Scoring;

use super::passages::cut;
use crate::answer::extract;
use crate::conformance::Case;
use crate::score::normal::normalize;
use crate::score::tokens::{contains_either_way, exact_match, f1};

/// What ours returns for a case; none if no scorer here covers it.
pub fn found(case: &Case, scoring: Scoring) -> Option<Value> {
    let text = case.prediction.as_str()?;
    match case.scorer.as_str() {
        "normalize" => Some(json!(normalize(text, scoring))),
        "extract_answer" => Some(json!(extract(text, scoring).text)),
        "truncate_context" => {
            let budget = usize::try_from(case.extra.get("max_chars")?.as_u64()?).ok()?;
            Some(json!(cut(text, budget)))
        }
        "evaluate" => evaluate(text, &case.gold, scoring),
        _ => None,
    }
}

fn evaluate(reply: &str, gold: &Value, scoring: Scoring) -> Option<Value> {
    let golds: Vec<String> = serde_json::from_value(gold.clone()).ok()?;
    let answer = extract(reply, scoring).text;
    let exact = exact_match(&answer, &golds, scoring);
    let overlap = f1(&answer, &golds, scoring);
    let contained = contains_either_way(&answer, &golds, scoring);
    let number = |truth: bool| if truth { 1.0 } else { 0.0 };
    Some(json!({
        "em": number(exact), "f1": overlap, "sub_em": number(contained), "predicted_answer": answer,
        "hard": i32::from(exact), "soft": overlap,
    }))
}
