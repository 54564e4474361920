//! The first and the last bytes of a container.
//!
//! Always holds: what a newer tool wrote is reported as newer, not as damaged, so the versions are read before the
//! hash is checked.

use camino::Utf8Path;

use crate::failure::ReadError;
use crate::kind::{Kind, Version};

/// Not valid UTF-8, so that no text file begins like this.
const MAGIC: [u8; 4] = *b"\x89TRJ";
const END_MAGIC: [u8; 4] = *b"JRT\n";
const CONTAINER_VERSION: u8 = 1;
/// bincode 2.0.1, standard configuration.
const CODEC: u8 = 1;
/// zstd.
const COMPRESSION: u8 = 1;
/// Trajectories.
const KIND: u8 = 1;

pub(super) const HEADER_LENGTH: usize = 12;
pub(super) const TRAILER_LENGTH: usize = 52;

/// The header that this tool writes.
pub(super) fn header() -> [u8; HEADER_LENGTH] {
    let Version { major, minor } = Kind::Trajectories.version();
    let ([major_low, major_high], [minor_low, minor_high]) = (major.to_le_bytes(), minor.to_le_bytes());
    let [a, b, c, d] = MAGIC;
    [a, b, c, d, CONTAINER_VERSION, CODEC, COMPRESSION, KIND, major_low, major_high, minor_low, minor_high]
}

/// Refuses a header that this tool does not understand.
pub(super) fn check_header(path: &Utf8Path, header: &[u8; HEADER_LENGTH]) -> Result<(), ReadError> {
    let [a, b, c, d, container, codec, compression, kind, major_low, major_high, minor_low, minor_high] =
        *header;
    if [a, b, c, d] != MAGIC {
        return Err(ReadError::WrongKind {
            path: path.to_owned(),
            found: "something else".to_owned(),
            expected: "trajectories".to_owned(),
        });
    }
    let found = Version {
        major: u16::from_le_bytes([major_low, major_high]),
        minor: u16::from_le_bytes([minor_low, minor_high]),
    };
    let known = Kind::Trajectories.version();
    // The container, the codec and the compression have no name in the error: all mean that the tool is too old.
    if [container, codec, compression, kind] != [CONTAINER_VERSION, CODEC, COMPRESSION, KIND]
        || found.major > known.major
    {
        return Err(ReadError::Newer { path: path.to_owned(), found, known });
    }
    Ok(())
}

/// The trailer: where the index begins, and how many records there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trailer {
    pub(super) index: u64,
    pub(super) records: u64,
}

impl Trailer {
    pub(super) fn encode(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(TRAILER_LENGTH);
        bytes.extend_from_slice(&self.index.to_le_bytes());
        bytes.extend_from_slice(&self.records.to_le_bytes());
        bytes.extend_from_slice(self.hash(&header()).as_bytes());
        bytes.extend_from_slice(&END_MAGIC);
        bytes
    }

    pub(super) fn decode(
        path: &Utf8Path,
        header: &[u8; HEADER_LENGTH],
        bytes: &[u8; TRAILER_LENGTH],
    ) -> Result<Self, ReadError> {
        let damaged = || ReadError::damaged(path, "its end is missing or changed");
        let (index, rest) = bytes.split_first_chunk::<8>().ok_or_else(damaged)?;
        let (records, rest) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
        let (hash, end) = rest.split_first_chunk::<32>().ok_or_else(damaged)?;
        let trailer = Self { index: u64::from_le_bytes(*index), records: u64::from_le_bytes(*records) };
        if end == END_MAGIC && trailer.hash(header) == blake3::Hash::from_bytes(*hash) {
            Ok(trailer)
        } else {
            Err(damaged())
        }
    }

    fn hash(self, header: &[u8; HEADER_LENGTH]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(header).update(&self.index.to_le_bytes()).update(&self.records.to_le_bytes());
        hasher.finalize()
    }
}
