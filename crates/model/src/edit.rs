//! Edits and patches ΔC (Equation 6).
//!
//! Always holds: every operation has just the fields that it needs; what else a model wrote beside them is kept in
//! `extra`, so that reading and writing an edit loses nothing.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fingerprint::Fingerprint;
use crate::group::Route;
use crate::id::{EditId, GroupId, TaskId};

/// The four operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditOp {
    /// Add at the end, or at the end of a section.
    Append,
    /// Add after a place.
    InsertAfter,
    /// Put other text in a place.
    Replace,
    /// Take text away.
    Delete,
}

impl EditOp {
    /// All operations.
    pub const ALL: [Self; 4] = [Self::Append, Self::InsertAfter, Self::Replace, Self::Delete];

    /// The operation's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Append => "append",
            Self::InsertAfter => "insert_after",
            Self::Replace => "replace",
            Self::Delete => "delete",
        }
    }
}

impl fmt::Display for EditOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A place in the base text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The text to find; never blank.
    pub target: String,
    /// The headings under which to look, outermost first; empty means the whole text.
    pub under: Vec<String>,
    /// Which of several matches is meant, from 1.
    pub occurrence: Option<u32>,
}

/// Where `insert_after` puts its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// After the line that holds the target.
    #[default]
    Line,
    /// After the paragraph, list item or fenced block that holds the target.
    Block,
}

/// What an edit does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Add `content` at the end of the text, or of the section `under`.
    Append {
        /// What to add; never blank.
        content: String,
        /// The headings of the section, outermost first; empty means the whole text.
        under: Vec<String>,
    },
    /// Add `content` after `anchor`.
    InsertAfter {
        /// Where.
        anchor: Anchor,
        /// What to add; never blank.
        content: String,
        /// After the line or after the block.
        place: Place,
    },
    /// Put `content` in the place of `anchor`.
    Replace {
        /// Where.
        anchor: Anchor,
        /// What to put there; never blank.
        content: String,
    },
    /// Take `anchor` away.
    Delete {
        /// What.
        anchor: Anchor,
    },
}

/// One edit. Written as a flat object: `op`, `target`, `content`, `under`, `occurrence`, `block` and what else was
/// found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct Edit {
    /// What it does.
    pub action: Action,
    /// Unknown fields, kept verbatim.
    pub extra: Map<String, Value>,
}

/// An object that is no edit: the field and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("field `{field}`: {problem}")]
pub struct InvalidEdit {
    /// The field.
    pub field: &'static str,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl Edit {
    /// An edit without extra fields.
    pub fn new(action: Action) -> Self {
        Self { action, extra: Map::new() }
    }

    /// Adds `content` at the end.
    pub fn append(content: impl Into<String>) -> Self {
        Self::new(Action::Append { content: content.into(), under: Vec::new() })
    }

    /// Adds `content` after the line that holds `target`.
    pub fn insert_after(target: impl Into<String>, content: impl Into<String>) -> Self {
        let action =
            Action::InsertAfter { anchor: Anchor::of(target), content: content.into(), place: Place::Line };
        Self::new(action)
    }

    /// Puts `content` in the place of `target`.
    pub fn replace(target: impl Into<String>, content: impl Into<String>) -> Self {
        Self::new(Action::Replace { anchor: Anchor::of(target), content: content.into() })
    }

    /// Takes `target` away.
    pub fn delete(target: impl Into<String>) -> Self {
        Self::new(Action::Delete { anchor: Anchor::of(target) })
    }

    /// The operation.
    pub fn op(&self) -> EditOp {
        match self.action {
            Action::Append { .. } => EditOp::Append,
            Action::InsertAfter { .. } => EditOp::InsertAfter,
            Action::Replace { .. } => EditOp::Replace,
            Action::Delete { .. } => EditOp::Delete,
        }
    }

    /// The place, for the operations that have one.
    pub fn anchor(&self) -> Option<&Anchor> {
        match &self.action {
            Action::Append { .. } => None,
            Action::InsertAfter { anchor, .. }
            | Action::Replace { anchor, .. }
            | Action::Delete { anchor } => Some(anchor),
        }
    }

    /// The target text, for the operations that have one.
    pub fn target(&self) -> Option<&str> {
        self.anchor().map(|anchor| anchor.target.as_str())
    }

