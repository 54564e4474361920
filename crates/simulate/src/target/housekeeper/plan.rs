//! The next command, from what one step shows.
//!
//! Always holds: no word for a thing or a place is known beforehand; they are known by their place in the commands and
//! by being named in the task.

use super::habit::Habit;
use super::scene::Scene;

/// Words of a task that ask for a change, and the verb of the command that brings it about.
const CHANGES: [(&str, &str); 6] = [
    ("clean", "clean"),
    ("heat", "heat"),
    ("hot", "heat"),
    ("cool", "cool"),
    ("cold", "cool"),
    ("chilled", "cool"),
];

/// What is to be done, as one step shows it.
pub(super) struct Plan<'a> {
    scene: &'a Scene,
    words: Vec<String>,
    habit: Option<Habit>,
    /// The thing that is carried.
    held: Option<&'a str>,
    /// Where the agent is.
    here: Option<&'a str>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(scene: &'a Scene, habit: Option<Habit>) -> Self {
        let words = scene.task.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        let mut plan = Self { scene, words: words.collect(), habit, held: None, here: None };
        plan.held = plan.carried();
        plan.here = plan.place();
        plan
    }

    /// Whether the task asks for a change of the thing, and by which verb.
    pub(super) fn change(task: &str) -> Option<&'static str> {
        let words = task.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        words.into_iter().find_map(|word| Some(CHANGES.iter().find(|(asked, _)| *asked == word)?.1))
    }

    /// The next command.
    pub(super) fn command(&self) -> String {
        self.fidget()
            .or_else(|| self.finish())
            .or_else(|| self.carry())
            .or_else(|| self.search())
            .unwrap_or_else(|| self.walk())
    }

    /// Opens and closes the same place again and again.
    fn fidget(&self) -> Option<String> {
        let fidgets = self.habit == Some(Habit::Circling) && self.held.is_none() && self.wanted().is_none();
        let last = self.scene.last();
        let other = if last.starts_with("open ") { "close" } else { "open" };
        let again = last.starts_with("open ") || last.starts_with("close ");
        let place = self.scene.after(other).next().filter(|_| fidgets && again)?;
        Some(format!("{other} {place}"))
    }

    /// What ends a task in which something is to be used.
    fn finish(&self) -> Option<String> {
        self.held?;
        let tool = self.scene.after("use").find(|tool| self.names(tool))?;
        let command = format!("use {tool}");
        (self.scene.last() != command).then_some(command)
    }

    /// What to do with the thing that is carried.
    fn carry(&self) -> Option<String> {
        let held = self.held?;
        if let Some(verb) = self.missing_change() {
            let with = format!("{held} with ");
            let tool = self.scene.after(verb).find(|rest| rest.starts_with(&with));
            return Some(tool.map_or_else(|| self.walk(), |rest| format!("{verb} {rest}")));
        }
        let to = format!("{held} to ");
        let moved = self
            .scene
            .after("move")
            .find(|rest| rest.strip_prefix(&to).is_some_and(|place| self.names(place)));
        let opened = || self.scene.after("open").find(|place| self.names(place));
        moved
            .map(|rest| format!("move {rest}"))
            .or_else(|| opened().map(|place| format!("open {place}")))
            .or_else(|| self.targets().into_iter().next().map(|place| format!("go to {place}")))
    }

    /// Takes what is wanted, or looks where it is shut.
    fn search(&self) -> Option<String> {
        if self.held.is_some() {
            return None;
        }
        if let Some(rest) = self.wanted() {
            return Some(format!("take {rest}"));
        }
        if let Some(place) = self.source() {
            return Some(format!("go to {place}"));
        }
        let shut = self.scene.after("open").find(|place| !self.is_settled(place));
        shut.map(|place| format!("open {place}"))
    }

    /// The next place: those of which there are few of a kind come first.
    fn walk(&self) -> String {
        let mut places: Vec<&str> = self.scene.after("go to").chain(self.here).collect();
        let count = |place: &str| places.iter().filter(|other| kind(other) == kind(place)).count();
        let mut ranked: Vec<(usize, &str, u32, &str)> =
            places.iter().map(|place| (count(place), kind(place), number(place), *place)).collect();
        ranked.sort_unstable();
        ranked.dedup();
        places = ranked.into_iter().map(|(.., place)| place).collect();
        let at = places.iter().position(|place| Some(*place) == self.here);
        let next = at.and_then(|at| places.get(at + 1)).or(places.first());
        next.map_or_else(|| "look".to_owned(), |place| format!("go to {place}"))
    }

    /// The rest of the command that takes what is wanted.
    fn wanted(&self) -> Option<&'a str> {
        let takes = self.scene.after("take").filter_map(|rest| Some((rest, rest.split_once(" from ")?)));
        let fits = |thing: &str, place: &str| match self.habit {
            Some(Habit::Grabbing) => !self.is_settled(place),
            _ => self.names(thing) && !self.is_settled(place),
        };
        takes.into_iter().find(|(_, (thing, place))| fits(thing, place)).map(|(rest, _)| rest)
    }

    /// Whether things at a place are where the task wants them already.
    fn is_settled(&self, place: &str) -> bool {
        Self::change(&self.scene.task).is_none() && self.names(place)
    }

    /// The change that is still to be made, as far as can be seen.
    fn missing_change(&self) -> Option<&'static str> {
        let verb = Self::change(&self.scene.task).filter(|_| self.habit != Some(Habit::Skipping))?;
        let held = self.held?;
        let told = |text: &str| text.split_whitespace().any(|word| word == verb) && mentions(text, held);
        let past = self.scene.past.iter();
        let done = past
            .flat_map(|past| [&past.seen, &past.command])
            .chain([&self.scene.seen])
            .any(|text| told(text));
        (!done).then_some(verb)
    }

    /// Where a thing was just taken from, of which the task wants another.
    fn source(&self) -> Option<&'a str> {
        let moved = self.scene.last().starts_with("move ");
        let before = self.scene.past.first().filter(|_| moved && self.scene.past.len() > 1)?;
        self.scene.after("go to").find(|place| mentions(&before.seen, place) && !self.names(place))
    }

    /// The places that the task names, but for the one where the agent is.
    fn targets(&self) -> Vec<&'a str> {
        let mut targets: Vec<&str> = self.scene.after("go to").filter(|place| self.names(place)).collect();
        targets.sort_by_key(|place| number(place));
        targets
    }

    /// The thing that is carried: what can be moved, or examined and is no place.
    fn carried(&self) -> Option<&'a str> {
        let moved = self.scene.after("move").find_map(|rest| Some(rest.split_once(" to ")?.0));
        moved.or_else(|| {
            let free = self.scene.after("take").next().is_none();
            let last = self.scene.last();
            let taken = |thing: &&str| last.starts_with(&format!("take {thing} from"));
            self.scene.after("examine").find(|thing| free && (taken(thing) || self.is_thing(thing)))
        })
    }

    /// Whether what can be examined is a thing: the task names it, and no command treats it as a place.
    fn is_thing(&self, thing: &str) -> bool {
        let is_place =
            ["open", "close"].iter().any(|verb| self.scene.after(verb).any(|place| place == thing));
        let visited = self.scene.past.iter().any(|past| past.command.strip_prefix("go to ") == Some(thing));
        let grabbed = self.habit == Some(Habit::Grabbing) && self.scene.after("examine").count() > 1;
        !is_place
            && !visited
            && (self.names(thing) || grabbed)
            && !self.scene.after("go to").any(|place| kind(place) == kind(thing))
    }

    /// Where the agent is: where its last commands took it, or else what it can treat as a place.
    fn place(&self) -> Option<&'a str> {
        let told = self.scene.past.iter().rev().find_map(|past| place_of(&past.command));
        let listed = ["open", "close", "examine"].into_iter().flat_map(|verb| self.scene.after(verb));
        told.or_else(|| listed.into_iter().find(|place| Some(*place) != self.held))
    }

    /// Whether the task names a thing or place by its kind.
    fn names(&self, name: &str) -> bool {
        let kind = kind(name);
        self.words.iter().any(|word| word == kind || word.strip_suffix('s') == Some(kind))
    }
}

