//! Content fingerprints: equal contents, equal fingerprints, whatever the machine or the time.
//!
//! Always holds: a fingerprint is 32 lower-case hexadecimal digits (the first 128 bits of blake3).

use std::fmt;

use serde::{Deserialize, Serialize};

/// The fingerprint of some bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let hex = blake3::hash(bytes).to_hex();
        Self(hex.chars().take(32).collect())
    }

    /// The fingerprint of several parts; where one part ends is part of what is fingerprinted.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().to_hex().chars().take(32).collect())
    }

    /// The fingerprint of a value by its JSON text. Maps must be ordered (`BTreeMap`) for this to be stable.
    ///
    /// # Errors
    /// If the value cannot be written as JSON.
    pub fn of_json<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self::of(&serde_json::to_vec(value)?))
    }

    /// All 32 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first eight digits, for people and file names.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }
}

/// The fingerprint of bytes that were hashed piece by piece.
impl From<blake3::Hash> for Fingerprint {
    fn from(hash: blake3::Hash) -> Self {
        Self(hash.to_hex().chars().take(32).collect())
    }
}

/// A text that is no fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no fingerprint of 32 hexadecimal digits")]
pub struct InvalidFingerprint(String);

impl TryFrom<String> for Fingerprint {
    type Error = InvalidFingerprint;
    fn try_from(text: String) -> Result<Self, InvalidFingerprint> {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 32 && text.bytes().all(hex) { Ok(Self(text)) } else { Err(InvalidFingerprint(text)) }
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let together = Fingerprint::of_parts([b"ab".as_slice(), b"c"]);
        assert_ne!(together, Fingerprint::of_parts([b"a".as_slice(), b"bc"]));
    }

    #[test]
    fn only_hexadecimal_text_is_a_fingerprint() {
        let fingerprint = Fingerprint::of(b"x");
        assert_eq!(Fingerprint::try_from(fingerprint.to_string()), Ok(fingerprint));
        assert!(Fingerprint::try_from("G".repeat(32)).is_err());
        assert!(Fingerprint::try_from("a".repeat(31)).is_err());
    }
}
