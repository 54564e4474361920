//! Rows of data in the layout of the released code: splits with files of their own, or one list that is cut.
//!
//! Always holds: a list is shuffled and cut as the released code does it, so that the same list gives the same splits.

use std::path::Path;

use textualrl_model::Split;

use super::error::LoadError;
use super::row::{self, Row};
use super::split::Splits;
use super::{folder, ratio};

/// How one list is cut.
const RATIO: [f64; 3] = [2.0, 1.0, 7.0];
const SEED: u64 = 42;

/// The rows of each split; none of a test split that is not there.
///
/// # Errors
/// If a file is missing or cannot be read.
pub fn rows(folder: &Path) -> Result<Splits<Option<Vec<Row>>>, LoadError> {
    if let Some(file) = folder::unsplit_file(folder) {
        let [train, validation, test] = ratio::split_as_python(row::read(&file)?, RATIO, SEED);
        return Ok(Splits { train: Some(train), validation: Some(validation), test: Some(test) });
    }
    Splits::make(|split| match folder::split_file(folder, split) {
        Err(LoadError::NoSplit { .. }) if split == Split::Test => Ok(None),
        file => row::read(&file?).map(Some),
    })
}
