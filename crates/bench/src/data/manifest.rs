//! Released lists of the tasks of each split, and data beside them.
//!
//! Always holds: a split of any name but those known is refused; ids are compared and never used as paths.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use textualrl_model::{Split, TaskId};

use super::error::LoadError;
use super::folder;
use super::row::{self, Row};
use super::split::Splits;

/// The tasks that a benchmark's released splits have.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The rows of each split, in the released order.
    pub rows: Splits<Vec<Row>>,
}

/// How the tasks of a split compare to the released ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Comparison {
    /// The same tasks.
    Complete,
    /// Some of the tasks.
    Subset {
        /// How many the released split has.
        of: usize,
    },
    /// Tasks that the released split does not have.
    Different {
        /// Those tasks.
        unknown: Vec<TaskId>,
        /// How many of the released ones are missing.
        missing: usize,
    },
}

impl Manifest {
    /// Reads a manifest: a file `{"splits": {"train": [{"id": …}, …], "val": …, "test": …}}`, a folder that has it as
    /// `BENCHMARK.json`, or a folder with a file for each split.
    ///
    /// # Errors
    /// If it cannot be read, is of another benchmark, or has a split of another name.
    pub fn read(path: &Path, benchmark: &str) -> Result<Self, LoadError> {
        let inside = path.join(format!("{benchmark}.json"));
        let rows = match (path.is_dir(), inside.is_file()) {
            (true, false) => Splits::make(|split| row::read(&folder::split_file(path, split)?))?,
            (true, true) => of_file(&inside, benchmark)?,
            (false, _) => of_file(path, benchmark)?,
        };
        let manifest = Self { rows };
        // Whoever compares needs ids that can be relied upon.
        Splits::make(|split| manifest.ids(split).map(drop))?;
        Ok(manifest)
    }

    /// The ids of a split.
    ///
    /// # Errors
    /// If a row has none.
    pub fn ids(&self, split: Split) -> Result<Vec<TaskId>, LoadError> {
        self.rows.of(split).iter().map(Row::released_id).collect()
    }

    /// How a split's tasks compare.
    ///
    /// # Errors
    /// If a row of the manifest has no id.
    pub fn compare(&self, split: Split, tasks: &[TaskId]) -> Result<Comparison, LoadError> {
        let released = self.ids(split)?;
        let (known, found): (BTreeSet<&TaskId>, BTreeSet<&TaskId>) =
            (released.iter().collect(), tasks.iter().collect());
        let unknown: Vec<TaskId> = tasks.iter().filter(|id| !known.contains(id)).cloned().collect();
        let missing = known.difference(&found).count();
        Ok(match (unknown.is_empty(), missing) {
            (true, 0) => Comparison::Complete,
            (true, _) => Comparison::Subset { of: known.len() },
            (false, _) => Comparison::Different { unknown, missing },
        })
    }
}

fn of_file(path: &Path, benchmark: &str) -> Result<Splits<Vec<Row>>, LoadError> {
    let name = path.display().to_string();
    let unreadable = |message: String| LoadError::Unreadable { path: name.clone(), message };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let written: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        LoadError::row(&format!("{name}:{}", error.line()), format!("this is no JSON ({error})"))
    })?;
    let of = written.get("benchmark").and_then(Value::as_str).unwrap_or(benchmark);
    if of != benchmark {
        return Err(LoadError::row(&name, format!("this is the manifest of {of}, not of {benchmark}")));
    }
    let splits = written.get("splits").and_then(Value::as_object);
    let splits = splits.ok_or_else(|| LoadError::row(&name, "field `splits` must be an object of lists"))?;
    if let Some(unknown) = splits.keys().find(|key| folder::split_named(key).is_none()) {
        let problem = format!("{unknown:?} is no split; they are called train, val (or validation) and test");
        return Err(LoadError::row(&name, problem));
    }
    Splits::make(|split| {
        let listed = splits.iter().find(|(key, _)| folder::split_named(key) == Some(split));
        let (key, rows) =
            listed.ok_or_else(|| LoadError::row(&name, format!("the {split} split is missing")))?;
        row::parse_json(&format!("{name}, split {key}"), &rows.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"benchmark": "x", "splits": {"train": [{"id": 1}, {"id": 2}], "val": [{"id": 3}], "test": [{"id": 4}]}}"#;

    fn read(text: &str) -> Result<Manifest, LoadError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.json");
        std::fs::write(&file, text).unwrap();
        let direct = Manifest::read(&file, "x");
        assert_eq!(direct.is_ok(), Manifest::read(folder.path(), "x").is_ok());
        direct
    }

    #[test]
    fn data_are_complete_a_part_or_different() {
        let manifest = read(TEXT).unwrap();
        let different = |unknown: &str, missing| Comparison::Different {
            unknown: vec![TaskId::new(unknown).unwrap()],
            missing,
        };
        for (ids, expected) in [
            (vec!["2", "1"], Comparison::Complete),
            (vec!["2"], Comparison::Subset { of: 2 }),
            (vec!["1", "2", "9"], different("9", 0)),
            (vec!["1", "9"], different("9", 1)),
        ] {
            let ids: Vec<TaskId> = ids.into_iter().map(|id| TaskId::new(id).unwrap()).collect();
            assert_eq!(manifest.compare(Split::Train, &ids).unwrap(), expected, "{ids:?}");
        }
    }

    #[test]
    fn what_is_no_manifest_is_said() {
        for (text, said) in [
            ("{", "no JSON"),
            ("{}", "`splits`"),
            (&TEXT.replace("\"x\"", "\"y\""), "manifest of y"),
            (&TEXT.replace("val", "valid_seen"), "\"valid_seen\" is no split"),
            (&TEXT.replace("{\"id\": 3}", "{}"), "split val, item 1: none of the fields `id`"),
            (r#"{"splits": {"train": [], "val": []}}"#, "the test split is missing"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_folder_may_have_a_file_for_each_split() {
        let folder = tempfile::tempdir().unwrap();
        for split in ["train", "val", "test"] {
            std::fs::create_dir(folder.path().join(split)).unwrap();
            let rows = format!("[{{\"id\": \"{split}\"}}]");
            std::fs::write(folder.path().join(split).join("items.json"), rows).unwrap();
        }
        let manifest = Manifest::read(folder.path(), "x").unwrap();
        assert_eq!(manifest.ids(Split::Validation).unwrap(), [TaskId::new("val").unwrap()]);
    }
}
