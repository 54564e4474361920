//! A question and its labelled choices, as the prompt shows them.
//!
//! Always holds: a question has two choices or more; a choice may go on over several lines.

use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};

/// A labelled choice.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) label: char,
    pub(super) text: String,
}

/// What is asked and what there is to choose from.
pub(super) struct Question {
    pub(super) asked: String,
    pub(super) choices: Vec<Choice>,
}

impl Question {
    /// The question of a request; none if it has no choices.
    pub(super) fn read(request: &ChatRequest) -> Option<Self> {
        let task = request.turns.iter().find(|turn| turn.role == Role::User).map(Turn::joined_text)?;
        Self::of(&task)
    }

    fn of(task: &str) -> Option<Self> {
        let (asked, rest) = task.split_once("## Choices\n")?;
        let listed = rest.split("\n## ").next().unwrap_or_default();
        let mut choices: Vec<Choice> = Vec::new();
        for line in listed.lines() {
            match (labelled(line), choices.last_mut()) {
                (Some((label, text)), _) => choices.push(Choice { label, text: text.to_owned() }),
                (None, Some(choice)) => {
                    choice.text.push('\n');
                    choice.text.push_str(line);
                }
                (None, None) => {}
            }
        }
        for choice in &mut choices {
            choice.text = choice.text.trim().to_owned();
        }
        (choices.len() >= 2).then(|| Self { asked: asked.to_owned(), choices })
    }
}

/// The label that a line begins with, and what follows.
fn labelled(line: &str) -> Option<(char, &str)> {
    let (label, text) = line.split_once(". ")?;
    let mut letters = label.chars();
    let first = letters.next().filter(char::is_ascii_uppercase)?;
    letters.next().is_none().then_some((first, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_with_their_lines() {
        let task = "## Question\nWhich?\n\n## Choices\nA. one\nstill one\nB. two\n\n## Theorem\nC. no choice";
        let question = Question::of(task).unwrap();
        let found: Vec<(char, &str)> =
            question.choices.iter().map(|choice| (choice.label, choice.text.as_str())).collect();
        assert_eq!(found, [('A', "one\nstill one"), ('B', "two")]);
        for none in ["## Question\nWhich?", "## Choices\nA. alone"] {
            assert!(Question::of(none).is_none(), "{none}");
        }
    }
}
