//! A play by a person at a terminal.
//!
//! Always holds: only lines with `:` in front are for the terminal, all others are for the game.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use super::game::{Game, GameError};
use super::play::Play;

/// Why a play at the terminal ended early.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// The game cannot go on.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The terminal cannot be read or written.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

const HELP: &str = "Type a command of the game, `:commands` for those that apply, `:quit` to stop.";

/// Lets a person play until the game is won, the input ends or `:quit`; whether it was won.
///
/// # Errors
/// If the game cannot go on, or input or output fails.
pub fn play(game: Arc<Game>, input: impl BufRead, output: &mut impl Write) -> Result<bool, TerminalError> {
    let mut play = Play::start(game)?;
    write!(output, "{}\n\n{HELP}\n\n> ", play.observation())?;
    output.flush()?;
    for line in input.lines() {
        match line?.trim() {
            ":quit" => break,
            ":commands" => writeln!(output, "{}", play.admissible()?.join("\n"))?,
            "" => {}
            other if other.starts_with(':') => writeln!(output, "{HELP}")?,
            command => writeln!(output, "{}", play.step(command)?)?,
        }
        if play.is_won() {
            writeln!(output, "\nThe task is done.")?;
            return Ok(true);
        }
        write!(output, "\n> ")?;
        output.flush()?;
    }
    Ok(false)
}
