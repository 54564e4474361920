//! The simulated target: an agent with bad habits, so far a reader of passages.
//!
//! Always holds: at temperature 0 a change of the context changes a reply only through the instructions that it
//! carries, as each task's inclinations are drawn from the task alone.

mod moment;
mod prompt;
mod reader;
mod sentence;

use textualrl_llm::{
    BoxFuture, CallIdentity, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription,
};

use crate::spoken;

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
        spoken::reply(request, reader::act(request))
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
