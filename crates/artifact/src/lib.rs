//! The run folder: where every artifact lies, how it is written whole or not at all, and who may write.
//!
//! Always holds: this is the only crate that knows file names, bincode or zstd; a reader accepts every older version
//! and a writer writes the newest.

mod atomic;
pub mod container;
mod envelope;
pub mod failure;
pub mod kind;
pub mod lock;
pub mod manifest;
pub mod record;
pub mod run;
pub mod slot;
pub mod stage_record;

pub use atomic::write as write_whole;
pub use container::{Trajectories, TrajectoryReader, TrajectoryWriter};
pub use failure::{ReadError, WriteError};
pub use kind::{Kind, TextKind, Version};
pub use manifest::{Manifest, ManifestEndpoint, ManifestSplit};
pub use run::{Access, OpenError, Projection, RunDir, RunView, Shard, StageDraft};
pub use slot::Slot;
pub use stage_record::{RoleUsage, StageRecord, StageSummary};
