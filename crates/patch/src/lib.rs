//! Edits of instructions, applied safely: nothing misplaced, nothing protected touched, everything reversible.
//!
//! Always holds: this crate reads and writes no file, talks to no model and never guesses where an edit belongs.

mod apply;
mod assemble;
mod document;
mod fate;
mod inverse;
mod locate;
mod nearest;
mod normal;
mod options;
mod parse;
mod plan;
mod protect;
mod resolve;
mod search;
mod section;
mod text;
mod verify;

pub use apply::{Applied, ApplyError, Fingerprints, apply};
pub use fate::{AppliedEdit, Fate, NoChangeReason, Refusal, RefusalReason, Tier};
pub use inverse::{InversePatch, Restore, UndoError};
pub use locate::{Located, locate};
pub use options::{ApplyOptions, estimated_tokens};
pub use parse::{ParsePatchError, ReadEdits, parse_patch, parse_patch_text, read_edits};
pub use protect::MarkerFlaw;
