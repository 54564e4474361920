//! The user turns and reply schemas of merge, review and ranking calls.
//!
//! Always holds: data stands in tagged blocks as JSON or with its tags escaped; edits are written without anything
//! that their readers do not need.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use textualrl_llm::ReplySchema;
use textualrl_llm::prompt::block;
use textualrl_model::{Context, EditProposal, EvidenceCard, Reward, Route};

use crate::bundle::{Branch, Bundle};

/// The user turn of a merge.
pub fn merge_turn(context: &Context, branch: Branch, bundles: &[Bundle]) -> String {
    let bundles: Vec<Value> = bundles.iter().map(bundle_value).collect();
    let branch = format!("<branch>{}</branch>\n", branch.name());
    block("context", context.text()) + &branch + &block("bundles", &list(&bundles))
}

fn bundle_value(bundle: &Bundle) -> Value {
    let edits: Vec<Value> = bundle
        .edits
        .iter()
        .map(|proposal| {
            let mut edit = edit_value(proposal);
            add(&mut edit, "support", json!(proposal.support));
            add(&mut edit, "routes", json!(proposal.routes));
            edit
        })
        .collect();
    json!({"bundle": bundle.id, "route": bundle.route(), "reasoning": bundle.reasoning, "edits": edits})
}

/// The user turn of a review.
pub fn review_turn(context: &Context, edits: &[&EditProposal], cards: &[EvidenceCard]) -> String {
    let edits: Vec<Value> = edits.iter().map(|proposal| edit_value(proposal)).collect();
    let cards: Vec<Value> = cards.iter().map(card_value).collect();
    block("context", context.text())
        + &block("candidate_edits", &list(&edits))
        + &block("evidence_cards", &list(&cards))
}

fn card_value(card: &EvidenceCard) -> Value {
    let outcome = if card.outcome == Reward::Success { "success" } else { "failure" };
    json!({
        "card": card.id,
        "task_id": card.task_id,
        "rollout_id": card.rollout_id.to_string(),
        "route": card.route.map_or("unified", Route::name),
        "outcome": outcome,
        "group": card.group,
        "quote": card.quote,
        "condition": card.condition,
        "behavior": card.behavior,
        "observed_effect": card.observed_effect,
    })
}

/// The user turn of a ranking.
pub fn rank_turn(context: &Context, edit_budget: u32, edits: &[EditProposal]) -> String {
    let edits: Vec<Value> = edits
        .iter()
        .map(|proposal| {
            let mut edit = edit_value(proposal);
            add(&mut edit, "support", json!(proposal.support.len()));
            edit
        })
        .collect();
    let budget = format!("<edit_budget>{edit_budget}</edit_budget>\n");
    block("context", context.text()) + &budget + &block("edits_to_rank", &list(&edits))
}

/// An edit with its id; fields that its operation has not are left out.
fn edit_value(proposal: &EditProposal) -> Value {
    let mut edit = json!({"id": proposal.id, "op": proposal.edit.op()});
    if let Some(target) = proposal.edit.target() {
        add(&mut edit, "target", json!(target));
    }
    if let Some(content) = proposal.edit.content() {
        add(&mut edit, "content", json!(content));
    }
    edit
}

fn add(object: &mut Value, field: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.insert(field.to_owned(), value);
    }
}

/// A JSON list with one element a line.
fn list<T: Serialize>(elements: &[T]) -> String {
    let lines: Vec<String> = elements.iter().map(|element| json!(element).to_string()).collect();
    format!("[{}]", lines.join(",\n"))
}

fn object(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: BTreeMap<&str, &Value> = fields.iter().map(|(name, value)| (*name, value)).collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

fn list_of(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn one_of(names: &[&str]) -> Value {
    json!({"type": "string", "enum": names})
}

/// The fields of an edit.
fn edit_fields() -> [(&'static str, Value); 3] {
    let text_or_null = json!({"type": ["string", "null"]});
    [
        ("op", one_of(&["append", "insert_after", "replace", "delete"])),
        ("target", text_or_null.clone()),
        ("content", text_or_null),
    ]
}

/// The schema of a merge's reply.
pub fn merge_schema() -> ReplySchema {
    let mut edit = edit_fields().to_vec();
    edit.push(("from", list_of(text())));
    let schema = object(&[("reasoning", text()), ("edits", list_of(object(&edit)))]);
    ReplySchema { name: "merge".to_owned(), schema }
}

/// The schema of a review's reply.
pub fn review_schema() -> ReplySchema {
    let citation = object(&[
        ("task_id", text()),
        ("rollout_id", text()),
        ("relation", one_of(&["supports", "limits", "contradicts"])),
        ("reason", text()),
    ]);
    let review = object(&[
        ("decision", one_of(&["retain", "narrow", "revise", "insufficient_evidence"])),
        ("reason", text()),
        ("evidence", list_of(citation)),
    ]);
    let mut edit = vec![("id", text())];
    edit.extend(edit_fields());
    edit.push(("cross_group_review", review));
    ReplySchema { name: "review".to_owned(), schema: object(&[("edits", list_of(object(&edit)))]) }
}

/// The schema of a ranking's reply.
pub fn rank_schema() -> ReplySchema {
    ReplySchema { name: "ranking".to_owned(), schema: object(&[("ranking", list_of(text()))]) }
}
