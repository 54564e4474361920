//! What the prompt of a step shows: the task, the last steps, what is seen, and the commands.
//!
//! Always holds: nothing is known but what stands in the prompt; steps that it leaves out are forgotten.

use textualrl_llm::ChatRequest;
use textualrl_model::{Role, Turn};

/// What stands before the listed commands.
const LISTED: &str = "apply now:\n[";
/// What stands before the steps that are told again.
const RETOLD: &str = "\n\nSteps taken so far: ";
/// What stands before that which is seen now.
const SEEN: &str = "You observe:\n";

/// A step of the past.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Past {
    /// What was seen before it.
    pub(super) seen: String,
    /// The command.
    pub(super) command: String,
}

/// What the prompt of a step shows.
#[derive(Debug)]
pub(super) struct Scene {
    /// The task's paragraph.
    pub(super) task: String,
    /// How many steps were taken.
    pub(super) taken: usize,
    /// The last of them, oldest first.
    pub(super) past: Vec<Past>,
    /// What is seen now.
    pub(super) seen: String,
    /// The commands that apply.
    pub(super) commands: Vec<String>,
}

impl Scene {
    /// The scene of a request; none if its last user turn lists no commands.
    pub(super) fn read(request: &ChatRequest) -> Option<Self> {
        let step = request.turns.iter().rfind(|turn| turn.role == Role::User).map(Turn::joined_text)?;
        Self::of(&step)
    }

    pub(super) fn of(step: &str) -> Option<Self> {
        let (before, listed) = step.rsplit_once(LISTED)?;
        let (listed, _) = listed.split_once("]\n").or_else(|| listed.rsplit_once(']'))?;
        let quoted = listed.lines().map(|line| line.trim().trim_matches('\'').to_owned());
        let commands: Vec<String> = quoted.filter(|command| !command.is_empty()).collect();
        let before = before.rsplit_once("\n\n").map_or(before, |(before, _)| before);
        let Some((task, rest)) = before.split_once(RETOLD) else {
            let task = before.trim_end().rsplit("\n\n").next().unwrap_or_default().to_owned();
            return Some(Self { task, taken: 0, past: Vec::new(), seen: before.to_owned(), commands });
        };
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let taken = number.parse().unwrap_or(0);
        let (retold, seen) = rest.rsplit_once(SEEN)?;
        let past = (1..=taken).rev().map_while(|number| past(retold, number));
        let mut past: Vec<Past> = past.collect();
        past.reverse();
        Some(Self { task: task.to_owned(), taken, past, seen: seen.to_owned(), commands })
    }

    /// The rest of every command that begins with `verb`.
    pub(super) fn after<'a>(&'a self, verb: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.commands.iter().filter_map(move |command| command.strip_prefix(verb)?.strip_prefix(' '))
    }

    /// The last command.
    pub(super) fn last(&self) -> &str {
        self.past.last().map_or("", |past| past.command.as_str())
    }
}

/// A step that is told again, by its number.
fn past(retold: &str, number: usize) -> Option<Past> {
    let (_, rest) = retold.split_once(&format!("[Observation {number}: '"))?;
    let (seen, rest) = rest.split_once(&format!("', Action {number}: '"))?;
    let (command, _) = rest.split_once("']")?;
    Some(Past { seen: seen.to_owned(), command: command.to_lowercase() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read() {
        let first =
            Scene::of("Hello.\n\nDo it.\n\nCommands that apply now:\n['go to a 1'\n 'look']\n\nThink.")
                .unwrap();
        assert_eq!((first.task.as_str(), first.taken, first.past.len()), ("Do it.", 0, 0));
        assert_eq!(first.commands, ["go to a 1", "look"]);
        let later = "Do it.\n\nSteps taken so far: 3. The most recent of them:\n[Observation 2: 'It's a.\nb', Action 2: \
                     'Look']\n[Observation 3: 'c', Action 3: 'open a 1']\n\nStep 4. You observe:\nd\n\nCommands that \
                     apply now:\n['look']\n\nThink.";
        let later = Scene::of(later).unwrap();
        let expected = [("It's a.\nb", "look"), ("c", "open a 1")];
        let found: Vec<_> =
            later.past.iter().map(|past| (past.seen.as_str(), past.command.as_str())).collect();
        assert_eq!((later.taken, later.seen.as_str(), found.as_slice()), (3, "d", expected.as_slice()));
        assert!(Scene::of("Question: Who?").is_none());
    }
}
