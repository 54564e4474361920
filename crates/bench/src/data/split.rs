//! Splits as they must be: no task twice, none empty.
//!
//! Always holds: a leak between splits is refused before anything is run.

use std::collections::BTreeMap;
use std::sync::Arc;

use textualrl_model::{Split, TaskId};

use super::error::LoadError;
use super::row::Row;
use crate::benchmark::ExcludedTask;

/// What the checks look at of a task.
pub trait Located {
    /// Its id.
    fn id(&self) -> &TaskId;
    /// What the agent is given, by which a copy under another id is found.
    fn input(&self) -> &str;
    /// Its file and line.
    fn place(&self) -> &str;
}

/// Something for each of the three splits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Splits<T> {
    /// Of the train split.
    pub train: T,
    /// Of the validation split.
    pub validation: T,
    /// Of the test split.
    pub test: T,
}

impl<T> Splits<T> {
    /// What `make` gives for each split, in order.
    ///
    /// # Errors
    /// The first error of `make`.
    pub fn make<E>(mut make: impl FnMut(Split) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self {
            train: make(Split::Train)?,
            validation: make(Split::Validation)?,
            test: make(Split::Test)?,
        })
    }

    /// What there is for a split.
    pub fn of(&self, split: Split) -> &T {
        match split {
            Split::Train => &self.train,
            Split::Validation => &self.validation,
            Split::Test => &self.test,
        }
    }
}

/// The tasks of a split, and what was left out of it.
#[derive(Debug, Clone)]
pub struct Tasks<T> {
    /// The tasks in file order.
    pub kept: Vec<Arc<T>>,
    /// Those that can never be scored.
    pub excluded: Vec<ExcludedTask>,
    /// Where a task stands in `kept`.
    places: BTreeMap<TaskId, usize>,
    /// Whether the data have no such split at all.
    absent: bool,
}

impl<T: Located> Tasks<T> {
    /// Reads rows; the inner error of `read` is a task that can never be scored. The first `limit` tasks are kept, or
    /// all if it is 0.
    ///
    /// # Errors
    /// All rows that cannot be used.
    pub fn of(
        rows: &[Row],
        limit: u32,
        read: impl Fn(&Row) -> Result<Result<T, ExcludedTask>, LoadError>,
    ) -> Result<Self, LoadError> {
        let (mut kept, mut excluded, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            match read(row) {
                Ok(Ok(task)) => kept.push(Arc::new(task)),
                Ok(Err(one)) => excluded.push(one),
                Err(error) => errors.push(error),
            }
        }
        if let Some(error) = LoadError::all(errors) {
            return Err(error);
        }
        if limit > 0 {
            kept.truncate(limit as usize);
        }
        Ok(Self::new(kept, excluded))
    }

    fn new(kept: Vec<Arc<T>>, excluded: Vec<ExcludedTask>) -> Self {
        let places = kept.iter().enumerate().map(|(place, task)| (task.id().clone(), place)).collect();
        Self { kept, excluded, places, absent: false }
    }

    /// No tasks, because the data have no such split.
    pub fn absent() -> Self {
        Self { absent: true, ..Self::new(Vec::new(), Vec::new()) }
    }

    /// A kept task.
    pub fn find(&self, id: &TaskId) -> Option<&Arc<T>> {
        self.places.get(id).and_then(|place| self.kept.get(*place))
    }
}

/// Checks the splits, train first. A test split may be absent, so that such data can be looked at; it may not be empty.
///
/// # Errors
/// If an id or an input stands twice, or a split is empty.
pub fn check<T: Located>(splits: &Splits<Tasks<T>>, remedy: &'static str) -> Result<(), LoadError> {
    let mut ids: BTreeMap<&TaskId, &str> = BTreeMap::new();
    let mut inputs: BTreeMap<&str, (&str, Split)> = BTreeMap::new();
    for split in Split::ALL {
        for task in &splits.of(split).kept {
            match inputs.get(task.input()) {
                // The same question twice within a split is odd, but leaks nothing.
                Some((other, theirs)) if *theirs != split => {
                    return Err(repeated(task.place(), other, "input".to_owned()));
                }
                Some(_) => {}
                None => {
                    inputs.insert(task.input(), (task.place(), split));
                }
            }
            if let Some(other) = ids.insert(task.id(), task.place()) {
                return Err(repeated(task.place(), other, format!("id {:?}", task.id().as_str())));
            }
        }
    }
    let size = |split: Split| splits.of(split).kept.len();
    let needed = |split: &Split| *split != Split::Test || !splits.of(*split).absent;
    match Split::ALL.into_iter().find(|split| size(*split) == 0 && needed(split)) {
        Some(split) => {
            let sizes: Vec<_> = Split::ALL.into_iter().map(|split| size(split).to_string()).collect();
            let detail = format!("train, validation and test have {}", sizes.join(", "));
            Err(LoadError::Empty { split: split.name(), detail, remedy })
        }
        None => Ok(()),
    }
}

fn repeated(place: &str, other: &str, what: String) -> LoadError {
    LoadError::Repeated { place: place.to_owned(), other: other.to_owned(), what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Task(TaskId, &'static str, String);

    impl Located for Task {
        fn id(&self) -> &TaskId {
            &self.0
        }
        fn input(&self) -> &str {
            self.1
        }
        fn place(&self) -> &str {
            &self.2
        }
    }

    fn task(id: &str, input: &'static str) -> Task {
        Task(TaskId::new(id).unwrap(), input, format!("file:{id}"))
    }

    #[test]
    fn every_bad_row_is_told() {
        let rows = crate::data::row::parse_json("f.jsonl", "{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}").unwrap();
        let read = |bad: &'static [&'static str]| {
            Tasks::of(&rows, 0, move |row| {
                let id = row.id()?.unwrap();
                match bad.contains(&id.as_str()) {
                    true => Err(LoadError::row(&row.place, "bad")),
                    false => Ok(Ok(Task(id, "input", row.place.clone()))),
                }
            })
        };
        assert_eq!(read(&[]).unwrap().kept.len(), 3);
        assert_eq!(read(&["2"]).unwrap_err().to_string(), "f.jsonl:2: bad");
        let several = read(&["1", "3"]).unwrap_err().to_string();
        assert_eq!(several, "2 rows cannot be used:\n  f.jsonl:1: bad\n  f.jsonl:3: bad");
    }

    #[test]
    fn leaks_and_empty_splits_are_refused() {
        let splits = |[train, validation, test]: [Vec<Task>; 3]| {
            let tasks = |kept: Vec<Task>| Tasks::new(kept.into_iter().map(Arc::new).collect(), Vec::new());
            Splits { train: tasks(train), validation: tasks(validation), test: tasks(test) }
        };
        let good = [vec![task("a", "1")], vec![task("b", "2")], vec![task("c", "3")]];
        assert!(check(&splits(good), "").is_ok());
        let cases = [
            ([vec![task("a", "1")], vec![task("a", "2")], vec![task("c", "3")]], "id \"a\""),
            ([vec![task("a", "1")], vec![task("b", "1")], vec![task("c", "3")]], "input"),
            ([vec![task("a", "1")], vec![], vec![task("c", "3")]], "validation"),
        ];
        for (tasks, said) in cases {
            let error = check(&splits(tasks), "").unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
