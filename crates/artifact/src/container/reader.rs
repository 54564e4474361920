//! Reads a container: in order with flat memory, or one trajectory alone.
//!
//! Always holds: nothing is returned from a block whose hash was not checked; after the last trajectory the whole file
//! has been checked.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::vec;

use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use textualrl_model::{RolloutIndex, TaskId, Trajectory};

use super::block::{self, BLOCK_HEADER_LENGTH, BlockHeader};
use super::header::{HEADER_LENGTH, TRAILER_LENGTH, Trailer, check_header};
use super::index::IndexEntry;
use crate::failure::ReadError;
use crate::record::v1::TrajectoryRecord;

/// An open file of trajectories.
#[derive(Debug)]
pub struct TrajectoryReader {
    path: Utf8PathBuf,
    file: File,
    trailer: Trailer,
}

/// A block as it lies in the file.
struct StoredBlock {
    header: BlockHeader,
    payload: Vec<u8>,
}

impl TrajectoryReader {
    /// Opens a file and checks its header, trailer and index.
    ///
    /// # Errors
    /// If it is missing, holds something else, is damaged, or is newer than this tool.
    pub fn open(path: &Utf8Path) -> Result<Self, ReadError> {
        let storage = |source| ReadError::storage(path, source);
        let mut file = File::open(path).map_err(storage)?;
        let length = file.metadata().map_err(storage)?.len();
        let mut header = [0; HEADER_LENGTH];
        if length < HEADER_LENGTH as u64 {
            return Err(ReadError::damaged(path, "it is cut off"));
        }
        file.read_exact(&mut header).map_err(storage)?;
        check_header(path, &header)?;
        let Some(end) = length.checked_sub(TRAILER_LENGTH as u64).filter(|end| *end >= HEADER_LENGTH as u64)
        else {
            return Err(ReadError::damaged(path, "it is cut off"));
        };
        let mut trailer = [0; TRAILER_LENGTH];
        file.seek(SeekFrom::Start(end)).map_err(storage)?;
        file.read_exact(&mut trailer).map_err(storage)?;
        let trailer = Trailer::decode(path, &header, &trailer)?;
        let mut reader = Self { path: path.to_owned(), file, trailer };
        let index = reader.block_at(trailer.index)?;
        let ends = trailer.index + (BLOCK_HEADER_LENGTH + index.payload.len()) as u64;
        if ends != end || u64::from(index.header.records) != trailer.records {
            return Err(reader.damaged("its index is of another file".to_owned()));
        }
        index.header.decompress(&index.payload).map_err(|message| reader.damaged(message))?;
        Ok(reader)
    }

    /// The number of trajectories.
    pub fn len(&self) -> u64 {
        self.trailer.records
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All trajectories in the order they were written, a few blocks at a time.
    pub fn iter(&mut self) -> Trajectories<'_> {
        Trajectories {
            reader: self,
            next: HEADER_LENGTH as u64,
            seen: 0,
            ready: Vec::new().into_iter(),
            failed: false,
        }
    }

    /// All trajectories at once.
    ///
    /// # Errors
    /// If a block is damaged.
    pub fn read_all(&mut self) -> Result<Vec<Trajectory>, ReadError> {
        self.iter().collect()
    }

