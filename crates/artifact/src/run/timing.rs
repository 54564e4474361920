//! How long the stages took (`timings.json`).
//!
//! Always holds: times stand here and in the log only, so that artifacts of equal runs are equal bytes.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{RunDir, read_json_file};
use crate::atomic;
use crate::envelope;
use crate::failure::{ReadError, WriteError};
use crate::kind::Kind;
use crate::slot::Slot;

impl RunDir {
    /// Records how long a slot took, in place of what was recorded before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn record_timing(&self, slot: Slot, took: Duration) -> Result<(), WriteError> {
        let path = self.root.join(Kind::Timings.file());
        self.check_write(&path)?;
        let mut timings = self.timings()?;
        timings.insert(slot.folder(), took.as_secs_f64());
        atomic::write(&path, &envelope::encode(&path, Kind::Timings, &timings)?)
    }

    /// Seconds by slot folder. Damaged timings are no timings: nothing depends on them.
    ///
    /// # Errors
    /// If the file cannot be read or is newer than this tool.
    pub fn timings(&self) -> Result<BTreeMap<String, f64>, ReadError> {
        match read_json_file(&self.root.join(Kind::Timings.file()), Kind::Timings) {
            Err(ReadError::Missing { .. } | ReadError::Damaged { .. }) => Ok(BTreeMap::new()),
            timings => timings,
        }
    }
}
