//! The index: which rollout lies where.
//!
//! Always holds: frozen like the records of `record`, and read only after its hash was checked.

use serde::{Deserialize, Serialize};

/// Where a rollout lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct IndexEntry {
    /// The task's id.
    pub(super) task: String,
    /// The rollout's index, from 1.
    pub(super) rollout: u32,
    /// Where its block begins in the file.
    pub(super) block: u64,
    /// Where its record begins in the uncompressed block.
    pub(super) position: u32,
}
