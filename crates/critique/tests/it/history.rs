//! History text and failure patterns.

use textualrl_critique::failure_patterns;
use textualrl_critique::history::history_text;
use textualrl_model::{
    BufferEntry, CardId, Edit, EvidenceCard, EvidencePool, FailurePattern, FeedbackLevel, GroupId, Outcome,
    Rejection, Reward, RolloutIndex, StepBuffer, StepId,
};

use crate::build::{group, task, trajectory};

#[test]
fn the_history_tells_what_failed_and_what_was_rejected() {
    let pattern = |number: usize| FailurePattern {
        label: format!("kind {number}"),
        tasks: (0..number).map(|task_number| task(&format!("t{task_number}"))).collect(),
    };
    let entry = |step, accepted, rejection| BufferEntry {
        step: StepId::new(1, step),
        accepted,
        failed_tasks: 12,
        tasks: 40,
        patterns: (1..=12).rev().map(pattern).collect(),
        rejection,
    };
    let edits = vec![
        Edit::append("Answer in\none word."),
        Edit::replace("old", "new"),
        Edit::insert_after("here", "more"),
        Edit::delete("gone"),
    ];
    let rejection = Rejection { edits, reference: 0.6250, candidate: 0.6125 };
    let buffer = StepBuffer { entries: vec![entry(1, true, None), entry(2, false, Some(rejection))] };
    let text = history_text(&buffer);
    assert!(!text.contains("t0"), "no task id: {text}");
    insta::assert_snapshot!(text);
    assert_eq!(history_text(&StepBuffer::default()), "");
}

#[test]
fn patterns_count_distinct_tasks_and_have_labels() {
    let failure = |name: &str, rollout, safe: &str| trajectory(name, rollout, "x", Outcome::failure(safe));
    let mut first = group("a", "--");
    first.trajectories =
        vec![failure("a", 1, "answered with 23 words"), failure("a", 2, "answered with 7 words")];
    let mut second = group("b", "--");
    second.trajectories = vec![failure("b", 1, "Answered with 105 words"), failure("b", 2, " ")];
    let card = |name: &str, outcome, behavior: &str| EvidenceCard {
        id: CardId::of(&GroupId::numbered(1), 1),
        task_id: task(name),
        rollout_id: RolloutIndex::new(1),
        quote: "x".to_owned(),
        condition: "unknown".to_owned(),
        behavior: behavior.to_owned(),
        observed_effect: "unknown".to_owned(),
        route: None,
        outcome,
        group: GroupId::numbered(1),
    };
    let pool = EvidencePool {
        cards: vec![card("a", Reward::Failure, "guessed"), card("b", Reward::Success, "looked it up")],
    };
    let labels = |level| {
        let patterns = failure_patterns(&[first.clone(), second.clone()], &pool, level);
        patterns.into_iter().map(|pattern| (pattern.label, pattern.tasks.len())).collect::<Vec<_>>()
    };
    let expected = vec![("answered with N words".to_owned(), 2), ("guessed".to_owned(), 1)];
    assert_eq!(labels(FeedbackLevel::Safe), expected);
    assert_eq!(labels(FeedbackLevel::None), vec![("guessed".to_owned(), 1)]);
}
