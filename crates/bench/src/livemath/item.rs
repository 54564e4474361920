//! A question with its choices, from every form that the distributions have.
//!
//! Always holds: the right choice is one of the choices, which are sorted by label if it had to be added.

use serde::Serialize;
use serde_json::{Map, Value};

use super::score::normalized;

/// A labelled choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Choice {
    pub(super) label: String,
    pub(super) text: String,
}

/// A question with its choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Item {
    pub(super) question: String,
    pub(super) choices: Vec<Choice>,
    pub(super) correct: Choice,
}

/// Why fields are no question that can be scored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ItemError {
    /// There is nothing to ask.
    #[error("field `question` is missing or blank")]
    NoQuestion,
    /// The choices have no known form.
    #[error(
        "field `choices` must be a list of texts or of objects with `label` and `text`, or an object of texts by label"
    )]
    Choices,
    /// The right choice is not said, or has a label that no choice has.
    #[error("field `correct_choice` must be the label of a choice, or an object with `label` and `text`")]
    NoCorrectChoice,
    /// There is nothing to choose from.
    #[error("it has one choice alone")]
    OneChoice,
}

impl Item {
    /// Reads the fields, or those below `mcq` as in the official monthly files.
    pub(super) fn of(fields: &Map<String, Value>) -> Result<Self, ItemError> {
        let fields = fields.get("mcq").and_then(Value::as_object).unwrap_or(fields);
        let question = fields.get("question").and_then(Value::as_str).map(str::trim).unwrap_or_default();
        if question.is_empty() {
            return Err(ItemError::NoQuestion);
        }
        let mut choices = choices(fields.get("choices").ok_or(ItemError::Choices)?)?;
        let correct = correct(fields.get("correct_choice"), &choices)?;
        if !choices.iter().any(|choice| choice.label == correct.label) {
            choices.push(correct.clone());
            choices.sort_by(|a, b| a.label.cmp(&b.label));
        }
        if choices.len() < 2 {
            return Err(ItemError::OneChoice);
        }
        Ok(Self { question: question.to_owned(), choices, correct })
    }
}

fn choices(written: &Value) -> Result<Vec<Choice>, ItemError> {
    let found: Option<Vec<Choice>> = match written {
        Value::Array(list) => list.iter().enumerate().map(|(place, one)| choice(place, one)).collect(),
        Value::Object(by_label) => {
            let mut found: Vec<Choice> =
                by_label.iter().filter_map(|(label, text)| labelled(label, text.as_str()?)).collect();
            found.sort_by(|a, b| a.label.cmp(&b.label));
            (found.len() == by_label.len()).then_some(found)
        }
        _ => None,
    };
    let found = found.ok_or(ItemError::Choices)?;
    Ok(found.into_iter().filter(|choice| !choice.text.is_empty()).collect())
}

/// A choice of a list; a bare text has the label of its place.
fn choice(place: usize, written: &Value) -> Option<Choice> {
    if let Some(text) = written.as_str() {
        let letter = u8::try_from(place).ok().filter(|place| *place < 26)?;
        return labelled(&char::from(b'A' + letter).to_string(), text);
    }
    labelled(written.get("label")?.as_str()?, text_of(written)?)
}

fn labelled(label: &str, text: &str) -> Option<Choice> {
    let label = normalized(label);
    (!label.is_empty()).then(|| Choice { label, text: text.trim().to_owned() })
}

fn text_of(written: &Value) -> Option<&str> {
    written.get("text").or_else(|| written.get("content"))?.as_str()
}

fn correct(written: Option<&Value>, choices: &[Choice]) -> Result<Choice, ItemError> {
    let (label, text) = match written {
        Some(Value::String(label)) => (label.as_str(), None),
        Some(choice @ Value::Object(_)) => {
            let label = choice.get("label").and_then(Value::as_str).ok_or(ItemError::NoCorrectChoice)?;
            (label, text_of(choice).map(str::trim).filter(|text| !text.is_empty()))
        }
        _ => return Err(ItemError::NoCorrectChoice),
    };
    let label = normalized(label);
    let listed = choices.iter().find(|choice| choice.label == label);
    match (text, listed) {
        (_, Some(choice)) => Ok(choice.clone()),
        (Some(text), None) => labelled(&label, text).ok_or(ItemError::NoCorrectChoice),
        (None, None) => Err(ItemError::NoCorrectChoice),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(fields: Value) -> Result<Item, ItemError> {
        Item::of(fields.as_object().unwrap())
    }

    fn shown(item: &Item) -> String {
        let choices = item.choices.iter().map(|choice| format!("{}={}", choice.label, choice.text));
        format!("{} -> {}", choices.collect::<Vec<_>>().join(" "), item.correct.label)
    }

    #[test]
    fn all_forms_are_read() {
        let objects = json!([{"label": "b)", "text": " y "}, {"label": "a)", "content": "x"}]);
        for (choices, correct, expected) in [
            (json!(["x", "y"]), json!("B"), "A=x B=y -> B"),
            (json!({"B": "y", "A": "x"}), json!("A"), "A=x B=y -> A"),
            (objects, json!("A"), "B=y A=x -> A"),
            (json!(["x", "", "z"]), json!({"label": "B", "text": "y"}), "A=x B=y C=z -> B"),
            (json!([{"label": "B", "text": "y"}]), json!({"label": "A", "text": "x"}), "A=x B=y -> A"),
        ] {
            let fields = json!({"question": "q", "choices": choices, "correct_choice": correct});
            assert_eq!(shown(&item(fields.clone()).unwrap()), expected);
            let nested = item(json!({"question": "other", "mcq": fields})).unwrap();
            assert_eq!((nested.question.as_str(), shown(&nested).as_str()), ("q", expected));
        }
    }

    #[test]
    fn what_cannot_be_scored_is_said() {
        for (fields, error) in [
            (json!({"choices": ["x", "y"], "correct_choice": "A"}), ItemError::NoQuestion),
            (json!({"question": "q", "correct_choice": "A"}), ItemError::Choices),
            (json!({"question": "q", "choices": [1, 2], "correct_choice": "A"}), ItemError::Choices),
            (json!({"question": "q", "choices": ["x", "y"]}), ItemError::NoCorrectChoice),
            (
                json!({"question": "q", "choices": ["x", "y"], "correct_choice": "C"}),
                ItemError::NoCorrectChoice,
            ),
            (json!({"question": "q", "choices": ["x"], "correct_choice": "A"}), ItemError::OneChoice),
        ] {
            assert_eq!(item(fields.clone()), Err(error), "{fields}");
        }
    }
}
