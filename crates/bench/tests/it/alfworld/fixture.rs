//! The games of our own: a lighthouse to keep in order.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use textualrl_bench::alfworld::transcripts::check_folder;
use textualrl_bench::alfworld::{Game, Play, load, task_type};
use textualrl_model::Split;

use crate::settings::data;

/// The steps that a play may take.
const MOST_STEPS: usize = 50;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/alfworld")
}

/// The rows of a split.
fn rows(split: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join(format!("{split}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_split_loads_whole() {
    let benchmark = load(&data("alfworld", &folder())).unwrap();
    for (split, tasks) in [(Split::Train, 12), (Split::Validation, 8), (Split::Test, 6)] {
        let listing = benchmark.listing(split);
        assert_eq!((listing.tasks.len(), listing.excluded.len()), (tasks, 0), "{split}");
    }
}

#[test]
fn every_game_is_won_by_its_own_walkthrough_and_by_no_less() {
    let mut games = BTreeSet::new();
    for row in ["train", "val", "test"].into_iter().flat_map(rows) {
        let file = row["gamefile"].as_str().unwrap();
        let text = std::fs::read_to_string(folder().join(file)).unwrap();
        let game = Arc::new(Game::load(&text).unwrap());
        let mut play = Play::start(game.clone()).unwrap();
        assert!((2..MOST_STEPS).contains(&game.walkthrough().len()), "{file}");
        for command in game.walkthrough() {
            assert!(!play.is_won(), "{file} is won before {command}");
            assert!(play.admissible().unwrap().contains(command), "{file}: {command}");
            play.step(command).unwrap();
        }
        assert!(play.is_won(), "{file}");
        games.insert(text);
    }
    assert_eq!(games.len(), 26, "two games are the same");
}

#[test]
fn the_splits_have_all_types() {
    for split in ["train", "val", "test"] {
        let rows = rows(split);
        let types: BTreeSet<&str> =
            rows.iter().map(|row| task_type(row["gamefile"].as_str().unwrap())).collect();
        assert_eq!(types.len(), 6, "{split}: {types:?}");
        for row in rows {
            let (named, found) =
                (row["task_type"].as_str().unwrap(), task_type(row["gamefile"].as_str().unwrap()));
            assert!(named.starts_with(found), "{named} {found}");
        }
    }
}

#[test]
fn every_game_plays_as_the_reference_engine_recorded() {
    let report = check_folder(&folder()).unwrap().unwrap();
    assert_eq!(report.differences, []);
    assert_eq!((report.games, report.episodes), (27, 57), "the harbour's and the lighthouse's");
}
