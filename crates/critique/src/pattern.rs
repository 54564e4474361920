//! Failure patterns of a step, for the step buffer.
//!
//! Always holds: a label is never empty, and a pattern counts distinct tasks, never siblings.

use std::collections::{BTreeMap, BTreeSet};

use textualrl_model::{EvidencePool, FailurePattern, FeedbackLevel, Outcome, Reward, RolloutGroup, TaskId};

use crate::dedup::collapse;

/// The failure patterns of a step: the safe feedback of failed rollouts, unless critics see no feedback, and the
/// behaviours on the cards of failed rollouts. Those of most tasks come first. Labels that differ in their numbers
/// alone are one pattern, whose label has N for each number.
pub fn failure_patterns(
    groups: &[RolloutGroup],
    pool: &EvidencePool,
    feedback: FeedbackLevel,
) -> Vec<FailurePattern> {
    let mut kinds: BTreeMap<String, (String, BTreeSet<TaskId>)> = BTreeMap::new();
    let mut add = |label: &str, task: &TaskId| {
        let label = collapse(label);
        if label.is_empty() {
            return;
        }
        let kind = kind_of(&label);
        let (known, tasks) = kinds.entry(kind).or_insert_with(|| (label.clone(), BTreeSet::new()));
        if numbers(known).ne(numbers(&label)) {
            *known = without_numbers(known);
        }
        tasks.insert(task.clone());
    };
    if feedback != FeedbackLevel::None {
        for (task, words) in failed_with_feedback(groups) {
            add(words, task);
        }
    }
    for card in pool.cards.iter().filter(|card| card.outcome == Reward::Failure) {
        add(&card.behavior, &card.task_id);
    }
    let mut patterns: Vec<FailurePattern> = kinds
        .into_values()
        .map(|(label, tasks)| FailurePattern { label, tasks: tasks.into_iter().collect() })
        .collect();
    patterns.sort_by(|a, b| b.tasks.len().cmp(&a.tasks.len()).then_with(|| a.label.cmp(&b.label)));
    patterns
}

fn failed_with_feedback(groups: &[RolloutGroup]) -> impl Iterator<Item = (&TaskId, &str)> {
    let trajectories = groups.iter().flat_map(|group| &group.trajectories);
    trajectories.filter_map(|trajectory| match &trajectory.outcome {
        Outcome::Scored { reward: Reward::Failure, feedback, .. } => {
            feedback.safe.as_deref().map(|words| (&trajectory.task, words))
        }
        _ => None,
    })
}

/// The numbers in a label, in order.
fn numbers(label: &str) -> impl Iterator<Item = &str> {
    label.split(|character: char| !character.is_numeric()).filter(|number| !number.is_empty())
}

/// The label with N for each number, so that it is true of all that it stands for.
fn without_numbers(label: &str) -> String {
    let mut open = String::with_capacity(label.len());
    let mut in_number = false;
    for character in label.chars() {
        if !character.is_numeric() {
            open.push(character);
        } else if !in_number {
            open.push('N');
        }
        in_number = character.is_numeric();
    }
    open
}

/// What makes two labels one kind: their letters and signs, without case, and with every number as one digit.
fn kind_of(label: &str) -> String {
    let mut kind = String::with_capacity(label.len());
    for character in label.chars().flat_map(char::to_lowercase) {
        let written = if character.is_numeric() { '0' } else { character };
        if written != '0' || !kind.ends_with('0') {
            kind.push(written);
        }
    }
    kind
}
