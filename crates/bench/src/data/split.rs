//! Splits as they must be: no task twice, none empty.
//!
//! Always holds: a leak between splits is refused before anything is run.

use std::collections::BTreeMap;

use textualrl_model::{Split, TaskId};

use super::error::LoadError;

/// What the checks look at of a task.
pub trait Located {
    /// Its id.
    fn id(&self) -> &TaskId;
    /// What the agent is given, by which a copy under another id is found.
    fn input(&self) -> &str;
    /// Its file and line.
    fn place(&self) -> &str;
}

/// Checks the splits, train first.
///
/// # Errors
/// If an id or an input stands twice, or a split is empty.
pub fn check<T: Located>(splits: &[Vec<T>; 3], remedy: &'static str) -> Result<(), LoadError> {
    let mut ids: BTreeMap<&TaskId, &str> = BTreeMap::new();
    let mut inputs: BTreeMap<&str, (&str, Split)> = BTreeMap::new();
    for (tasks, split) in splits.iter().zip(Split::ALL) {
        for task in tasks {
            if let Some(other) = ids.insert(task.id(), task.place()) {
                return Err(repeated(task.place(), other, format!("id {:?}", task.id().as_str())));
            }
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
        }
    }
    let empty = splits.iter().zip(Split::ALL).find(|(tasks, _)| tasks.is_empty());
    match empty {
        Some((_, split)) => {
            let sizes: Vec<_> = splits.iter().map(|tasks| tasks.len().to_string()).collect();
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
    fn leaks_and_empty_splits_are_refused() {
        let good = [vec![task("a", "1")], vec![task("b", "2")], vec![task("c", "3")]];
        assert!(check(&good, "").is_ok());
        let cases = [
            ([vec![task("a", "1")], vec![task("a", "2")], vec![task("c", "3")]], "id \"a\""),
            ([vec![task("a", "1")], vec![task("b", "1")], vec![task("c", "3")]], "input"),
            ([vec![task("a", "1")], vec![], vec![task("c", "3")]], "validation"),
        ];
        for (splits, said) in cases {
            let error = check(&splits, "").unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
