//! What a stage did, in one line for people.
//!
//! Always holds: a line that a simulated model took part in says so.

use std::time::Duration;

use textualrl_artifact::{StageRecord, StageSummary};

/// The line about a finished stage.
pub(super) fn told(record: &StageRecord, took: Duration) -> String {
    let simulated = if record.simulated { ", simulated" } else { "" };
    let seconds = took.as_secs_f64();
    format!("{:<20} {}  ({seconds:.1} s{simulated})", record.slot.to_string(), in_words(&record.summary))
}

fn in_words(summary: &StageSummary) -> String {
    match summary {
        StageSummary::Rollout { mixed, all_success, all_failure, rollouts, solved, not_scored, .. } => {
            format!(
                "{solved} of {rollouts} rollouts solved{}; groups: {mixed} mixed, {all_success} all-success, {all_failure} \
             all-failure",
                if *not_scored > 0 { format!(", {not_scored} not scored") } else { String::new() }
            )
        }
        StageSummary::Critique { calls, failed_calls, proposals, cards, rejected_cards } => format!(
            "{calls} critics: {proposals} edit proposals, {cards} evidence cards ({rejected_cards} refused){}",
            if *failed_calls > 0 { format!("; {failed_calls} calls gave nothing") } else { String::new() }
        ),
        StageSummary::Review { merged, decisions, failed } => {
            let words: Vec<_> =
                decisions.iter().map(|(decision, count)| format!("{count} {decision}")).collect();
            let colon = if words.is_empty() { "" } else { ": " };
            let failed = if *failed { "; the review failed and the unreviewed edits go on" } else { "" };
            format!("{merged} merged edits{colon}{}{failed}", words.join(", "))
        }
        StageSummary::Patch { applied, not_taken, skip: None, .. } => {
            format!("{applied} edits applied, {not_taken} not taken")
        }
        StageSummary::Patch { skip: Some(skip), .. } => format!("no candidate: {}", skip.words()),
        StageSummary::Evaluation { score: Some(score), .. } => {
            format!("{}/{} solved, {:.1} %", score.solved, score.tasks, score.mean() * 100.0)
        }
        StageSummary::Evaluation { score: None, not_scored, .. } => {
            format!("open: {not_scored} tasks are not scored")
        }
        StageSummary::Gate { decision } => decision.reason.clone(),
    }
}
