//! Where the files of a split lie in a data folder.
//!
//! Always holds: a split's name decides the file, and an unknown name is an error.

use std::path::{Component, Path, PathBuf};

use textualrl_model::Split;

use super::error::LoadError;

/// The forms of task files.
const EXTENSIONS: [&str; 3] = ["json", "jsonl", "csv"];

/// The folder and file names of a split; `val` is how released data calls validation.
fn names(split: Split) -> &'static [&'static str] {
    match split {
        Split::Train => &["train"],
        Split::Validation => &["val", "validation"],
        Split::Test => &["test"],
    }
}

/// The split of a name.
pub fn split_named(name: &str) -> Option<Split> {
    Split::ALL.into_iter().find(|split| names(*split).contains(&name))
}

/// The file of a split: the alphabetically first JSON, JSONL or CSV file in the split's folder, or a file of the split's name.
///
/// # Errors
/// If there is none.
pub fn split_file(folder: &Path, split: Split) -> Result<PathBuf, LoadError> {
    if !folder.is_dir() {
        let message = "there is no such folder; name the folder of the task files with --data DIR".to_owned();
        return Err(LoadError::Unreadable { path: folder.display().to_string(), message });
    }
    for name in names(split) {
        if let Some(file) = first_task_file(&folder.join(name))? {
            return Ok(file);
        }
        for extension in EXTENSIONS {
            let file = folder.join(format!("{name}.{extension}"));
            if file.is_file() {
                return Ok(file);
            }
        }
    }
    let expected = names(split).iter().map(|name| format!("{name}/*.json, {name}.json, .jsonl or .csv"));
    Err(LoadError::NoSplit {
        folder: folder.display().to_string(),
        split: split.name(),
        expected: expected.collect::<Vec<_>>().join(", "),
    })
}

fn first_task_file(folder: &Path) -> Result<Option<PathBuf>, LoadError> {
    if folder.is_dir() { Ok(in_folder(folder)?.into_iter().next()) } else { Ok(None) }
}

/// The task files at a place: the file itself, or those of a folder by name.
///
/// # Errors
/// If there is no such place, or no task file in the folder.
pub fn task_files(place: &Path) -> Result<Vec<PathBuf>, LoadError> {
    if place.is_file() {
        return Ok(vec![place.to_owned()]);
    }
    let files = in_folder(place)?;
    if files.is_empty() {
        let message = "it has no .json, .jsonl or .csv file".to_owned();
        return Err(LoadError::Unreadable { path: place.display().to_string(), message });
    }
    Ok(files)
}

/// The task files of a folder by name.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let unreadable = |error: std::io::Error| LoadError::Unreadable {
        path: folder.display().to_string(),
        message: error.to_string(),
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a path that the data name stays inside the folder that it is relative to. It says nothing of links.
pub fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// The file `items` of a folder without splits, if there is one.
pub fn unsplit_file(folder: &Path) -> Option<PathBuf> {
    let files = EXTENSIONS.iter().map(|extension| folder.join(format!("items.{extension}")));
    files.into_iter().find(|file| file.is_file())
}
