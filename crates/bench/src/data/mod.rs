//! Reading task files: rows of any usual form, splits that do not overlap, splitting by ratio.
//!
//! Always holds: a row that cannot be used is an error with file and line, never left out in silence; an id is a name
//! and never a path.

pub mod catalogue;
pub mod error;
pub mod folder;
pub mod manifest;
pub mod prepare;
pub mod ratio;
pub mod released;
pub mod row;
pub mod split;

pub use catalogue::Catalogue;
pub use error::LoadError;
pub use row::Row;
