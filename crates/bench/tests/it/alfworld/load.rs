//! Loading the tasks.

use std::path::Path;

use tempfile::TempDir;
use textualrl_bench::Benchmark;
use textualrl_bench::alfworld::load;
use textualrl_model::{Context, Split, TaskId};

use super::{HARBOUR, changed};
use crate::settings::{SEED, data};

const GOOD: &str = "games/harbour/game.tw-pddl";
const BAD: &str = "games/broken/game.tw-pddl";

/// A data folder with a task for each split: train has two more of which one cannot be played.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let put = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for name in ["harbour", "first", "second", "third"] {
        put(&format!("games/{name}/game.tw-pddl"), HARBOUR);
    }
    put(BAD, &changed("(:goal", "(:aim"));
    let row = |id: &str, game: &str| format!("{{\"id\": \"{id}\", \"gamefile\": \"{game}\"}}");
    let train =
        [row("train:0", GOOD), row("train:1", BAD), row("train:2", "games/first/game.tw-pddl")].join(",");
    put("train/items.json", &format!("[{train}]"));
    put("val/items.json", &format!("[{}]", row("val:0", "games/second/game.tw-pddl")));
    put("test.jsonl", &row("test:0", "games/third/game.tw-pddl"));
    folder
}

fn loaded(folder: &Path) -> Result<Box<dyn Benchmark>, String> {
    load(&data("alfworld", folder)).map_err(|error| error.to_string())
}

#[test]
fn tasks_are_loaded_and_what_cannot_be_played_is_named() {
    let folder = folder();
    let benchmark = loaded(folder.path()).unwrap();
    let ids: Vec<String> = benchmark.listing(Split::Train).tasks.iter().map(ToString::to_string).collect();
    assert_eq!(ids, ["train:0", "train:2"]);
    let excluded = &benchmark.listing(Split::Train).excluded;
    assert!(excluded.len() == 1 && excluded[0].reason.contains(":aim"), "{excluded:?}");
    let task = TaskId::new("val:0").unwrap();
    let mut episode = benchmark.start(Split::Validation, &task, SEED).unwrap();
    assert_eq!(episode.opening(&Context::new("")).len(), 2);
    assert!(benchmark.start(Split::Test, &task, SEED).is_err());
    assert!(!benchmark.initial_context().is_blank());
}

#[test]
fn the_fingerprint_follows_the_games() {
    let folder = folder();
    let before = loaded(folder.path()).unwrap();
    let text = changed("Spare - crate", "Other - crate");
    std::fs::write(folder.path().join(GOOD), text).unwrap();
    let task = TaskId::new("train:0").unwrap();
    let error = before.start(Split::Train, &task, SEED).err().unwrap().to_string();
    assert!(error.contains("has changed since it was loaded"), "{error}");
    let after = loaded(folder.path()).unwrap();
    assert_ne!(before.listing(Split::Train).fingerprint, after.listing(Split::Train).fingerprint);
    assert_eq!(before.listing(Split::Test).fingerprint, after.listing(Split::Test).fingerprint);
}

#[test]
fn rows_that_lead_astray_are_refused() {
    for (row, parts) in [
        ("{\"id\": \"a\", \"gamefile\": \"../game.tw-pddl\"}", ["test.jsonl:1", "within the data folder"]),
        ("{\"id\": \"a\", \"gamefile\": \"/etc/passwd\"}", ["test.jsonl:1", "within the data folder"]),
        ("{\"id\": \"a\", \"gamefile\": \"games/none.tw-pddl\"}", ["none.tw-pddl", "ALFWORLD_DATA"]),
        ("{\"id\": \"a\"}", ["test.jsonl:1", "`gamefile` is missing"]),
        ("{\"gamefile\": \"games/third/game.tw-pddl\"}", ["test.jsonl:1", "none of the fields"]),
    ] {
        let folder = folder();
        std::fs::write(folder.path().join("test.jsonl"), row).unwrap();
        let message = loaded(folder.path()).err().unwrap();
        for part in parts {
            assert!(message.contains(part), "{row}: {message}");
        }
    }
    assert!(loaded(Path::new("")).is_err());
}
