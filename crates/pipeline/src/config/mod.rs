//! The configuration of a run: built-in defaults, a preset, a file, single keys.
//!
//! Always holds: a `RunConfig` is complete and has passed every check; nothing is read here from an environment
//! variable or the file system, except the one file that [`UserFile::read`] is asked for.

mod check;
mod error;
mod keys;
mod layer;
mod reference;
mod sources;

use serde::{Deserialize, Serialize};
use textualrl_model::settings::{
    CritiqueSettings, DataSettings, EndpointSettings, EvaluationSettings, HistorySettings, LimitSettings,
    PatchSettings, ReviewSettings, RolloutSettings, RunSettings,
};

pub use error::{ConfigError, Problem};
pub use keys::{differing_keys, harmless, settings_fingerprint};
pub use reference::reference_markdown;
pub use sources::{PRESETS, Sources, UserFile, preset_text};

/// The complete configuration of a run, section by section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// The run as a whole.
    pub run: RunSettings,
    /// Where the tasks come from.
    pub data: DataSettings,
    /// The frozen agent's model.
    pub target: EndpointSettings,
    /// The model that critiques, merges, reviews and ranks.
    pub optimizer: EndpointSettings,
    /// How training rollouts are collected.
    pub rollout: RolloutSettings,
    /// How validation and test are sampled.
    pub evaluation: EvaluationSettings,
    /// How critics are called.
    pub critique: CritiqueSettings,
    /// How proposals are merged and reviewed.
    pub review: ReviewSettings,
    /// How the patch is made.
    pub patch: PatchSettings,
    /// What critics are told of earlier steps.
    pub history: HistorySettings,
    /// When to stop rather than to go on.
    pub limits: LimitSettings,
}

impl RunConfig {
    /// The configuration that these sources give.
    ///
    /// # Errors
    /// If a source is no TOML, holds an unknown key or a wrong value, or if the whole makes no sense. Each problem
    /// names the file and line, or the flag, and the remedy.
    pub fn resolve(sources: &Sources) -> Result<Self, ConfigError> {
        let layers = sources.layers()?;
        let config = layer::deserialize(&layers)?;
        let problems = check::problems(&config);
        if problems.is_empty() { Ok(config) } else { Err(ConfigError::of(problems, &layers)) }
    }

    /// The configuration that a run was made with (`run.toml`), on the defaults, so that a run of an earlier version
    /// lacks no key.
    ///
    /// # Errors
    /// As [`RunConfig::resolve`].
    pub fn from_run_toml(text: &str) -> Result<Self, ConfigError> {
        Self::resolve(&Sources { file: Some(UserFile::of_run(text)), ..Sources::default() })
    }

    /// The whole configuration as TOML, every default written out.
    ///
    /// # Errors
    /// If a number is larger than TOML can hold, which no checked configuration has.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(self)
    }
}
