//! Settings of a data folder, as the defaults have them.

use std::path::Path;

use textualrl_bench::{Benchmark, LoadError, load};
use textualrl_model::settings::{DataSettings, OwnTaskSettings, ScorerSettings, Scoring};
use textualrl_model::{Context, Outcome, Role, Split, TaskId, Turn};

/// The settings for a folder.
pub(crate) fn data(benchmark: &str, folder: &Path) -> DataSettings {
    DataSettings {
        benchmark: benchmark.to_owned(),
        dir: folder.display().to_string(),
        context: String::new(),
        scoring: Scoring::Corrected,
        limit: 0,
        own: OwnTaskSettings {
            tasks: String::new(),
            train: "train.jsonl".to_owned(),
            validation: "validation.jsonl".to_owned(),
            test: "test.jsonl".to_owned(),
            ratio: [0.5, 0.25, 0.25],
            seed: 1,
            template: "{{ input }}".to_owned(),
            scorer: ScorerSettings {
                name: "normalized".to_owned(),
                tolerance: 0.0,
                threshold: 1.0,
                command: Vec::new(),
                timeout_seconds: 5.0,
                safe_feedback: false,
            },
        },
    }
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// The message of a data set that must not load.
pub(crate) fn refused(settings: &DataSettings) -> String {
    let loaded: Result<Box<dyn Benchmark>, LoadError> = load(settings);
    match loaded {
        Ok(_) => panic!("the data loads"),
        Err(error) => error.to_string(),
    }
}

/// The outcome of a reply to a task.
pub(crate) fn outcome(benchmark: &dyn Benchmark, split: Split, task: &str, reply: &str) -> Outcome {
    let mut episode = benchmark.start(split, &TaskId::new(task).unwrap(), 0).unwrap();
    episode.opening(&Context::default());
    episode.act(&Turn::text(Role::Assistant, reply));
    episode.score()
}
