//! The simulated target: an agent with bad habits, one player for each kind of task.
//!
//! Always holds: at temperature 0 a change of the context changes a reply only through the instructions that it
//! carries, as each task's inclinations are drawn from the task alone; a player knows its tasks by what a real model
//! would see of them.

mod moment;
mod prompt;
mod reader;
mod sentence;

use textualrl_llm::{
    BoxFuture, CallIdentity, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription,
};
use textualrl_model::Turn;

use crate::spoken;

/// One kind of task that the target acts in.
struct Player {
    /// Whether a request is of this kind.
    recognises: fn(&ChatRequest) -> bool,
    /// What the target says or calls.
    act: fn(&ChatRequest) -> Turn,
}

/// The players; the first that recognises a request acts. A new one is a new line before the last, which takes all.
const PLAYERS: &[Player] = &[Player { recognises: |_| true, act: reader::act }];

/// The simulated frozen agent, model `simulated-target`.
#[derive(Debug, Clone)]
pub struct SimulatedTarget {
    description: EndpointDescription,
}

impl SimulatedTarget {
    /// Its model name.
    pub const MODEL: &str = "simulated-target";

    /// The simulated target.
    pub fn new() -> Self {
        Self { description: spoken::description(Self::MODEL) }
    }

    /// What it answers to a request.
    pub fn answer(&self, request: &ChatRequest) -> ChatReply {
        let player = PLAYERS.iter().find(|player| (player.recognises)(request));
        let act = player.map_or(reader::act as fn(&ChatRequest) -> Turn, |player| player.act);
        spoken::reply(request, act(request))
    }
}

impl Default for SimulatedTarget {
    fn default() -> Self {
        Self::new()
    }
}

impl ChatModel for SimulatedTarget {
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
