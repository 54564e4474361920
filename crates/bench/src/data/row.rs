//! Rows of a task file: JSON lists, `{"data": […]}`, JSON lines, CSV.
//!
//! Always holds: a row knows its file and line (or its number in a list); a byte order mark and any line ending are
//! accepted.

use std::path::Path;

use serde_json::{Map, Value};
use textualrl_model::TaskId;

use super::error::LoadError;

/// A row and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// `file:line`, or `file, item 3`.
    pub place: String,
    /// The fields.
    pub fields: Map<String, Value>,
}

/// Reads a file by its extension: `.csv`, `.jsonl`, `.json`.
///
/// # Errors
/// If the file cannot be read or a row is no object.
pub fn read(path: &Path) -> Result<Vec<Row>, LoadError> {
    let name = path.display().to_string();
    let unreadable = |message: String| LoadError::Unreadable { path: name.clone(), message };
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        unreadable(format!("it is no UTF-8 from byte {} on; convert it", error.utf8_error().valid_up_to()))
    })?;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => parse_csv(&name, &text),
        _ => parse_json(&name, &text),
    }
}

/// Parses JSON of any usual form. `name` is what messages call the file.
///
/// # Errors
/// If it is no JSON or a row is no object.
pub fn parse_json(name: &str, text: &str) -> Result<Vec<Row>, LoadError> {
    let text = text.trim_start_matches('\u{feff}');
    let start = text.trim_start();
    if start.starts_with('[') {
        return items(name, whole(name, text)?);
    }
    // One object over several lines is a document; several objects, one a line, are JSON lines.
    if let Ok(Value::Object(document)) = serde_json::from_str::<Value>(text) {
        return match document.get("data") {
            Some(Value::Array(_)) if !document.contains_key("id") => {
                items(name, document.get("data").cloned().unwrap_or(Value::Null))
            }
            _ => Ok(vec![Row { place: format!("{name}:1"), fields: document }]),
        };
    }
    lines(name, text)
}

fn whole(name: &str, text: &str) -> Result<Value, LoadError> {
    serde_json::from_str(text).map_err(|error| {
        LoadError::row(
            &format!("{name}:{}", error.line()),
            format!("this is no JSON ({error}); mend the file"),
        )
    })
}

fn items(name: &str, list: Value) -> Result<Vec<Row>, LoadError> {
    let Value::Array(items) = list else { return Ok(Vec::new()) };
    let row = |(number, item): (usize, Value)| {
        let place = format!("{name}, item {number}");
        object(&place, item).map(|fields| Row { place, fields })
    };
    (1..).zip(items).map(row).collect()
}

fn lines(name: &str, text: &str) -> Result<Vec<Row>, LoadError> {
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let place = format!("{name}:{number}");
        let value = serde_json::from_str(line).map_err(|error| {
            LoadError::row(&place, format!("this line is no JSON object ({error}); mend it"))
        })?;
        let fields = object(&place, value)?;
        rows.push(Row { place, fields });
    }
    Ok(rows)
}

fn object(place: &str, value: Value) -> Result<Map<String, Value>, LoadError> {
    match value {
        Value::Object(fields) => Ok(fields),
        other => Err(LoadError::row(place, format!("a task must be an object, not {}", kind(&other)))),
    }
}

/// Parses CSV with a header line.
///
/// # Errors
/// If a line has not as many fields as the header.
pub fn parse_csv(name: &str, text: &str) -> Result<Vec<Row>, LoadError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let problem = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        LoadError::row(&format!("{name}:{line}"), format!("{error}; mend the line"))
    };
    let header = reader.headers().map_err(|error| problem(&error))?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| problem(&error))?;
        let line = record.position().map_or(1, |position| line_at(text, position));
        let fields = header.iter().zip(record.iter());
        let fields = fields.map(|(field, value)| (field.trim().to_owned(), Value::String(value.to_owned())));
        rows.push(Row { place: format!("{name}:{line}"), fields: fields.collect() });
    }
    Ok(rows)
}

/// The line on which a record begins. The reader's own count lags behind where lines end in CRLF.
fn line_at(text: &str, position: &csv::Position) -> usize {
    let byte = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let before = text.get(..byte).unwrap_or(text);
    let record = text.get(byte..).unwrap_or_default();
    let blank = record.len() - record.trim_start_matches(['\r', '\n']).len();
    let skipped = record.get(..blank).unwrap_or_default();
    1 + before.matches('\n').count() + skipped.matches('\n').count()
}

pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl Row {
    /// A field that is there and not null.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    /// The id: a text or a number.
    ///
    /// # Errors
    /// If it is there and neither, or blank.
    pub fn id(&self) -> Result<Option<TaskId>, LoadError> {
        let text = match self.get("id") {
            None => return Ok(None),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Number(number)) => number.to_string(),
            Some(other) => return Err(self.wrong("id", "a text or a number", other)),
        };
        TaskId::new(text)
            .map(Some)
            .map_err(|error| LoadError::row(&self.place, format!("field `id`: {error}")))
    }

    /// A text field that must be there.
    ///
    /// # Errors
    /// If it is missing, blank or no text.
    pub fn text(&self, field: &'static str) -> Result<&str, LoadError> {
        match self.get(field) {
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
            Some(Value::String(_)) => Err(LoadError::row(&self.place, format!("field `{field}` is blank"))),
            Some(other) => Err(self.wrong(field, "a text", other)),
            None => Err(LoadError::row(&self.place, format!("field `{field}` is missing"))),
        }
    }

    /// The golds in `answers` (a list, or a single one) or `answer`. An empty list if neither is there.
    ///
    /// # Errors
    /// If one is neither text, number nor truth value.
    pub fn golds(&self) -> Result<Vec<Value>, LoadError> {
        let (field, value) = match (self.get("answers"), self.get("answer")) {
            (Some(value), _) => ("answers", value),
            (None, Some(value)) => ("answer", value),
            (None, None) => return Ok(Vec::new()),
        };
        match value {
            Value::Array(items) if field == "answers" => Ok(items.clone()),
            other => Ok(vec![other.clone()]),
        }
    }

    /// The golds as texts.
    ///
    /// # Errors
    /// If one is neither text, number nor truth value.
    pub fn text_golds(&self) -> Result<Vec<String>, LoadError> {
        let text = |gold: &Value| match gold {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            Value::Bool(truth) => Ok(truth.to_string()),
            other => Err(self.wrong("answer", "a text or a number", other)),
        };
        self.golds()?.iter().map(text).collect()
    }

    fn wrong(&self, field: &str, expected: &str, found: &Value) -> LoadError {
        LoadError::row(&self.place, format!("field `{field}` must be {expected}, not {}", kind(found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_form_is_read() {
        for text in [
            "[{\"id\": 7, \"answer\": \"x\"}, {\"id\": \"8\", \"answer\": \"y\"}]",
            "{\"data\": [{\"id\": 7, \"answer\": \"x\"}, {\"id\": \"8\", \"answer\": \"y\"}]}",
            "\u{feff}{\"id\": 7, \"answer\": \"x\"}\r\n\r\n{\"id\": \"8\", \"answer\": \"y\"}\r\n",
        ] {
            let rows = parse_json("t", text).unwrap();
            let ids: Vec<_> = rows.iter().map(|row| row.id().unwrap().unwrap().to_string()).collect();
            assert_eq!(ids, ["7", "8"], "{text}");
        }
        let rows = parse_csv("t.csv", "\u{feff}id,answer\r\n7,\"x, y\"\r\n8,z\r\n").unwrap();
        assert_eq!(rows[0].text_golds().unwrap(), ["x, y"]);
        assert_eq!(rows[1].place, "t.csv:3");
    }

    #[test]
    fn bad_rows_name_file_and_line() {
        for (text, place) in [
            ("{\"id\": 1}\n{\"id\": 2\n", "t:2"),
            ("[{\"id\": 1}, 5]", "t, item 2"),
            ("[\n{\"id\": 1},\n{]", "t:3"),
            ("{\"id\": 1}\n7\n", "t:2"),
        ] {
            let error = parse_json("t", text).unwrap_err().to_string();
            assert!(error.starts_with(place), "{error}");
        }
        let row = |text: &str| parse_json("t", text).unwrap().remove(0);
        for (text, field) in
            [("{\"id\": [1]}", "id"), ("{\"id\": \" \"}", "id"), ("{\"answer\": {\"a\": 1}}", "answer")]
        {
            let row = row(text);
            let error = row.id().map(drop).and(row.text_golds().map(drop)).unwrap_err().to_string();
            assert!(error.contains(field), "{error}");
        }
    }
}
