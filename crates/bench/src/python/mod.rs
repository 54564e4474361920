//! What the published scorers inherit from Python: its notion of white space, lines and word characters, its
//! literals and numbers, and its random numbers.
//!
//! Always holds: the functions here agree with CPython 3 on every input, because published numbers depend on it.

pub mod literal;
pub mod number;
pub mod random;
pub mod text;
