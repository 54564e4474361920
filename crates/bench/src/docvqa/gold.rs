//! The golds of a question, from every form in which they are distributed.
//!
//! Always holds: a cell is read as a literal and never evaluated.

use serde_json::Value;
use textualrl_model::settings::Scoring;

use crate::python::literal::Literal;
use crate::python::text::strip;

/// The golds of a cell of a table. As published, what is a Python literal counts as Python writes it; corrected, only a
/// list or a quoted text is one, and anything else is the text that stands there.
pub(super) fn of_cell(cell: &str, scoring: Scoring) -> Vec<String> {
    let raw = || vec![strip(cell).to_owned()];
    match Literal::parse(cell) {
        Some(Literal::List(items)) => filled(items.iter().map(Literal::text)),
        Some(Literal::Text(text)) => vec![text],
        Some(other) if scoring == Scoring::Reference => vec![other.text()],
        Some(_) | None => raw(),
    }
}

/// The golds of a value: a text, a number, a list of them, or an object that holds them.
pub(super) fn of_value(value: &Value, scoring: Scoring) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => of_text(text, scoring),
        Value::Array(items) => filled(items.iter().filter_map(plain)),
        Value::Object(fields) => {
            let inner =
                ["answers", "answer", "ground_truth", "text"].iter().find_map(|name| fields.get(*name));
            inner.map(|inner| of_value(inner, scoring)).unwrap_or_default()
        }
        other => vec![other.to_string()],
    }
}

/// A text that is a list in JSON or Python is that list.
fn of_text(text: &str, scoring: Scoring) -> Vec<String> {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(items)) => filled(items.iter().filter_map(plain)),
        _ => of_cell(text, scoring),
    }
}

/// A member of a list; what stands in it is not looked into further.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => fields.get("text").or_else(|| fields.get("answer")).and_then(plain),
        other => Some(other.to_string()),
    }
}

fn filled(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.map(|text| strip(&text).to_owned()).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use Scoring::{Corrected, Reference};

    #[test]
    fn corrected_cells_stay_as_they_are_written() {
        for (cell, reference, corrected) in [
            ("['3', ' three ', '']", vec!["3", "three"], vec!["3", "three"]),
            ("0.50", vec!["0.5"], vec!["0.50"]),
            ("2,345", vec!["(2, 345)"], vec!["2,345"]),
            ("0x2A", vec!["42"], vec!["0x2A"]),
            ("'kept'", vec!["kept"], vec!["kept"]),
            ("__import__('os')", vec!["__import__('os')"], vec!["__import__('os')"]),
        ] {
            assert_eq!(of_cell(cell, Reference), reference, "{cell}");
            assert_eq!(of_cell(cell, Corrected), corrected, "{cell}");
        }
    }

    #[test]
    fn golds_come_in_many_forms() {
        for (value, expected) in [
            (json!(["a", 2, {"text": "c"}, null, " "]), vec!["a", "2", "c"]),
            (json!("['a', 'b']"), vec!["a", "b"]),
            (json!("[\"a\"]"), vec!["a"]),
            (json!({"answers": ["x"]}), vec!["x"]),
            (json!(7), vec!["7"]),
            (json!(null), vec![]),
        ] {
            assert_eq!(of_value(&value, Corrected), expected, "{value}");
        }
    }
}
