//! A play of a game.
//!
//! Always holds: commands are sorted and unique; a command that does not apply is answered with [`NOTHING`] and changes
//! nothing.

use std::sync::Arc;

use super::game::{Game, GameError};
use super::grammar::ExpandError;
use super::pddl::state::State;
use crate::python::text::strip;

/// The answer to a command that does not apply.
pub const NOTHING: &str = "Nothing happens.";

/// A play of a game.
#[derive(Debug, Clone)]
pub struct Play {
    game: Arc<Game>,
    state: State,
    observation: String,
}

impl Play {
    /// Starts a play.
    ///
    /// # Errors
    /// If the opening cannot be written.
    pub fn start(game: Arc<Game>) -> Result<Self, GameError> {
        let state = State::new(&game.grounded.program);
        let observation = game.opening(&state)?;
        Ok(Self { game, state, observation })
    }

    /// What was observed last.
    pub fn observation(&self) -> &str {
        &self.observation
    }

    /// Whether the goal is reached.
    pub fn is_won(&self) -> bool {
        self.state.is_won()
    }

    /// The commands that apply, sorted, each once.
    ///
    /// # Errors
    /// If a command cannot be written.
    pub fn admissible(&self) -> Result<Vec<String>, GameError> {
        let commands = &self.game.commands;
        let mut numbers: Vec<usize> =
            self.state.applicable().iter().filter_map(|&operator| commands.of(operator)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut all: Vec<String> =
            numbers.into_iter().map(|number| commands.words(number).to_owned()).collect();
        if commands.has_others() {
            all.extend(self.others()?.into_iter().map(|(_, words)| words));
            all.sort_unstable();
            all.dedup();
        }
        Ok(all)
    }

    /// Gives a command and returns what is observed.
    ///
    /// # Errors
    /// If the observation cannot be written.
    pub fn step(&mut self, command: &str) -> Result<&str, GameError> {
        self.observation = match self.meaning(strip(command))? {
            None => NOTHING.to_owned(),
            Some(operator) => {
                self.state.apply(&self.game.grounded.program, operator);
                self.game.feedback(operator, &self.state)?
            }
        };
        Ok(&self.observation)
    }

    /// The operators that apply and whose words change, with their words.
    fn others(&self) -> Result<Vec<(usize, String)>, ExpandError> {
        let applicable = self.state.applicable().iter();
        let others = applicable.filter(|operator| self.game.commands.of(**operator).is_none());
        others.map(|&operator| Ok((operator, self.game.command(operator, &self.state)?))).collect()
    }

    /// The operator that a command means now.
    fn meaning(&self, command: &str) -> Result<Option<usize>, ExpandError> {
        let commands = &self.game.commands;
        let meant = commands.meant(command).iter().copied().find(|&operator| self.state.applies(operator));
        if meant.is_some() || !commands.has_others() {
            return Ok(meant);
        }
        let fitting = self.others()?.into_iter().filter(|(_, words)| words == command);
        Ok(fitting.map(|(operator, _)| operator).min())
    }
}
