//! Validation of evidence cards against what was displayed in their call.
//!
//! Always holds: a card that is taken cites a displayed trajectory and quotes what was displayed of it; a card that
//! is not taken is kept with the reason.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use textualrl_llm::prompt::attribute;
use textualrl_model::{CardId, CardRejection, EvidenceCard, GroupId, RolloutIndex, Route};
use unicode_normalization::UnicodeNormalization;

use crate::dedup::collapse;
use crate::display::{Display, ShownBlock, ShownTrajectory, quotable};

/// The most characters of a quote.
const LONGEST_QUOTE: usize = 800;
/// The most characters of a description.
const LONGEST_DESCRIPTION: usize = 300;
/// A quote shorter than this must stand on word boundaries.
const SHORT_QUOTE: usize = 8;
/// What stands for a condition or an effect that was not observed.
const UNKNOWN: &str = "unknown";

/// A card that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedCard {
    /// The analysis group whose critic wrote it.
    pub group: GroupId,
    /// The card as written.
    pub card: Value,
    /// Why it was not taken.
    pub reason: CardRejection,
    /// The reason in words.
    pub message: String,
}

/// The cards of one call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckedCards {
    /// The valid ones, numbered in their order.
    pub cards: Vec<EvidenceCard>,
    /// The others.
    pub rejected: Vec<RejectedCard>,
}

/// Checks the cards of a call one by one; the first valid card of a trajectory counts.
pub fn check_cards(
    written: &[Value],
    display: &Display,
    group: &GroupId,
    route: Option<Route>,
) -> CheckedCards {
    let mut checked = CheckedCards::default();
    for value in written {
        match check_card(value, display, &checked.cards) {
            Ok(card) => {
                let number = checked.cards.len() + 1;
                checked.cards.push(card.numbered(group, number, route));
            }
            Err(reason) => checked.rejected.push(RejectedCard::new(group, value, reason)),
        }
    }
    checked
}

impl RejectedCard {
    pub(crate) fn new(group: &GroupId, card: &Value, reason: CardRejection) -> Self {
        let message = reason.to_string();
        Self { group: group.clone(), card: card.clone(), reason, message }
    }
}

fn check_card<'a>(
    value: &Value,
    display: &'a Display,
    taken: &[EvidenceCard],
) -> Result<ValidCard<'a>, CardRejection> {
    let Value::Object(object) = value else {
        return Err(CardRejection::Malformed { message: "it is no object".to_owned() });
    };
    let task_id = required_text(object, "task_id")?;
    let rollout_id = required_text(object, "rollout_id")?;
    let quote = text(object, "quote")?.unwrap_or_default();
    let (block, trajectory) = displayed(display, task_id, rollout_id)?;
    check_quote(quote, block, trajectory)?;
    let card = ValidCard {
        quote: quote.to_owned(),
        condition: description(object, "condition")?.unwrap_or_else(|| UNKNOWN.to_owned()),
        behavior: description(object, "behavior")?.ok_or_else(|| missing("behavior"))?,
        observed_effect: description(object, "observed_effect")?.unwrap_or_else(|| UNKNOWN.to_owned()),
        block,
        trajectory,
    };
    let same = |known: &EvidenceCard| known.task_id == block.task && known.rollout_id == trajectory.rollout;
    if taken.iter().any(same) { Err(CardRejection::Duplicate) } else { Ok(card) }
}

/// A text field without white space at its ends; null and blank count as absent.
fn text<'a>(object: &'a Map<String, Value>, field: &str) -> Result<Option<&'a str>, CardRejection> {
    match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
        Some(_) => Err(CardRejection::Malformed { message: format!("`{field}` is no text") }),
    }
}

fn required_text<'a>(object: &'a Map<String, Value>, field: &str) -> Result<&'a str, CardRejection> {
    text(object, field)?.ok_or_else(|| CardRejection::Malformed { message: format!("`{field}` is missing") })
}

fn description(object: &Map<String, Value>, field: &str) -> Result<Option<String>, CardRejection> {
    let Some(text) = text(object, field)? else { return Ok(None) };
    let characters = text.chars().count();
    if characters > LONGEST_DESCRIPTION {
        return Err(CardRejection::DescriptionLength { field: field.to_owned(), characters });
    }
    Ok(Some(text.to_owned()))
}

fn missing(field: &str) -> CardRejection {
    CardRejection::DescriptionLength { field: field.to_owned(), characters: 0 }
}

/// The trajectory that a card cites. A task id counts as it is and as it was written into the prompt's attribute.
fn displayed<'a>(
    display: &'a Display,
    task_id: &str,
    rollout_id: &str,
) -> Result<(&'a ShownBlock, &'a ShownTrajectory), CardRejection> {
    let block = display.blocks.iter().find(|block| names_task(task_id, block.task.as_str()));
    let rollout = rollout_id.parse::<RolloutIndex>().ok();
    block.zip(rollout).and_then(|(block, rollout)| display.find(block.task.as_str(), rollout)).ok_or_else(
        || CardRejection::NotDisplayed { task_id: task_id.to_owned(), rollout_id: rollout_id.to_owned() },
    )
}

/// Whether `written` is the task id or its form in an attribute.
pub(crate) fn names_task(written: &str, task: &str) -> bool {
    written == task || written == attribute(task)
}

fn check_quote(quote: &str, block: &ShownBlock, trajectory: &ShownTrajectory) -> Result<(), CardRejection> {
    let characters = quote.chars().count();
    if characters == 0 || characters > LONGEST_QUOTE {
        return Err(CardRejection::QuoteLength { characters });
    }
    let quote = comparable(quote);
    let on_words = quote.chars().count() < SHORT_QUOTE;
    let occurs = |text: String| occurs(&comparable(&text), &quote, on_words);
    if quotable(block, trajectory).into_iter().any(occurs) {
        Ok(())
    } else {
        Err(CardRejection::QuoteNotFound)
    }
}

/// Canonically composed, each run of white space as one space.
fn comparable(text: &str) -> String {
    collapse(&text.nfc().collect::<String>())
}

/// Whether `quote` stands in `text`, and if `on_words`, without cutting a word at either end.
fn occurs(text: &str, quote: &str, on_words: bool) -> bool {
    text.match_indices(quote).any(|(position, found)| {
        let before = text.get(..position).and_then(|before| before.chars().next_back());
        let after = text.get(position + found.len()..).and_then(|after| after.chars().next());
        !on_words
            || !(within_word(before, quote.chars().next()) || within_word(quote.chars().next_back(), after))
    })
}

/// Whether there is no word boundary between two neighbouring characters.
fn within_word(left: Option<char>, right: Option<char>) -> bool {
    left.zip(right).is_some_and(|(left, right)| left.is_alphanumeric() && right.is_alphanumeric())
}

/// A card whose fields and citation are right, before it is numbered.
struct ValidCard<'a> {
    quote: String,
    condition: String,
    behavior: String,
    observed_effect: String,
    block: &'a ShownBlock,
    trajectory: &'a ShownTrajectory,
}

impl ValidCard<'_> {
    fn numbered(self, group: &GroupId, number: usize, route: Option<Route>) -> EvidenceCard {
        EvidenceCard {
            id: CardId::of(group, number),
            task_id: self.block.task.clone(),
            rollout_id: self.trajectory.rollout,
            quote: self.quote,
            condition: self.condition,
            behavior: self.behavior,
            observed_effect: self.observed_effect,
            route,
            outcome: self.trajectory.outcome,
            group: group.clone(),
        }
    }
}
