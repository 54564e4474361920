//! The review calls: merged edits against the step's cards (Section 3.3).
//!
//! Always holds: the cards of a call are all of the step, or under the ablation all of the groups that its edits came
//! from; if a prompt does not fit, the edits are split first and the cards then shortened evenly, with the cut marked;
//! what still does not fit stays unreviewed and says so.

use futures_util::{StreamExt, stream};
use textualrl_llm::prompt::{Template, TemplateError, longest_that_fits, shorten};
use textualrl_llm::{AskError, AskRecord, Asked, CallPurpose, ask};
use textualrl_model::settings::ReviewEvidence;
use textualrl_model::{Edit, EditProposal, EvidenceCard, GroupId, ReviewRecord};

use crate::caller::{Caller, endpoint_failure, is_too_long, request, request_tokens};
use crate::enforce::{Candidates, ReviewAnswer, check_review};
use crate::output::{ReviewCall, not_reviewed};
use crate::wire::{review_schema, review_turn};

/// How often a prompt that the endpoint finds too long is made smaller.
const MOST_REDUCTIONS: u32 = 6;
/// A text on a card is never shortened below this many characters.
const SHORTEST_TEXT: usize = 40;

/// Edits that are reviewed with the same cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewBatch<'a> {
    /// The edits.
    pub edits: Vec<&'a EditProposal>,
    /// The cards; empty only if there are none for these edits.
    pub cards: Vec<EvidenceCard>,
}

/// What one call gave: its record, and each of its edits as it goes on.
pub(crate) struct Reviewed {
    pub(crate) call: Option<ReviewCall>,
    pub(crate) edits: Vec<(Edit, ReviewRecord)>,
}

/// Which edits are reviewed with which cards.
pub fn review_batches<'a>(
    edits: &'a [EditProposal],
    cards: &[EvidenceCard],
    evidence: ReviewEvidence,
) -> Vec<ReviewBatch<'a>> {
    if evidence == ReviewEvidence::AllGroups {
        return vec![ReviewBatch { edits: edits.iter().collect(), cards: cards.to_vec() }];
    }
    let mut batches: Vec<(&[GroupId], ReviewBatch<'a>)> = Vec::new();
    for edit in edits {
        match batches.iter_mut().find(|(groups, _)| *groups == edit.groups) {
            Some((_, batch)) => batch.edits.push(edit),
            None => {
                let own = cards.iter().filter(|card| edit.groups.contains(&card.group));
                let batch = ReviewBatch { edits: vec![edit], cards: own.cloned().collect() };
                batches.push((&edit.groups, batch));
            }
        }
    }
    batches.into_iter().map(|(_, batch)| batch).collect()
}

/// Every text of every card with at most `longest` characters, and the characters that were cut.
pub fn shortened_cards(cards: &[EvidenceCard], longest: usize) -> (Vec<EvidenceCard>, usize) {
    let mut cut = 0;
    let mut cards = cards.to_vec();
    for card in &mut cards {
        for text in [&mut card.quote, &mut card.condition, &mut card.behavior, &mut card.observed_effect] {
            if let Some(shortened) = shorten(text, longest) {
                cut += shortened.cut;
                *text = format!("{} {} {}", shortened.head, shortened.mark(), shortened.tail);
            }
        }
    }
    (cards, cut)
}

/// Edits that wait for their call.
struct Waiting<'a> {
    batch: ReviewBatch<'a>,
    window: usize,
    reductions: u32,
}

/// A prompt that fits, or what to do instead.
enum Prepared {
    Ready { user: String, cut: usize },
    Split,
    TooLong,
}

