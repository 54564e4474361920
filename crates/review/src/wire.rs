//! The user turns and reply schemas of merge, review and ranking calls.
//!
//! Always holds: data stands in tagged blocks as JSON or with its tags escaped; edits are written without anything
//! that their readers do not need.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use textualrl_llm::ReplySchema;
use textualrl_llm::prompt::block;
use textualrl_model::{CardId, Context, EditId, EditOp, EditProposal, EvidenceCard, GroupId, Route, TaskId};

use crate::bundle::{Branch, Bundle};

/// An edit as optimizers are shown it; what its operation has not is left out.
#[derive(Serialize)]
struct ShownEdit<'a, S> {
    id: &'a EditId,
    op: EditOp,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    support: Option<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    routes: Option<&'a [Route]>,
}

#[derive(Serialize)]
struct ShownBundle<'a> {
    bundle: &'a str,
    route: String,
    reasoning: &'a str,
    edits: Vec<ShownEdit<'a, &'a [TaskId]>>,
}

#[derive(Serialize)]
struct ShownCard<'a> {
    card: &'a CardId,
    task_id: &'a TaskId,
    rollout_id: String,
    route: &'static str,
    outcome: &'static str,
    group: &'a GroupId,
    quote: &'a str,
    condition: &'a str,
    behavior: &'a str,
    observed_effect: &'a str,
}

impl<'a, S> ShownEdit<'a, S> {
    fn new(proposal: &'a EditProposal, support: Option<S>) -> Self {
        Self {
            id: &proposal.id,
            op: proposal.edit.op(),
            target: proposal.edit.target(),
            content: proposal.edit.content(),
            support,
            routes: None,
        }
    }
}

impl<'a> ShownBundle<'a> {
    fn new(bundle: &'a Bundle) -> Self {
        let edits = bundle.edits.iter().map(|proposal| ShownEdit {
            routes: Some(&proposal.routes),
            ..ShownEdit::new(proposal, Some(proposal.support.as_slice()))
        });
        Self {
            bundle: &bundle.id,
            route: bundle.route(),
            reasoning: &bundle.reasoning,
            edits: edits.collect(),
        }
    }
}

impl<'a> ShownCard<'a> {
    fn new(card: &'a EvidenceCard) -> Self {
        Self {
            card: &card.id,
            task_id: &card.task_id,
            rollout_id: card.rollout_id.to_string(),
            route: card.route.map_or("unified", Route::name),
            outcome: if card.outcome.is_success() { "success" } else { "failure" },
            group: &card.group,
            quote: &card.quote,
            condition: &card.condition,
            behavior: &card.behavior,
            observed_effect: &card.observed_effect,
        }
    }
}

/// The user turn of a merge.
pub fn merge_turn(context: &Context, branch: Branch, bundles: &[Bundle]) -> String {
    let bundles = list(bundles.iter().map(ShownBundle::new));
    let branch = format!("<branch>{}</branch>\n", branch.name());
    block("context", context.text()) + &branch + &block("bundles", &bundles)
}

/// The user turn of a review.
pub fn review_turn(context: &Context, edits: &[&EditProposal], cards: &[EvidenceCard]) -> String {
    let edits = list(edits.iter().map(|proposal| ShownEdit::<()>::new(proposal, None)));
    let cards = list(cards.iter().map(ShownCard::new));
    block("context", context.text()) + &block("candidate_edits", &edits) + &block("evidence_cards", &cards)
}

/// The user turn of a ranking.
pub fn rank_turn(context: &Context, edit_budget: u32, edits: &[EditProposal]) -> String {
    let edits = list(edits.iter().map(|proposal| ShownEdit::new(proposal, Some(proposal.support.len()))));
    let budget = format!("<edit_budget>{edit_budget}</edit_budget>\n");
    block("context", context.text()) + &budget + &block("edits_to_rank", &edits)
}

/// A JSON list with one element a line.
fn list<T: Serialize>(elements: impl Iterator<Item = T>) -> String {
    // Plain structs of texts and numbers can always be written.
    let lines: Vec<String> =
        elements.map(|element| serde_json::to_string(&element).unwrap_or_default()).collect();
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
