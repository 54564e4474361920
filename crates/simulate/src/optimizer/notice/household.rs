//! What can be noticed about a play in a home of words.
//!
//! Always holds: only the task and the commands that were given are looked at, never how the play ended.

use std::collections::{BTreeMap, BTreeSet};

use super::Sign;
use crate::optimizer::read::Shown;

/// What the input of such a play asks for.
const ASKING: &str = "inside <action> tags";
/// What follows the task in the input.
const BELOW: &str = "\n\nCommands that";
/// How often a lid may be lifted before it is noticed.
const PATIENCE: usize = 2;

/// Adjectives and verbs of tasks, and the verb that fulfils them.
const STATES: [(&str, &str); 6] = [
    ("clean", "clean"),
    ("hot", "heat"),
    ("heat", "heat"),
    ("cool", "cool"),
    ("cold", "cool"),
    ("chilled", "cool"),
];

/// Whether the input asks for a command a step.
pub(super) fn fits(input: &str) -> bool {
    input.contains(ASKING) && input.contains(BELOW)
}

/// The signs of a play.
pub(super) fn signs(input: &str, shown: &Shown) -> BTreeSet<Sign> {
    let commands: Option<Vec<String>> = shown.replies.iter().map(|reply| command(reply)).collect();
    let Some(commands) = commands else { return BTreeSet::from([Sign::Unmarked]) };
    let task = task_words(input);
    let found = [
        (Sign::Seized, commands.iter().any(|command| takes_other(command, &task))),
        (Sign::Fidgety, is_fidgety(&commands)),
        (Sign::Unready, is_unready(&commands, &task)),
    ];
    found.into_iter().filter_map(|(sign, shows)| shows.then_some(sign)).collect()
}

/// The marked command of a reply.
fn command(reply: &str) -> Option<String> {
    let (before, _) = reply.rsplit_once("</action>")?;
    Some(before.rsplit_once("<action>")?.1.trim().to_lowercase())
}

/// The words of the last paragraph before the listed commands.
fn task_words(input: &str) -> Vec<String> {
    let above = input.split_once(BELOW).map_or(input, |(above, _)| above);
    let task = above.rsplit("\n\n").next().unwrap_or_default();
    task.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect()
}

/// Whether a command takes a thing of another kind than the task names.
fn takes_other(command: &str, task: &[String]) -> bool {
    let thing = command.strip_prefix("take ").and_then(|rest| rest.split_once(" from "));
    thing.is_some_and(|(thing, _)| {
        let kind = thing.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
        !task.iter().any(|word| word == kind || word.strip_suffix('s') == Some(kind))
    })
}

/// Whether the same lid was lifted over and over.
fn is_fidgety(commands: &[String]) -> bool {
    let mut lifted: BTreeMap<&str, usize> = BTreeMap::new();
    for command in commands.iter().filter(|command| command.starts_with("open ")) {
        *lifted.entry(command).or_default() += 1;
    }
    lifted.values().any(|times| *times > PATIENCE)
}

/// Whether something was put down before it was given the state that the task names.
fn is_unready(commands: &[String], task: &[String]) -> bool {
    let wanted = task.iter().find_map(|word| STATES.iter().find(|(state, _)| state == word));
    let Some((_, verb)) = wanted else { return false };
    let put_down = commands.iter().position(|command| command.starts_with("move "));
    put_down.is_some_and(|at| !commands.iter().take(at).any(|command| command.starts_with(verb)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_seen() {
        let input = |task: &str| {
            format!("Here.\n\n{task}\n\nCommands that apply now:\n['look']\n\nGive it inside <action> tags.")
        };
        let play = |commands: &[&str]| Shown {
            rollout: "r1".to_owned(),
            success: false,
            multiplicity: 1.0,
            replies: commands.iter().map(|command| format!("Well.\n<action>{command}</action>")).collect(),
        };
        assert!(fits(&input("Do it.")) && !fits("Who?"));
        let cases: [(&str, &[&str], &[Sign]); 6] = [
            ("put two cups into the chest", &["take cup 1 from shelf 1", "move cup 1 to chest 1"], &[]),
            ("put two cups into the chest", &["take rope 1 from shelf 1"], &[Sign::Seized]),
            (
                "find a cup",
                &["open chest 1", "close chest 1", "open chest 1", "open chest 1"],
                &[Sign::Fidgety],
            ),
            ("find a cup", &["open chest 1", "open chest 2", "open chest 3"], &[]),
            ("leave a hot cup", &["take cup 1 from shelf 1", "move cup 1 to chest 1"], &[Sign::Unready]),
            ("leave a hot cup", &["heat cup 1 with stove 1", "move cup 1 to chest 1"], &[]),
        ];
        for (task, commands, expected) in cases {
            let found = signs(&input(task), &play(commands));
            assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{task}: {commands:?}");
        }
        let mut bare = play(&["look"]);
        bare.replies.push("I would look.".to_owned());
        assert_eq!(signs(&input("Do it."), &bare), BTreeSet::from([Sign::Unmarked]));
    }
}
