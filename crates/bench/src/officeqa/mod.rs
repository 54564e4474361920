//! OfficeQA: questions over a folder of text documents, read with tools; normalised exact match.
//!
//! Always holds: the reference metric is the published one, quirks included.

pub mod conformance;
pub mod difference;
mod fields;
mod normal;
mod quantity;
mod queries;
mod score;
mod table;
mod tokens;
