//! The simulated target: an agent with bad habits, one player for each kind of task.
//!
//! Always holds: at temperature 0 a change of the context changes a reply only through the instructions that it
//! carries, as each task's inclinations are drawn from the task alone.

mod clerk;
mod coder;
mod guesser;
mod housekeeper;
mod moment;
mod prompt;
mod reader;
mod sentence;

use textualrl_llm::{
    BoxFuture, CallIdentity, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription,
};
use textualrl_model::Turn;

use crate::spoken;

/// Who plays one kind of task.
struct Player {
    /// Whether a prompt is of its kind.
    recognises: fn(&ChatRequest) -> bool,
    /// Its reply.
    act: fn(&ChatRequest) -> Turn,
}

/// The players but for the reader, who takes what nobody else does. A new one is a new line here.
const PLAYERS: &[Player] = &[
    Player { recognises: clerk::recognises, act: clerk::act },
    Player { recognises: coder::recognises, act: coder::act },
    Player { recognises: guesser::recognises, act: guesser::act },
    Player { recognises: housekeeper::recognises, act: housekeeper::act },
];

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
        spoken::reply(request, player.map_or_else(|| reader::act(request), |player| (player.act)(request)))
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
