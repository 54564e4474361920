//! The run folder: where every artifact lies, how it is written whole or not at all, and who may write.
//!
//! Always holds: this is the only crate that knows file names, bincode or zstd; a reader accepts every older version
//! and a writer writes the newest.

pub mod slot;
pub mod stage_record;

pub use slot::Slot;
pub use stage_record::{RoleUsage, StageRecord, StageSummary};
