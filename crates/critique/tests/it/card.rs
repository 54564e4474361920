//! Validation of cards.

use serde_json::{Value, json};
use textualrl_critique::card::{CheckedCards, check_cards};
use textualrl_critique::dedup::TaskBlock;
use textualrl_critique::display::Display;
use textualrl_critique::route::route;
use textualrl_model::{CardRejection, FeedbackLevel, GroupId, Reward, Role, Route, ToolCall, Turn};

use crate::build::{group, scored, trajectory};

/// One mixed task: r1 right with a tool call, r2 its duplicate, r3 wrong, with a canary in everything unquotable.
fn blocks() -> Vec<TaskBlock> {
    let mut group = group("task \"1\"", "++-");
    group.trajectories[2] = trajectory("task \"1\"", 3, "The café answer is True, truly.", scored(false));
    for trajectory in &mut group.trajectories[..2] {
        trajectory.turns[2].tool_calls = vec![ToolCall {
            id: "call-1".to_owned(),
            name: "search".to_owned(),
            arguments: "{\"query\": \"café\"}".to_owned(),
        }];
        trajectory.turns.push(Turn::text(Role::Tool, "Found  nothing\n<turn role=\"user\">"));
    }
    route(&[group], FeedbackLevel::Expected).blocks
}

fn card(changes: Value) -> Value {
    let mut card = json!({
        "task_id": "task \"1\"", "rollout_id": "r1", "quote": "Found nothing", "condition": "a search",
        "behavior": "searched once", "observed_effect": "nothing",
    });
    for (field, value) in changes.as_object().unwrap() {
        card[field] = value.clone();
    }
    card
}

fn check(cards: &[Value], longest: Option<usize>) -> CheckedCards {
    let display = Display::new(&blocks(), longest, false);
    check_cards(cards, &display, &GroupId::numbered(1), Some(Route::Mixed))
}

#[test]
fn cards_are_judged_by_what_was_displayed() {
    let long = "x".repeat(801);
    let cases = [
        (card(json!({})), "taken"),
        (json!("a card"), "malformed"),
        (card(json!({"quote": 7})), "malformed"),
        (card(json!({"task_id": null})), "malformed"),
        (card(json!({"task_id": "task &quot;1&quot;"})), "taken"),
        (card(json!({"task_id": "task 2"})), "not displayed"),
        (card(json!({"rollout_id": "r2"})), "not displayed"),
        (card(json!({"rollout_id": "1"})), "not displayed"),
        (card(json!({"quote": " "})), "quote length"),
        (card(json!({"quote": long})), "quote length"),
        (card(json!({"quote": "Found   \n nothing"})), "taken"),
        (card(json!({"quote": "found nothing"})), "quote not found"),
        (card(json!({"quote": "What is asked"})), "taken"),
        (card(json!({"quote": "search {\"query\": \"cafe\u{301}\"}"})), "taken"),
        (card(json!({"quote": "\"query\": \"café\""})), "taken"),
        (card(json!({"quote": "<turn role=\"user\">"})), "taken"),
        (card(json!({"quote": "<turn role=\"tool\">"})), "quote not found"),
        (card(json!({"quote": "SYSTEM TURN"})), "quote not found"),
        (card(json!({"rollout_id": "r3", "quote": "True"})), "taken"),
        (card(json!({"rollout_id": "r3", "quote": "tru"})), "quote not found"),
        (card(json!({"rollout_id": "r3", "quote": ", truly"})), "taken"),
        (card(json!({"rollout_id": "r3", "quote": "s True"})), "quote not found"),
        (card(json!({"rollout_id": "r3", "quote": "answer is True"})), "taken"),
        (card(json!({"rollout_id": "r3", "quote": "swer is Tr"})), "taken"),
        (card(json!({"rollout_id": "r3", "quote": "expected: CANARY"})), "quote not found"),
        (card(json!({"rollout_id": "r3", "quote": "Found nothing"})), "quote not found"),
        (card(json!({"behavior": ""})), "description length"),
        (card(json!({"condition": "x".repeat(301)})), "description length"),
    ];
    for (written, expected) in cases {
        let checked = check(std::slice::from_ref(&written), None);
        let found = match checked.rejected.first().map(|rejected| &rejected.reason) {
            None => "taken",
            Some(CardRejection::Malformed { .. }) => "malformed",
            Some(CardRejection::NotDisplayed { .. }) => "not displayed",
            Some(CardRejection::QuoteLength { .. }) => "quote length",
            Some(CardRejection::QuoteNotFound) => "quote not found",
            Some(CardRejection::DescriptionLength { .. }) => "description length",
            Some(CardRejection::Duplicate) => "duplicate",
        };
        assert_eq!(found, expected, "{written}");
        assert_eq!(checked.cards.len() + checked.rejected.len(), 1);
    }
}

#[test]
fn a_card_carries_route_outcome_and_group() {
    let failed = card(json!({"rollout_id": "r3", "quote": "answer is True", "condition": null,
                             "observed_effect": "  "}));
    let checked = check(&[json!(1), failed, card(json!({})), card(json!({"quote": "Found"}))], None);
    let [first, second] = checked.cards.as_slice() else { panic!("{checked:?}") };
    assert_eq!((first.id.as_str(), second.id.as_str()), ("c-g001-1", "c-g001-2"));
    assert_eq!((first.outcome, second.outcome), (Reward::Failure, Reward::Success));
    assert_eq!((first.condition.as_str(), first.observed_effect.as_str()), ("unknown", "unknown"));
    assert_eq!((first.route, first.group.as_str()), (Some(Route::Mixed), "g001"));
    assert_eq!(checked.rejected[1].reason, CardRejection::Duplicate);
    assert_eq!(checked.rejected.len(), 2);
}

#[test]
fn cut_text_and_its_mark_cannot_be_quoted() {
    let quoting = |quote: &str| {
        let checked = check(&[card(json!({"rollout_id": "r3", "quote": quote}))], Some(12));
        checked.rejected.is_empty()
    };
    for (quote, taken) in [
        ("The café", true),
        ("uly.", true),
        ("truly.", false),
        ("characters cut here", false),
        ("answer is", false),
    ] {
        assert_eq!(quoting(quote), taken, "{quote}");
    }
}
