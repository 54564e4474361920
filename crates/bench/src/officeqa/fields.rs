//! Fields of the data that hold several values in one text.
//!
//! Always holds: values have no white space around them and are not blank.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use textualrl_model::settings::Scoring;

use crate::python::text::{lines, strip};

/// The page in the address of a scanned document.
static PAGE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|[?&#\s])(?:page|pagenum|page_id)=(\d+)").ok());

/// The ending of the names of documents.
const DOCUMENT: &str = ".txt";

/// The values of a field: a list, a list in JSON, lines, or parts between commas. As published, a text that ends like
/// a document's name is one name whatever commas it has; corrected, it is one only if a part does not end so.
pub(super) fn list(field: &Value, scoring: Scoring) -> Vec<String> {
    match field {
        Value::Null => Vec::new(),
        Value::Array(items) => filled(items.iter().map(plain)),
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(list @ Value::Array(_)) => self::list(&list, scoring),
            _ => filled(parts(text, scoring).into_iter().map(str::to_owned)),
        },
        other => vec![other.to_string()],
    }
}

fn parts(text: &str, scoring: Scoring) -> Vec<&str> {
    let text = strip(text);
    let rows: Vec<&str> = lines(text).into_iter().filter(|line| !strip(line).is_empty()).collect();
    if rows.len() > 1 {
        return rows;
    }
    let pieces: Vec<&str> = text.split(',').collect();
    let documents = |pieces: &[&str]| pieces.iter().all(|piece| strip(piece).ends_with(DOCUMENT));
    let whole = text.ends_with(DOCUMENT) && (scoring == Scoring::Reference || !documents(&pieces));
    if whole { vec![text] } else { pieces }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn filled(values: impl Iterator<Item = String>) -> Vec<String> {
    values.map(|value| strip(&value).to_owned()).filter(|value| !value.is_empty()).collect()
}

/// The page that an address names.
pub(super) fn page_number(address: &str) -> Option<u64> {
    PAGE.as_ref()?.captures(address)?.get(1)?.as_str().parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use Scoring::{Corrected, Reference};

    #[test]
    fn one_text_can_hold_several_values() {
        for (field, reference, corrected) in [
            (json!("x.txt\r\ny.txt\r\n"), vec!["x.txt", "y.txt"], vec!["x.txt", "y.txt"]),
            (json!("[\"x.txt\", \"y.txt\"]"), vec!["x.txt", "y.txt"], vec!["x.txt", "y.txt"]),
            (json!(["x", " ", null, 7]), vec!["x", "7"], vec!["x", "7"]),
            (json!("x, y"), vec!["x", "y"], vec!["x", "y"]),
            (json!(" x.txt "), vec!["x.txt"], vec!["x.txt"]),
            (json!("x.txt, y.txt"), vec!["x.txt, y.txt"], vec!["x.txt", "y.txt"]),
            (
                json!("Moss, Lind and Holt.txt"),
                vec!["Moss, Lind and Holt.txt"],
                vec!["Moss, Lind and Holt.txt"],
            ),
            (json!(""), vec![], vec![]),
            (json!(null), vec![], vec![]),
        ] {
            assert_eq!(list(&field, Reference), reference, "{field}");
            assert_eq!(list(&field, Corrected), corrected, "{field}");
        }
    }

    #[test]
    fn pages_are_named_in_several_ways() {
        for (address, page) in [
            ("https://archive.example/ledger?page=12", Some(12)),
            ("https://archive.example/ledger?deep=true&pagenum=7 ", Some(7)),
            ("https://archive.example/ledger?page_id=3#top", Some(3)),
            ("page=9", Some(9)),
            ("https://archive.example/ledger?page=", None),
            ("https://archive.example/ledger?homepage=4", None),
            ("https://archive.example/ledger", None),
            ("", None),
        ] {
            assert_eq!(page_number(address), page, "{address}");
        }
    }
}
