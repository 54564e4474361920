//! What a run was made with (`manifest.json`).
//!
//! Always holds: a manifest holds no key, no time and no absolute path of this machine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use textualrl_model::{FeedbackLevel, Fingerprint, Split};

use crate::kind::{Kind, Version};

/// An endpoint as the manifest names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEndpoint {
    /// The model's name.
    pub model: String,
    /// Its URL without credentials, or `simulated`.
    pub endpoint: String,
    /// Whether its answers are simulated or recorded.
    pub simulated: bool,
    /// The fingerprint of every setting that decides its answers.
    pub settings: Fingerprint,
}

/// A split as the manifest names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestSplit {
    /// Tasks in use.
    pub tasks: u32,
    /// Tasks left out because they can never be scored, with the reason.
    pub excluded: BTreeMap<String, String>,
    /// The fingerprint of tasks, golds, protocol and scoring.
    pub fingerprint: Fingerprint,
}

/// What a run was made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the tool that made the run.
    pub tool: String,
    /// The versions of the artifacts that it writes, by kind.
    pub formats: BTreeMap<String, Version>,
    /// The benchmark's name.
    pub benchmark: String,
    /// What must be said beside every number of the run, such as that pages were read as text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<String>,
    /// The splits.
    pub data: BTreeMap<Split, ManifestSplit>,
    /// The fingerprints of the prompt templates by file name.
    pub prompts: BTreeMap<String, Fingerprint>,
    /// The fingerprint of the initial context.
    pub initial_context: Fingerprint,
    /// What of the scorer critics are shown.
    pub feedback: FeedbackLevel,
    /// The target's endpoint.
    pub target: ManifestEndpoint,
    /// The optimizer's endpoint.
    pub optimizer: ManifestEndpoint,
}

impl Manifest {
    /// The version of this tool.
    pub fn tool_version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    /// The versions of the artifacts that this tool writes.
    pub fn tool_formats() -> BTreeMap<String, Version> {
        Kind::versions()
    }
}
