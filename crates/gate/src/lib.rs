//! The gate: a candidate context is adopted only if its validation score is strictly above the reference score
//! (Algorithm 1, lines 12 to 18).
//!
//! Always holds: everything here is a pure function on values; a score is over all validation tasks or there is none;
//! comparisons are exact, on counts; a tie is a rejection.

mod buffer;
mod compare;
mod decide;
mod history;
mod score;

pub use buffer::{StepFacts, step_buffer, visible_to};
pub use compare::{Comparison, compare};
pub use decide::{Offer, decide};
pub use history::{CandidateHistory, JudgedCandidate};
pub use score::{Unscored, score};
