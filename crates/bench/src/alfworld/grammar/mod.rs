//! An interpreter of the text grammar of PDDL text games.
//!
//! Always holds: all words of commands and observations come from the file; lists are in the reference engine's order.

pub(crate) mod compile;
pub(crate) mod document;
pub(crate) mod expand;
pub(crate) mod expression;
pub(crate) mod query;
pub(crate) mod scan;
pub(crate) mod symbol;

pub use expand::ExpandError;
pub use scan::GrammarError;