impl Caller<'_> {
    /// Reviews all batches. In the order of the batches, and of the edits within them.
    pub(crate) async fn review(&self, batches: Vec<ReviewBatch<'_>>) -> Result<Vec<Reviewed>, TemplateError> {
        let mut calls = Vec::new();
        for (sequence, batch) in (1..).zip(batches) {
            calls.push(self.review_batch(sequence, batch));
        }
        let reviewed: Vec<_> = stream::iter(calls).buffered(self.input.concurrency.max(1)).collect().await;
        let mut all = Vec::new();
        for reviewed in reviewed {
            all.extend(reviewed?);
        }
        Ok(all)
    }

    async fn review_batch(
        &self,
        sequence: usize,
        batch: ReviewBatch<'_>,
    ) -> Result<Vec<Reviewed>, TemplateError> {
        if batch.cards.is_empty() {
            return Ok(vec![Reviewed::nothing(&batch.edits, "the groups it came from have no card")]);
        }
        let system = self.system_turn(Template::EvidenceReview, None)?;
        let window = self.input.window_tokens as usize;
        let mut stack = vec![Waiting { batch, window, reductions: 0 }];
        let mut reviewed = Vec::new();
        while let Some(waiting) = stack.pop() {
            let (user, cut) = match self.prepare(&system, &waiting) {
                Prepared::Ready { user, cut } => (user, cut),
                Prepared::Split => {
                    stack.extend(waiting.halves());
                    continue;
                }
                Prepared::TooLong => {
                    let reason = "the prompt does not fit the window, even with shortened cards";
                    reviewed.push(Reviewed::nothing(&waiting.batch.edits, reason));
                    continue;
                }
            };
            let asked = self.ask_review(sequence, &waiting.batch, &system, &user).await;
            match &asked {
                Err(error) if is_too_long(error) && waiting.reductions < MOST_REDUCTIONS => {
                    let window = request_tokens(&system, &user).min(waiting.window) / 2;
                    stack.push(Waiting { window, reductions: waiting.reductions + 1, ..waiting });
                }
                _ => reviewed.push(Reviewed::of(&waiting.batch, cut, asked)),
            }
        }
        Ok(reviewed)
    }

    /// The prompt whole if it fits, else for half the edits, else with shortened cards.
    fn prepare(&self, system: &str, waiting: &Waiting<'_>) -> Prepared {
        let ReviewBatch { edits, cards } = &waiting.batch;
        let turn = |cards: &[EvidenceCard]| review_turn(self.input.context, edits, cards);
        let fits = |user: &str| request_tokens(system, user) <= waiting.window;
        let user = turn(cards);
        if fits(&user) {
            return Prepared::Ready { user, cut: 0 };
        }
        if edits.len() > 1 {
            return Prepared::Split;
        }
        let texts = cards.iter().flat_map(|card| [&card.quote, &card.condition, &card.behavior]);
        let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
        let longest = longest_that_fits(SHORTEST_TEXT, longest, waiting.window, |longest| {
            request_tokens(system, &turn(&shortened_cards(cards, longest).0))
        });
        let (cards, cut) = shortened_cards(cards, longest);
        let user = turn(&cards);
        if fits(&user) { Prepared::Ready { user, cut } } else { Prepared::TooLong }
    }

    async fn ask_review(
        &self,
        sequence: usize,
        batch: &ReviewBatch<'_>,
        system: &str,
        user: &str,
    ) -> Result<Asked<ReviewAnswer>, AskError> {
        let request = request(system, user, review_schema());
        let identity = self.identity(CallPurpose::Review, sequence);
        let candidates = Candidates { edits: &batch.edits, cards: &batch.cards, context: self.input.context };
        ask(self.model, &request, &identity, |reply| check_review(&reply, &candidates)).await
    }
}

impl<'a> Waiting<'a> {
    /// Half of the edits each, with the same cards; the second half first, as they are taken from the end.
    fn halves(mut self) -> [Waiting<'a>; 2] {
        let second = self.batch.edits.split_off(self.batch.edits.len() / 2);
        let second = ReviewBatch { edits: second, cards: self.batch.cards.clone() };
        let (window, reductions) = (self.window, self.reductions);
        [Waiting { batch: second, window, reductions }, self]
    }
}

impl Reviewed {
    /// Edits that go on unreviewed without a call.
    fn nothing(edits: &[&EditProposal], reason: &str) -> Self {
        let unreviewed = |edit: &&EditProposal| (edit.edit.clone(), not_reviewed(&edit.id, reason));
        Self { call: None, edits: edits.iter().map(unreviewed).collect() }
    }

    fn of(batch: &ReviewBatch<'_>, cut: usize, asked: Result<Asked<ReviewAnswer>, AskError>) -> Self {
        let mut call = ReviewCall {
            edits: batch.edits.iter().map(|edit| edit.id.clone()).collect(),
            cards: batch.cards.iter().map(|card| card.id.clone()).collect(),
            cut_characters: cut,
            failed: None,
            problems: Vec::new(),
            refused: Vec::new(),
            replies: AskRecord::default(),
            endpoint: None,
        };
        let edits = match asked {
            Ok(asked) => {
                call.problems = asked.problems;
                call.refused = asked.value.refused;
                call.replies = asked.record;
                asked.value.edits
            }
            Err(error) => {
                let reason = format!("the review failed: {error}");
                call.endpoint = endpoint_failure(&error);
                call.replies = error.record().clone();
                let edits = Self::nothing(&batch.edits, &reason).edits;
                call.failed = Some(error.to_string());
                edits
            }
        };
        Self { call: Some(call), edits }
    }
}