    /// The content, for the operations that have one.
    pub fn content(&self) -> Option<&str> {
        match &self.action {
            Action::Append { content, .. }
            | Action::InsertAfter { content, .. }
            | Action::Replace { content, .. } => Some(content),
            Action::Delete { .. } => None,
        }
    }
}

impl Anchor {
    /// The only occurrence of `target`.
    pub fn of(target: impl Into<String>) -> Self {
        Self { target: target.into(), under: Vec::new(), occurrence: None }
    }
}

/// Takes a field; null counts as absent.
fn take(object: &mut Map<String, Value>, field: &str) -> Option<Value> {
    object.remove(field).filter(|value| !value.is_null())
}

fn take_text(
    object: &mut Map<String, Value>,
    field: &'static str,
    op: EditOp,
) -> Result<String, InvalidEdit> {
    match take(object, field) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
        Some(Value::String(_)) => Err(InvalidEdit { field, problem: format!("is blank; `{op}` needs text") }),
        Some(other) => Err(InvalidEdit { field, problem: format!("must be a text, not {}", kind(&other)) }),
        None => Err(InvalidEdit { field, problem: format!("is missing; `{op}` needs it") }),
    }
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

fn take_op(object: &mut Map<String, Value>) -> Result<EditOp, InvalidEdit> {
    let problem = match take(object, "op") {
        Some(Value::String(name)) => match EditOp::ALL.into_iter().find(|op| op.name() == name.trim()) {
            Some(op) => return Ok(op),
            None => format!("{name:?} is none of append, insert_after, replace, delete"),
        },
        Some(other) => format!("must be a text, not {}", kind(&other)),
        None => "is missing; write append, insert_after, replace or delete".to_owned(),
    };
    Err(InvalidEdit { field: "op", problem })
}

fn take_under(object: &mut Map<String, Value>) -> Result<Vec<String>, InvalidEdit> {
    let wrong = |value: &Value| InvalidEdit {
        field: "under",
        problem: format!("must be a heading or a list of headings, not {}", kind(value)),
    };
    match take(object, "under") {
        None => Ok(Vec::new()),
        Some(Value::String(heading)) => Ok(vec![heading]),
        Some(Value::Array(headings)) => headings
            .into_iter()
            .map(|heading| match heading {
                Value::String(heading) => Ok(heading),
                other => Err(wrong(&other)),
            })
            .collect(),
        Some(other) => Err(wrong(&other)),
    }
}

fn take_occurrence(object: &mut Map<String, Value>) -> Result<Option<u32>, InvalidEdit> {
    let Some(value) = take(object, "occurrence") else { return Ok(None) };
    match value.as_u64().and_then(|number| u32::try_from(number).ok()) {
        Some(number) if number > 0 => Ok(Some(number)),
        _ => {
            Err(InvalidEdit { field: "occurrence", problem: format!("must be a number from 1, not {value}") })
        }
    }
}

fn take_place(object: &mut Map<String, Value>) -> Result<Place, InvalidEdit> {
    match take(object, "block") {
        None | Some(Value::Bool(false)) => Ok(Place::Line),
        Some(Value::Bool(true)) => Ok(Place::Block),
        Some(other) => Err(InvalidEdit {
            field: "block",
            problem: format!("must be true or false, not {}", kind(&other)),
        }),
    }
}

impl TryFrom<Map<String, Value>> for Edit {
    type Error = InvalidEdit;

    fn try_from(mut object: Map<String, Value>) -> Result<Self, InvalidEdit> {
        let op = take_op(&mut object)?;
        let under = take_under(&mut object)?;
        let occurrence = take_occurrence(&mut object)?;
        let place = take_place(&mut object)?;
        let anchor = |object: &mut Map<String, Value>| {
            Ok(Anchor { target: take_text(object, "target", op)?, under: under.clone(), occurrence })
        };
        let action = match op {
            EditOp::Append => {
                object.remove("target");
                Action::Append { content: take_text(&mut object, "content", op)?, under }
            }
            EditOp::InsertAfter => Action::InsertAfter {
                anchor: anchor(&mut object)?,
                content: take_text(&mut object, "content", op)?,
                place,
            },
            EditOp::Replace => Action::Replace {
                anchor: anchor(&mut object)?,
                content: take_text(&mut object, "content", op)?,
            },
            EditOp::Delete => {
                object.remove("content");
                Action::Delete { anchor: anchor(&mut object)? }
            }
        };
        object.retain(|_, value| !value.is_null());
        Ok(Self { action, extra: object })
    }
}

