//! Edits of instructions, applied safely: nothing misplaced, nothing protected touched, everything reversible.
//!
//! Always holds: this crate reads and writes no file, talks to no model and never guesses where an edit belongs.

mod apply;
mod assemble;
mod budget;
mod compose;
mod difference;
mod document;
mod family;
mod fate;
mod inverse;
mod lint;
mod locate;
mod nearest;
mod normal;
pub mod observability;
mod options;
mod parse;
mod plan;
mod protect;
mod resolve;
mod search;
mod section;
pub mod similarity;
mod text;
mod verify;

pub use apply::{Applied, ApplyError, Fingerprints, apply};
pub use budget::clip;
pub use compose::{ComposeInput, ComposeOutcome, Composition, EditFate, RankedEdit, StageFate, compose};
pub use difference::unified_diff;
pub use family::{EditFamily, PastCandidate, families};
pub use fate::{AppliedEdit, Fate, NoChangeReason, Refusal, RefusalReason, Tier};
pub use inverse::{InversePatch, Restore, UndoError};
pub use lint::{Finding, lint};
pub use locate::{Located, locate};
pub use options::{ApplyOptions, estimated_tokens};
pub use parse::{ParsePatchError, ReadEdits, parse_patch, parse_patch_text, read_edits};
pub use protect::MarkerFlaw;
