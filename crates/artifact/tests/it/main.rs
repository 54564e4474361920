//! The run folder, its files and its locks, on a real file system.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod container;
mod damage;
mod drafts;
mod folder;
mod golden;
mod projections;
mod samples;
