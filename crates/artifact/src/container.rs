//! The container of big records (`.trj`): a header, blocks of many records, an index, a trailer.
//!
//! ```text
//! header    magic (4) · container version · codec · compression · kind · schema major (2) · schema minor (2)
//! block     compressed length (4) · raw length (4) · records (4) · blake3 of these and the payload (32) · payload
//! …
//! index     a block of its own form: where each block begins, and which rollout lies where
//! trailer   offset of the index (8) · records (8) · blake3 of header and these (32) · magic (4)
//! ```
//! Numbers are little-endian. A payload is compressed by zstd; in it, each record is its length (4) and its bincode.
//!
//! Always holds: any changed or missing byte is an error; reading and writing need the memory of a few blocks, however
//! many records there are; one record can be read without the others.

mod block;
mod header;
mod index;
mod reader;
mod writer;

pub use reader::{Trajectories, TrajectoryReader};
pub use writer::TrajectoryWriter;
