//! A critic's reply: its JSON schema, and what of it can be used.
//!
//! Always holds: edits and cards are judged independently and one by one, so that a fault in one costs none of the
//! others; a reply without edits list and without cards list is no answer at all.

use serde_json::{Value, json};
use textualrl_llm::{Checked, ReplySchema};
use textualrl_model::{CardRejection, Context, GroupId};

use crate::batch::AnalysisGroup;
use crate::card::{CheckedCards, RejectedCard, check_cards};
use crate::display::Display;
use crate::proposal::{SupportedEdit, check_edits};

/// What can be used of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriticAnswer {
    /// The critic's reasoning; empty if it gave none.
    pub reasoning: String,
    /// The valid edits.
    pub edits: Vec<SupportedEdit>,
    /// The cards, valid and rejected.
    pub cards: CheckedCards,
}

/// Checks a reply against what its call displayed. Rejected cards alone are no reason to ask again.
///
/// # Errors
/// The problems, if the reply has neither a list of edits nor a list of cards.
pub fn check_answer(
    reply: &Value,
    id: &GroupId,
    group: &AnalysisGroup,
    display: &Display,
    context: &Context,
) -> Result<Checked<CriticAnswer>, Vec<String>> {
    let edits = edit_list(reply);
    let cards = reply.get("cross_group_cards").and_then(Value::as_array);
    let mut problems: Vec<String> = edits.as_ref().err().cloned().into_iter().collect();
    if cards.is_none() {
        problems.push("cross_group_cards: must be a list; write an empty one if there is no card".to_owned());
    }
    if edits.is_err() && cards.is_none() {
        return Err(problems);
    }
    let (edits, edit_problems) = check_edits(edits.unwrap_or_default(), group, context);
    problems.extend(edit_problems);
    let reasoning = reply.pointer("/patch/reasoning").and_then(Value::as_str).unwrap_or_default();
    let cards = match (cards, reply.get("cross_group_cards")) {
        (Some(cards), _) => check_cards(cards, display, id, group.route),
        (None, None | Some(Value::Null)) => CheckedCards::default(),
        (None, Some(other)) => CheckedCards { cards: Vec::new(), rejected: vec![no_list(id, other)] },
    };
    Ok(Checked::partial(CriticAnswer { reasoning: reasoning.to_owned(), edits, cards }, problems))
}

fn edit_list(reply: &Value) -> Result<&[Value], String> {
    match reply.get("patch") {
        None | Some(Value::Null) => Err("patch: is missing".to_owned()),
        Some(Value::Object(patch)) => {
            match patch.get("edits") {
                Some(Value::Array(edits)) => Ok(edits),
                _ => Err("patch.edits: must be a list; write an empty one if there is nothing to propose"
                    .to_owned()),
            }
        }
        Some(_) => Err("patch: must be an object with `reasoning` and `edits`".to_owned()),
    }
}

fn no_list(group: &GroupId, written: &Value) -> RejectedCard {
    let message = "`cross_group_cards` is no list".to_owned();
    RejectedCard::new(group, written, CardRejection::Malformed { message })
}

/// The schema of a critic's reply.
pub fn critic_schema() -> ReplySchema {
    let text = json!({"type": "string"});
    let edit = json!({
        "type": "object",
        "properties": {
            "op": {"type": "string", "enum": ["append", "insert_after", "replace", "delete"]},
            "target": {"type": ["string", "null"]},
            "content": {"type": ["string", "null"]},
            "support": {"type": "array", "items": text},
        },
        "required": ["op", "target", "content", "support"],
        "additionalProperties": false,
    });
    let fields = ["task_id", "rollout_id", "quote", "condition", "behavior", "observed_effect"];
    let card = json!({
        "type": "object",
        "properties": fields.map(|field| (field, text.clone())).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "required": fields,
        "additionalProperties": false,
    });
    let patch = json!({
        "type": "object",
        "properties": {"reasoning": text, "edits": {"type": "array", "items": edit}},
        "required": ["reasoning", "edits"],
        "additionalProperties": false,
    });
    let schema = json!({
        "type": "object",
        "properties": {"patch": patch, "cross_group_cards": {"type": "array", "items": card}},
        "required": ["patch", "cross_group_cards"],
        "additionalProperties": false,
    });
    ReplySchema { name: "critique".to_owned(), schema }
}
