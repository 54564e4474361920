//! Settings of a data folder, as the defaults have them.

use std::path::Path;

use textualrl_bench::{Benchmark, EpisodeSeed, LoadError, load};
use textualrl_model::settings::{
    Confinement, DataSettings, DocVqaSettings, DocumentMode, DocumentReach, LiveMathSettings,
    OfficeQaSettings, OwnTaskSettings, Recalculation, ScorerSettings, Scoring, SpreadsheetMode,
    SpreadsheetSettings,
};
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
        spreadsheet: SpreadsheetSettings {
            mode: SpreadsheetMode::Multi,
            turns: 8,
            budget_seconds: 60.0,
            run_seconds: 20.0,
            sandbox: Confinement::Auto,
            python: "python3".to_owned(),
            memory_mb: 2048,
            disk_mb: 64,
            processes: 64,
            recalculate: Recalculation::None,
        },
        officeqa: OfficeQaSettings {
            documents: "documents".to_owned(),
            reach: DocumentReach::Sources,
            turns: 24,
            oracle_pages: false,
        },
        docvqa: DocVqaSettings { mode: DocumentMode::Image, image_bytes: 0 },
        livemath: LiveMathSettings { theorem: false, sketch: false },
    }
}

/// A seed for episodes that draw nothing.
pub(crate) const SEED: EpisodeSeed = EpisodeSeed { batch: 42, rollout: 0 };

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
    let mut episode = benchmark.start(split, &TaskId::new(task).unwrap(), SEED).unwrap();
    episode.opening(&Context::default());
    episode.act(&Turn::text(Role::Assistant, reply));
    episode.score()
}
