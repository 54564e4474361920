//! `review.md`: the review of a step for people.
//!
//! Always holds: every merged edit is in it, with its decision, the cards it rests on, and the text before and after;
//! what failed is said at the top.

use textualrl_model::{Citation, Edit, EditProposal, EvidencePool, ReviewRecord, StepId};

use crate::enforce::relation_name;
use crate::output::{MergeStatus, RankingStatus, ReviewOutput, ReviewStatus};

/// The report of a step.
pub fn report(step: StepId, output: &ReviewOutput, pool: &EvidencePool) -> String {
    let mut text = format!("# Review of step {step}\n\n{}\n\n", status_text(output));
    push_merges(&mut text, output);
    for (index, proposal) in output.ranked().into_iter().enumerate() {
        let record = output.records.iter().find(|record| record.edit == proposal.id);
        let before = output.unreviewed.iter().find(|before| before.id == proposal.id);
        text.push_str(&format!("## {}. {}\n\n", index + 1, heading(proposal, record)));
        push_provenance(&mut text, proposal);
        push_edit(&mut text, before.map(|before| &before.edit), &proposal.edit);
        if let Some(record) = record {
            push_record(&mut text, record, pool);
        }
    }
    push_ranking(&mut text, output);
    text
}

fn status_text(output: &ReviewOutput) -> String {
    match &output.status {
        ReviewStatus::Reviewed => format!("{} edits, all reviewed.", output.records.len()),
        ReviewStatus::PartlyReviewed { not_reviewed } => {
            format!("{} edits, {not_reviewed} of them not reviewed.", output.records.len())
        }
        ReviewStatus::Failed { because } => {
            format!("**The review failed; the unreviewed edits went on.** {because}")
        }
        ReviewStatus::NoCards => "The step has no evidence card: merged without a review.".to_owned(),
        ReviewStatus::Disabled => "The review is switched off.".to_owned(),
        ReviewStatus::NoEdits => "There is no edit.".to_owned(),
    }
}

fn push_merges(text: &mut String, output: &ReviewOutput) {
    if output.merges.is_empty() {
        return;
    }
    text.push_str("Merges:\n\n");
    for merge in &output.merges {
        let (inputs, outputs) = (merge.inputs.len(), merge.outputs.len());
        let bundles = merge.bundles.join(", ");
        text.push_str(&format!("- {}: {inputs} edits of {bundles} became {outputs}", merge.merge));
        if let MergeStatus::Concatenated { because } = &merge.status {
            text.push_str(&format!("; **not merged, only put together:** {because}"));
        }
        if !merge.left_out.is_empty() {
            let ids: Vec<&str> = merge.left_out.iter().map(|id| id.as_str()).collect();
            text.push_str(&format!("; left out: {}", ids.join(", ")));
        }
        text.push('\n');
    }
    text.push('\n');
}

fn heading(proposal: &EditProposal, record: Option<&ReviewRecord>) -> String {
    let decision = record.map_or("not_reviewed", |record| record.decision.name());
    format!("{}: {decision}", proposal.id)
}

fn push_provenance(text: &mut String, proposal: &EditProposal) {
    let from: Vec<&str> = proposal.from.iter().map(|id| id.as_str()).collect();
    let routes: Vec<&str> = proposal.routes.iter().map(|route| route.name()).collect();
    let routes = if routes.is_empty() { "no route".to_owned() } else { routes.join(", ") };
    let tasks = proposal.support.len();
    text.push_str(&format!("From {} ({routes}); tasks in support: {tasks}.\n\n", from.join(", ")));
}

fn push_edit(text: &mut String, before: Option<&Edit>, after: &Edit) {
    match before {
        Some(before) if before != after => {
            push_block(text, "Before", before);
            push_block(text, "After", after);
        }
        _ => push_block(text, "Edit", after),
    }
}

fn push_block(text: &mut String, title: &str, edit: &Edit) {
    text.push_str(&format!("{title}: `{}`\n\n", edit.op()));
    for (name, lines) in [("at", edit.target()), ("text", edit.content())] {
        if let Some(lines) = lines {
            let indented: Vec<String> = lines.lines().map(|line| format!("    {line}")).collect();
            text.push_str(&format!("{name}:\n\n{}\n\n", indented.join("\n")));
        }
    }
}

fn push_record(text: &mut String, record: &ReviewRecord, pool: &EvidencePool) {
    if !record.reason.is_empty() {
        text.push_str(&format!("Reason: {}\n\n", record.reason));
    }
    for citation in &record.citations {
        text.push_str(&citation_text(citation, pool));
    }
    for refused in &record.refused {
        text.push_str(&format!("- not taken: {refused}\n"));
    }
    if !record.citations.is_empty() || !record.refused.is_empty() {
        text.push('\n');
    }
}

fn citation_text(citation: &Citation, pool: &EvidencePool) -> String {
    let relation = relation_name(citation.relation);
    let seen = pool.cards.iter().find(|card| card.id == citation.card).map_or_else(String::new, |card| {
        let outcome = if card.outcome.is_success() { "success" } else { "failure" };
        format!(" ({}/{}, {outcome}): {:?}", card.task_id, card.rollout_id, card.quote)
    });
    format!("- {} {relation}{seen}. {}\n", citation.card, citation.reason)
}

fn push_ranking(text: &mut String, output: &ReviewOutput) {
    let line = match &output.ranking.status {
        RankingStatus::WithinBudget => return,
        RankingStatus::Ranked => format!("Ranked, as the budget is {}.", output.ranking.edit_budget),
        RankingStatus::Failed { because } => {
            format!("**The ranking failed; the edits stay in merge order.** {because}")
        }
    };
    text.push_str(&format!("## Ranking\n\n{line}\n"));
    for note in &output.ranking.notes {
        text.push_str(&format!("- {note}\n"));
    }
}
