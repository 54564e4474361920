//! Scorers: pure functions from an answer and its golds to a score.
//!
//! Always holds: a scorer draws nothing, reads nothing, and depends on its arguments alone.

pub mod anls;
pub mod choice;
pub mod difference;
pub mod json_equal;
pub mod normal;
pub mod numeric;
pub mod tokens;