impl From<Edit> for Map<String, Value> {
    fn from(edit: Edit) -> Self {
        let mut object = Self::new();
        let mut put = |field: &str, value: Value| {
            object.insert(field.to_owned(), value);
        };
        put("op", edit.op().name().into());
        if let Some(target) = edit.target() {
            put("target", target.into());
        }
        if let Some(content) = edit.content() {
            put("content", content.into());
        }
        let under = match &edit.action {
            Action::Append { under, .. } => under,
            Action::InsertAfter { anchor, .. }
            | Action::Replace { anchor, .. }
            | Action::Delete { anchor } => {
                if let Some(occurrence) = anchor.occurrence {
                    put("occurrence", occurrence.into());
                }
                &anchor.under
            }
        };
        if !under.is_empty() {
            put("under", under.clone().into());
        }
        if matches!(edit.action, Action::InsertAfter { place: Place::Block, .. }) {
            put("block", true.into());
        }
        object.extend(edit.extra);
        object
    }
}

/// An edit as a critic proposed it or a merge made it, with where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditProposal {
    /// The edit's id within the step.
    pub id: EditId,
    /// The edit.
    pub edit: Edit,
    /// The analysis groups whose proposals it came from, sorted.
    pub groups: Vec<GroupId>,
    /// The routes of those groups, sorted, without repeats; empty under the ablation without routing.
    pub routes: Vec<Route>,
    /// The distinct tasks that support it, sorted. Siblings are one task.
    pub support: Vec<TaskId>,
    /// The ids of the edits that a merge made it from; itself for a proposal that no merge touched.
    pub from: Vec<EditId>,
    /// The critic's or the merge's reasoning.
    pub reasoning: String,
}

/// A bounded list of edits that are applied together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// The fingerprint of the context that the edits are for. None applies to any.
    #[serde(default)]
    pub base: Option<Fingerprint>,
    /// The edits, in rank order.
    pub edits: Vec<Edit>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_and_writing_loses_nothing() {
        let texts = [
            r#"{"op":"append","content":"a","under":["Rules","Dates"],"note":{"x":1}}"#,
            r#"{"op":"insert_after","target":"t","content":"c","block":true,"occurrence":2}"#,
            r#"{"op":"replace","target":"t","content":"  indented\n"}"#,
            r#"{"op":"delete","target":"t"}"#,
        ];
        for text in texts {
            let edit: Edit = serde_json::from_str(text).unwrap();
            let again: Value = serde_json::to_value(&edit).unwrap();
            assert_eq!(again, serde_json::from_str::<Value>(text).unwrap());
        }
    }

    #[test]
    fn null_counts_as_absent() {
        let edit: Edit = serde_json::from_str(r#"{"op":"append","target":null,"content":"a"}"#).unwrap();
        assert_eq!(edit, Edit::append("a"));
    }

    #[test]
    fn wrong_edits_name_the_field() {
        let cases = [
            (r#"{"content":"a"}"#, "op"),
            (r#"{"op":"prepend","content":"a"}"#, "op"),
            (r#"{"op":3,"content":"a"}"#, "op"),
            (r#"{"op":"append","content":""}"#, "content"),
            (r#"{"op":"append","content":["a"]}"#, "content"),
            (r#"{"op":"replace","content":"a"}"#, "target"),
            (r#"{"op":"replace","target":" ","content":"a"}"#, "target"),
            (r#"{"op":"delete","target":"a","occurrence":0}"#, "occurrence"),
            (r#"{"op":"insert_after","target":"a","content":"b","block":"yes"}"#, "block"),
            (r#"{"op":"append","content":"a","under":7}"#, "under"),
        ];
        for (text, field) in cases {
            let object: Map<String, Value> = serde_json::from_str(text).unwrap();
            assert_eq!(Edit::try_from(object).unwrap_err().field, field, "{text}");
        }
    }
}
