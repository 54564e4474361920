//! Reading a patch as models write it.
//!
//! Always holds: an error names the path to the field; nothing is guessed or repaired; unknown fields of an edit are
//! kept; null counts as absent.

use serde_json::Value;
use textualrl_model::{Edit, Fingerprint, Patch};

/// A text that is no patch: the path to the field, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct ParsePatchError {
    /// The path, such as `$.edits[2].target`.
    pub path: String,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl ParsePatchError {
    fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { path: path.into(), problem: problem.into() }
    }
}

/// A list of edits as found, each read by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadEdits {
    /// The base that the patch names.
    pub base: Option<Fingerprint>,
    /// Each entry of the list: an edit, or why it is none.
    pub edits: Vec<Result<Edit, ParsePatchError>>,
}

/// Reads a patch: `{"edits":[…]}`, a bare list, or a single edit. The first malformed edit is an error.
///
/// # Errors
/// If the value has another form, or an edit in it is malformed.
///
/// ```
/// use serde_json::json;
///
/// let patch = textualrl_patch::parse_patch(&json!({"op": "append", "content": "- Cite.", "target": null})).unwrap();
/// assert_eq!(patch.edits.len(), 1);
/// let error = textualrl_patch::parse_patch(&json!({"edits": [{"op": "delete"}]})).unwrap_err();
/// assert_eq!(error.path, "$.edits[0].target");
/// ```
pub fn parse_patch(value: &Value) -> Result<Patch, ParsePatchError> {
    let read = read_edits(value)?;
    let edits = read.edits.into_iter().collect::<Result<_, _>>()?;
    Ok(Patch { base: read.base, edits })
}

/// Reads a patch from JSON text.
///
/// # Errors
/// As [`parse_patch`], and if the text is no JSON.
///
/// ```
/// let patch = textualrl_patch::parse_patch_text(r#"[{"op":"delete","target":"- a"}]"#).unwrap();
/// assert_eq!(patch.edits[0].target(), Some("- a"));
/// assert!(textualrl_patch::parse_patch_text("delete it").is_err());
/// ```
pub fn parse_patch_text(text: &str) -> Result<Patch, ParsePatchError> {
    parse_patch(&value_of(text)?)
}

pub(crate) fn value_of(text: &str) -> Result<Value, ParsePatchError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| ParsePatchError::new("$", format!("is no JSON: {error}")))
}

/// Reads a patch and keeps the good edits when others are malformed, so that each can be reported by itself.
///
/// # Errors
/// If the value is neither an object with `edits`, a list, nor a single edit.
///
/// ```
/// use serde_json::json;
///
/// let read = textualrl_patch::read_edits(&json!([{"op": "append", "content": ""}, {"op": "delete", "target": "a"}]));
/// let edits = read.unwrap().edits;
/// assert!(edits[0].is_err() && edits[1].is_ok());
/// ```
pub fn read_edits(value: &Value) -> Result<ReadEdits, ParsePatchError> {
    match value {
        Value::Array(list) => Ok(ReadEdits { base: None, edits: read_list("$", list) }),
        Value::Object(object) => {
            let present = |field: &str| object.get(field).filter(|value| !value.is_null());
            match (present("edits"), present("op")) {
                (Some(Value::Array(list)), _) => {
                    let base = present("base").map(base_of).transpose()?;
                    Ok(ReadEdits { base, edits: read_list("$.edits", list) })
                }
                (Some(other), _) => {
                    Err(ParsePatchError::new("$.edits", format!("must be a list, not {}", kind(other))))
                }
                (None, Some(_)) => Ok(ReadEdits { base: None, edits: vec![read_edit("$", value)] }),
                (None, None) => {
                    Err(ParsePatchError::new("$", "has neither `edits` nor `op`; write {\"edits\":[…]}"))
                }
            }
        }
        other => Err(ParsePatchError::new("$", format!("must be an object or a list, not {}", kind(other)))),
    }
}

fn base_of(value: &Value) -> Result<Fingerprint, ParsePatchError> {
    let Value::String(text) = value else {
        return Err(ParsePatchError::new("$.base", format!("must be a text, not {}", kind(value))));
    };
    Fingerprint::try_from(text.clone()).map_err(|error| ParsePatchError::new("$.base", error.to_string()))
}

fn read_list(path: &str, list: &[Value]) -> Vec<Result<Edit, ParsePatchError>> {
    list.iter().enumerate().map(|(index, value)| read_edit(&format!("{path}[{index}]"), value)).collect()
}

fn read_edit(path: &str, value: &Value) -> Result<Edit, ParsePatchError> {
    let Value::Object(object) = value else {
        return Err(ParsePatchError::new(path, format!("must be an edit object, not {}", kind(value))));
    };
    Edit::try_from(object.clone())
        .map_err(|error| ParsePatchError::new(format!("{path}.{}", error.field), error.problem))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
