//! Writes a container, block by block.
//!
//! Always holds: the bytes depend on the trajectories and their order alone, not on the number of threads.

use std::fmt;
use std::io::{BufWriter, Write};

use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use textualrl_model::{Fingerprint, Trajectory};

use super::block::{BLOCK_TARGET, RawBlock};
use super::header::{Trailer, header};
use super::index::IndexEntry;
use crate::failure::WriteError;
use crate::record::v1::TrajectoryRecord;

/// A block that waits for its turn, with the entries of its records (without the block's place).
#[derive(Debug, Default)]
struct Pending {
    block: RawBlock,
    entries: Vec<IndexEntry>,
}

/// Writes trajectories into a new file. Without [`TrajectoryWriter::finish`] the file cannot be read.
pub struct TrajectoryWriter {
    path: Utf8PathBuf,
    file: BufWriter<std::fs::File>,
    hasher: blake3::Hasher,
    written: u64,
    full: Vec<Pending>,
    filling: Pending,
    index: RawBlock,
    records: u64,
}

impl fmt::Debug for TrajectoryWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrajectoryWriter").field("path", &self.path).field("records", &self.records).finish()
    }
}

impl TrajectoryWriter {
    /// Begins the file `path`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Utf8Path) -> Result<Self, WriteError> {
        let file = std::fs::File::create(path).map_err(|source| WriteError::storage(path, source))?;
        let mut writer = Self {
            path: path.to_owned(),
            file: BufWriter::new(file),
            hasher: blake3::Hasher::new(),
            written: 0,
            full: Vec::new(),
            filling: Pending::default(),
            index: RawBlock::default(),
            records: 0,
        };
        writer.put(&header())?;
        Ok(writer)
    }

    /// Adds a trajectory.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, trajectory: &Trajectory) -> Result<(), WriteError> {
        let record = TrajectoryRecord::from(trajectory);
        let position = self.filling.block.push(&record).map_err(|message| self.encode_error(message))?;
        self.filling.entries.push(IndexEntry {
            task: trajectory.task.as_str().to_owned(),
            rollout: trajectory.rollout.get(),
            block: 0,
            position,
        });
        self.records += 1;
        if self.filling.block.len() >= BLOCK_TARGET {
            self.full.push(std::mem::take(&mut self.filling));
            if self.full.len() >= rayon::current_num_threads() {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the file and says its fingerprint. When this returns, the file is on disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<Fingerprint, WriteError> {
        if self.filling.block.len() > 0 {
            self.full.push(std::mem::take(&mut self.filling));
        }
        self.flush()?;
        let trailer = Trailer { index: self.written, records: self.records };
        let index = self.index.compress().map_err(|message| self.encode_error(message))?;
        self.put(&index)?;
        self.put(&trailer.encode())?;
        let storage = |source| WriteError::storage(&self.path, source);
        self.file.flush().map_err(storage)?;
        self.file.get_ref().sync_all().map_err(storage)?;
        Ok(Fingerprint::from(self.hasher.finalize()))
    }

    /// Compresses the full blocks side by side and writes them in order.
    fn flush(&mut self) -> Result<(), WriteError> {
        let full = std::mem::take(&mut self.full);
        let compressed: Vec<Result<Vec<u8>, String>> =
            full.par_iter().map(|pending| pending.block.compress()).collect();
        for (pending, block) in full.into_iter().zip(compressed) {
            let block = block.map_err(|message| self.encode_error(message))?;
            let begin = self.written;
            self.put(&block)?;
            for mut entry in pending.entries {
                entry.block = begin;
                self.index.push(&entry).map_err(|message| self.encode_error(message))?;
            }
        }
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.hasher.update(bytes);
        self.written += bytes.len() as u64;
        self.file.write_all(bytes).map_err(|source| WriteError::storage(&self.path, source))
    }

    fn encode_error(&self, message: String) -> WriteError {
        WriteError::Encode { path: self.path.clone(), message }
    }
}