/// The place that a command is about.
fn place_of(command: &str) -> Option<&str> {
    let verb = ["go to ", "open ", "close "].into_iter().find_map(|verb| command.strip_prefix(verb));
    verb.or_else(|| {
        [" from ", " with ", " to "].into_iter().find_map(|word| Some(command.rsplit_once(word)?.1))
    })
}

/// The words of a name without its number.
fn kind(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end()
}

fn number(name: &str) -> u32 {
    name.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Whether a text holds a name, and no longer one.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let after = text.get(at + name.len()..).unwrap_or_default();
        !after.starts_with(|c: char| c.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::housekeeper::scene::Past;

    fn scene(task: &str, past: &[(&str, &str)], seen: &str, commands: &[&str]) -> Scene {
        let past =
            past.iter().map(|(seen, command)| Past { seen: (*seen).into(), command: (*command).into() });
        let past: Vec<Past> = past.collect();
        let commands = commands.iter().map(|command| (*command).to_owned()).collect();
        Scene { task: task.to_owned(), taken: past.len(), past, seen: seen.to_owned(), commands }
    }

    /// A task, what was seen before which command, what applies, and what is done without a habit.
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [&'a str], &'a str);

    #[test]
    fn the_next_command_follows_from_task_and_commands() {
        let went: &[(&str, &str)] = &[("", "go to crate 1")];
        let cases: [Case<'_>; 10] = [
            (
                "put a pen in the tub",
                &[],
                &["go to box 1", "go to box 2", "go to tub 1", "look"],
                "go to tub 1",
            ),
            ("put a pen in the tub", went, &["open crate 1", "go to box 1"], "open crate 1"),
            ("put a pen in the tub", went, &["take ink 1 from crate 1", "go to box 1"], "go to box 1"),
            (
                "put two pens in it",
                went,
                &["take pen 2 from crate 1", "go to box 1"],
                "take pen 2 from crate 1",
            ),
            ("put a pen in the crate", went, &["take pen 2 from crate 1", "go to box 1"], "go to box 1"),
            (
                "put a pen in the crate",
                went,
                &["move pen 2 to crate 1", "go to box 1"],
                "move pen 2 to crate 1",
            ),
            (
                "put a clean pen in the tub",
                &[("", "take pen 1 from box 1")],
                &["examine box 1", "examine pen 1", "go to crate 1", "go to tub 1"],
                "go to crate 1",
            ),
            (
                "put a clean pen in the tub",
                &[("", "go to crate 1")],
                &["clean pen 1 with crate 1", "examine pen 1", "go to tub 1"],
                "clean pen 1 with crate 1",
            ),
            (
                "put a clean pen in the tub",
                &[("You clean the pen 1.", "go to tub 1"), ("", "open tub 1")],
                &["examine pen 1", "move pen 1 to tub 1", "go to crate 1"],
                "move pen 1 to tub 1",
            ),
            (
                "look at a pen under the lamp",
                &[("", "go to box 1")],
                &["examine pen 1", "use lamp 1", "go to crate 1"],
                "use lamp 1",
            ),
        ];
        for (task, past, commands, expected) in cases {
            let scene = scene(task, past, "", commands);
            assert_eq!(Plan::new(&scene, None).command(), expected, "{task}: {commands:?}");
        }
    }

    #[test]
    fn a_second_thing_is_looked_for_where_the_first_was() {
        let past = [("You take pen 1 from box 12.", "go to tub 1"), ("", "move pen 1 to tub 1")];
        let scene = scene("put two pens in the tub", &past, "", &["go to box 1", "go to box 12"]);
        assert_eq!(Plan::new(&scene, None).command(), "go to box 12");
    }

    #[test]
    fn habits_spoil_the_command() {
        let went = [("", "go to crate 1"), ("", "open crate 1")];
        for (habit, task, commands, expected) in [
            (
                Habit::Grabbing,
                "find a pen",
                vec!["take ink 1 from crate 1", "go to box 1"],
                "take ink 1 from crate 1",
            ),
            (Habit::Circling, "find a pen", vec!["close crate 1", "go to box 1"], "close crate 1"),
            (
                Habit::Skipping,
                "leave a hot pen in the crate",
                vec!["heat pen 1 with crate 1", "move pen 1 to crate 1"],
                "move pen 1 to crate 1",
            ),
        ] {
            let scene = scene(task, &went, "", &commands);
            assert_eq!(Plan::new(&scene, Some(habit)).command(), expected, "{habit:?}");
        }
    }
}
