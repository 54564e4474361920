//! What of a review's reply is taken, and what is not (Section 3.3, Appendix A).
//!
//! Always holds: an operation never changes; `retain` and `insufficient_evidence` leave the text byte for byte;
//! `narrow` and `revise` change it only with a valid citation, and the target only to text that the context holds
//! once; an edit without a record stays as it was; an edit that no candidate asked for is refused; none is lost.

use serde_json::{Map, Value};
use textualrl_llm::Checked;
use textualrl_model::{
    Citation, Context, Edit, EditProposal, EvidenceCard, Relation, ReviewDecision, ReviewRecord, RolloutIndex,
};

use crate::merge_reply::read_edit;
use crate::output::not_reviewed;

/// What a review call is checked against.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<'a> {
    /// The edits under review.
    pub edits: &'a [&'a EditProposal],
    /// The cards that were shown.
    pub cards: &'a [EvidenceCard],
    /// The context.
    pub context: &'a Context,
}

/// The usable part of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewAnswer {
    /// Each candidate as it goes on, with its record, in the order of the candidates.
    pub edits: Vec<(Edit, ReviewRecord)>,
    /// Entries of no candidate, and repeated ones.
    pub refused: Vec<String>,
}

/// One candidate's judgement: the edit as it goes on, its record, and what the reviewer is to put right.
struct Judgement {
    edit: Edit,
    record: ReviewRecord,
    problems: Vec<String>,
}

/// Checks a reply and enforces the rules of the review.
///
/// # Errors
/// The problems, if the reply reviews none of the candidates.
pub fn check_review(
    reply: &Value,
    candidates: &Candidates<'_>,
) -> Result<Checked<ReviewAnswer>, Vec<String>> {
    let Some(written) = reply.get("edits").and_then(Value::as_array) else {
        return Err(vec!["edits: must be a list with every candidate once".to_owned()]);
    };
    let mut answer = ReviewAnswer { edits: Vec::new(), refused: foreign_entries(written, candidates) };
    let (mut problems, mut reviewed) = (Vec::new(), 0_usize);
    for candidate in candidates.edits {
        let entry = written.iter().find(|entry| entry_id(entry) == Some(candidate.id.as_str()));
        let judgement = match entry {
            Some(Value::Object(entry)) => judge(candidate, entry, candidates),
            _ => Judgement {
                edit: candidate.edit.clone(),
                record: not_reviewed(&candidate.id, "the reply does not mention it"),
                problems: vec!["is missing in `edits`".to_owned()],
            },
        };
        reviewed += usize::from(judgement.record.decision != ReviewDecision::NotReviewed);
        problems.extend(judgement.problems.into_iter().map(|problem| format!("{}: {problem}", candidate.id)));
        answer.edits.push((judgement.edit, judgement.record));
    }
    if reviewed == 0 { Err(problems) } else { Ok(Checked::partial(answer, problems)) }
}

fn entry_id(entry: &Value) -> Option<&str> {
    entry.get("id").and_then(Value::as_str).map(str::trim)
}

/// Entries that are of no candidate, and all but the first of one candidate.
fn foreign_entries(written: &[Value], candidates: &Candidates<'_>) -> Vec<String> {
    let mut seen = Vec::new();
    let mut refused = Vec::new();
    for (index, entry) in written.iter().enumerate() {
        match entry_id(entry) {
            Some(id) if seen.contains(&id) => {
                refused.push(format!("edits[{index}]: {id} stands there already"))
            }
            Some(id) if candidates.edits.iter().any(|edit| edit.id.as_str() == id) => seen.push(id),
            Some(id) => refused.push(format!("edits[{index}]: {id} is no candidate")),
            None => refused.push(format!("edits[{index}]: has no id, so it is of no candidate")),
        }
    }
    refused
}

