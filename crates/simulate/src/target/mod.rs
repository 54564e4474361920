//! The simulated target: an extractive reader with bad habits.
//!
//! Always holds: at temperature 0 a change of the context changes an answer only through the instructions that it
//! carries, as each task's inclinations are drawn from the user turn alone.

mod answer;
mod dates;
mod habit;
mod instruction;
mod passage;
mod prompt;
mod question;
mod rules;
mod spans;
mod voice;

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
        spoken::reply(request, answer_text(request))
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

/// Reads the prompt, finds an answer, picks the habit that shows and words the reply.
fn answer_text(request: &ChatRequest) -> String {
    let prompt = prompt::read(&request.turns);
    let question = question::Question::read(&prompt.question);
    let documents = passage::read(&prompt.passage);
    let Some(found) = answer::find(&question, &documents) else {
        return "There is no passage here that I could read an answer from.".to_owned();
    };
    let instructions = instruction::read(&prompt.context);
    let moment = habit::Moment::of(request, &prompt);
    let habit = habit::showing(&found, &question, &instructions, &moment);
    voice::speak(&found, habit, &moment)
}
