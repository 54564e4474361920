//! `textualrl play`: a person plays a household game in the terminal.
//!
//! Always holds: the person sees what an agent would see, and nothing of the game is written.

use std::io;
use std::sync::Arc;

use textualrl_bench::alfworld::{Game, terminal};
use textualrl_model::ExitCode;

use crate::arguments::PlayArguments;
use crate::failure::Failure;

/// Plays the game until it is won, the input ends or the person quits.
pub(crate) fn play(arguments: &PlayArguments) -> Result<(), Failure> {
    let unusable = |why: &dyn std::fmt::Display| {
        Failure::new(ExitCode::BadInput, format!("{} cannot be played: {why}", arguments.game))
            .hint("name a game.tw-pddl file")
    };
    let text = std::fs::read_to_string(&arguments.game).map_err(|error| unusable(&error))?;
    let game = Game::load(&text).map_err(|error| unusable(&error))?;
    terminal::play(Arc::new(game), io::stdin().lock(), &mut io::stdout().lock())
        .map(drop)
        .map_err(|error| unusable(&error))
}
