//! How we read what the released harness reads, against recorded cases.
//!
//! Always holds: a case runs through the functions that keep the released reading, quirks included.

use serde::Deserialize;
use serde_json::{Value, json};
use textualrl_model::settings::Scoring;

use super::action::{Projected, Released, history};
use super::tasks::task_type;
use crate::conformance::Case;

/// What ours returns for a case of the released harness: its reading of replies, its window, its types of tasks. None
/// for a scorer that there is not. The scoring makes no difference: the reward is whether the game was won.
///
/// Episodes read replies otherwise, as [`Reading`](super::action::Reading) says, and do so under either scoring.
pub fn found(case: &Case, _: Scoring) -> Option<Value> {
    let Case { prediction, extra, .. } = case;
    let text = prediction.as_str().unwrap_or_default();
    match case.scorer.as_str() {
        "harness_action" => {
            let Released { reply, action, thought, projected } = Released::of(text);
            Some(json!({
                "recorded_action": action, "recorded_think": thought, "model_response": reply,
                "env_action": projected.command, "valid_flag": u8::from(projected.valid),
            }))
        }
        "projection" => {
            let Projected { command, valid } = Projected::of(text);
            Some(json!({ "env_action": command, "valid_flag": u8::from(valid) }))
        }
        "history" => {
            let pairs: Vec<(String, String)> = Vec::deserialize(prediction).ok()?;
            let length = extra.get("history_length")?.as_u64()?;
            let shown = history(&pairs, usize::try_from(length).ok()?);
            Some(
                json!({ "text": shown, "history_length": length.min(pairs.len() as u64), "step_count": pairs.len() }),
            )
        }
        "task_type" => Some(json!(task_type(text))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn cases_run_through_the_released_reading() {
        let case = |scorer: &str, prediction: Value, expected: Value| {
            let case = json!({"id": "x", "benchmark": "alfworld", "scorer": scorer, "prediction": prediction,
                "gold": null, "extra": {"history_length": 2}, "expected": null, "quirk": false});
            let case: Case = serde_json::from_value(case).unwrap();
            assert_eq!(found(&case, Scoring::Reference), Some(expected), "{scorer}");
        };
        let stand_in = "<think>empty model response</think><action>look</action>";
        let read = json!({"recorded_action": "look", "recorded_think": "empty model response",
            "model_response": stand_in, "env_action": "look", "valid_flag": 1});
        case("harness_action", Value::Null, read);
        case("projection", json!("None"), json!({"env_action": "none", "valid_flag": 0}));
        let shown = "[Observation 1: 'o', Action 1: 'a']";
        let window = json!({"text": shown, "history_length": 1, "step_count": 1});
        case("history", json!([["o", "a"]]), window);
        case("task_type", json!("harbour"), json!("other"));
    }

    #[test]
    fn recorded_cases_match() {
        let Some(cases) = std::env::var_os("TEXTUALRL_CASES").map(PathBuf::from) else { return };
        let text = std::fs::read_to_string(cases.join("scorers.json")).unwrap();
        let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
        let ours: Vec<&Case> = cases.iter().filter(|case| case.benchmark == "alfworld").collect();
        assert!(!ours.is_empty());
        for case in ours {
            assert_eq!(found(case, Scoring::Reference).as_ref(), Some(&case.expected), "{}", case.id);
        }
    }
}
