//! The bytes of a journal segment: a header, then frames one after another.
//!
//! Always holds: a frame that is cut off or changed anywhere is told from a whole one, so that any prefix of a segment
//! reads as a prefix of its frames.
//!
//! A segment begins with `TXRLJNL` and the format's version, one byte. A frame is, in this order: payload length
//! (u32, little endian), kind (one byte), key (16 bytes), check (the first 16 bytes of blake3 over the other parts in
//! order), payload.

/// The first bytes of a segment, before the version.
pub(super) const MAGIC: [u8; 7] = *b"TXRLJNL";
/// The version that is written, and the newest that is read.
pub(super) const VERSION: u8 = 1;
/// The length of magic and version.
pub(super) const SEGMENT_HEADER: u64 = 8;
/// The length of a frame without its payload.
pub(super) const FRAME_HEADER: usize = 37;

/// What a frame says of its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// The call is about to be sent. No payload.
    Sent,
    /// The call is complete; the payload is the reply as JSON.
    Reply,
    /// The call failed for good and is in flight no more. No payload.
    Failed,
}

impl FrameKind {
    fn code(self) -> u8 {
        match self {
            Self::Sent => 1,
            Self::Reply => 2,
            Self::Failed => 3,
        }
    }

    fn of(code: u8) -> Option<Self> {
        [Self::Sent, Self::Reply, Self::Failed].into_iter().find(|kind| kind.code() == code)
    }
}

/// A frame's first part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameHeader {
    pub(super) kind: FrameKind,
    pub(super) key: u128,
    pub(super) length: u32,
    check: [u8; 16],
}

impl FrameHeader {
    /// Reads a header; none if its kind is unknown.
    pub(super) fn decode(bytes: &[u8; FRAME_HEADER]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let (kind, rest) = rest.split_first()?;
        let (key, rest) = rest.split_first_chunk::<16>()?;
        let check = *rest.first_chunk::<16>()?;
        let length = u32::from_le_bytes(*length);
        Some(Self { kind: FrameKind::of(*kind)?, key: u128::from_be_bytes(*key), length, check })
    }

    /// Whether the payload is the one that was written.
    pub(super) fn fits(&self, payload: &[u8]) -> bool {
        u32::try_from(payload.len()).is_ok_and(|length| length == self.length)
            && check(self.kind, self.key, self.length, payload) == self.check
    }
}

/// A whole frame; none if the payload is 4 GiB or longer.
pub(super) fn encode(kind: FrameKind, key: u128, payload: &[u8]) -> Option<Vec<u8>> {
    let length = u32::try_from(payload.len()).ok()?;
    let mut frame = Vec::with_capacity(FRAME_HEADER + payload.len());
    frame.extend_from_slice(&length.to_le_bytes());
    frame.push(kind.code());
    frame.extend_from_slice(&key.to_be_bytes());
    frame.extend_from_slice(&check(kind, key, length, payload));
    frame.extend_from_slice(payload);
    Some(frame)
}

fn check(kind: FrameKind, key: u128, length: u32, payload: &[u8]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&length.to_le_bytes());
    hasher.update(&[kind.code()]);
    hasher.update(&key.to_be_bytes());
    hasher.update(payload);
    let mut check = [0; 16];
    hasher.finalize_xof().fill(&mut check);
    check
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes() {
        let frame = encode(FrameKind::Reply, 0x0102_0304, b"{}").unwrap();
        let hex: String = frame.iter().map(|byte| format!("{byte:02x}")).collect();
        let parts = [
            "02000000",
            "02",
            "00000000000000000000000001020304",
            "86639fa5280457476a80915e2ff4a6a5",
            "7b7d",
        ];
        assert_eq!(hex, parts.concat());
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let payload = b"{\"turn\":1}";
        let frame = encode(FrameKind::Reply, 7, payload).unwrap();
        for position in 0..frame.len() {
            let mut changed = frame.clone();
            changed[position] ^= 1;
            let (header, payload) = changed.split_first_chunk::<FRAME_HEADER>().unwrap();
            let whole = FrameHeader::decode(header).is_some_and(|header| header.fits(payload));
            assert!(!whole, "byte {position}");
        }
    }
}
