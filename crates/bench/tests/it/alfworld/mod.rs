//! Household games as a run sees them, on a game of our own.

mod broken;
mod episode;
mod fixture;
mod load;
mod play;
mod rename;
mod terminal;

use std::sync::Arc;

use textualrl_bench::alfworld::{Game, Play};

/// The text of the game of our own.
pub(crate) const HARBOUR: &str = include_str!("../../../../../fixtures/alfworld/harbour.tw-pddl");
/// What the reference engine recorded of it.
pub(crate) const TRANSCRIPT: &str = include_str!("../../../../../fixtures/alfworld/harbour.json");

/// The game of our own, loaded.
pub(crate) fn harbour() -> Arc<Game> {
    Arc::new(Game::load(HARBOUR).unwrap())
}

/// A play after some commands.
pub(crate) fn played(game: Arc<Game>, commands: &[&str]) -> Play {
    let mut play = Play::start(game).unwrap();
    for command in commands {
        play.step(command).unwrap();
    }
    play
}

/// The harbour with a part of its file changed.
pub(crate) fn changed(from: &str, to: &str) -> String {
    let escaped = |text: &str| serde_json::to_string(text).unwrap().trim_matches('"').to_owned();
    let (from, to) = (escaped(from), escaped(to));
    assert!(HARBOUR.contains(&from), "the harbour has no {from}");
    HARBOUR.replacen(&from, &to, 1)
}
