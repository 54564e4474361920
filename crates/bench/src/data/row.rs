//! Rows of a task file: JSON lists, `{"data": […]}`, JSON lines, CSV.
//!
//! Always holds: a row knows its file and line (or its number in a list); a byte order mark and any line ending are
//! accepted.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Number, Value};
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
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        match line_of(format!("{name}:{number}"), line) {
            Ok(row) => rows.push(row),
            Err(error) => errors.push(error),
        }
    }
    LoadError::all(errors).map_or(Ok(rows), Err)
}

fn line_of(place: String, line: &str) -> Result<Row, LoadError> {
    let value = serde_json::from_str(line)
        .map_err(|error| LoadError::row(&place, format!("this line is no JSON object ({error}); mend it")))?;
    let fields = object(&place, value)?;
    Ok(Row { place, fields })
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
    let mut names = BTreeSet::new();
    if let Some(twice) = header.iter().map(str::trim).find(|field| !names.insert(*field)) {
        return Err(LoadError::row(
            &format!("{name}:1"),
            format!("the field {twice:?} stands twice; rename one"),
        ));
    }
    let mut rows = Vec::new();
    let mut lines = Lines { text, byte: 0, line: 1 };
    for record in reader.records() {
        let record = record.map_err(|error| problem(&error))?;
        let line = record.position().map_or(1, |position| lines.line_of(position));
        let fields = header.iter().zip(record.iter());
        let fields = fields.map(|(field, value)| (field.trim().to_owned(), Value::String(value.to_owned())));
        rows.push(Row { place: format!("{name}:{line}"), fields: fields.collect() });
    }
    Ok(rows)
}

/// Counts lines on the way through a text. The CSV reader's own count lags behind where lines end in CRLF.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line on which a record begins; records come in order.
    fn line_of(&mut self, record: &csv::Position) -> usize {
        let record = usize::try_from(record.byte()).unwrap_or(usize::MAX);
        let rest = self.text.get(record..).unwrap_or_default();
        // The reader's position is before the line ends that it skips.
        let begin = record + rest.len() - rest.trim_start_matches(['\r', '\n']).len();
        let passed = self.text.get(self.byte..begin).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.byte = begin;
        self.line
    }
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

/// A number as text; 1.0 is the same as 1.
fn plain_number(number: &Number) -> String {
    let whole = number
        .as_f64()
        .filter(|_| number.is_f64())
        .filter(|value| value.fract() == 0.0 && value.abs() < 1e15);
    whole.map_or_else(|| number.to_string(), |value| format!("{value:.0}"))
}

impl Row {
    /// A field that is there and not null.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    /// The id in `id`: a text or a number.
    ///
    /// # Errors
    /// If it is there and neither, or blank.
    pub fn id(&self) -> Result<Option<TaskId>, LoadError> {
        self.id_in("id")
    }

