//! The call journal: completed model calls, so that none is paid for twice.
//!
//! Always holds: only completed calls are in it, never failures; the first record of a key is the one that counts;
//! a torn end of a segment is ignored and counted; several processes may write to one partition, each its own segment.

mod flush;
mod frame;
mod journaled;
mod segment;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use textualrl_model::Fingerprint;

pub use journaled::Journaled;

use frame::{FRAME_HEADER, FrameKind};
use segment::{SegmentReader, SegmentWriter};

/// Why the journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A segment cannot be read.
    #[error("the journal cannot be read: {0}")]
    Read(#[source] io::Error),
    /// A record cannot be written.
    #[error("the journal cannot be written: {0}; make room or check the permissions, then resume the run")]
    Write(#[source] io::Error),
    /// Written records did not reach the disk.
    #[error("the journal did not reach the disk: {reason}; check the disk, then resume the run")]
    Sync {
        /// What the system says.
        reason: String,
    },
    /// A newer tool wrote the segment.
    #[error("{} has journal format {version}; use the newer textualrl that wrote it", path.display())]
    Newer {
        /// The segment.
        path: PathBuf,
        /// Its version.
        version: u8,
    },
    /// The file is no segment.
    #[error("{} is no journal segment; move it out of the folder", path.display())]
    NoSegment {
        /// The file.
        path: PathBuf,
    },
    /// A whole record is no reply.
    #[error("{} holds a record that is no reply: {reason}; move the file away to ask again", path.display())]
    NoReply {
        /// The segment.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A record is too long to be written.
    #[error("a reply of 4 GiB or more cannot be journaled")]
    TooLong,
}

/// What happened to the calls of this process, and what was found when the journal was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct JournalCounts {
    /// Completed calls that were found when the journal was opened.
    pub found: u64,
    /// Calls that were sent and never completed when an earlier process ended.
    pub interrupted: u64,
    /// Segments with a torn end.
    pub torn_segments: u64,
    /// Bytes of torn ends, ignored.
    pub torn_bytes: u64,
    /// Calls answered from the journal.
    pub replayed: u64,
    /// Calls sent to the model.
    pub made: u64,
    /// Calls among them whose key had been sent before without a record of the end: at most those in flight at a kill.
    pub repeats: u64,
}

/// One partition of the journal: a folder of segments.
#[derive(Debug)]
pub struct Journal {
    dir: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    replies: HashMap<u128, Place>,
    in_flight: HashSet<u128>,
    segments: Vec<SegmentReader>,
    writer: Option<SegmentWriter>,
    counts: JournalCounts,
}

/// Where a reply stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    segment: usize,
    start: u64,
    length: u32,
}

impl Journal {
    /// Opens the partition in `dir`, which is created if it does not exist. Time is linear in its size; memory holds
    /// the places of the replies and not the replies. Nothing is written before the first call.
    ///
    /// # Errors
    /// If the folder or a segment cannot be read, or a newer tool wrote it.
    pub fn open(dir: &Path) -> Result<Self, JournalError> {
        fs_err::create_dir_all(dir).map_err(JournalError::Write)?;
        let mut state = State::default();
        for path in segment::list(dir)? {
            state.load(path)?;
        }
        state.counts.found = state.replies.len() as u64;
        state.counts.interrupted = state.in_flight.len() as u64;
        if state.counts.torn_segments > 0 {
            let (segments, bytes) = (state.counts.torn_segments, state.counts.torn_bytes);
            tracing::warn!(dir = %dir.display(), segments, bytes, "ignored torn ends of journal segments");
        }
        Ok(Self { dir: dir.to_owned(), state: Mutex::new(state) })
    }

    /// The counts so far.
    pub fn counts(&self) -> JournalCounts {
        self.lock().counts
    }

    /// Waits until every record is on the disk. Records get there by themselves within some 20 ms, and on drop.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn sync(&self) -> Result<(), JournalError> {
        self.lock().writer.as_ref().map_or(Ok(()), SegmentWriter::sync)
    }

    /// The reply of a key as JSON, with the segment that it stands in, if the call is complete.
    fn reply(&self, key: u128) -> Result<Option<(Vec<u8>, PathBuf)>, JournalError> {
        let mut state = self.lock();
        let Some(place) = state.replies.get(&key).copied() else { return Ok(None) };
        let Some(segment) = state.segments.get_mut(place.segment) else { return Ok(None) };
        let payload = segment.read(place.start, place.length)?;
        let path = segment.path().to_owned();
        state.counts.replayed += 1;
        Ok(Some((payload, path)))
    }

    /// Notes that a call is about to be sent.
    fn sending(&self, key: u128) -> Result<(), JournalError> {
        let frame = frame::encode(FrameKind::Sent, key, &[]).ok_or(JournalError::TooLong)?;
        let mut state = self.lock();
        state.append(&self.dir, &frame)?;
        state.counts.made += 1;
        state.counts.repeats += u64::from(!state.in_flight.insert(key));
        Ok(())
    }

    /// Notes that a call failed for good.
    fn failed(&self, key: u128) -> Result<(), JournalError> {
        let frame = frame::encode(FrameKind::Failed, key, &[]).ok_or(JournalError::TooLong)?;
        let mut state = self.lock();
        state.in_flight.remove(&key);
        state.append(&self.dir, &frame).map(drop)
    }

    /// Records a completed call. Returns false if the key has a reply already, which then counts.
    fn complete(&self, key: u128, payload: &[u8]) -> Result<bool, JournalError> {
        let frame = frame::encode(FrameKind::Reply, key, payload).ok_or(JournalError::TooLong)?;
        let length = u32::try_from(payload.len()).map_err(|_| JournalError::TooLong)?;
        let mut state = self.lock();
        if state.replies.contains_key(&key) {
            return Ok(false);
        }
        let start = state.append(&self.dir, &frame)? + FRAME_HEADER as u64;
        let segment = state.segments.len().saturating_sub(1);
        state.replies.insert(key, Place { segment, start, length });
        state.in_flight.remove(&key);
        Ok(true)
    }

    /// A panic elsewhere leaves the index as it was between two records.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes in a segment of an earlier or another process.
    fn load(&mut self, path: PathBuf) -> Result<(), JournalError> {
        let segment = self.segments.len();
        let (replies, in_flight) = (&mut self.replies, &mut self.in_flight);
        let torn = segment::scan(&path, |frame, start| match frame.kind {
            FrameKind::Sent if replies.contains_key(&frame.key) => {}
            FrameKind::Sent => drop(in_flight.insert(frame.key)),
            FrameKind::Failed => drop(in_flight.remove(&frame.key)),
            FrameKind::Reply => {
                in_flight.remove(&frame.key);
                replies.entry(frame.key).or_insert(Place { segment, start, length: frame.length });
            }
        })?;
        self.counts.torn_segments += u64::from(torn > 0);
        self.counts.torn_bytes += torn;
        self.segments.push(SegmentReader::new(path));
        Ok(())
    }

    /// Appends to this process's segment, which is then the last one.
    fn append(&mut self, dir: &Path, frame: &[u8]) -> Result<u64, JournalError> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let writer = SegmentWriter::create(dir)?;
                self.segments.push(SegmentReader::new(writer.path().to_owned()));
                none.insert(writer)
            }
        };
        writer.append(frame)
    }
}

/// A fingerprint as a number.
fn key_number(key: &Fingerprint) -> u128 {
    // A fingerprint is 32 hexadecimal digits, which always fit.
    u128::from_str_radix(key.as_str(), 16).unwrap_or_default()
}