    /// The keys of all trajectories in the order they were written, from the index alone.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn keys(&mut self) -> Result<Vec<(TaskId, RolloutIndex)>, ReadError> {
        let entries = self.entries()?;
        let keys = entries.into_iter().map(|entry| {
            let task = TaskId::new(entry.task).map_err(|error| self.damaged(error.to_string()))?;
            Ok((task, RolloutIndex::new(entry.rollout)))
        });
        keys.collect()
    }

    /// One trajectory, read without the others; nothing if the file has no such rollout.
    ///
    /// # Errors
    /// If the index or the block is damaged.
    pub fn find(&mut self, task: &TaskId, rollout: RolloutIndex) -> Result<Option<Trajectory>, ReadError> {
        let entries = self.entries()?;
        let wanted = |entry: &&IndexEntry| entry.task == task.as_str() && entry.rollout == rollout.get();
        let Some(entry) = entries.iter().find(wanted) else { return Ok(None) };
        let stored = self.block_at(entry.block)?;
        let raw = stored.header.decompress(&stored.payload).map_err(|message| self.damaged(message))?;
        let bytes = raw.get(entry.position as usize..).unwrap_or_default();
        let found = block::split_record(bytes).and_then(|(record, _)| trajectory(record));
        found.map(Some).map_err(|message| self.damaged(message))
    }

    fn entries(&mut self) -> Result<Vec<IndexEntry>, ReadError> {
        let index = self.block_at(self.trailer.index)?;
        let raw = index.header.decompress(&index.payload).map_err(|message| self.damaged(message))?;
        block::records(&raw, index.header.records, Ok).map_err(|message| self.damaged(message))
    }

    fn block_at(&mut self, offset: u64) -> Result<StoredBlock, ReadError> {
        let mut header = [0; BLOCK_HEADER_LENGTH];
        self.file.seek(SeekFrom::Start(offset)).map_err(|source| ReadError::storage(&self.path, source))?;
        let header = match self.file.read_exact(&mut header) {
            Ok(()) => BlockHeader::decode(&header)
                .ok_or_else(|| self.damaged("a block has no header".to_owned()))?,
            Err(error) => return Err(self.cut_off(error)),
        };
        let mut payload = Vec::new();
        // Not allocated beforehand: the length has not been checked yet.
        let read = self.file.by_ref().take(u64::from(header.compressed)).read_to_end(&mut payload);
        match read {
            Ok(length) if length == header.compressed as usize => Ok(StoredBlock { header, payload }),
            Ok(_) => Err(self.damaged("a block is cut off".to_owned())),
            Err(error) => Err(self.cut_off(error)),
        }
    }

    fn cut_off(&self, error: std::io::Error) -> ReadError {
        if error.kind() == std::io::ErrorKind::UnexpectedEof {
            self.damaged("a block is cut off".to_owned())
        } else {
            ReadError::storage(&self.path, error)
        }
    }

    fn damaged(&self, message: String) -> ReadError {
        ReadError::damaged(&self.path, message)
    }
}

fn trajectory(record: TrajectoryRecord<'static>) -> Result<Trajectory, String> {
    Trajectory::try_from(record).map_err(|error| error.to_string())
}

/// The trajectories of a file in order. Ends after the first error.
#[derive(Debug)]
pub struct Trajectories<'a> {
    reader: &'a mut TrajectoryReader,
    next: u64,
    seen: u64,
    ready: vec::IntoIter<Trajectory>,
    failed: bool,
}

impl Trajectories<'_> {
    /// Reads as many blocks as there are threads and decodes them side by side; false at the end.
    fn refill(&mut self) -> Result<bool, ReadError> {
        let mut stored = Vec::new();
        while stored.len() < rayon::current_num_threads() && self.next < self.reader.trailer.index {
            let block = self.reader.block_at(self.next)?;
            self.next += (BLOCK_HEADER_LENGTH + block.payload.len()) as u64;
            self.seen += u64::from(block.header.records);
            stored.push(block);
        }
        let wrong_end = self.next > self.reader.trailer.index;
        if wrong_end || (stored.is_empty() && self.seen != self.reader.trailer.records) {
            return Err(self.reader.damaged("its blocks and its index disagree".to_owned()));
        }
        let more = !stored.is_empty();
        let decoded: Result<Vec<Vec<Trajectory>>, String> = stored
            .into_par_iter()
            .map(|block| {
                let raw = block.header.decompress(&block.payload)?;
                block::records(&raw, block.header.records, trajectory)
            })
            .collect();
        let decoded = decoded.map_err(|message| self.reader.damaged(message))?;
        self.ready = decoded.into_iter().flatten().collect::<Vec<_>>().into_iter();
        Ok(more)
    }
}

impl Iterator for Trajectories<'_> {
    type Item = Result<Trajectory, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(trajectory) = self.ready.next() {
                return Some(Ok(trajectory));
            }
            if self.failed {
                return None;
            }
            match self.refill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
