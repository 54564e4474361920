//! Segment files: their names, reading one from front to back, and writing the newest.
//!
//! Always holds: a segment is written by one process only and only at its end; a write that failed half-way is cut
//! off again, or nothing more is written behind it.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err::{File, OpenOptions};

use super::JournalError;
use super::flush::Flusher;
use super::frame::{FRAME_HEADER, FrameHeader, MAGIC, SEGMENT_HEADER, VERSION};

/// The buffer with which a segment is read.
const READ_BUFFER: usize = 256 * 1024;

/// The segments of a folder in the order of their numbers.
pub(super) fn list(dir: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let mut numbered = Vec::new();
    for entry in fs_err::read_dir(dir).map_err(JournalError::Read)? {
        let path = entry.map_err(JournalError::Read)?.path();
        if let Some(number) = number(&path) {
            numbered.push((number, path));
        }
    }
    numbered.sort();
    Ok(numbered.into_iter().map(|(_, path)| path).collect())
}

fn number(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.strip_prefix("segment-")?.strip_suffix(".jnl")?.parse().ok()
}

/// Reads a segment and hands each whole frame with its payload's place to `visit`. Returns the bytes behind the last
/// whole frame: what a kill left torn.
pub(super) fn scan(path: &Path, mut visit: impl FnMut(FrameHeader, u64)) -> Result<u64, JournalError> {
    let file = File::open(path).map_err(JournalError::Read)?;
    let size = file.metadata().map_err(JournalError::Read)?.len();
    let mut reader = BufReader::with_capacity(READ_BUFFER, file);
    let mut header = [0; 8];
    if !fill(&mut reader, &mut header)? {
        return Ok(size);
    }
    check_header(path, &header)?;
    let mut place = SEGMENT_HEADER;
    let mut payload = Vec::new();
    let mut bytes = [0; FRAME_HEADER];
    while fill(&mut reader, &mut bytes)? {
        let Some(frame) = FrameHeader::decode(&bytes) else { break };
        let start = place + FRAME_HEADER as u64;
        let end = start + u64::from(frame.length);
        if end > size {
            break;
        }
        payload.resize(usize::try_from(frame.length).unwrap_or(usize::MAX), 0);
        if !fill(&mut reader, &mut payload)? || !frame.fits(&payload) {
            break;
        }
        visit(frame, start);
        place = end;
    }
    Ok(size.saturating_sub(place))
}

/// Fills the buffer; false if the file ends before.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> Result<bool, JournalError> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(JournalError::Read(error)),
    }
}

fn check_header(path: &Path, header: &[u8; 8]) -> Result<(), JournalError> {
    match header.split_last() {
        Some((version, magic)) if magic == MAGIC && *version <= VERSION => Ok(()),
        Some((version, magic)) if magic == MAGIC => {
            Err(JournalError::Newer { path: path.to_owned(), version: *version })
        }
        _ => Err(JournalError::NoSegment { path: path.to_owned() }),
    }
}

/// The segment that this process writes.
#[derive(Debug)]
pub(super) struct SegmentWriter {
    file: Arc<File>,
    path: PathBuf,
    end: u64,
    flusher: Flusher,
}

impl SegmentWriter {
    /// Creates the next free segment of the folder.
    pub(super) fn create(dir: &Path) -> Result<Self, JournalError> {
        let last = list(dir)?.last().and_then(|path| number(path)).unwrap_or(0);
        let mut next = last.saturating_add(1);
        let (mut file, path) = loop {
            let path = dir.join(format!("segment-{next:04}.jnl"));
            match OpenOptions::new().append(true).create_new(true).open(&path) {
                Ok(file) => break (file, path),
                // Another process was quicker.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => next = next.saturating_add(1),
                Err(error) => return Err(JournalError::Write(error)),
            }
        };
        let mut header = MAGIC.to_vec();
        header.push(VERSION);
        file.write_all(&header).map_err(JournalError::Write)?;
        sync_folder(dir)?;
        let file = Arc::new(file);
        let flusher = Flusher::start(Arc::clone(&file)).map_err(JournalError::Write)?;
        Ok(Self { file, path, end: SEGMENT_HEADER, flusher })
    }

    /// Appends whole frames and returns where they begin. They reach the disk a moment later.
    pub(super) fn append(&mut self, frames: &[u8]) -> Result<u64, JournalError> {
        self.flusher.check()?;
        let start = self.end;
        if let Err(error) = (&*self.file).write_all(frames) {
            // What was written of them would hide everything behind it.
            if let Err(error) = self.file.set_len(start) {
                self.flusher.fail(format!("a torn record cannot be cut off: {error}"));
            }
            return Err(JournalError::Write(error));
        }
        self.end += frames.len() as u64;
        self.flusher.wake();
        Ok(start)
    }

    /// Waits until all is on the disk.
    pub(super) fn sync(&self) -> Result<(), JournalError> {
        self.flusher.check()?;
        self.file.sync_data().map_err(JournalError::Write)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Makes a new file's name outlive a power failure.
fn sync_folder(dir: &Path) -> Result<(), JournalError> {
    File::open(dir).and_then(|folder| folder.sync_all()).map_err(JournalError::Write)
}

/// A segment from which single payloads are read, opened when first needed.
#[derive(Debug)]
pub(super) struct SegmentReader {
    path: PathBuf,
    file: Option<File>,
}

impl SegmentReader {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, file: None }
    }

    /// The payload at a place.
    pub(super) fn read(&mut self, start: u64, length: u32) -> Result<Vec<u8>, JournalError> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::open(&self.path).map_err(JournalError::Read)?),
        };
        let mut payload = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
        file.seek(SeekFrom::Start(start)).map_err(JournalError::Read)?;
        file.read_exact(&mut payload).map_err(JournalError::Read)?;
        Ok(payload)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
