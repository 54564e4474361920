//! Plays a recorded transcript of the reference engine again and compares text for text.
//!
//! Always holds: a game counts as matching only if every observation, every list of commands and every end is equal.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;

use crate::alfworld::game::Game;
use crate::alfworld::play::Play;

/// The recording of one game.
#[derive(Debug, Deserialize)]
pub(super) struct Transcript {
    /// The game's path.
    pub(super) game: String,
    /// The recorded episodes.
    pub(super) episodes: Vec<Recording>,
}

/// One recorded episode.
#[derive(Debug, Deserialize)]
pub(super) struct Recording {
    policy: String,
    initial_obs: String,
    initial_admissible: Vec<String>,
    /// The recorded steps.
    pub(super) steps: Vec<Step>,
    won: bool,
}

/// One recorded step.
#[derive(Debug, Deserialize)]
pub(super) struct Step {
    action: String,
    obs: String,
    admissible: Vec<String>,
    won: bool,
    done: bool,
}

/// Plays all episodes of a game; the error says where the first difference is, and what was expected and found.
pub(super) fn compare(transcript: &Transcript, game: &str) -> Result<(), String> {
    let game = Arc::new(Game::load(game).map_err(|error| error.to_string())?);
    for recording in &transcript.episodes {
        replay(&game, recording).map_err(|message| format!("{}: {message}", recording.policy))?;
    }
    Ok(())
}

fn replay(game: &Arc<Game>, recording: &Recording) -> Result<(), String> {
    let mut play = Play::start(game.clone()).map_err(|error| error.to_string())?;
    same("opening", &recording.initial_obs, play.observation())?;
    same_commands("opening", &recording.initial_admissible, &play)?;
    for (number, step) in recording.steps.iter().enumerate() {
        let place = format!("step {} `{}`", number + 1, step.action);
        play.step(&step.action).map_err(|error| format!("{place}: {error}"))?;
        same(&place, &step.obs, play.observation())?;
        same_commands(&place, &step.admissible, &play)?;
        if (step.won, step.done) != (play.is_won(), play.is_won()) {
            return Err(format!("{place}: won {} and done {} expected", step.won, step.done));
        }
    }
    if recording.won != play.is_won() {
        return Err(format!("at the end: won {} expected", recording.won));
    }
    Ok(())
}

fn same(place: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{place}: expected {expected:?}, found {found:?}"))
}

fn same_commands(place: &str, expected: &[String], play: &Play) -> Result<(), String> {
    let found = play.admissible().map_err(|error| format!("{place}: {error}"))?;
    if expected == found {
        return Ok(());
    }
    let mut message = format!("{place}: commands differ;");
    for command in expected.iter().filter(|command| !found.contains(command)) {
        let _ = write!(message, " missing {command:?}");
    }
    for command in found.iter().filter(|command| !expected.contains(command)) {
        let _ = write!(message, " unexpected {command:?}");
    }
    Err(message)
}
