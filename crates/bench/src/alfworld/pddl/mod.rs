//! An interpreter of the part of PDDL that text games use: typed objects, conditions with quantifiers, conditional
//! effects.
//!
//! Always holds: nothing here knows any domain; a game is grounded once when it is loaded, and afterwards only the
//! conditions that an action touches are looked at again.

pub(crate) mod clause;
pub(crate) mod condition;
pub(crate) mod domain;
pub(crate) mod ground;
pub(crate) mod join;
pub(crate) mod keep;
pub(crate) mod problem;
pub(crate) mod program;
pub(crate) mod reach;
pub(crate) mod sexp;
pub(crate) mod state;
pub(crate) mod types;
pub(crate) mod vocabulary;
pub(crate) mod world;

pub use sexp::PddlError;
