//! The reader of passages: answers a question from the text beside it.
//!
//! Always holds: an answer is a span of the passage, spoilt by one habit at most.

mod answer;
mod dates;
mod habit;
mod instruction;
mod passage;
mod question;
mod rules;
mod spans;
mod voice;

use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};

use super::moment::Moment;
use super::prompt;

/// Reads the prompt, finds an answer, picks the habit that shows and words the reply.
pub(super) fn act(request: &ChatRequest) -> Turn {
    Turn::text(Role::Assistant, answer_text(request))
}

fn answer_text(request: &ChatRequest) -> String {
    let prompt = prompt::read(&request.turns);
    let question = question::Question::read(&prompt.question);
    let documents = passage::read(&prompt.passage);
    let Some(found) = answer::find(&question, &documents) else {
        return "There is no passage here that I could read an answer from.".to_owned();
    };
    let instructions = instruction::read(&prompt.context);
    let said: Vec<String> = request.turns.iter().map(Turn::joined_text).collect();
    let moment = Moment::of(request, &[&prompt.passage, &prompt.question], &said);
    let habit = habit::showing(&found, &question, &instructions, &moment);
    voice::speak(&found, habit, &moment)
}
