//! The JSON object in a model's reply, found strictly.
//!
//! Always holds: nothing is completed, guessed, merged or picked from several; only fixes that lose nothing are made;
//! time is linear in the reply, and deep nesting is an error rather than a stack overflow.

mod locate;
mod repair;
mod strict;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::chat::Finish;

/// Objects and lists may stand this deep inside each other.
pub const MAX_DEPTH: usize = 128;

/// Why no JSON object could be taken from a reply. The messages are quoted to the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// The output cap was reached, so the text is not parsed at all.
    #[error("the reply was cut off by the output cap")]
    CutOff,
    /// A leading `<think>` is never closed: the reply ended while the model was still thinking.
    #[error("the reply ends inside <think>, before any answer")]
    UnclosedThinking,
    /// There is no object in the text.
    #[error("the reply holds no JSON object")]
    NoObject,
    /// The text is JSON, but a list, a string or the like.
    #[error("the reply is JSON but no object")]
    NotAnObject,
    /// Several objects stand side by side.
    #[error("the reply holds {0} JSON objects; give exactly one")]
    Several(usize),
    /// An object is opened and never closed.
    #[error("a JSON object is opened at character {0} and never closed")]
    Unclosed(usize),
    /// The nesting is deeper than [`MAX_DEPTH`].
    #[error("the JSON is nested deeper than 128 levels")]
    TooDeep,
    /// The one object is no JSON.
    #[error("the JSON object cannot be read: {0}")]
    NotJson(String),
}

/// An object and how much had to be mended.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    /// The object.
    pub value: Value,
    /// Lexical fixes that were made; 0 for proper JSON.
    pub fixes: u32,
}

/// The JSON object of a reply.
///
/// ```
/// use textualrl_llm::Finish;
/// use textualrl_llm::reply::{ReplyError, extract};
///
/// let found = extract("Here you are:\n```json\n{\"edits\": [],}\n```", &Finish::Stop);
/// assert_eq!(found, Ok(serde_json::json!({"edits": []})));
/// let draft_and_final = extract(r#"{"op": "delete"} or rather {"op": "append"}"#, &Finish::Stop);
/// assert_eq!(draft_and_final, Err(ReplyError::Several(2)));
/// ```
///
/// # Errors
/// If the reply was cut off, or does not hold exactly one JSON object.
pub fn extract(text: &str, finish: &Finish) -> Result<Value, ReplyError> {
    extract_with_fixes(text, finish).map(|extracted| extracted.value)
}

/// As [`extract`], and says how many lexical fixes were needed.
///
/// # Errors
/// As [`extract`].
pub fn extract_with_fixes(text: &str, finish: &Finish) -> Result<Extracted, ReplyError> {
    if *finish == Finish::Length {
        return Err(ReplyError::CutOff);
    }
    let answer = locate::after_thinking(text)?;
    let fenced = locate::only_fenced_block(answer);
    for candidate in [Some(answer), fenced].into_iter().flatten() {
        match strict::value(candidate) {
            Ok(value) if value.is_object() => return Ok(Extracted { value, fixes: 0 }),
            Ok(_) => return Err(ReplyError::NotAnObject),
            Err(_) => {}
        }
    }
    let span = match fenced.map(locate::only_object) {
        Some(Ok(span)) => span,
        _ => locate::only_object(answer)?,
    };
    if let Ok(value) = strict::value(span) {
        return Ok(Extracted { value, fixes: 0 });
    }
    let repaired = repair::repair(span);
    let value = strict::value(&repaired.text).map_err(|error| ReplyError::NotJson(error.to_string()))?;
    Ok(Extracted { value, fixes: repaired.fixes })
}

/// Reads a value as a type; the error names the field, such as ``edits[2].op: unknown variant `add` ``.
///
/// # Errors
/// If the value has not the type's form.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| match error.path().to_string().as_str() {
        "." => error.inner().to_string(),
        path => format!("{path}: {}", error.inner()),
    })
}