    /// The id in a field of another name.
    ///
    /// # Errors
    /// If it is there and neither a text nor a number, or blank.
    fn id_in(&self, field: &str) -> Result<Option<TaskId>, LoadError> {
        let text = match self.get(field) {
            None => return Ok(None),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Number(number)) => plain_number(number),
            Some(other) => return Err(self.wrong(field, "a text or a number", other)),
        };
        TaskId::new(text)
            .map(Some)
            .map_err(|error| LoadError::row(&self.place, format!("field `{field}`: {error}")))
    }

    /// The id under any name that distributions give it: `id`, `uid`, `questionId`, `key`, or else `month:no`, or `no`
    /// where there is no month.
    ///
    /// # Errors
    /// If there is none, or it is neither a text nor a number, or blank.
    pub fn released_id(&self) -> Result<TaskId, LoadError> {
        for field in ["id", "uid", "questionId", "key"] {
            if let Some(id) = self.id_in(field)? {
                return Ok(id);
            }
        }
        let none = "none of the fields `id`, `uid`, `questionId`, `key` and `no` is there; add an `id`";
        let number = self.id_in("no")?.ok_or_else(|| LoadError::row(&self.place, none))?;
        let Some(month) = self.id_in("month")? else { return Ok(number) };
        TaskId::new(format!("{month}:{number}"))
            .map_err(|error| LoadError::row(&self.place, format!("fields `month` and `no`: {error}")))
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

    /// A text field that must be there and may be blank.
    ///
    /// # Errors
    /// If it is missing or no text.
    pub fn text_or_blank(&self, field: &'static str) -> Result<&str, LoadError> {
        match self.get(field) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(self.wrong(field, "a text", other)),
            None => Err(LoadError::row(&self.place, format!("field `{field}` is missing"))),
        }
    }

    /// The golds in `answers` (a list, or a single one) or `answer`; none if neither field is there.
    pub fn golds(&self) -> Option<Vec<Value>> {
        match (self.get("answers"), self.get("answer")) {
            (Some(Value::Array(items)), _) => Some(items.clone()),
            // A list has no other form in CSV.
            (Some(Value::String(text)), _) if text.trim_start().starts_with('[') => {
                Some(serde_json::from_str(text).unwrap_or_else(|_| vec![Value::String(text.clone())]))
            }
            (Some(value), _) | (None, Some(value)) => Some(vec![value.clone()]),
            (None, None) => None,
        }
    }

    /// The golds as texts. An empty list is one that the row gives; a row without golds is an error.
    ///
    /// # Errors
    /// If there are none, or one is neither text, number nor truth value.
    pub fn text_golds(&self) -> Result<Vec<String>, LoadError> {
        let text = |gold: &Value| match gold {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(plain_number(number)),
            Value::Bool(truth) => Ok(truth.to_string()),
            other => Err(self.wrong("answer", "a text or a number", other)),
        };
        let golds = self.golds().ok_or_else(|| {
            LoadError::row(&self.place, "neither field `answer` nor `answers` is there; add one of them")
        })?;
        // One field `answer` may hold a list too.
        let lists =
            golds.iter().map(|gold| gold.as_array().map_or(std::slice::from_ref(gold), Vec::as_slice));
        lists.flatten().map(text).collect()
    }

    /// The file name and line, without the folders: what may be written into a run.
    pub fn place_in_file(&self) -> &str {
        self.place.rsplit(['/', '\\']).next().unwrap_or(&self.place)
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
            ("{\"id\": 1}\n\u{feff}{\"id\": 2}\n", "t:2"),
        ] {
            let error = parse_json("t", text).unwrap_err().to_string();
            assert!(error.starts_with(place), "{error}");
        }
        let error = parse_csv("t.csv", "id,answer\n1,x\n2,y,z\n").unwrap_err().to_string();
        assert!(error.starts_with("t.csv:3"), "{error}");
        let error = parse_csv("t.csv", "id, id\n1,x\n").unwrap_err().to_string();
        assert!(error.contains("\"id\" stands twice"), "{error}");
    }

    fn row(text: &str) -> Row {
        parse_json("t", text).unwrap().remove(0)
    }

    #[test]
    fn ids_and_golds_are_texts_or_numbers() {
        for (text, id, golds) in [
            (r#"{"id": 1, "answer": "x"}"#, "1", vec!["x"]),
            (r#"{"id": 1.0, "answer": 42}"#, "1", vec!["42"]),
            (r#"{"id": "001", "answers": "x"}"#, "001", vec!["x"]),
            (r#"{"id": " q7 ", "answers": ["x", 2.0, 0.5, true]}"#, "q7", vec!["x", "2", "0.5", "true"]),
            (r#"{"id": "a/../b", "answer": ["x", "y"]}"#, "a/../b", vec!["x", "y"]),
            (r#"{"id": "c", "answers": "[\"x\", \"y\"]"}"#, "c", vec!["x", "y"]),
            (r#"{"id": "c", "answers": "[sic]"}"#, "c", vec!["[sic]"]),
            (r#"{"id": "e", "answers": []}"#, "e", vec![]),
        ] {
            let row = row(text);
            assert_eq!(row.id().unwrap().unwrap().as_str(), id, "{text}");
            assert_eq!(row.text_golds().unwrap(), golds, "{text}");
        }
        for (text, id) in [
            (r#"{"questionId": 7, "key": "k"}"#, "7"),
            (r#"{"uid": "UID0001", "id": "a"}"#, "a"),
            (r#"{"month": "202601", "no": 3}"#, "202601:3"),
            (r#"{"no": "4"}"#, "4"),
        ] {
            assert_eq!(row(text).released_id().unwrap().as_str(), id, "{text}");
        }
        assert!(row(r#"{"month": "202601"}"#).released_id().is_err());
        for (text, field) in [
            (r#"{"id": [1]}"#, "id"),
            (r#"{"id": " "}"#, "id"),
            (r#"{"id": 1}"#, "neither field `answer`"),
            (r#"{"answer": null}"#, "neither field `answer`"),
            (r#"{"answers": ["x", null]}"#, "not null"),
            (r#"{"answer": {"a": 1}}"#, "answer"),
        ] {
            let row = row(text);
            let error = row.id().map(drop).and(row.text_golds().map(drop)).unwrap_err().to_string();
            assert!(error.contains(field), "{error}");
        }
    }
}
