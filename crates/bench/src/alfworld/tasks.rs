//! ALFWorld's tasks as the data has them: rows that name game files.
//!
//! Always holds: a game file lies in the data folder; a task whose game cannot be played is excluded and named.

use std::path::{Path, PathBuf};

use serde::Serialize;
use textualrl_model::{Fingerprint, TaskId};

use super::game::Game;
use crate::benchmark::ExcludedTask;
use crate::data::LoadError;
use crate::data::folder::stays_inside;
use crate::data::row::Row;
use crate::data::split::Located;

/// The variable that names the folder of the game files where ALFWorld's own download put them.
const DATA_VARIABLE: &str = "ALFWORLD_DATA";

/// The types of tasks, in the order in which the released scorer looks for them in a path.
const TYPES: [&str; 6] = [
    "pick_and_place",
    "pick_two_obj_and_place",
    "look_at_obj_in_light",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_clean_then_place_in_recep",
];

/// The type of a task by its game's path: the first that is contained, or `other`.
pub fn task_type(game_file: &str) -> &'static str {
    TYPES.into_iter().find(|name| game_file.contains(name)).unwrap_or("other")
}

/// A task: a game file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct AlfWorldTask {
    pub(super) id: TaskId,
    /// The game file as the row names it, relative to the data folder.
    pub(super) game_file: String,
    /// The fingerprint of the game file's bytes.
    pub(super) game: Fingerprint,
    #[serde(skip)]
    pub(super) path: PathBuf,
    #[serde(skip)]
    place: String,
}

impl AlfWorldTask {
    /// Reads a row and its game; the inner error is a task that can never be played.
    pub(super) fn of(row: &Row, folder: &Path) -> Result<Result<Self, ExcludedTask>, LoadError> {
        let id = row.released_id()?;
        let game_file = row.text("gamefile")?.to_owned();
        if !stays_inside(Path::new(&game_file)) {
            let problem = format!("field `gamefile`: {game_file:?} must be a path within the data folder");
            return Err(LoadError::row(&row.place, problem));
        }
        let path = locate(folder, &game_file);
        let text = std::fs::read_to_string(&path).map_err(|error| LoadError::Unreadable {
            path: path.display().to_string(),
            message: format!("{error}; {} names it. Put the games there, or set {DATA_VARIABLE}", row.place),
        })?;
        let game = Fingerprint::of(text.as_bytes());
        Ok(match Game::load(&text) {
            Ok(_) => Ok(Self { id, game_file, game, path, place: row.place.clone() }),
            Err(error) => Err(ExcludedTask { task: id, reason: format!("{game_file}: {error}") }),
        })
    }
}

/// The game file in the data folder, or in the folder of ALFWorld's download if only that one has it.
fn locate(folder: &Path, game_file: &str) -> PathBuf {
    let here = folder.join(game_file);
    let there = || Some(PathBuf::from(std::env::var_os(DATA_VARIABLE)?).join(game_file));
    if here.is_file() { here } else { there().filter(|path| path.is_file()).unwrap_or(here) }
}

impl Located for AlfWorldTask {
    fn id(&self) -> &TaskId {
        &self.id
    }

    fn input(&self) -> &str {
        &self.game_file
    }

    fn place(&self) -> &str {
        &self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_the_first_that_the_path_contains() {
        for (path, expected) in [
            ("train/pick_and_place_simple-A-None-B-1/t/game.tw-pddl", "pick_and_place"),
            ("train/pick_two_obj_and_place-A-None-B-1/t/game.tw-pddl", "pick_two_obj_and_place"),
            ("harbour.json", "other"),
        ] {
            assert_eq!(task_type(path), expected);
        }
    }
}
