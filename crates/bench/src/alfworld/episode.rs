//! One play by the target.
//!
//! Always holds: every reply is a step, with or without an action; the play ends when it is won or after
//! [`STEP_LIMIT`] steps; the reward is whether it was won.

use std::sync::Arc;

use textualrl_model::{Context, Feedback, NotScoredCause, Outcome, Reward, Role, Turn};

use super::action::{FALLBACK, Reading};
use super::game::{Game, GameError};
use super::play::{NOTHING, Play};
use super::prompt::{SYSTEM, Step, task_of};
use crate::benchmark::{Episode, Progress};
use crate::prompt::system;

/// The steps that a play may take, as released.
pub const STEP_LIMIT: usize = 50;

/// An episode of ALFWorld.
#[derive(Debug)]
pub struct AlfWorldEpisode {
    play: Play,
    task: String,
    system: String,
    /// What was observed before each action, and the action as written.
    past: Vec<(String, String)>,
    commands: Vec<String>,
    untagged: usize,
    futile: usize,
    fault: Option<String>,
}

impl AlfWorldEpisode {
    /// Starts a play of the game.
    ///
    /// # Errors
    /// If the game cannot write its opening or its commands.
    pub fn start(game: Arc<Game>) -> Result<Self, GameError> {
        let play = Play::start(game)?;
        Ok(Self {
            task: task_of(play.observation()).to_owned(),
            system: String::new(),
            past: Vec::new(),
            commands: play.admissible()?,
            untagged: 0,
            futile: 0,
            fault: None,
            play,
        })
    }

    fn step_text(&self) -> String {
        let Self { task, past, commands, play, .. } = self;
        Step { task, past, observation: play.observation(), commands }.text()
    }

    fn take(&mut self, reading: Reading) -> Result<(), GameError> {
        let before = self.play.observation().to_owned();
        let observed = self.play.step(&reading.command())?;
        self.futile += usize::from(observed == NOTHING);
        self.untagged += usize::from(!reading.tagged);
        self.past.push((before, reading.action));
        self.commands = self.play.admissible()?;
        Ok(())
    }

    /// What can be said of the play without telling more than the target saw.
    fn feedback(&self) -> String {
        let steps = self.past.len();
        let mut facts = vec![if self.play.is_won() {
            format!("the task was done after {}", counted(steps, "step", "steps"))
        } else if steps >= STEP_LIMIT {
            format!("the step limit of {STEP_LIMIT} was reached")
        } else {
            format!("the play ended after {} with the task not done", counted(steps, "step", "steps"))
        }];
        if self.untagged > 0 {
            let replies = counted(self.untagged, "reply", "replies");
            facts.push(format!("{replies} without action tag, for which `{FALLBACK}` was executed"));
        }
        if self.futile > 0 {
            facts.push(format!("{} that did not apply", counted(self.futile, "command", "commands")));
        }
        facts.join("; ")
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl Episode for AlfWorldEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        self.system = system(SYSTEM, context);
        vec![Turn::text(Role::System, self.system.as_str()), Turn::text(Role::User, self.step_text())]
    }

    /// A request shows the window of the step, never the whole play.
    fn window(&self) -> Option<Vec<Turn>> {
        Some(vec![Turn::text(Role::System, self.system.as_str()), Turn::text(Role::User, self.step_text())])
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        let reading = Reading::of(&reply.joined_text());
        let tagged = reading.tagged;
        if let Err(error) = self.take(reading) {
            self.fault = Some(error.to_string());
            return Progress::Finished;
        }
        if self.play.is_won() || self.past.len() >= STEP_LIMIT {
            return Progress::Finished;
        }
        let observation = self.play.observation();
        let text = if tagged {
            observation.to_owned()
        } else {
            format!("(The reply has no action tag; `{FALLBACK}` was executed.)\n{observation}")
        };
        Progress::Continue(vec![Turn::text(Role::User, text)])
    }

    fn score(&mut self) -> Outcome {
        if let Some(message) = self.fault.take() {
            return Outcome::NotScored { cause: NotScoredCause::Environment { message } };
        }
        Outcome::Scored {
            reward: Reward::of(self.play.is_won()),
            answer: None,
            feedback: Feedback { safe: Some(self.feedback()), expected: None },
        }
    }
}
