//! The task set inside the binary, so that a first run needs no file.
//!
//! Always holds: it is read by the same code as a file of the user's.

use textualrl_model::Context;

use crate::data::LoadError;
use crate::data::row::{Row, parse_json};
use crate::data::split::Splits;

const QUICKSTART: [(&str, &str); 3] = [
    ("quickstart/train.jsonl", include_str!("../../../../fixtures/quickstart/train.jsonl")),
    ("quickstart/validation.jsonl", include_str!("../../../../fixtures/quickstart/validation.jsonl")),
    ("quickstart/test.jsonl", include_str!("../../../../fixtures/quickstart/test.jsonl")),
];
const QUICKSTART_CONTEXT: &str = include_str!("../../../../fixtures/quickstart/context.md");

fn known(name: &str) -> Result<(), LoadError> {
    if name == "quickstart" { Ok(()) } else { Err(LoadError::UnknownEmbedded { name: name.to_owned() }) }
}

/// The rows of an embedded task set: train, validation, test.
///
/// # Errors
/// If there is no such set.
pub fn rows(name: &str) -> Result<Splits<Vec<Row>>, LoadError> {
    known(name)?;
    let [train, validation, test] = QUICKSTART.map(|(name, text)| parse_json(name, text));
    Ok(Splits { train: train?, validation: validation?, test: test? })
}

/// The context that a run on an embedded task set starts from.
///
/// # Errors
/// If there is no such set.
pub fn context(name: &str) -> Result<Context, LoadError> {
    known(name)?;
    Ok(Context::new(QUICKSTART_CONTEXT))
}