fn judge(candidate: &EditProposal, entry: &Map<String, Value>, candidates: &Candidates<'_>) -> Judgement {
    let unchanged = |record, problems| Judgement { edit: candidate.edit.clone(), record, problems };
    let review = entry.get("cross_group_review").and_then(Value::as_object);
    let decision = review.and_then(|review| read_decision(review.get("decision")?.as_str()?));
    let (Some(review), Some(decision)) = (review, decision) else {
        let reason = "the reply has no valid `cross_group_review.decision` for it";
        let problem = "needs `cross_group_review` with one of the four decisions".to_owned();
        return unchanged(not_reviewed(&candidate.id, reason), vec![problem]);
    };
    let (citations, refused) = citations(review.get("evidence"), candidates.cards);
    let reason = review.get("reason").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let mut record = ReviewRecord { edit: candidate.id.clone(), decision, reason, citations, refused };
    let revised = revised_edit(candidate, entry, candidates.context);
    if matches!(decision, ReviewDecision::Retain | ReviewDecision::InsufficientEvidence) {
        if revised.as_ref() != Ok(&candidate.edit) {
            record
                .refused
                .push(format!("another text under `{}`: the edit stays as it was", decision.name()));
        }
        return unchanged(record, Vec::new());
    }
    if record.citations.is_empty() {
        record
            .refused
            .push(format!("`{}` without a valid citation: the edit stays as it was", decision.name()));
        record.decision = ReviewDecision::InsufficientEvidence;
        let problem = format!("`{}` needs at least one citation of a card shown", decision.name());
        return unchanged(record, vec![problem]);
    }
    match revised {
        Ok(edit) if edit == candidate.edit => {
            record.refused.push(format!("`{}` without a change: taken as `retain`", decision.name()));
            record.decision = ReviewDecision::Retain;
            unchanged(record, Vec::new())
        }
        Ok(edit) => Judgement { edit, record, problems: Vec::new() },
        Err(problem) => {
            record.refused.push(format!("{problem}: the edit stays as it was"));
            record.decision = ReviewDecision::NotReviewed;
            unchanged(record, vec![problem])
        }
    }
}

fn read_decision(name: &str) -> Option<ReviewDecision> {
    use ReviewDecision::{InsufficientEvidence, Narrow, Retain, Revise};
    [Retain, Narrow, Revise, InsufficientEvidence].into_iter().find(|decision| decision.name() == name.trim())
}

/// The candidate with the reviewer's target and content. What the reviewer leaves out stays as it was.
fn revised_edit(
    candidate: &EditProposal,
    entry: &Map<String, Value>,
    context: &Context,
) -> Result<Edit, String> {
    let written = |field: &str| entry.get(field).filter(|value| !value.is_null());
    let op = candidate.edit.op();
    if let Some(other) = written("op").filter(|value| value.as_str().map(str::trim) != Some(op.name())) {
        return Err(format!("field `op`: must stay `{op}`, not {other}"));
    }
    let mut object: Map<String, Value> = candidate.edit.clone().into();
    let target = written("target").filter(|target| target.as_str() != candidate.edit.target());
    if let (Some(target), Some(_)) = (target, candidate.edit.target()) {
        object.remove("occurrence");
        object.insert("target".to_owned(), target.clone());
    }
    if let (Some(content), Some(_)) = (written("content"), candidate.edit.content()) {
        object.insert("content".to_owned(), content.clone());
    }
    if object == candidate.edit.clone().into() {
        Ok(candidate.edit.clone())
    } else {
        read_edit(object, context)
    }
}

/// The citations that resolve to cards shown in the call, and what is wrong with the others.
fn citations(written: Option<&Value>, cards: &[EvidenceCard]) -> (Vec<Citation>, Vec<String>) {
    let (mut valid, mut refused) = (Vec::<Citation>::new(), Vec::new());
    let written = match written {
        None | Some(Value::Null) => return (valid, refused),
        Some(Value::Array(written)) => written,
        Some(_) => return (valid, vec!["`evidence` is no list".to_owned()]),
    };
    for (index, value) in written.iter().enumerate() {
        match read_citation(value, cards) {
            Ok(citation) => {
                let same =
                    |known: &Citation| (&known.card, known.relation) == (&citation.card, citation.relation);
                if !valid.iter().any(same) {
                    valid.push(citation);
                }
            }
            Err(problem) => refused.push(format!("evidence[{index}]: {problem}")),
        }
    }
    (valid, refused)
}

fn read_citation(value: &Value, cards: &[EvidenceCard]) -> Result<Citation, String> {
    let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default().trim();
    let (task, rollout) = (text("task_id"), text("rollout_id"));
    let index = rollout.parse::<RolloutIndex>().ok();
    let card = cards.iter().find(|card| card.task_id.as_str() == task && Some(card.rollout_id) == index);
    let card = card.ok_or_else(|| format!("there is no card of {task}/{rollout}"))?;
    let relation = [Relation::Supports, Relation::Limits, Relation::Contradicts]
        .into_iter()
        .find(|relation| relation_name(*relation) == text("relation"))
        .ok_or_else(|| format!("{:?} is none of supports, limits, contradicts", text("relation")))?;
    match text("reason") {
        "" => Err("has no reason".to_owned()),
        reason => Ok(Citation { card: card.id.clone(), relation, reason: reason.to_owned() }),
    }
}

/// A relation's name on the wire and in reports.
pub fn relation_name(relation: Relation) -> &'static str {
    match relation {
        Relation::Supports => "supports",
        Relation::Limits => "limits",
        Relation::Contradicts => "contradicts",
    }
}
