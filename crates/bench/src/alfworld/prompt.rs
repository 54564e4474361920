//! What the target is told at a step.
//!
//! Always holds: the context stands in the system turn alone; a step shows the task, the last pairs of observation and
//! action, and the commands that apply, never the whole play.

use super::action::history;

/// The system prompt, with a place for the context.
pub(super) const SYSTEM: &str = include_str!("../../../../prompts/target/alfworld.md");

/// How many pairs of observation and action a step shows, as published.
pub(super) const WINDOW: usize = 2;

/// A command that the published prompt leaves out: it lists the others.
const UNLISTED: &str = "help";

/// What is known at a step.
pub(super) struct Step<'a> {
    /// The task.
    pub(super) task: &'a str,
    /// What was observed before each action, and the action.
    pub(super) past: &'a [(String, String)],
    /// What is observed now.
    pub(super) observation: &'a str,
    /// The commands that apply now.
    pub(super) commands: &'a [String],
}

impl Step<'_> {
    /// The user turn of the step.
    pub(super) fn text(&self) -> String {
        let commands = listed(self.commands);
        if self.past.is_empty() {
            return format!("{}\n\nCommands that apply now:\n{commands}\n\n{ASK}", self.observation);
        }
        let taken = self.past.len();
        format!(
            "{}\n\nSteps taken so far: {taken}. The most recent of them:\n{}\n\nStep {}. You observe:\n{}\n\n\
             Commands that apply now:\n{commands}\n\n{ASK}",
            self.task,
            history(self.past, WINDOW),
            taken + 1,
            self.observation,
        )
    }
}

const ASK: &str = "Think inside <think> tags, then give exactly one command inside <action> tags.";

fn listed(commands: &[String]) -> String {
    let quoted = commands.iter().filter(|command| *command != UNLISTED).map(|command| format!("'{command}'"));
    format!("[{}]", quoted.collect::<Vec<_>>().join("\n "))
}

/// The task within a game's opening: its last paragraph.
pub(super) fn task_of(opening: &str) -> &str {
    opening.trim_end().rsplit("\n\n").next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_shows_the_window_only() {
        let past: Vec<_> = (1..=3).map(|n| (format!("o{n}"), format!("a{n}"))).collect();
        let commands = ["help".to_owned(), "wave".to_owned(), "wait".to_owned()];
        let step = Step { task: "Do it.", past: &past, observation: "o4", commands: &commands };
        let text = step.text();
        assert!(
            text.starts_with("Do it.\n") && text.contains("['wave'\n 'wait']") && text.contains("Step 4.")
        );
        assert!(!text.contains("o1") && text.contains("o2") && !text.contains("help"));
        let first = Step { past: &[], ..step }.text();
        assert!(first.starts_with("o4\n") && !first.contains("Do it."));
    }
}
