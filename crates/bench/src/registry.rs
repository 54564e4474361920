//! The benchmarks by name: one line each.
//!
//! Always holds: an unknown name is an error that says what is known.

use textualrl_model::settings::DataSettings;

use crate::benchmark::Benchmark;
use crate::data::LoadError;
use crate::{alfworld, docvqa, livemath, officeqa, own, searchqa, spreadsheet};

type Loader = fn(&DataSettings) -> Result<Box<dyn Benchmark>, LoadError>;

/// All benchmarks. A new one is a new line here.
const REGISTRY: &[(&str, Loader)] = &[
    ("alfworld", alfworld::load),
    ("docvqa", docvqa::load),
    ("livemath", livemath::load),
    ("officeqa", officeqa::load),
    ("own", own::load),
    ("searchqa", searchqa::load),
    ("spreadsheet", spreadsheet::load),
];

/// The names of all benchmarks.
pub fn names() -> Vec<&'static str> {
    REGISTRY.iter().map(|(name, _)| *name).collect()
}

/// Loads the tasks that the settings name.
///
/// # Errors
/// If there is no such benchmark, or its data cannot be used.
pub fn load(settings: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    let found = REGISTRY.iter().find(|(name, _)| *name == settings.benchmark);
    let Some((_, loader)) = found else {
        let distance = |name: &&str| strsim::levenshtein(name, &settings.benchmark);
        let nearest = names().into_iter().min_by_key(distance).unwrap_or_default();
        return Err(LoadError::UnknownBenchmark {
            name: settings.benchmark.clone(),
            known: names().join(", "),
            nearest: nearest.to_owned(),
        });
    };
    loader(settings)
}
