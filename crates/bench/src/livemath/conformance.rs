//! LiveMathematicianBench's functions on cases that others computed.
//!
//! Always holds: a case runs through the functions that load and score an episode.

use serde_json::{Value, json};
use textualrl_model::settings::Scoring;

use super::difference::Difference;
use super::item::{Choice, Item};
use super::{score, shuffle};
use crate::answer::extract;
use crate::conformance::Case;
use crate::data::row::Row;

/// What ours returns for a case; none if no function here covers it.
pub fn found(case: &Case, scoring: Scoring) -> Option<Value> {
    let text = case.prediction.as_str();
    match case.scorer.as_str() {
        "evaluate" => Some(evaluated(case, scoring)?),
        "normalize_label" => Some(json!(score::normalized(text?))),
        "normalize_item" => {
            let fields = case.prediction.as_object()?;
            let item = Item::of(fields).ok()?;
            let row = Row { place: case.id.clone(), fields: fields.clone() };
            // As published, an item without any id has the number of its row.
            let number = || Some((case.extra.get("row_idx")?.as_u64()? + 1).to_string());
            let id = row.released_id().ok().map(|id| id.to_string()).or_else(number)?;
            Some(json!({
                "id": id, "question": item.question, "choices": item.choices, "correct_choice": item.correct,
                "theorem_type": fields.get("theorem_type").unwrap_or(&json!([])),
            }))
        }
        "shuffle_choices" => {
            let seed = case.extra.get("seed")?.as_u64()?;
            let choices: Vec<Choice> = choices(case)?;
            let correct = score::choice_of(case.gold.as_str()?, &choices)?.clone();
            let item = Item { question: String::new(), choices, correct };
            let shown = shuffle::shuffled(&item, text?, seed);
            Some(json!({"choices": shown.choices, "correct_label": shown.correct.label}))
        }
        _ => None,
    }
}

fn evaluated(case: &Case, scoring: Scoring) -> Option<Value> {
    let (choices, gold) = (choices(case)?, score::normalized(case.gold.as_str()?));
    let answer = extract(case.prediction.as_str()?, scoring);
    let label = score::label(&answer.text, &choices, scoring);
    let text = score::choice_of(&label, &choices).map(|choice| choice.text.as_str()).unwrap_or_default();
    Some(json!({
        "hard": i32::from(label == gold), "predicted_label": label, "predicted_answer": label, "predicted_text": text,
    }))
}

fn choices(case: &Case) -> Option<Vec<Choice>> {
    let listed = case.extra.get("choices")?.as_array()?.iter();
    let text = |choice: &Value, field: &str| Some(choice.get(field)?.as_str()?.to_owned());
    listed
        .map(|choice| {
            Some(Choice { label: score::normalized(&text(choice, "label")?), text: text(choice, "text")? })
        })
        .collect()
}

/// The listed reason for which the corrected scoring may differ in a case.
pub fn reason(case: &Case) -> Option<&'static str> {
    let answer = extract(case.prediction.as_str()?, Scoring::Corrected).text;
    Difference::ALL.into_iter().find(|difference| difference.concerns(&answer)).map(Difference::reason)
}
