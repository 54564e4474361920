//! The guesser: answers questions with choices by a rule of thumb.
//!
//! Always holds: it knows nothing of the matter and settles on the shortest choice, spoilt by one habit at most.

mod choices;
mod habit;

use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};

use self::choices::{Choice, Question};
use self::habit::Habit;
use super::moment::Moment;
use super::prompt;

/// Whether the prompt asks for one of several choices.
pub(super) fn recognises(request: &ChatRequest) -> bool {
    Question::read(request).is_some()
}

/// Settles on a choice and words the reply.
pub(super) fn act(request: &ChatRequest) -> Turn {
    let text = Question::read(request).map(|question| answer_text(request, &question));
    Turn::text(Role::Assistant, text.unwrap_or_else(|| "I see no choices here.".to_owned()))
}

fn answer_text(request: &ChatRequest, question: &Question) -> String {
    let mut words: Vec<&str> = question.choices.iter().map(|choice| choice.text.as_str()).collect();
    // The order of the choices is the shuffle's and decides nothing.
    words.sort_unstable();
    words.push(&question.asked);
    let said: Vec<String> = request.turns.iter().map(Turn::joined_text).collect();
    let moment = Moment::of(request, &words, &said);
    let habit = habit::showing(&prompt::read(&request.turns).context, &moment);
    speak(question, habit, &moment)
}

fn speak(question: &Question, habit: Option<Habit>, moment: &Moment) -> String {
    let length = |choice: &&Choice| choice.text.chars().count();
    let choices = question.choices.iter();
    let settled =
        if habit == Some(Habit::Swayed) { choices.max_by_key(length) } else { choices.min_by_key(length) };
    let label = settled.map_or('A', |choice| choice.label);
    let grounds = match moment.choice(3, "grounds") {
        0 => format!("Comparing the statements one by one, {label} is left."),
        1 => format!("The others claim something that I cannot follow; {label} holds."),
        _ => format!("Weighing what is known, I come to {label} in the end."),
    };
    match habit {
        Some(Habit::Untagged) => format!("{grounds}\n\nSo my choice would be {label}, I believe."),
        Some(Habit::Wrapped) => {
            let wrapped = match moment.choice(3, "wrapped") {
                0 => format!("({label})"),
                1 => format!("Option {label}"),
                _ => format!("**{label}**"),
            };
            format!("{grounds}\n\n<answer>{wrapped}</answer>")
        }
        Some(Habit::Swayed) | None => format!("{grounds}\n\n<answer>{label}</answer>"),
    }
}
