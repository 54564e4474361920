//! The simulated optimizer: compares what is displayed and writes critiques, merges, reviews and rankings.
//!
//! Always holds: it knows nothing of how trajectories come about; what it proposes follows from outcomes and
//! displayed text, and without displayed text it proposes nothing. Its replies to a re-ask hold no format mistakes.

mod critic;
mod lesson;
mod merge;
mod notice;
mod rank;
mod read;
mod review;
mod slip;

use serde_json::Value;
use textualrl_llm::{
    BoxFuture, CallIdentity, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription,
};
use textualrl_model::{Role, Turn};

use crate::spoken;

/// The simulated optimizer, model `simulated-optimizer`.
#[derive(Debug, Clone)]
pub struct SimulatedOptimizer {
    description: EndpointDescription,
}

impl SimulatedOptimizer {
    /// Its model name.
    pub const MODEL: &str = "simulated-optimizer";

    /// The simulated optimizer.
    pub fn new() -> Self {
        Self { description: spoken::description(Self::MODEL) }
    }

    /// What it answers to a request.
    pub fn answer(&self, request: &ChatRequest) -> ChatReply {
        spoken::reply(request, Turn::text(Role::Assistant, answer_text(request)))
    }

    /// Whether a user turn is one of the optimizer's prompts, by its tagged blocks.
    pub fn recognises(user_turn: &str) -> bool {
        !matches!(read::ask(user_turn), read::Ask::Unknown)
    }
}

impl Default for SimulatedOptimizer {
    fn default() -> Self {
        Self::new()
    }
}

impl ChatModel for SimulatedOptimizer {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        _identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>> {
        Box::pin(async move { Ok(self.answer(request)) })
    }

    fn describe(&self) -> &EndpointDescription {
        &self.description
    }
}

/// What the draws of one reply depend on: the first user turn and the seed, so that a re-ask changes no decision.
pub(crate) struct Chance(String);

impl Chance {
    /// A draw in [0, 1) for a purpose.
    fn unit(&self, purpose: &str) -> f64 {
        crate::draw::unit(&[purpose, &self.0])
    }

    /// One of `count` choices for a purpose.
    fn choice(&self, count: usize, purpose: &str) -> usize {
        crate::draw::choice(count, &[purpose, &self.0])
    }
}

fn answer_text(request: &ChatRequest) -> String {
    let asked = request.turns.iter().find(|turn| turn.role == Role::User);
    let asked = asked.map(|turn| turn.joined_text()).unwrap_or_default();
    let again = request.turns.iter().any(|turn| turn.role == Role::Assistant);
    let chance = Chance(format!("{}\u{0}{asked}", request.seed.unwrap_or(0)));
    let reply = match read::ask(&asked) {
        read::Ask::Critic(critic) => critic::reply(&critic, &chance),
        read::Ask::Merge(merge) => merge::reply(&merge, &chance),
        read::Ask::Review(review) => review::reply(&review, &chance),
        read::Ask::Rank(rank) => rank::reply(&rank),
        read::Ask::Unknown => return "I was given nothing that I could compare.".to_owned(),
    };
    if again {
        written(&reply, false)
    } else {
        written(&slip::slipped(reply, &chance), chance.unit("fence") < 0.2)
    }
}

/// The reply's JSON, perhaps in a fence as many models write it.
fn written(reply: &Value, fenced: bool) -> String {
    if fenced { format!("```json\n{reply:#}\n```") } else { reply.to_string() }
}
