//! Blocks of records: compressed together, checked together.
//!
//! Always holds: a length is believed only after the hash over it was checked, and never beyond [`LARGEST_BLOCK`].

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A block is closed once it is this long, uncompressed.
pub(super) const BLOCK_TARGET: usize = 1 << 20;
/// No block is longer than this, uncompressed; a single record can reach it.
pub(super) const LARGEST_BLOCK: usize = 1 << 28;
/// At this level two cores compress faster than a disk writes.
const LEVEL: i32 = 1;
pub(super) const BLOCK_HEADER_LENGTH: usize = 44;

type Configuration = bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Varint,
    bincode::config::Limit<LARGEST_BLOCK>,
>;

fn configuration() -> Configuration {
    bincode::config::standard().with_limit::<LARGEST_BLOCK>()
}

/// Records gathered for one block, uncompressed.
#[derive(Debug, Default)]
pub(super) struct RawBlock {
    bytes: Vec<u8>,
    records: u32,
}

impl RawBlock {
    /// The bytes so far.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Adds a record and says at which position it begins.
    pub(super) fn push<T: Serialize>(&mut self, record: &T) -> Result<u32, String> {
        let position = u32::try_from(self.bytes.len()).map_err(|error| error.to_string())?;
        self.bytes.extend_from_slice(&[0; 4]);
        let length = bincode::serde::encode_into_std_write(record, &mut self.bytes, configuration())
            .map_err(|error| error.to_string())?;
        if self.bytes.len() > LARGEST_BLOCK {
            return Err(format!("a record of {length} bytes is too large"));
        }
        let length = u32::try_from(length).map_err(|error| error.to_string())?;
        let place = self.bytes.get_mut(position as usize..).and_then(|rest| rest.first_chunk_mut::<4>());
        *place.ok_or("a position is wrong")? = length.to_le_bytes();
        self.records += 1;
        Ok(position)
    }

    /// The block as it stands in the file: header and payload.
    pub(super) fn compress(&self) -> Result<Vec<u8>, String> {
        let payload = zstd::bulk::compress(&self.bytes, LEVEL).map_err(|error| error.to_string())?;
        let number = |length: usize| u32::try_from(length).map_err(|error| error.to_string());
        let lengths = [number(payload.len())?, number(self.bytes.len())?, self.records];
        let mut block = Vec::with_capacity(BLOCK_HEADER_LENGTH + payload.len());
        for length in lengths {
            block.extend_from_slice(&length.to_le_bytes());
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&block).update(&payload);
        block.extend_from_slice(hasher.finalize().as_bytes());
        block.extend_from_slice(&payload);
        Ok(block)
    }
}

/// What a block's header says.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockHeader {
    pub(super) compressed: u32,
    raw: u32,
    pub(super) records: u32,
    hash: blake3::Hash,
}

impl BlockHeader {
    pub(super) fn decode(bytes: &[u8; BLOCK_HEADER_LENGTH]) -> Option<Self> {
        let (compressed, rest) = bytes.split_first_chunk::<4>()?;
        let (raw, rest) = rest.split_first_chunk::<4>()?;
        let (records, hash) = rest.split_first_chunk::<4>()?;
        Some(Self {
            compressed: u32::from_le_bytes(*compressed),
            raw: u32::from_le_bytes(*raw),
            records: u32::from_le_bytes(*records),
            hash: blake3::Hash::from_bytes(*hash.first_chunk::<32>()?),
        })
    }

    /// The uncompressed block, once the hash was found right.
    pub(super) fn decompress(&self, payload: &[u8]) -> Result<Vec<u8>, String> {
        let mut hasher = blake3::Hasher::new();
        for length in [self.compressed, self.raw, self.records] {
            hasher.update(&length.to_le_bytes());
        }
        hasher.update(payload);
        if hasher.finalize() != self.hash {
            return Err("a block's hash differs".to_owned());
        }
        let raw = self.raw as usize;
        if raw > LARGEST_BLOCK {
            return Err("a block is too large".to_owned());
        }
        let bytes = zstd::bulk::decompress(payload, raw).map_err(|error| error.to_string())?;
        if bytes.len() == raw { Ok(bytes) } else { Err("a block has another length than it says".to_owned()) }
    }
}

/// The record at the beginning of `bytes`, and what follows it.
pub(super) fn split_record<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), String> {
    let short = || "a record is cut off".to_owned();
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(short)?;
    let (record, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(short)?;
    let (value, consumed) =
        bincode::serde::decode_from_slice(record, configuration()).map_err(|error| error.to_string())?;
    // bincode passes over bytes that follow a value; here they mean that the record is of another form.
    if consumed == record.len() {
        Ok((value, rest))
    } else {
        Err("a record is longer than its fields".to_owned())
    }
}

/// All records of a block of `records` of them, each given to `convert`.
pub(super) fn records<T: DeserializeOwned, U>(
    bytes: &[u8],
    records: u32,
    convert: impl Fn(T) -> Result<U, String>,
) -> Result<Vec<U>, String> {
    let mut values = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (value, next) = split_record(rest)?;
        values.push(convert(value)?);
        rest = next;
    }
    if values.len() == records as usize {
        Ok(values)
    } else {
        Err("a block's records are miscounted".to_owned())
    }
}
