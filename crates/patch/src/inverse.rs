//! The way back: what restores a base byte for byte.
//!
//! Always holds: an inverse holds positions and the base's own bytes, so that it needs no search and cannot miss; it
//! is applied only to the text that it was made for.

use serde::{Deserialize, Serialize};
use textualrl_model::{Context, Fingerprint};

use crate::assemble::Splice;
use crate::text::piece;

/// A patch by positions that undoes an application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InversePatch {
    /// The fingerprint of the text that it applies to; none if fingerprints were not asked for.
    #[serde(default)]
    pub from: Option<Fingerprint>,
    /// The fingerprint of the text that it restores.
    #[serde(default)]
    pub to: Option<Fingerprint>,
    /// The length in bytes of the text that it applies to.
    pub length: usize,
    /// What to put back, in order of place and apart.
    pub splices: Vec<Restore>,
}

/// One place to restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restore {
    /// The first byte to take away.
    pub start: usize,
    /// The byte after the last to take away.
    pub end: usize,
    /// What to put in their place.
    pub text: String,
}

/// Why an inverse does not apply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UndoError {
    /// The text is another one.
    #[error("the inverse is for text {expected}, and this is {found}; undo later changes first")]
    OtherText {
        /// The fingerprint that it names.
        expected: Fingerprint,
        /// The fingerprint of the text.
        found: Fingerprint,
    },
    /// The text has another length.
    #[error("the inverse is for a text of {expected} bytes, and this has {found}; undo later changes first")]
    OtherLength {
        /// The length that it names.
        expected: usize,
        /// The length of the text.
        found: usize,
    },
    /// The places are not in order, or lie outside the text or within a character.
    #[error(
        "place {number} of the inverse, bytes {start} to {end}, does not fit the text; the file is damaged"
    )]
    Damaged {
        /// The number of the place, from 1.
        number: usize,
        /// Its first byte.
        start: usize,
        /// The byte after its last.
        end: usize,
    },
    /// The restored text is not the one that it names.
    #[error("the restored text is {found} and not {expected}; the file is damaged")]
    OtherResult {
        /// The fingerprint that it names.
        expected: Fingerprint,
        /// The fingerprint of what came out.
        found: Fingerprint,
    },
}

impl InversePatch {
    pub(crate) fn of(base: &str, result: &str, splices: &[Splice]) -> Self {
        let restore = |splice: &Splice| Restore {
            start: splice.result.start,
            end: splice.result.end,
            text: piece(base, splice.base.clone()).to_owned(),
        };
        Self { from: None, to: None, length: result.len(), splices: splices.iter().map(restore).collect() }
    }

    /// Restores the base from the result.
    ///
    /// # Errors
    /// If the text is not the one that the inverse was made for, or the inverse is damaged. Nothing is guessed.
    ///
    /// ```
    /// use textualrl_model::{Context, Edit, Patch};
    /// use textualrl_patch::{ApplyOptions, apply};
    ///
    /// let base = Context::new("- a\r\n- b\r\n");
    /// let patch = Patch { base: None, edits: vec![Edit::delete("- a")] };
    /// let applied = apply(&base, &patch, &ApplyOptions::default()).unwrap();
    /// assert_eq!(applied.context.text(), "- b\r\n");
    /// assert_eq!(applied.inverse.undo(&applied.context).unwrap(), base);
    /// ```
    pub fn undo(&self, text: &Context) -> Result<Context, UndoError> {
        let result = text.text();
        if result.len() != self.length {
            return Err(UndoError::OtherLength { expected: self.length, found: result.len() });
        }
        if let Some(expected) = &self.from {
            let found = text.fingerprint();
            if found != *expected {
                return Err(UndoError::OtherText { expected: expected.clone(), found });
            }
        }
        let mut restored = String::with_capacity(result.len());
        let mut cursor = 0;
        for (index, splice) in self.splices.iter().enumerate() {
            let damaged = || UndoError::Damaged { number: index + 1, start: splice.start, end: splice.end };
            let fits = splice.start <= splice.end && result.is_char_boundary(splice.end);
            let kept = result.get(cursor..splice.start).filter(|_| fits).ok_or_else(damaged)?;
            restored.push_str(kept);
            restored.push_str(&splice.text);
            cursor = splice.end;
        }
        restored.push_str(piece(result, cursor..result.len()));
        let restored = Context::new(restored);
        if let Some(expected) = &self.to {
            let found = restored.fingerprint();
            if found != *expected {
                return Err(UndoError::OtherResult { expected: expected.clone(), found });
            }
        }
        Ok(restored)
    }
}
