//! ALFWorld: household tasks in text, played without the reference engine.
//!
//! Always holds: every word of a game comes from its file; the engine behaves as TextWorld 1.7.0 with the name wrapper
//! of ALFWorld 0.4.2, text for text.

pub mod conformance;
pub mod game;
pub mod grammar;
mod names;
pub mod pddl;

pub use game::{Game, GameError, NOTHING, Play};
