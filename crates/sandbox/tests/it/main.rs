//! Programs in every confinement that works on this machine.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod confinements;
mod escapes;
mod limits;
mod running;
