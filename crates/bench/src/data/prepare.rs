//! Tasks from the providers' own files, in the released splits.
//!
//! Always holds: nothing is prepared unless every released task was found exactly once; the released order stays.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use textualrl_model::TaskId;

use super::error::LoadError;
use super::manifest::Manifest;
use super::row::Row;
use super::split::Splits;

/// Why tasks cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// A row or file cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Two rows have one id.
    #[error("{place}: the id {:?} is also at {other}; remove one of the rows", .id.as_str())]
    Repeated {
        /// The id.
        id: TaskId,
        /// The second row.
        place: String,
        /// The first row.
        other: String,
    },
    /// Released tasks are not in the files.
    #[error("{} tasks of the manifest are in none of the files, such as {}; name all files of the distribution", .0.len(), examples(.0))]
    Missing(Vec<TaskId>),
}

fn examples(ids: &[TaskId]) -> String {
    let shown: Vec<&str> = ids.iter().take(3).map(TaskId::as_str).collect();
    shown.join(", ")
}

/// The rows of each split: those of the manifest, filled with the fields of the provider's rows. Without any of those the
/// manifest's own rows are the tasks.
///
/// # Errors
/// If a row has no id or one that another has, or a released task is missing.
pub fn prepare(manifest: &Manifest, source: &[Row]) -> Result<Splits<Vec<Map<String, Value>>>, PrepareError> {
    let known = by_id(source)?;
    let mut missing = Vec::new();
    let splits = Splits::make(|split| {
        let mut rows = Vec::new();
        for (id, released) in manifest.ids(split)?.into_iter().zip(manifest.rows.of(split)) {
            let mut fields = released.fields.clone();
            match known.get(&id) {
                Some(row) => fields.extend(row.fields.clone()),
                None if source.is_empty() => {}
                None => missing.push(id.clone()),
            }
            fields.insert("id".to_owned(), Value::String(id.as_str().to_owned()));
            rows.push(fields);
        }
        Ok::<_, PrepareError>(rows)
    })?;
    if missing.is_empty() { Ok(splits) } else { Err(PrepareError::Missing(missing)) }
}

fn by_id(source: &[Row]) -> Result<BTreeMap<TaskId, &Row>, PrepareError> {
    let mut known: BTreeMap<TaskId, &Row> = BTreeMap::new();
    for row in source {
        let id = row.released_id()?;
        if let Some(other) = known.insert(id.clone(), row) {
            let (place, other) = (row.place.clone(), other.place.clone());
            return Err(PrepareError::Repeated { id, place, other });
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use textualrl_model::Split;

    use super::*;
    use crate::data::row::parse_json;

    fn manifest() -> Manifest {
        let rows = |text: &str| parse_json("m", text).unwrap();
        let (train, validation) =
            (rows(r#"[{"id": "b"}, {"id": "a", "kind": "old"}]"#), rows(r#"[{"id": "c"}]"#));
        Manifest { rows: Splits { train, validation, test: Vec::new() } }
    }

    #[test]
    fn rows_are_filled_in_the_released_order() {
        let source = r#"[{"key": "a", "kind": "new"}, {"key": "c"}, {"key": "x"}, {"key": "b", "q": 1}]"#;
        let prepared = prepare(&manifest(), &parse_json("s", source).unwrap()).unwrap();
        let expected = json!([{"key": "b", "q": 1, "id": "b"}, {"key": "a", "kind": "new", "id": "a"}]);
        assert_eq!(json!(prepared.train), expected);
        assert_eq!(json!(prepared.validation), json!([{"key": "c", "id": "c"}]));
        let own = prepare(&manifest(), &[]).unwrap();
        assert_eq!(json!(own.of(Split::Train)), json!([{"id": "b"}, {"id": "a", "kind": "old"}]));
    }

    #[test]
    fn missing_and_repeated_rows_are_named() {
        for (source, said) in [
            (r#"[{"key": "a"}]"#, "2 tasks of the manifest are in none of the files, such as b, c"),
            (r#"[{"key": "a"}, {"key": "a"}]"#, "s, item 2: the id \"a\" is also at s, item 1"),
            (r#"[{"a": "b"}]"#, "s, item 1: none of the fields"),
        ] {
            let error = prepare(&manifest(), &parse_json("s", source).unwrap()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
